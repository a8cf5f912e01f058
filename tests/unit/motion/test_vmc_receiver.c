/* VMC receiver: packets given as bytes, and numbers computed by hand. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"
#include "unit_test.h"

#define MS   INT64_C(1000000)
#define HALF 0.70710678f /* sine and cosine of 45 degrees */

/* "/VMC/Ext/Bone/Pos (string){name} (float){p.x} … (float){q.w}": the left arm
 * raised. In Unity it points along -X; a quarter turn of -90 degrees about +Z
 * takes (-1, 0) of the x-y plane to (-cos(-90), -sin(-90)) = (0, 1), up. So q
 * = (0, 0, sin(-45), cos(-45)). */
static const uint8_t left_arm_up[] = {
	0x2f, 0x56, 0x4d, 0x43, /* / V M C */
	0x2f, 0x45, 0x78, 0x74, /* / E x t */
	0x2f, 0x42, 0x6f, 0x6e, /* / B o n */
	0x65, 0x2f, 0x50, 0x6f, /* e / P o */
	0x73, 0x00, 0x00, 0x00, /* s       */
	0x2c, 0x73, 0x66, 0x66, /* , s f f */
	0x66, 0x66, 0x66, 0x66, /* f f f f */
	0x66, 0x00, 0x00, 0x00, /* f       */
	0x4c, 0x65, 0x66, 0x74, /* L e f t */
	0x55, 0x70, 0x70, 0x65, /* U p p e */
	0x72, 0x41, 0x72, 0x6d, /* r A r m */
	0x00, 0x00, 0x00, 0x00, /*         */
	0xbd, 0xcc, 0xcc, 0xcd, /* p.x -0.1 */
	0x00, 0x00, 0x00, 0x00, /* p.y 0 */
	0x00, 0x00, 0x00, 0x00, /* p.z 0 */
	0x00, 0x00, 0x00, 0x00, /* q.x 0 */
	0x00, 0x00, 0x00, 0x00, /* q.y 0 */
	0xbf, 0x35, 0x04, 0xf3, /* q.z -0.70710677 */
	0x3f, 0x35, 0x04, 0xf3, /* q.w 0.70710677 */
};

/* A receiver and a packet under construction. */
struct fixture {
	struct jc_vmc_receiver *receiver;
	uint8_t bytes[16384];
	size_t length;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture.length = 0;
	*state = &fixture;
	return jc_vmc_receiver_create(NULL, &fixture.receiver);
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_vmc_receiver_destroy(fixture->receiver);
	return 0;
}

static void say(struct fixture *fixture, const struct jc_osc_message *message)
{
	if (fixture->length == 0)
		fixture->length =
			(size_t)jc_osc_bundle_begin(fixture->bytes, sizeof(fixture->bytes));
	int size = jc_osc_bundle_append(message, fixture->bytes + fixture->length,
		sizeof(fixture->bytes) - fixture->length);

	assert_true(size > 0);
	fixture->length += (size_t)size;
}

/* In the coordinates of Unity. */
static void write_place(struct fixture *fixture, const char *address, const char *name,
	struct jc_vec3 p, struct jc_quat q)
{
	const struct jc_osc_message message = { address, 8,
		{ { 's', .s = name }, { 'f', .f = p.x }, { 'f', .f = p.y }, { 'f', .f = p.z },
			{ 'f', .f = q.x }, { 'f', .f = q.y }, { 'f', .f = q.z },
			{ 'f', .f = q.w } } };

	say(fixture, &message);
}

static void write_bone(
	struct fixture *fixture, const char *name, struct jc_vec3 p, struct jc_quat q)
{
	write_place(fixture, "/VMC/Ext/Bone/Pos", name, p, q);
}

static void write_still(struct fixture *fixture, const char *name, float x, float y, float z)
{
	write_bone(fixture, name, (struct jc_vec3){ x, y, z }, JC_QUAT_IDENTITY);
}

static void send(struct fixture *fixture, int64_t now_ns)
{
	assert_int_equal(jc_vmc_receiver_take(
				 fixture->receiver, fixture->bytes, fixture->length, now_ns, NULL),
		JC_OK);
	fixture->length = 0;
}

