/* Tests recordings from writer to reader: poses, body frames, channels, several bodies, and no
 * motion of bodies without consent. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../mcap/memory_sink.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/recording_reader.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define EPOCH_UNIX_NS UINT64_C(1700000000000000000)
#define DEGREE        0.017453293f

static const char *const channels[] = { "expression/happy", "lookAt" };

static const struct jc_recorded_body walker = {
	.id = 3,
	.name = "walker",
	.recorded = JC_RECORDED_RAW,
	.kind = JC_CAPTURE_POSE,
	.skeleton = "",
	.channel_count = 2,
	.channels = channels,
	.placement = { { 1.5f, 0.0f, -2.0f }, 0.5f },
	.seat_height = 0.45f,
};

static const struct jc_recorded_body tracked = {
	.id = 4,
	.name = "tracked",
	.display = "Ada L.",
	.recorded = JC_RECORDED_RAW,
	.kind = JC_CAPTURE_BODY_FRAME,
	.profile = JC_PROFILE_META,
	.height = 1.75f,
	.skeleton = "",
};

static const struct jc_recorded_body shy = {
	.id = 5,
	.name = "shy",
	.recorded = JC_RECORDED_NOTHING,
	.kind = JC_CAPTURE_POSE,
	.skeleton = "",
};

static struct jc_recording_writer *begin(struct memory_sink *file, bool scene)
{
	struct jc_recording_options options = {
		.library = "tests",
		.space = "lobby",
		.epoch = "5f1c9a7e",
		.tick_hz = 60,
		.epoch_unix_ns = EPOCH_UNIX_NS,
		.scene = scene,
	};
	struct jc_mcap_sink sink = memory_sink(file);
	struct jc_recording_writer *writer;

	*file = (struct memory_sink){ 0 };
	assert_int_equal(jc_recording_create(&options, 0, &sink, &writer), JC_OK);
	return writer;
}

static void write_capture(struct jc_recording_writer *writer, uint32_t body, uint32_t tick,
	const uint8_t *bytes, int length)
{
	struct jc_recorded_capture capture = { body, bytes, (size_t)length };

	assert_true(length > 0);
	assert_int_equal(
		jc_recording_write_captures(writer, 16667 * (int64_t)tick, tick, &capture, 1),
		JC_OK);
}

/* The hips turned about +Y by so many degrees. */
static void write_pose(struct jc_recording_writer *writer, uint32_t tick, float degrees)
{
	static struct jc_capture capture;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HIPS] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, degrees * DEGREE);
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	pose.states[JC_BONE_HEAD] = JC_ESTIMATED;
	pose.hips_translation = (struct jc_vec3){ 0.01f * degrees, 0.0f, 0.0f };
	capture.time_us = 5000000 + 16667 * (int64_t)tick;
	capture.value_count = 5;
	capture.values[0] = degrees / 100.0f;
	capture.values[4] = 1.0f;
	write_capture(writer, walker.id, tick, bytes,
		jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)));
}

static void write_frame_of(
	struct jc_recording_writer *writer, uint32_t body, uint32_t tick, float height, bool rest)
{
	static struct jc_capture capture;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_body_frame frame = { .confidence = 1.0f };

	frame.joints[JC_JOINT_HIPS] =
		(struct jc_body_joint){ { 0.0f, height, 0.0f }, JC_QUAT_IDENTITY, JC_TRACKED };
	capture.time_us = 16667 * (int64_t)tick;
	capture.is_rest = rest;
	write_capture(writer, body, tick, bytes,
		jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes)));
}

static void write_frame(struct jc_recording_writer *writer, uint32_t tick, float height, bool rest)
{
	write_frame_of(writer, tracked.id, tick, height, rest);
}

static void end(struct jc_recording_writer *writer)
{
	assert_int_equal(jc_recording_end(writer), JC_OK);
	jc_recording_destroy(writer);
}

