/* mocopi receiver: packets of the tests' own writer, and poses computed by hand or by the reader of
 * BVH files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/apps/mocopi_receiver.h"
#include "mocopi_bytes.h"
#include "unit_test.h"

#define DEGREES 0.017453293f

struct fixture {
	struct jc_mocopi_receiver *receiver;
	struct mocopi_figure figure; /* at rest */
	struct jc_mocopi_result result;
	struct jc_diagnostic diagnostic;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_int_equal(jc_mocopi_receiver_create(&fixture->receiver), JC_OK);
	mocopi_figure_init(&fixture->figure);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	jc_mocopi_receiver_destroy(fixture->receiver);
	free(fixture);
	return 0;
}

static int take(struct fixture *fixture, const uint8_t *bytes, size_t length)
{
	fixture->result.has_pose = false;
	return jc_mocopi_receiver_take(
		fixture->receiver, bytes, length, &fixture->result, &fixture->diagnostic);
}

static int send_skeleton(struct fixture *fixture)
{
	uint8_t bytes[2048];

	return take(fixture, bytes, mocopi_write_skeleton(&fixture->figure, bytes));
}

static int send_frame(struct fixture *fixture, const struct mocopi_figure *figure, uint32_t number)
{
	uint8_t bytes[2048];

	return take(fixture, bytes, mocopi_write_frame(figure, number, 1.7e9, bytes));
}