/* The pose after the silence that ends a frame. */
static const struct jc_vmc_frame *frame_at(struct fixture *fixture, int64_t now_ns)
{
	const struct jc_vmc_frame *frame = jc_vmc_receiver_frame(fixture->receiver, now_ns);

	assert_non_null(frame);
	return frame;
}

static void expect_vec3(struct jc_vec3 v, float x, float y, float z)
{
	if (fabsf(v.x - x) > 1e-6f || fabsf(v.y - y) > 1e-6f || fabsf(v.z - z) > 1e-6f)
		fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)v.x, (double)v.y, (double)v.z,
			(double)x, (double)y, (double)z);
}

/* Direction of a T-pose vector after a bone's rotation. */
static void expect_points(const struct jc_vmc_frame *frame, enum jc_bone bone,
	struct jc_vec3 direction, float x, float y, float z)
{
	expect_vec3(jc_quat_rotate(frame->pose.rotations[bone], direction), x, y, z);
}

static void converts_a_raised_left_arm_from_unity(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(
		jc_vmc_receiver_take(fixture->receiver, left_arm_up, sizeof(left_arm_up), 0, NULL),
		JC_OK);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	/* The left arm lies along +X in the T-pose. */
	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 0.0f,
		1.0f, 0.0f);
	assert_int_equal(frame->pose.states[JC_BONE_LEFT_UPPER_ARM], JC_TRACKED);
	assert_int_equal(frame->pose.states[JC_BONE_RIGHT_UPPER_ARM], JC_ABSENT);
	assert_int_equal(frame->time_ns, 0);
	assert_int_equal(frame->number, 1);
}