static void make(struct memory_sink *file, bool scene)
{
	const struct jc_recorded_body first[] = { walker, shy };
	const struct jc_recorded_body second[] = { walker, tracked, shy };
	struct jc_recording_writer *writer = begin(file, scene);

	assert_int_equal(jc_recording_write_roster(writer, 0, 1, first, 2), JC_OK);
	for (uint32_t tick = 0; tick < 4; tick++) {
		write_pose(writer, tick, 10.0f * (float)tick);
	}
	assert_int_equal(jc_recording_write_roster(writer, 66668, 2, second, 3), JC_OK);
	write_frame(writer, 4, 0.95f, true);
	for (uint32_t tick = 5; tick < 8; tick++) {
		write_frame(writer, tick, 0.1f * (float)tick, false);
	}
	assert_int_equal(
		jc_recording_write_event(writer, 150000, "marker", "take two", 0, 0), JC_OK);
	assert_int_equal(
		jc_recording_write_clock(writer, 150000, EPOCH_UNIX_NS + 150001000), JC_OK);
	end(writer);
}

static struct jc_motion *read_motion(const struct memory_sink *file, size_t index)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;

	if (jc_recording_read_motion(
		    file->bytes, file->length, index, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return motion;
}

static void reads_poses_with_times_and_channels(void **)
{
	struct memory_sink file;
	struct jc_motion *motion;
	const struct jc_motion_info *info;
	struct jc_pose pose;
	float values[JC_MOTION_CHANNEL_VALUES];

	make(&file, false);
	motion = read_motion(&file, 0);
	info = jc_motion_info(motion);
	assert_int_equal(info->kind, JC_MOTION_POSES);
	assert_string_equal(info->format, "recording");
	assert_string_equal(info->name, "walker");
	assert_int_equal(info->frame_count, 4);
	assert_float_equal(info->duration, 0.050001, 1e-9);
	assert_true(info->bone_mask == (UINT64_C(1) << JC_BONE_HIPS | UINT64_C(1) << JC_BONE_HEAD));
	/* Half-way between 10 and 20 degrees. */
	jc_motion_pose(motion, 0.0250005, &pose);
	assert_float_equal(2.0f * asinf(pose.rotations[JC_BONE_HIPS].y), 15.0f * DEGREE, 1e-4f);
	assert_float_equal(pose.hips_translation.x, 0.15f, 1e-4f);
	assert_int_equal(pose.states[JC_BONE_HEAD], JC_ESTIMATED);
	assert_int_equal(pose.states[JC_BONE_SPINE], JC_ABSENT);
	assert_int_equal(jc_motion_channel_count(motion), 2);
	assert_string_equal(jc_motion_channels(motion)[1].name, "lookAt");
	jc_motion_channel_values(motion, 0, 0.050001, values);
	assert_float_equal(values[0], 0.3f, 1e-4f);
	jc_motion_channel_values(motion, 1, 0.02, values);
	assert_float_equal(values[3], 1.0f, 1e-4f);
	jc_motion_destroy(motion);
	free(file.bytes);
}

/* Some sources announce a channel when it first moves. */
static void reads_later_channels_from_their_start(void **)
{
	struct jc_recorded_body early = walker;
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, false);
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_capture capture = { .time_us = 5000000, .value_count = 1, .values = { 0.5f } };
	struct jc_motion *motion;
	struct jc_pose pose;
	float values[JC_MOTION_CHANNEL_VALUES];

	early.channel_count = 1;
	jc_pose_init(&pose);
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	assert_int_equal(jc_recording_write_roster(writer, 0, 1, &early, 1), JC_OK);
	write_capture(
		writer, walker.id, 0, bytes, jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)));
	assert_int_equal(jc_recording_write_roster(writer, 16667, 2, &walker, 1), JC_OK);
	write_pose(writer, 1, 10.0f);
	write_pose(writer, 2, 20.0f);
	end(writer);
	motion = read_motion(&file, 0);
	assert_int_equal(jc_motion_info(motion)->frame_count, 3);
	assert_int_equal(jc_motion_channel_count(motion), 2);
	jc_motion_channel_values(motion, 0, 0.0, values);
	assert_float_equal(values[0], 0.5f, 1e-4f);
	jc_motion_channel_values(motion, 0, 0.033334, values);
	assert_float_equal(values[0], 0.2f, 1e-4f);
	jc_motion_channel_values(motion, 1, 0.0, values);
	assert_float_equal(values[3], 1.0f, 1e-4f);
	jc_motion_destroy(motion);
	free(file.bytes);
}