static void turn(struct mocopi_figure *figure, int joint, struct jc_vec3 axis, float degrees)
{
	struct jc_quat q = jc_quat_from_axis_angle(axis, degrees * DEGREES);

	memcpy(figure->rotations[joint], (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof(float));
}

static void assert_turned(
	const struct jc_pose *pose, enum jc_bone bone, struct jc_vec3 axis, float degrees)
{
	struct jc_quat expected = jc_quat_from_axis_angle(axis, degrees * DEGREES);

	assert_int_equal(pose->states[bone], JC_TRACKED);
	assert_true(jc_quat_angle(pose->rotations[bone], expected) < 1e-4f);
}

static const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 y = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 z = { 0.0f, 0.0f, 1.0f };

static void the_first_fields_are_as_documented(void **state)
{
	/* Length 18, "ftyp", the name of the format; all of it in "head". */
	static const uint8_t expected[] = { 35, 0, 0, 0, 'h', 'e', 'a', 'd', 18, 0, 0, 0, 'f', 't',
		'y', 'p', 's', 'o', 'n', 'y', ' ', 'm', 'o', 't', 'i', 'o', 'n', ' ', 'f', 'o', 'r',
		'm', 'a', 't', 1, 0, 0, 0, 'v', 'r', 's', 'n', 1 };
	struct fixture *fixture = *state;
	uint8_t bytes[2048];

	/* The sizes that the app sends. */
	assert_int_equal(mocopi_write_skeleton(&fixture->figure, bytes), 1821);
	assert_int_equal(mocopi_write_frame(&fixture->figure, 1, 1.7e9, bytes), 1591);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

static void a_figure_at_rest_stands_in_the_t_pose(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_false(fixture->result.has_pose);
	assert_int_equal(send_frame(fixture, &fixture->figure, 1), JC_OK);
	assert_true(fixture->result.has_pose);
	for (int i = 0; i < MOCOPI_JOINTS; i++) {
		if (jc_mocopi_bone(i) != JC_BONE_NONE)
			assert_turned(&fixture->result.pose, jc_mocopi_bone(i), x, 0.0f);
	}
	assert_true(jc_vec3_length(fixture->result.pose.hips_translation) < 1e-6f);
	assert_float_equal(jc_mocopi_receiver_hips_height(fixture->receiver), 0.9f, 0.03f);
	assert_int_equal(fixture->result.pose.states[JC_BONE_LEFT_INDEX_PROXIMAL], JC_ABSENT);
}

static void joints_without_a_bone_turn_the_next_bone(void **state)
{
	struct fixture *fixture = *state;
	struct mocopi_figure posed = fixture->figure;
	const struct jc_pose *pose = &fixture->result.pose;

	for (int joint = 1; joint <= 10; joint++)
		turn(&posed, joint, x, 5.0f);
	turn(&posed, 0, y, 90.0f);
	turn(&posed, 13, y, -80.0f);
	posed.positions[0][1] -= 0.3f;
	posed.positions[0][2] += 1.0f;
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(send_frame(fixture, &posed, 1), JC_OK);
	assert_turned(pose, JC_BONE_HIPS, y, 90.0f);
	assert_turned(pose, JC_BONE_SPINE, x, 5.0f);
	assert_turned(pose, JC_BONE_CHEST, x, 15.0f);
	assert_turned(pose, JC_BONE_UPPER_CHEST, x, 15.0f);
	assert_turned(pose, JC_BONE_NECK, x, 5.0f);
	assert_turned(pose, JC_BONE_HEAD, x, 10.0f);
	assert_turned(pose, JC_BONE_LEFT_LOWER_ARM, y, -80.0f);

	float height = jc_mocopi_receiver_hips_height(fixture->receiver);

	assert_float_equal(pose->hips_translation.y * height, -0.3f, 1e-4f);
	assert_float_equal(pose->hips_translation.z * height, 1.0f, 1e-4f);
}

static void a_left_handed_sender_gives_the_same_pose(void **state)
{
	struct fixture *fixture = *state;
	struct mocopi_figure posed = fixture->figure;

	turn(&posed, 12, z, -70.0f); /* left arm down */
	turn(&posed, 19, x, -40.0f); /* left leg forward */
	mocopi_figure_mirror(&posed);
	mocopi_figure_mirror(&fixture->figure);
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_true(jc_mocopi_receiver_is_mirrored(fixture->receiver));
	assert_int_equal(send_frame(fixture, &posed, 1), JC_OK);
	assert_turned(&fixture->result.pose, JC_BONE_LEFT_UPPER_ARM, z, -70.0f);
	assert_turned(&fixture->result.pose, JC_BONE_RIGHT_UPPER_ARM, z, 0.0f);
	assert_turned(&fixture->result.pose, JC_BONE_LEFT_UPPER_LEG, x, -40.0f);
}

/* Appends a joint and those below it to the text of a BVH file. */
static int put_bvh_joint(
	const struct mocopi_figure *figure, int joint, char *text, int at, size_t size)
{
	const float *p = figure->positions[joint];
	bool is_leaf = true;

	at += snprintf(text + at, size - (size_t)at,
		"%s %s\n{\nOFFSET %g %g %g\nCHANNELS %sZrotation Xrotation Yrotation\n",
		joint == 0 ? "ROOT" : "JOINT", mocopi_names[joint], 100.0 * (double)p[0],
		100.0 * (double)p[1], 100.0 * (double)p[2],
		joint == 0 ? "6 Xposition Yposition Zposition " : "3 ");
	for (int i = joint + 1; i < MOCOPI_JOINTS; i++) {
		if (figure->parents[i] == joint) {
			at = put_bvh_joint(figure, i, text, at, size);
			is_leaf = false;
		}
	}
	if (is_leaf)
		at += snprintf(text + at, size - (size_t)at, "End Site\n{\nOFFSET %g %g %g\n}\n",
			10.0 * (double)(p[0] > 0.1f) - 10.0 * (double)(p[0] < -0.1f),
			joint == 10 ? 15.0 : 0.0, joint == 22 || joint == 26 ? 5.0 : 0.0);
	return at + snprintf(text + at, size - (size_t)at, "}\n");
}

/* Angles of a joint in degrees, about Z, X and Y in this order. */
static void angles_of(int joint, double out_angles[3])
{
	out_angles[0] = 12.0 * sin(joint * 1.7);
	out_angles[1] = 15.0 * sin(joint * 2.3 + 1.0);
	out_angles[2] = 10.0 * sin(joint * 3.1 + 2.0);
}

static void put_bvh_angles(
	const struct mocopi_figure *figure, int joint, char *text, int *at, size_t size)
{
	double angles[3];

	angles_of(joint, angles);
	*at += snprintf(
		text + *at, size - (size_t)*at, "%.9g %.9g %.9g ", angles[0], angles[1], angles[2]);
	for (int i = joint + 1; i < MOCOPI_JOINTS; i++) {
		if (figure->parents[i] == joint)
			put_bvh_angles(figure, i, text, at, size);
	}
}

static void a_frame_is_the_pose_of_the_recorded_bvh_file(void **state)
{
	struct fixture *fixture = *state;
	struct mocopi_figure posed = fixture->figure;
	static char text[16384];
	struct jc_motion *motion;
	struct jc_pose expected;
	int at = snprintf(text, sizeof(text), "HIERARCHY\n");

	at = put_bvh_joint(&fixture->figure, 0, text, at, sizeof(text));
	at += snprintf(text + at, sizeof(text) - (size_t)at,
		"MOTION\nFrames: 1\nFrame Time: 0.02\n10 90 20 ");
	put_bvh_angles(&fixture->figure, 0, text, &at, sizeof(text));
	text[at++] = '\n';
	assert_int_equal(
		jc_motion_read(text, (size_t)at, 0, NULL, &motion, NULL, &fixture->diagnostic),
		JC_OK);
	jc_motion_pose(motion, 0.0, &expected);
	jc_motion_destroy(motion);

	for (int joint = 0; joint < MOCOPI_JOINTS; joint++) {
		double angles[3];

		angles_of(joint, angles);

		struct jc_quat q = jc_quat_multiply(
			jc_quat_from_axis_angle(z, (float)angles[0] * DEGREES),
			jc_quat_multiply(jc_quat_from_axis_angle(x, (float)angles[1] * DEGREES),
				jc_quat_from_axis_angle(y, (float)angles[2] * DEGREES)));

		memcpy(posed.rotations[joint], (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof(float));
	}
	memcpy(posed.positions[0], (float[3]){ 0.1f, 0.9f, 0.2f }, 3 * sizeof(float));
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(send_frame(fixture, &posed, 1), JC_OK);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_int_equal(fixture->result.pose.states[bone], expected.states[bone]);
		assert_true(jc_quat_angle(fixture->result.pose.rotations[bone],
				    expected.rotations[bone]) < 1e-3f);
	}
}

static void frames_wait_for_the_skeleton(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(send_frame(fixture, &fixture->figure, 1), JC_OK);
	assert_false(fixture->result.has_pose);
	assert_false(jc_mocopi_receiver_has_skeleton(fixture->receiver));
	assert_int_equal(jc_mocopi_receiver_counts(fixture->receiver)->unknown, 1);
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(send_frame(fixture, &fixture->figure, 2), JC_OK);
	assert_true(fixture->result.has_pose && fixture->result.cut);
	/* The app repeats the definition. */
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(send_frame(fixture, &fixture->figure, 3), JC_OK);
	assert_true(fixture->result.has_pose && !fixture->result.cut);
	fixture->figure.positions[20][1] = -0.45f;
	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(send_frame(fixture, &fixture->figure, 4), JC_OK);
	assert_true(fixture->result.has_pose && fixture->result.cut);
}

static void late_frames_are_left_out_and_missing_ones_counted(void **state)
{
	static const struct {
		uint32_t number;
		bool has_pose, cut;
		unsigned late, missing;
	} steps[] = {
		{ 0xfffffffe, true, true, 0, 0 },
		{ 1, true, false, 0, 2 }, /* two are missing across the wrap */
		{ 0, false, false, 1, 2 },
		{ 1, false, false, 2, 2 },
		{ 2, true, false, 2, 2 },
		{ 900, true, false, 2, 2 }, /* a pause of the sender */
		{ 1, true, true, 2, 2 },    /* it begins again */
		{ 2, true, false, 2, 2 },
	};
	struct fixture *fixture = *state;

	assert_int_equal(send_skeleton(fixture), JC_OK);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct jc_mocopi_counts *counts =
			jc_mocopi_receiver_counts(fixture->receiver);

		assert_int_equal(send_frame(fixture, &fixture->figure, steps[i].number), JC_OK);
		assert_int_equal(fixture->result.has_pose, steps[i].has_pose);
		if (steps[i].has_pose)
			assert_int_equal(fixture->result.cut, steps[i].cut);
		assert_int_equal(counts->late, steps[i].late);
		assert_int_equal(counts->missing, steps[i].missing);
	}
}

static void a_frame_without_unix_time_is_read(void **state)
{
	struct fixture *fixture = *state;
	uint8_t bytes[2048];

	assert_int_equal(send_skeleton(fixture), JC_OK);
	assert_int_equal(
		take(fixture, bytes, mocopi_write_frame(&fixture->figure, 1, 0.0, bytes)), JC_OK);
	assert_true(fixture->result.has_pose);
}

static void figures_in_other_axes_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct mocopi_figure lying = fixture->figure;
	struct mocopi_figure backwards = fixture->figure;

	turn(&lying, 0, x, 90.0f);
	turn(&backwards, 0, y, 180.0f);
	fixture->figure = lying;
	assert_int_equal(send_skeleton(fixture), JC_ERROR_INVALID);
	assert_non_null(strstr(fixture->diagnostic.what, "does not stand"));
	fixture->figure = backwards;
	assert_int_equal(send_skeleton(fixture), JC_ERROR_INVALID);
	assert_non_null(strstr(fixture->diagnostic.what, "-Z"));
	assert_false(jc_mocopi_receiver_has_skeleton(fixture->receiver));
}