static void converts_bow_and_head_turn_from_unity(void **state)
{
	struct fixture *fixture = *state;

	/* About +X, +Y goes to +Z, which is forward on either side. */
	write_bone(fixture, "Spine", (struct jc_vec3){ 0 }, (struct jc_quat){ HALF, 0, 0, HALF });
	/* About +Y by -90 degrees, +Z goes to -X: in Unity that is left. */
	write_bone(fixture, "Head", (struct jc_vec3){ 0 }, (struct jc_quat){ 0, -HALF, 0, HALF });
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	expect_points(frame, JC_BONE_SPINE, (struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.0f, 0.0f, 1.0f);
	expect_points(frame, JC_BONE_HEAD, (struct jc_vec3){ 0.0f, 0.0f, 1.0f }, 1.0f, 0.0f, 0.0f);
}

/* Thigh 0.4 below the hips, shin 0.45, foot 0.4 and toes 0.05 farther down: the lowest
 * joint is 0.4 + 0.45 + 0.05 = 0.9 below, where the first two are of 0 and 0.4. */
static void write_legs(struct fixture *fixture)
{
	write_still(fixture, "LeftUpperLeg", -0.1f, 0.0f, 0.0f);
	write_still(fixture, "LeftLowerLeg", 0.0f, -0.4f, 0.0f);
	write_still(fixture, "LeftFoot", 0.0f, -0.45f, -0.02f);
	write_still(fixture, "LeftToes", 0.0f, -0.05f, 0.1f);
}

static void hips_height_follows_from_leg_bones(void **state)
{
	struct fixture *fixture = *state;

	write_legs(fixture);
	/* The hips of that figure are at 0.9 * 0.96 / 0.945 in the T-pose; these are half
	 * of 0.9 m lower, and a third of it to the right and behind, which is +X and -Z
	 * in Unity. */
	write_still(fixture, "Hips", 0.3f, 0.9f * 0.96f / 0.945f - 0.45f, -0.3f);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	assert_true(fabsf(frame->hips_height - 0.9f) < 1e-6f);
	expect_vec3(frame->pose.hips_translation, -1.0f / 3.0f, -0.5f, -1.0f / 3.0f);
}

static void without_toes_the_foot_gives_the_hips_height(void **state)
{
	struct fixture *fixture = *state;

	write_still(fixture, "RightUpperLeg", 0.1f, -0.03f, 0.0f);
	write_still(fixture, "RightLowerLeg", 0.0f, -0.42f, 0.0f);
	write_still(fixture, "RightFoot", 0.0f, -0.43f, 0.0f);
	write_still(fixture, "Hips", 0.0f, 0.96f, 0.0f);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	/* The built-in figure: 0.96 above the floor, 0.88 above the ankle. */
	assert_true(fabsf(frame->hips_height - 0.88f) < 1e-6f);
	expect_vec3(frame->pose.hips_translation, 0.0f, 0.0f, 0.0f);
}

static void root_moves_and_turns_the_hips(void **state)
{
	struct fixture *fixture = *state;

	write_legs(fixture);
	/* At (0.45, 0, 0) of the root, which is turned to its left, -90 degrees about +Y:
	 * its forward, +Z, is Unity's -X. */
	write_place(fixture, "/VMC/Ext/Root/Pos", "root", (struct jc_vec3){ 1.8f, 0.0f, 0.9f },
		(struct jc_quat){ 0.0f, -HALF, 0.0f, HALF });
	write_still(fixture, "Hips", 0.0f, 0.9f * 0.96f / 0.945f, 0.45f);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	/* Unity: (1.8 - 0.45, ., 0.9); here x is -1.35 m. */
	expect_vec3(frame->pose.hips_translation, -1.5f, 0.0f, 1.0f);
	expect_points(frame, JC_BONE_HIPS, (struct jc_vec3){ 0.0f, 0.0f, 1.0f }, 1.0f, 0.0f, 0.0f);
}

static void hips_sent_as_zero_stay_at_rest(void **state)
{
	struct fixture *fixture = *state;

	write_still(fixture, "Hips", 0.0f, 0.0f, 0.0f);
	write_still(fixture, "Head", 0.0f, 0.0f, 0.0f);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	assert_true(frame->hips_height == 0.945f);
	expect_vec3(frame->pose.hips_translation, 0.0f, 0.0f, 0.0f);
}

/* A VRM 1.0 avatar whose upper arm node is rolled by a quarter about +X at rest. In the
 * T-pose Unity has (sin 45, 0, 0, cos 45) for it: +X is mirrored and the direction of
 * rotation is reversed, so a rotation about it does not change. The raised arm first
 * rolls and then turns by -90 degrees about Unity's +Z: (0, 0, -h, h) (h, 0, 0, h) = (1,
 * -1, -1, 1) / 2. */
static void removes_the_rest_of_an_avatars_original_nodes(void **state)
{
	static const struct jc_skeleton_node nodes[] = {
		{ "root", -1, { { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } } },
		{ "hips", 0, { { 0, 1.1f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } } },
		{ "arm", 1, { { 0.2f, 0.4f, 0 }, { HALF, 0, 0, HALF }, { 1, 1, 1 } } },
		{ "foot", 1, { { 0, -1.0f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } } },
	};
	struct fixture *fixture = *state;
	struct jc_skeleton_description description;
	struct jc_skeleton *avatar;

	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_VRM1;
	description.name = "";
	description.nodes = nodes;
	description.node_count = 4;
	description.bones[JC_BONE_HIPS] = 1;
	description.bones[JC_BONE_LEFT_UPPER_ARM] = 2;
	description.bones[JC_BONE_LEFT_FOOT] = 3;
	assert_int_equal(jc_skeleton_create(&description, &avatar, NULL), JC_OK);
	jc_vmc_receiver_destroy(fixture->receiver);
	assert_int_equal(jc_vmc_receiver_create(avatar, &fixture->receiver), JC_OK);
	jc_skeleton_destroy(avatar);

	write_bone(fixture, "LeftUpperArm", (struct jc_vec3){ 0 },
		(struct jc_quat){ HALF, 0, 0, HALF });
	write_still(fixture, "Hips", 0.0f, 1.1f, 0.0f);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 1, 0, 0 }, 1.0f, 0.0f, 0.0f);
	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 0, 1, 0 }, 0.0f, 1.0f, 0.0f);
	expect_vec3(frame->pose.hips_translation, 0.0f, 0.0f, 0.0f);
	write_bone(fixture, "LeftUpperArm", (struct jc_vec3){ 0 },
		(struct jc_quat){ 0.5f, -0.5f, -0.5f, 0.5f });
	write_still(fixture, "Hips", -0.5f, 0.6f, 0.0f);
	send(fixture, 16 * MS);
	frame = frame_at(fixture, 20 * MS);
	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 1, 0, 0 }, 0.0f, 1.0f, 0.0f);
	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 0, 0, 1 }, 0.0f, 0.0f, 1.0f);
	/* The hips height is 1 m, that of the hips above the foot joint. */
	expect_vec3(frame->pose.hips_translation, 0.5f, -0.5f, 0.0f);
}