static void reads_body_frames_with_profile_and_rest(void **)
{
	struct memory_sink file;
	struct jc_motion *motion;
	struct jc_body_frame frame;

	make(&file, false);
	motion = read_motion(&file, 1);
	assert_int_equal(jc_motion_info(motion)->kind, JC_MOTION_BODY_FRAMES);
	assert_int_equal(jc_motion_profile(motion), JC_PROFILE_META);
	assert_int_equal(jc_motion_info(motion)->frame_count, 3);
	assert_non_null(jc_motion_rest(motion));
	assert_float_equal(jc_motion_rest(motion)->joints[JC_JOINT_HIPS].position.y, 0.95f, 1e-4f);
	jc_motion_body_frame(motion, 0.0, &frame);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].position.y, 0.5f, 1e-4f);
	jc_motion_body_frame(motion, 1.0, &frame);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].position.y, 0.7f, 1e-4f);
	assert_int_equal(frame.joints[JC_JOINT_HEAD].state, JC_ABSENT);
	jc_motion_destroy(motion);
	free(file.bytes);
}

static void lists_only_bodies_with_consent(void **)
{
	struct memory_sink file;
	struct jc_mcap_slice slice;
	struct jc_mcap_input input;
	struct jc_recording *recording;
	const struct jc_recorded_body *body;
	struct jc_motion *motion;
	struct jc_diagnostic diagnostic = { 0 };

	make(&file, false);
	slice = (struct jc_mcap_slice){ file.bytes, file.length };
	input = jc_mcap_input_memory(&slice);
	assert_int_equal(jc_recording_open(&input, &recording, NULL), JC_OK);
	assert_int_equal(jc_recording_body_count(recording), 2);
	body = jc_recording_body(recording, 0);
	assert_int_equal(body->id, 3);
	assert_float_equal(body->placement.position.z, -2.0f, 0.0f);
	assert_float_equal(body->placement.yaw, 0.5f, 0.0f);
	assert_float_equal(body->seat_height, 0.45f, 1e-6f);
	assert_string_equal(body->display, "");
	body = jc_recording_body(recording, 1);
	assert_string_equal(body->name, "tracked");
	assert_string_equal(body->display, "Ada L.");
	assert_null(body->meta);
	assert_float_equal(body->height, 1.75f, 0.0f);
	assert_int_equal(
		jc_recording_read_body(recording, 2, &motion, NULL, &diagnostic), JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "there is no motion 2, 2 bodies are recorded");
	jc_recording_close(recording);
	free(file.bytes);
}

/* Messages of a topic; the text of the last one. */
static size_t find_messages(const struct memory_sink *file, const char *topic, char *out_text)
{
	struct jc_mcap_slice slice = { file->bytes, file->length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	struct jc_mcap_index *index;
	size_t count = 0;

	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	assert_int_equal(jc_mcap_cursor_create(&input, index, &range, &cursor), JC_OK);
	while (jc_mcap_cursor_next(cursor, &message, NULL) == JC_OK) {
		const struct jc_mcap_channel *channel =
			jc_mcap_index_channel(index, message.channel_id);

		if (jc_mcap_equal(channel->topic, jc_mcap_text(topic))) {
			count++;
			assert_true(message.data.length < 60000);
			memcpy(out_text, message.data.bytes, message.data.length);
			out_text[message.data.length] = '\0';
			assert_int_equal(message.log_time % 1000, 0);
			assert_true(message.log_time >= EPOCH_UNIX_NS);
		}
	}
	jc_mcap_cursor_destroy(cursor);
	jc_mcap_index_destroy(index);
	return count;
}

static void events_and_clocks_are_read_with_their_times(void **)
{
	static char text[65536];
	struct memory_sink file;

	make(&file, false);
	assert_int_equal(find_messages(&file, "/lobby/event", text), 1);
	assert_string_equal(text, "{\"time\":150000,\"event\":\"marker\",\"text\":\"take two\"}");
	assert_int_equal(find_messages(&file, "/lobby/clock", text), 1);
	assert_string_equal(text, "{\"time\":150000,\"unixNs\":\"1700000000150001000\"}");
	assert_int_equal(find_messages(&file, "/lobby/session", text), 1);
	assert_int_equal(find_messages(&file, "/lobby/roster", text), 2);
	assert_int_equal(find_messages(&file, "/lobby/transforms", text), 0);
	free(file.bytes);
}

/* Place of a frame of the last message along an axis. */
static float transform_of(const json_t *root, const char *child, const char *axis)
{
	const json_t *array = json_object_get(root, "transforms");

	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i);

		if (strcmp(json_string_value(json_object_get(item, "child_frame_id")), child) ==
			0) {
			return (float)json_number_value(
				json_object_get(json_object_get(item, "translation"), axis));
		}
	}
	fail_msg("no frame '%s'", child);
	return 0.0f;
}

