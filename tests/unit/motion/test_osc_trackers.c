/* OSC trackers: angles worked out another way, frames of packets however they are split, and that a
 * receiver gets what a sender writes. */
#include <math.h>
#include <string.h>

#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "jointcast_private/osc_trackers.h"
#include "unit_test.h"

#define NEAR 1.0e-5f

static struct jc_vec3 v(float x, float y, float z)
{
	return (struct jc_vec3){ x, y, z };
}

static void assert_near(struct jc_vec3 a, struct jc_vec3 b, float most)
{
	assert_true(jc_vec3_length(jc_vec3_subtract(a, b)) <= most);
}

/* What Unity does with a point: about Z, then X, then Y, in left-handed axes, where a positive
 * angle turns +X to +Y, +Y to +Z and +Z to +X. */
static struct jc_vec3 turn_in_unity(struct jc_vec3 degrees, struct jc_vec3 p)
{
	const float r = (float)M_PI / 180.0f;
	float s = sinf(degrees.z * r), c = cosf(degrees.z * r);

	p = v(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
	s = sinf(degrees.x * r);
	c = cosf(degrees.x * r);
	p = v(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
	s = sinf(degrees.y * r);
	c = cosf(degrees.y * r);
	return v(c * p.x + s * p.z, p.y, -s * p.x + c * p.z);
}

static void angles_turn_as_in_unity(void **)
{
	const struct jc_vec3 points[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

	for (int i = 0; i < 500; i++) {
		struct jc_vec3 degrees =
			v((float)(i * 37 % 360), (float)(i * 101 % 360), (float)(i * 53 % 360));
		struct jc_quat q = jc_osc_tracker_rotation(degrees);
		struct jc_quat back = jc_osc_tracker_rotation(jc_osc_tracker_degrees(q));

		for (int p = 0; p < 3; p++) {
			struct jc_vec3 wanted = turn_in_unity(degrees, points[p]);
			struct jc_vec3 mirrored = v(-points[p].x, points[p].y, points[p].z);
			struct jc_vec3 got = jc_quat_rotate(q, mirrored);

			assert_near(v(-got.x, got.y, got.z), wanted, NEAR);
		}
		assert_true(jc_quat_angle(q, back) < 1.0e-3f);
	}
	/* Straight up and down, where Y and Z turn about one axis. */
	for (int i = -1; i <= 1; i += 2) {
		struct jc_quat q = jc_osc_tracker_rotation(v((float)(90 * i), 30, 20));

		assert_true(jc_quat_angle(q, jc_osc_tracker_rotation(jc_osc_tracker_degrees(q))) <
			    1.0e-3f);
	}
}

static void a_turn_to_the_right_faces_minus_x(void **)
{
	struct jc_quat q = jc_osc_tracker_rotation(v(0, 90, 0));

	/* Canonical axes have the left at +X. */
	assert_near(jc_quat_rotate(q, v(0, 0, 1)), v(-1, 0, 0), NEAR);
}

/* One message with three floats. */
static size_t put(uint8_t *out, const char *address, float x, float y, float z)
{
	struct jc_osc_message message = { .address = address,
		.argument_count = 3,
		.arguments = { { .type = 'f', .f = x }, { .type = 'f', .f = y },
			{ .type = 'f', .f = z } } };
	int length = jc_osc_write(&message, out, 256);

	assert_true(length > 0);
	return (size_t)length;
}

static void take(struct jc_osc_tracker_receiver *receiver, const char *address, float x, float y,
	float z, int64_t ms)
{
	uint8_t bytes[256];
	size_t length = put(bytes, address, x, y, z);

	assert_int_equal(
		jc_osc_tracker_receiver_take(receiver, bytes, length, ms * 1000000, NULL), JC_OK);
}

static void messages_one_by_one_make_frames(void **)
{
	static struct jc_osc_tracker_receiver receiver;
	const struct jc_osc_tracker_frame *frame;

	for (int i = 0; i < 3; i++) {
		take(&receiver, "/tracking/trackers/head/position", 0.5f, 1.5f, (float)i, 16 * i);
		take(&receiver, "/tracking/trackers/8/position", 1, 2, (float)i, 16 * i + 1);
		take(&receiver, "/tracking/trackers/8/rotation", 0, 90, 0, 16 * i + 2);
		if (i > 0) {
			/* The usual messages are there: no need to wait. */
			frame = jc_osc_tracker_receiver_frame(
				&receiver, (16 * i + 2) * INT64_C(1000000));
			assert_int_equal(frame->number, i + 1);
		}
	}
	frame = jc_osc_tracker_receiver_frame(&receiver, INT64_C(40000000));
	assert_non_null(frame);
	assert_near(frame->trackers[JC_OSC_TRACKER_HEAD].position, v(-0.5f, 1.5f, 2), NEAR);
	assert_false(frame->trackers[JC_OSC_TRACKER_HEAD].has_rotation);
	assert_near(frame->trackers[8].position, v(-1, 2, 2), NEAR);
	assert_true(frame->trackers[8].has_rotation);
	assert_int_equal(frame->time_ns, INT64_C(34000000));
	assert_true(frame->sent_ns == INT64_MIN);
	assert_int_equal(receiver.counts.messages, 9);
}

/* A frame never mixes two instants: a message that comes again begins the next one. */
static void a_message_that_comes_again_begins_a_frame(void **)
{
	static struct jc_osc_tracker_receiver receiver;
	const struct jc_osc_tracker_frame *frame;

	take(&receiver, "/tracking/trackers/1/position", 0, 1, 0, 0);
	take(&receiver, "/tracking/trackers/2/position", 0, 1, 0, 1);
	take(&receiver, "/tracking/trackers/1/position", 0, 2, 0, 2);
	frame = jc_osc_tracker_receiver_frame(&receiver, 2000000);
	assert_int_equal(frame->number, 1);
	assert_near(frame->trackers[1].position, v(0, 1, 0), NEAR);
	assert_near(frame->trackers[2].position, v(0, 1, 0), NEAR);
	frame = jc_osc_tracker_receiver_frame(&receiver, 7000000);
	assert_int_equal(frame->number, 2);
	assert_near(frame->trackers[1].position, v(0, 2, 0), NEAR);
}

static void other_messages_are_counted_and_named(void **)
{
	static struct jc_osc_tracker_receiver receiver;
	uint8_t text[64];
	struct jc_osc_message wrong = { .address = "/tracking/trackers/2/position",
		.argument_count = 1,
		.arguments = { { .type = 's', .s = "here" } } };
	int length = jc_osc_write(&wrong, text, sizeof(text));

	assert_true(length > 0);
	take(&receiver, "/tracking/trackers/9/position", 0, 0, 0, 0);
	take(&receiver, "/tracking/trackers/1/position/x", 0, 0, 0, 0);
	take(&receiver, "/tracking/trackers/1", 0, 0, 0, 0);
	take(&receiver, "/avatar/parameters/VRCEmote", 0, 0, 0, 0);
	take(&receiver, "/avatar/parameters/VRCEmote", 0, 0, 0, 0);
	jc_osc_tracker_receiver_take(&receiver, text, (size_t)length, 0, NULL);
	assert_int_equal(receiver.counts.ignored, 6);
	take(&receiver, "/tracking/trackers/1/position", NAN, 0, 0, 0);
	take(&receiver, "/tracking/trackers/1/position", 0, INFINITY, 0, 0);
	take(&receiver, "/tracking/trackers/1/rotation", 0, 1.0e9f, 0, 0);
	assert_int_equal(receiver.counts.invalid, 3);
	assert_null(jc_osc_tracker_receiver_frame(&receiver, INT64_C(1000000000)));
	assert_int_equal(receiver.unused.count, JC_LIMIT_OSC_NAMES);
	assert_string_equal(receiver.unused.list[0], "/tracking/trackers/9/position");
	assert_string_equal(receiver.unused.list[3], "/avatar/parameters/VRCEmote");
	assert_int_equal(
		jc_osc_tracker_receiver_take(&receiver, "abc", 3, 0, NULL), JC_ERROR_SYNTAX);
	assert_int_equal(receiver.counts.refused, 1);
}

/* 2026-01-01 00:00:00.5: 1767225600 seconds since 1970, 3976214400 (0xed003780) since 1900. */
static void a_bundle_states_when_it_was_sent(void **)
{
	static struct jc_osc_tracker_receiver receiver;
	uint8_t bytes[512] = { '#', 'b', 'u', 'n', 'd', 'l', 'e', 0, 0xed, 0x00, 0x37, 0x80, 0x80 };
	size_t length = 16 + 4 + put(bytes + 20, "/tracking/trackers/1/position", 0, 1, 0);

	bytes[19] = (uint8_t)(length - 20);
	assert_int_equal(jc_osc_tracker_receiver_take(&receiver, bytes, length, 5, NULL), JC_OK);
	assert_true(jc_osc_tracker_receiver_frame(&receiver, 10000000)->sent_ns ==
		    INT64_C(1767225600500000000));
}

static void a_receiver_gets_what_a_sender_writes(void **)
{
	static struct jc_osc_tracker_receiver receiver;
	struct jc_osc_tracker sent[JC_OSC_TRACKER_COUNT];
	uint8_t bytes[JC_OSC_TRACKER_BYTES];

	for (int i = 0; i < JC_OSC_TRACKER_COUNT; i++)
		sent[i] = (struct jc_osc_tracker){ .has_position = true,
			.has_rotation = true,
			.position = v((float)i, 0.5f * (float)i, -1),
			.rotation = jc_quat_normalize(
				(struct jc_quat){ 0.1f * (float)i, 0.3f, -0.2f, 0.7f }) };
	int length = jc_osc_trackers_write(sent, bytes, sizeof(bytes));

	assert_true(length > 0 && length <= JC_OSC_TRACKER_BYTES);
	assert_int_equal(jc_osc_trackers_write(sent, bytes, (size_t)length - 1), JC_ERROR_SPACE);
	assert_int_equal(jc_osc_trackers_write(sent, bytes, 8), JC_ERROR_SPACE);
	assert_int_equal(jc_osc_trackers_write(sent, bytes, sizeof(bytes)), length);
	assert_int_equal(
		jc_osc_tracker_receiver_take(&receiver, bytes, (size_t)length, 0, NULL), JC_OK);
	const struct jc_osc_tracker_frame *frame =
		jc_osc_tracker_receiver_frame(&receiver, 10000000);

	for (int i = 0; i < JC_OSC_TRACKER_COUNT; i++) {
		assert_near(frame->trackers[i].position, sent[i].position, NEAR);
		assert_true(jc_quat_angle(frame->trackers[i].rotation, sent[i].rotation) < 1.0e-3f);
	}
}

/* The built-in figure: the head of a body that has turned to its left and looks up. */
static void a_figure_gives_places_of_bones(void **)
{
	struct jc_skeleton *skeleton;
	struct jc_osc_figure *figure;
	struct jc_skeleton_pose pose = { .rotations = { { 0 } } };
	struct jc_vec3 hips, head;
	struct jc_quat rotation;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_int_equal(jc_osc_figure_create(skeleton, &figure), JC_OK);
	for (int i = 0; i < JC_BONE_COUNT; i++)
		pose.rotations[i] = JC_QUAT_IDENTITY;
	pose.rotations[JC_BONE_HIPS] = jc_quat_from_axis_angle(v(0, 1, 0), (float)M_PI_2);
	pose.rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle(v(1, 0, 0), -0.5f);
	jc_osc_figure_pose(figure, &pose);
	assert_true(jc_osc_figure_place(figure, JC_BONE_HIPS, &hips, &rotation));
	assert_near(hips, jc_bone_rest_position(JC_BONE_HIPS), NEAR);
	assert_near(jc_quat_rotate(rotation, v(0, 0, 1)), v(1, 0, 0), NEAR);
	assert_true(jc_osc_figure_place(figure, JC_BONE_HEAD, &head, &rotation));
	assert_near(jc_quat_rotate(rotation, v(0, 0, 1)), v(cosf(0.5f), sinf(0.5f), 0), 1.0e-4f);
	assert_true(head.y > hips.y + 0.4f);
	jc_osc_figure_destroy(figure);
	jc_osc_figure_destroy(NULL);
	jc_skeleton_destroy(skeleton);
}

/* A head that goes 1 cm and turns 0.02 to its left in each 10 ms. */
static void note(struct jc_osc_tracker_prediction *prediction, uint64_t number, int64_t time_ns)
{
	struct jc_osc_tracker_frame frame = { .number = number, .time_ns = time_ns };

	frame.trackers[JC_OSC_TRACKER_HEAD] = (struct jc_osc_tracker){ .has_position = true,
		.has_rotation = true,
		.position_ns = time_ns,
		.rotation_ns = time_ns,
		.position = v(0.01f * (float)number, 1.5f, 0.0f),
		.rotation = jc_quat_from_axis_angle(v(0, 1, 0), 0.02f * (float)number) };
	jc_osc_tracker_prediction_note(prediction, &frame);
}

static void a_lost_frame_is_predicted(void **)
{
	const int64_t step_ns = 10000000;
	struct jc_osc_tracker_prediction prediction = { .usual_ns = 0 };
	const struct jc_osc_tracker *head;
	struct jc_osc_tracker_frame frame;

	for (uint64_t i = 1; i <= 8; i++)
		note(&prediction, i, (int64_t)i * step_ns);
	assert_false(jc_osc_tracker_prediction_frame(&prediction, 8 * step_ns + 9000000, &frame));
	assert_true(jc_osc_tracker_prediction_frame(&prediction, 10 * step_ns, &frame));
	head = &frame.trackers[JC_OSC_TRACKER_HEAD];
	assert_near(head->position, v(0.1f, 1.5f, 0.0f), NEAR);
	assert_true(
		jc_quat_angle(head->rotation, jc_quat_from_axis_angle(v(0, 1, 0), 0.2f)) < 1.0e-3f);
	assert_int_equal(frame.time_ns, 10 * step_ns);
	assert_int_equal(head->position_ns, 8 * step_ns);
	assert_false(jc_osc_tracker_prediction_frame(&prediction, 19 * step_ns, &frame));
}

static void a_burst_of_frames_moves_no_tracker_far(void **)
{
	const int64_t step_ns = 10000000;
	struct jc_osc_tracker_prediction prediction = { .usual_ns = 0 };
	struct jc_osc_tracker_frame frame;

	for (uint64_t i = 1; i <= 8; i++)
		note(&prediction, i, (int64_t)i * step_ns);
	note(&prediction, 9, 8 * step_ns + 1000);
	assert_true(jc_osc_tracker_prediction_frame(&prediction, 10 * step_ns, &frame));
	assert_near(frame.trackers[JC_OSC_TRACKER_HEAD].position, v(0.11f, 1.5f, 0.0f), 1.0e-4f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_turn_as_in_unity),
		cmocka_unit_test(a_turn_to_the_right_faces_minus_x),
		cmocka_unit_test(messages_one_by_one_make_frames),
		cmocka_unit_test(a_message_that_comes_again_begins_a_frame),
		cmocka_unit_test(other_messages_are_counted_and_named),
		cmocka_unit_test(a_bundle_states_when_it_was_sent),
		cmocka_unit_test(a_receiver_gets_what_a_sender_writes),
		cmocka_unit_test(a_figure_gives_places_of_bones),
		cmocka_unit_test(a_lost_frame_is_predicted),
		cmocka_unit_test(a_burst_of_frames_moves_no_tracker_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