/* Two datagrams for each frame, as senders split them. */
static void send_halves(struct fixture *fixture, int64_t now_ns, float turn, bool both)
{
	struct jc_quat q = jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, turn);

	write_bone(fixture, "Spine", (struct jc_vec3){ 0 }, q);
	send(fixture, now_ns);
	if (both) {
		write_bone(fixture, "Neck", (struct jc_vec3){ 0 }, q);
		send(fixture, now_ns + MS / 10);
	}
}

static float turn_of(const struct jc_vmc_frame *frame, enum jc_bone bone)
{
	return 2.0f * asinf(frame->pose.rotations[bone].x);
}

static void a_frame_in_two_packets_is_complete_before_it_is_visible(void **state)
{
	struct fixture *fixture = *state;

	send_halves(fixture, 0, 0.1f, true);
	assert_null(jc_vmc_receiver_frame(fixture->receiver, MS));
	send_halves(fixture, 16 * MS, 0.2f, false);
	/* The first frame is complete by now, the second is not. */
	const struct jc_vmc_frame *frame = frame_at(fixture, 16 * MS);
	assert_int_equal(frame->number, 1);
	assert_true(fabsf(turn_of(frame, JC_BONE_SPINE) - 0.1f) < 1e-6f);
	assert_true(fabsf(turn_of(frame, JC_BONE_NECK) - 0.1f) < 1e-6f);
	write_bone(fixture, "Neck", (struct jc_vec3){ 0 },
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 0.2f));
	send(fixture, 17 * MS);
	/* Complete as soon as all items of the previous frames have arrived. */
	frame = frame_at(fixture, 17 * MS);
	assert_int_equal(frame->number, 2);
	assert_true(fabsf(turn_of(frame, JC_BONE_SPINE) - 0.2f) < 1e-6f);
	assert_true(fabsf(turn_of(frame, JC_BONE_NECK) - 0.2f) < 1e-6f);
	assert_int_equal(frame->time_ns, 17 * MS);
}

static void without_a_gap_a_repeated_item_begins_a_frame(void **state)
{
	struct fixture *fixture = *state;

	send_halves(fixture, 0, 0.1f, true);
	send_halves(fixture, MS, 0.2f, true);
	const struct jc_vmc_frame *frame = frame_at(fixture, 2 * MS);

	assert_int_equal(frame->number, 2);
	assert_true(fabsf(turn_of(frame, JC_BONE_NECK) - 0.2f) < 1e-6f);
}

static void a_lost_packet_delays_one_frame_only(void **state)
{
	struct fixture *fixture = *state;

	send_halves(fixture, 0, 0.1f, true);
	send_halves(fixture, 16 * MS, 0.2f, true);
	send_halves(fixture, 32 * MS, 0.3f, false);
	assert_int_equal(frame_at(fixture, 33 * MS)->number, 2);
	const struct jc_vmc_frame *frame = frame_at(fixture, 36 * MS);
	assert_int_equal(frame->number, 3);
	assert_true(fabsf(turn_of(frame, JC_BONE_SPINE) - 0.3f) < 1e-6f);
	assert_true(fabsf(turn_of(frame, JC_BONE_NECK) - 0.2f) < 1e-6f);
	send_halves(fixture, 48 * MS, 0.4f, true);
	assert_int_equal(frame_at(fixture, 48 * MS + MS / 10)->number, 4);
}

static void frames_stop_waiting_for_bones_that_are_no_longer_sent(void **state)
{
	struct fixture *fixture = *state;

	send_halves(fixture, 0, 0.1f, true);
	for (int i = 1; i <= 9; i++)
		send_halves(fixture, 16 * i * MS, 0.1f, false);
	/* Eight frames were incomplete; the ninth is complete immediately. */
	assert_int_equal(frame_at(fixture, 16 * 9 * MS)->number, 1 + 9);
}

static void a_bone_is_estimated_after_a_second_without_messages(void **state)
{
	struct fixture *fixture = *state;

	send_halves(fixture, 0, 0.1f, true);
	send_halves(fixture, 1002 * MS, 0.2f, false);
	const struct jc_vmc_frame *frame = frame_at(fixture, 1006 * MS);

	assert_int_equal(frame->pose.states[JC_BONE_SPINE], JC_TRACKED);
	assert_int_equal(frame->pose.states[JC_BONE_NECK], JC_ESTIMATED);
}