static void transforms_contain_the_placement_of_bodies(void **)
{
	static char text[65536];
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, true);
	json_t *root;

	assert_int_equal(jc_recording_write_roster(writer, 0, 1, &walker, 1), JC_OK);
	write_pose(writer, 1, 30.0f);
	end(writer);
	assert_int_equal(find_messages(&file, "/lobby/transforms", text), 1);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_float_equal(transform_of(root, "lobby/walker", "x"), 1.5f, 1e-6f);
	assert_float_equal(transform_of(root, "lobby/walker", "z"), -2.0f, 1e-6f);
	/* 0.3 of the height of the hips along x. */
	assert_float_equal(transform_of(root, "lobby/walker/hips", "x"),
		0.3f * (jc_bone_rest_position(JC_BONE_HIPS).y -
			       jc_bone_rest_position(JC_BONE_LEFT_TOES).y),
		1e-4f);
	json_decref(root);
	free(file.bytes);
}

static void omits_and_counts_damaged_captures(void **)
{
	static const uint8_t nonsense[] = { 0x41, 0xff, 1, 2, 3 };
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, false);
	struct jc_motion *motion;
	struct jc_lint lint = { 0 };

	assert_int_equal(jc_recording_write_roster(writer, 0, 1, &walker, 1), JC_OK);
	write_pose(writer, 0, 0.0f);
	write_capture(writer, walker.id, 1, nonsense, sizeof(nonsense));
	write_pose(writer, 2, 20.0f);
	end(writer);
	assert_int_equal(
		jc_recording_read_motion(file.bytes, file.length, 0, NULL, &motion, &lint, NULL),
		JC_OK);
	assert_int_equal(jc_motion_info(motion)->frame_count, 2);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "captures-refused");
	jc_motion_destroy(motion);
	free(file.bytes);
}

/* Consent to body frames at first, then to poses only. */
static void captures_of_another_kind_do_not_count_as_damage(void **)
{
	struct jc_recorded_body willing = tracked;
	struct memory_sink file;
	struct jc_recording_writer *writer = begin(&file, false);
	struct jc_motion *motion;
	struct jc_lint lint = { 0 };

	willing.id = walker.id;
	assert_int_equal(jc_recording_write_roster(writer, 0, 1, &walker, 1), JC_OK);
	write_pose(writer, 0, 0.0f);
	assert_int_equal(jc_recording_write_roster(writer, 16667, 2, &willing, 1), JC_OK);
	write_frame_of(writer, walker.id, 1, 0.95f, false);
	write_frame_of(writer, walker.id, 2, 0.95f, false);
	end(writer);
	assert_int_equal(
		jc_recording_read_motion(file.bytes, file.length, 0, NULL, &motion, &lint, NULL),
		JC_OK);
	assert_int_equal(jc_motion_info(motion)->frame_count, 1);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "captures-of-another-kind");
	assert_string_equal(lint.entries[0].text,
		"recorded as poses at first; 2 captures as body frames are left out");
	jc_motion_destroy(motion);
	free(file.bytes);
}