static void damaged_packets_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct mocopi_figure bad = fixture->figure;
	uint8_t bytes[2048];
	size_t length = mocopi_write_skeleton(&fixture->figure, bytes);

	for (size_t i = 0; i < length; i++) {
		uint8_t *part = malloc(i + 1); /* so that a read past the end is found */

		memcpy(part, bytes, i);
		assert_true(take(fixture, part, i) < 0);
		free(part);
	}
	bytes[16] = 'S';
	assert_int_equal(take(fixture, bytes, length), JC_ERROR_UNSUPPORTED);
	bad.parents[5] = 5;
	assert_int_equal(
		take(fixture, bytes, mocopi_write_skeleton(&bad, bytes)), JC_ERROR_INVALID);
	assert_int_equal(send_skeleton(fixture), JC_OK);
	bad = fixture->figure;
	bad.positions[3][1] = NAN;
	assert_int_equal(send_frame(fixture, &bad, 1), JC_ERROR_INVALID);
	bad = fixture->figure;
	bad.rotations[7][3] = 0.5f;
	assert_int_equal(send_frame(fixture, &bad, 1), JC_ERROR_INVALID);
	bad = fixture->figure;
	bad.positions[0][0] = 1e6f;
	assert_int_equal(send_frame(fixture, &bad, 1), JC_ERROR_INVALID);
	assert_int_equal(send_frame(fixture, &fixture->figure, 1), JC_OK);
	assert_true(fixture->result.has_pose);
	assert_int_equal(jc_mocopi_receiver_counts(fixture->receiver)->refused, length + 5);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_first_fields_are_as_documented),
		TEST(a_figure_at_rest_stands_in_the_t_pose),
		TEST(joints_without_a_bone_turn_the_next_bone),
		TEST(a_left_handed_sender_gives_the_same_pose),
		TEST(a_frame_is_the_pose_of_the_recorded_bvh_file),
		TEST(frames_wait_for_the_skeleton),
		TEST(late_frames_are_left_out_and_missing_ones_counted),
		TEST(a_frame_without_unix_time_is_read),
		TEST(figures_in_other_axes_are_refused),
		TEST(damaged_packets_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