static void a_sender_without_tracking_makes_estimates(void **state)
{
	static const struct jc_osc_message lost = { "/VMC/Ext/OK", 4,
		{ { 'i', .i = 1 }, { 'i', .i = 3 }, { 'i', .i = 0 }, { 'i', .i = 0 } } };
	static const struct jc_osc_message fine = { "/VMC/Ext/OK", 1, { { 'i', .i = 1 } } };
	static const struct jc_osc_message unloaded = { "/VMC/Ext/OK", 1, { { 'i', .i = 0 } } };
	static const struct {
		const struct jc_osc_message *ok;
		enum jc_state state;
	} cases[] = { { &lost, JC_ESTIMATED }, { &fine, JC_TRACKED }, { &unloaded, JC_ESTIMATED } };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		say(fixture, cases[i].ok);
		write_still(fixture, "Head", 0.0f, 0.1f, 0.0f);
		send(fixture, (int64_t)i * 16 * MS);
		const struct jc_vmc_frame *frame = frame_at(fixture, (int64_t)i * 16 * MS + 8 * MS);
		assert_int_equal(frame->pose.states[JC_BONE_HEAD], cases[i].state);
	}
}

static void blend_shapes_change_with_the_apply_message(void **state)
{
	static const struct jc_osc_message joy = { "/VMC/Ext/Blend/Val", 2,
		{ { 's', .s = "Joy" }, { 'f', .f = 0.5f } } };
	static const struct jc_osc_message blink = { "/VMC/Ext/Blend/Val", 2,
		{ { 's', .s = "BLINK_L" }, { 'f', .f = 7.0f } } };
	static const struct jc_osc_message tongue = { "/VMC/Ext/Blend/Val", 2,
		{ { 's', .s = "tongueOut" }, { 'f', .f = 0.25f } } };
	static const struct jc_osc_message surprised = { "/VMC/Ext/Blend/Val", 2,
		{ { 's', .s = "Surprised" }, { 'f', .f = 0.75f } } };
	static const struct jc_osc_message apply = { "/VMC/Ext/Blend/Apply", 0, { { 0 } } };
	struct fixture *fixture = *state;
	const struct jc_vmc_channel *channels = jc_vmc_receiver_channels(fixture->receiver);

	say(fixture, &joy);
	say(fixture, &blink);
	say(fixture, &tongue);
	say(fixture, &surprised);
	send(fixture, 0);
	assert_int_equal(jc_vmc_receiver_channel_count(fixture->receiver), 4);
	assert_true(channels[0].value == 0.0f);
	say(fixture, &apply);
	send(fixture, 0);
	assert_int_equal(jc_vmc_receiver_channel_count(fixture->receiver), 4);
	assert_string_equal(channels[0].name, "expression/happy");
	assert_true(channels[0].value == 0.5f);
	assert_string_equal(channels[1].name, "expression/blinkLeft");
	assert_true(channels[1].value == 1.0f);
	assert_string_equal(channels[2].name, "expression/tongueOut");
	assert_true(channels[2].value == 0.25f);
	assert_string_equal(channels[3].name, "expression/surprised");
	assert_null(jc_vmc_receiver_frame(fixture->receiver, 8 * MS));
}