static void rejects_files_of_other_programs_with_their_kind(void **)
{
	struct memory_sink file = { 0 };
	struct jc_mcap_sink sink = memory_sink(&file);
	struct jc_mcap_writer_options options = {
		.profile = "ros2", .library = "", .parts = JC_MCAP_ALL_PARTS
	};
	struct jc_mcap_writer *writer;
	struct jc_motion *motion;
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(jc_mcap_writer_create(&options, &sink, &writer), JC_OK);
	assert_int_equal(jc_mcap_writer_end(writer), JC_OK);
	jc_mcap_writer_destroy(writer);
	assert_int_equal(jc_recording_read_motion(
				 file.bytes, file.length, 0, NULL, &motion, NULL, &diagnostic),
		JC_ERROR_UNSUPPORTED);
	assert_string_equal(
		diagnostic.what, "an MCAP file, but no recording of jointcast: profile 'ros2'");
	free(file.bytes);
}

static void demo_pose(void *context, size_t index, struct jc_pose *out_pose)
{
	jc_motion_pose(context, (double)index / 30.0, out_pose);
}

static void a_clip_keeps_its_poses_within_the_bound_of_captures(void **)
{
	struct jc_motion *motion, *back;
	struct jc_skeleton *skeleton;
	struct jc_written file;
	struct jc_clip clip = { .frame_count = 31, .frame_seconds = 1.0 / 30.0, .pose = demo_pose };

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	clip.motion = motion;
	clip.skeleton = skeleton;
	clip.context = motion;
	assert_int_equal(jc_write_recording(&clip, &file, NULL, NULL), JC_OK);
	assert_int_equal(
		jc_recording_read_motion(file.bytes, file.length, 0, NULL, &back, NULL, NULL),
		JC_OK);
	assert_int_equal(jc_motion_info(back)->frame_count, 31);
	for (size_t i = 0; i < 31; i++) {
		struct jc_pose a, b;

		demo_pose(motion, i, &a);
		jc_motion_pose(back, (double)llround((double)i / 30.0 * 1e6) * 1e-6, &b);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			assert_int_equal(a.states[bone], b.states[bone]);
			if (a.states[bone] != JC_ABSENT) {
				assert_true(jc_quat_angle(a.rotations[bone], b.rotations[bone]) <
					    JC_CAPTURE_ROTATION_ERROR + 1e-5f);
			}
		}
		assert_true(jc_vec3_length(jc_vec3_subtract(a.hips_translation,
				    b.hips_translation)) < 2.0f * JC_CAPTURE_POSITION_ERROR);
	}
	jc_motion_destroy(back);
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	free(file.bytes);
}

static void json_schemas_are_valid_json(void **)
{
	struct memory_sink file;
	struct jc_mcap_slice slice;
	struct jc_mcap_input input;
	struct jc_mcap_index *index;
	size_t count = 0;

	make(&file, true);
	slice = (struct jc_mcap_slice){ file.bytes, file.length };
	input = jc_mcap_input_memory(&slice);
	assert_int_equal(jc_mcap_index_read(&input, &index, NULL), JC_OK);
	for (size_t i = 0; i < index->schema_count; i++) {
		const struct jc_mcap_schema *schema = &index->schemas[i];
		json_t *root;

		if (!jc_mcap_equal(schema->encoding, jc_mcap_text("jsonschema"))) {
			continue;
		}
		root = json_loadb(schema->data.bytes, schema->data.length, 0, NULL);
		assert_non_null(root);
		assert_string_equal(json_string_value(json_object_get(root, "type")), "object");
		json_decref(root);
		count++;
	}
	assert_int_equal(count, 6);
	jc_mcap_index_destroy(index);
	free(file.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_poses_with_times_and_channels),
		cmocka_unit_test(reads_later_channels_from_their_start),
		cmocka_unit_test(reads_body_frames_with_profile_and_rest),
		cmocka_unit_test(lists_only_bodies_with_consent),
		cmocka_unit_test(events_and_clocks_are_read_with_their_times),
		cmocka_unit_test(transforms_contain_the_placement_of_bodies),
		cmocka_unit_test(omits_and_counts_damaged_captures),
		cmocka_unit_test(captures_of_another_kind_do_not_count_as_damage),
		cmocka_unit_test(rejects_files_of_other_programs_with_their_kind),
		cmocka_unit_test(a_clip_keeps_its_poses_within_the_bound_of_captures),
		cmocka_unit_test(json_schemas_are_valid_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