/* The raised left arm of above, its numbers as int32, float32 and float64 mixed. */
static void numbers_may_have_any_type(void **state)
{
	static const struct jc_osc_message messages[] = {
		{ "/VMC/Ext/OK", 4,
			{ { 'f', .f = 1.0f }, { 'd', .d = 3.0 }, { 'i', .i = 0 },
				{ 'd', .d = 1.0 } } },
		{ "/VMC/Ext/T", 1, { { 'i', .i = 1 } } },
		{ "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = "LeftUpperArm" }, { 'd', .d = -0.1 }, { .type = 'i' },
				{ .type = 'f' }, { .type = 'i' }, { 'd', .d = 0.0 },
				{ 'd', .d = -0.70710678118654752 }, { 'f', .f = HALF } } },
		{ "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = "Hips" }, { .type = 'i' }, { 'i', .i = 2 }, { .type = 'i' },
				{ .type = 'i' }, { .type = 'i' }, { .type = 'i' },
				{ 'i', .i = 1 } } },
		{ "/VMC/Ext/Blend/Val", 2, { { 's', .s = "Joy" }, { 'd', .d = 0.25 } } },
		{ "/VMC/Ext/Blend/Val", 2, { { 's', .s = "A" }, { 'i', .i = 1 } } },
		{ "/VMC/Ext/Blend/Apply", 0, { { 0 } } },
	};
	struct fixture *fixture = *state;
	const struct jc_vmc_channel *channels = jc_vmc_receiver_channels(fixture->receiver);

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		say(fixture, &messages[i]);
	send(fixture, 0);
	const struct jc_vmc_frame *frame = frame_at(fixture, 4 * MS);

	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->ignored, 0);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->invalid, 0);
	expect_points(frame, JC_BONE_LEFT_UPPER_ARM, (struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 0.0f,
		1.0f, 0.0f);
	assert_int_equal(frame->pose.states[JC_BONE_LEFT_UPPER_ARM], JC_TRACKED);
	/* Of a figure with hips at 0.96 m and a hips height of 0.945 m. */
	expect_vec3(frame->pose.hips_translation, 0.0f, (2.0f - 0.96f) / 0.945f, 0.0f);
	assert_true(channels[0].value == 0.25f && channels[1].value == 1.0f);
}

/* Numbers that no float32 and no coordinate can have. */
static void impossible_float64_is_invalid(void **state)
{
	static const struct jc_osc_message messages[] = {
		{ "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = "Head" }, { 'd', .d = 1e300 }, { .type = 'i' },
				{ .type = 'i' }, { .type = 'i' }, { .type = 'i' }, { .type = 'i' },
				{ 'i', .i = 1 } } },
		{ "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = "Head" }, { .type = 'i' }, { .type = 'i' }, { .type = 'i' },
				{ .type = 'i' }, { .type = 'i' }, { .type = 'i' },
				{ 'i', .i = INT32_MAX } } },
		{ "/VMC/Ext/OK", 1, { { 'd', .d = NAN } } },
		{ "/VMC/Ext/Blend/Val", 2, { { 's', .s = "Joy" }, { 'd', .d = NAN } } },
	};
	struct fixture *fixture = *state;
	const size_t count = sizeof(messages) / sizeof(messages[0]);

	for (size_t i = 0; i < count; i++)
		say(fixture, &messages[i]);
	send(fixture, 0);
	assert_null(jc_vmc_receiver_frame(fixture->receiver, 8 * MS));
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->invalid, count);
}

static void devices_are_kept_by_kind_and_serial(void **state)
{
	struct fixture *fixture = *state;
	struct jc_quat quarter = { 0.0f, HALF, 0.0f, HALF };

	write_place(fixture, "/VMC/Ext/Hmd/Pos", "H1", (struct jc_vec3){ 1, 2, 3 }, quarter);
	write_place(fixture, "/VMC/Ext/Hmd/Pos/Local", "H1", (struct jc_vec3){ 4, 5, 6 }, quarter);
	write_place(fixture, "/VMC/Ext/Con/Pos", "C1", (struct jc_vec3){ 1, 2, 3 }, quarter);
	write_place(fixture, "/VMC/Ext/Tra/Pos/Local", "T1", (struct jc_vec3){ 1, 2, 3 }, quarter);
	write_place(fixture, "/VMC/Ext/Hmd/Pos", "H1", (struct jc_vec3){ 7, 8, 9 }, quarter);
	send(fixture, 5);
	const struct jc_vmc_device *devices = jc_vmc_receiver_devices(fixture->receiver);

	assert_int_equal(jc_vmc_receiver_device_count(fixture->receiver), 4);
	assert_int_equal(devices[0].kind, JC_VMC_HMD);
	assert_false(devices[0].local);
	assert_string_equal(devices[0].serial, "H1");
	assert_int_equal(devices[0].time_ns, 5);
	expect_vec3(devices[0].position, -7.0f, 8.0f, 9.0f);
	/* Right in Unity is right here: forward becomes -X. */
	expect_vec3(jc_quat_rotate(devices[0].rotation, (struct jc_vec3){ 0, 0, 1 }), -1, 0, 0);
	assert_true(devices[1].local);
	assert_int_equal(devices[2].kind, JC_VMC_CONTROLLER);
	assert_int_equal(devices[3].kind, JC_VMC_TRACKER);
	assert_true(devices[3].local);
}

static void counts_and_ignores_invalid_messages(void **state)
{
	static const struct jc_vec3 nowhere = { 0.0f, 0.0f, 0.0f };
	static const struct jc_quat wrong[] = { { NAN, 0, 0, 1 }, { 0, INFINITY, 0, 1 },
		{ 0, 0, 0, 0 }, { 0, 0, 0, 2 }, { 0, 0, 3e38f, 3e38f } };
	struct fixture *fixture = *state;
	const struct jc_vmc_counts *counts = jc_vmc_receiver_counts(fixture->receiver);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		write_bone(fixture, "Head", nowhere, wrong[i]);
	write_still(fixture, "Head", NAN, 0.0f, 0.0f);
	write_still(fixture, "Hips", 0.0f, 2e6f, 0.0f);
	write_place(fixture, "/VMC/Ext/Root/Pos", "root", nowhere, wrong[0]);
	write_place(fixture, "/VMC/Ext/Hmd/Pos", "H", nowhere, wrong[2]);
	send(fixture, 0);
	assert_null(jc_vmc_receiver_frame(fixture->receiver, 100 * MS));
	assert_int_equal(counts->invalid, 9);
	assert_int_equal(counts->ignored, 0);
	assert_int_equal(jc_vmc_receiver_device_count(fixture->receiver), 0);
	/* A rotation of nearly unit length is accepted and normalised. */
	write_bone(fixture, "Head", nowhere, (struct jc_quat){ 0, 0, 0, 1.05f });
	send(fixture, 0);
	assert_true(frame_at(fixture, 8 * MS)->pose.rotations[JC_BONE_HEAD].w == 1.0f);
}

static void ignores_unknown_messages(void **state)
{
	static const struct jc_osc_message messages[] = {
		{ "/VMC/Thru/a/b", 0, { { 0 } } },
		{ "/avatar/parameters/x", 1, { { 'f', .f = 1.0f } } },
		{ "/VMC/Ext/Bone/Pos/More", 0, { { 0 } } },
		{ "/VMC/Ext/", 0, { { 0 } } },
		{ "/VMC/Ext/Bone/Pos", 1, { { 's', .s = "Head" } } },
		{ "/VMC/Ext/T", 1, { { 's', .s = "1" } } },
		{ "/VMC/Ext/OK", 0, { { 0 } } },
		{ "/VMC/Ext/Blend/Val", 2, { { 'f', .f = 1.0f }, { 's', .s = "Joy" } } },
		{ "/VMC/Ext/Bone/Pos", 8,
			{ { 's', .s = "Head" }, { .type = 'f' }, { .type = 'f' }, { .type = 'f' },
				{ .type = 'i' }, { .type = 'i' }, { .type = 'i' },
				{ .type = 'T' } } },
	};
	struct fixture *fixture = *state;
	const size_t count = sizeof(messages) / sizeof(messages[0]);

	for (size_t i = 0; i < count; i++)
		say(fixture, &messages[i]);
	write_still(fixture, "LastBone", 0.0f, 0.0f, 0.0f);
	send(fixture, 0);
	assert_null(jc_vmc_receiver_frame(fixture->receiver, 8 * MS));
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->messages, count + 1);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->ignored, count + 1);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->invalid, 0);
}

static void messages_without_a_body_are_no_fault(void **state)
{
	static const struct jc_osc_message messages[] = {
		{ "/VMC/Ext/Cam", 1, { { 's', .s = "Camera" } } },
		{ "/VMC/Ext/Key", 3, { { 'i', .i = 1 }, { 's', .s = "A" }, { 'i', .i = 65 } } },
		{ "/VMC/Ext/Midi/CC/Val", 2, { { 'i', .i = 1 }, { 'f', .f = 0.5f } } },
		{ "/VMC/Ext/VRM", 2, { { 's', .s = "a.vrm" }, { 's', .s = "Ada" } } },
	};
	struct fixture *fixture = *state;
	const size_t count = sizeof(messages) / sizeof(messages[0]);

	for (size_t i = 0; i < count; i++)
		say(fixture, &messages[i]);
	send(fixture, 0);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->messages, count);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->ignored, 0);
	assert_null(jc_vmc_receiver_reason(fixture->receiver));
}

static void keeps_the_first_reason_against_a_message(void **state)
{
	static const struct jc_osc_message bone = { "/VMC/Ext/Bone/Pos", 1,
		{ { 's', .s = "Tail\n\xff" } } };
	static const struct jc_osc_message timeless = { "/VMC/Ext/T", 0, { { 0 } } };
	struct fixture *fixture = *state;

	say(fixture, &bone);
	say(fixture, &timeless);
	send(fixture, 0);
	const struct jc_diagnostic *reason = jc_vmc_receiver_reason(fixture->receiver);

	assert_non_null(reason);
	assert_string_equal(reason->what, "unknown bone Tail??");
	assert_string_equal(reason->where, "/VMC/Ext/Bone/Pos");
}

static void the_reason_against_an_impossible_number_has_no_number(void **state)
{
	struct fixture *fixture = *state;

	write_still(fixture, "Head", NAN, 0.0f, 0.0f);
	send(fixture, 0);
	assert_string_equal(jc_vmc_receiver_reason(fixture->receiver)->what, "impossible number");
}

static void a_damaged_packet_changes_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct jc_diagnostic diagnostic = { 0 };

	write_still(fixture, "Head", 0.0f, 0.1f, 0.0f);
	assert_int_equal(jc_vmc_receiver_take(fixture->receiver, fixture->bytes,
				 fixture->length - 4, 0, &diagnostic),
		JC_ERROR_TRUNCATED);
	assert_true(diagnostic.what[0]);
	assert_null(jc_vmc_receiver_frame(fixture->receiver, 8 * MS));
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->refused, 1);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->messages, 0);
}

static void limits_number_of_names_and_devices(void **state)
{
	struct fixture *fixture = *state;
	char name[JC_LIMIT_VMC_NAME_BYTES + 1];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "shape%d", i);
		const struct jc_osc_message value = { "/VMC/Ext/Blend/Val", 2,
			{ { 's', .s = name }, { 'f', .f = 1.0f } } };

		say(fixture, &value);
		write_place(
			fixture, "/VMC/Ext/Tra/Pos", name, (struct jc_vec3){ 0 }, JC_QUAT_IDENTITY);
		send(fixture, 0);
	}
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	write_place(fixture, "/VMC/Ext/Hmd/Pos", name, (struct jc_vec3){ 0 }, JC_QUAT_IDENTITY);
	send(fixture, 0);
	assert_int_equal(jc_vmc_receiver_channel_count(fixture->receiver), JC_LIMIT_VMC_CHANNELS);
	assert_int_equal(jc_vmc_receiver_device_count(fixture->receiver), JC_LIMIT_VMC_DEVICES);
	assert_int_equal(jc_vmc_receiver_counts(fixture->receiver)->ignored,
		300 - JC_LIMIT_VMC_CHANNELS + 300 - JC_LIMIT_VMC_DEVICES + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(converts_a_raised_left_arm_from_unity),
		TEST(converts_bow_and_head_turn_from_unity),
		TEST(hips_height_follows_from_leg_bones),
		TEST(without_toes_the_foot_gives_the_hips_height),
		TEST(root_moves_and_turns_the_hips),
		TEST(hips_sent_as_zero_stay_at_rest),
		TEST(removes_the_rest_of_an_avatars_original_nodes),
		TEST(a_frame_in_two_packets_is_complete_before_it_is_visible),
		TEST(without_a_gap_a_repeated_item_begins_a_frame),
		TEST(a_lost_packet_delays_one_frame_only),
		TEST(frames_stop_waiting_for_bones_that_are_no_longer_sent),
		TEST(a_bone_is_estimated_after_a_second_without_messages),
		TEST(a_sender_without_tracking_makes_estimates),
		TEST(blend_shapes_change_with_the_apply_message),
		TEST(numbers_may_have_any_type),
		TEST(impossible_float64_is_invalid),
		TEST(devices_are_kept_by_kind_and_serial),
		TEST(counts_and_ignores_invalid_messages),
		TEST(ignores_unknown_messages),
		TEST(messages_without_a_body_are_no_fault),
		TEST(keeps_the_first_reason_against_a_message),
		TEST(the_reason_against_an_impossible_number_has_no_number),
		TEST(a_damaged_packet_changes_nothing),
		TEST(limits_number_of_names_and_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
