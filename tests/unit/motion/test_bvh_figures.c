/* One motion of one figure in different BVH variants: all must give the same poses. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define FRAMES 3

enum positions {
	POSITIONS_NONE,     /* three channels for each joint */
	POSITIONS_ABSOLUTE, /* six, which replace OFFSET */
	POSITIONS_ADDED,    /* six, which add to it */
};

struct dialect {
	enum positions positions;
	bool is_nameless;
	bool is_reversed; /* right limbs come first */
	bool is_point;    /* OFFSET is zero: all joints of the zero pose lie at one point */
	bool is_toeless;  /* end sites in place of toe joints */
};

struct joint {
	const char *name;
	int parent;
	float offset[3];
	float end[3]; /* zero where joints follow */
};

/* T-pose, facing +Z, centimetres. */
static const struct joint joints[] = {
	{ "Hips", -1, { 0, 95, 0 }, { 0 } },
	{ "Spine", 0, { 0, 15, 0 }, { 0 } },
	{ "Spine1", 1, { 0, 20, 0 }, { 0 } },
	{ "Neck", 2, { 0, 20, 0 }, { 0 } },
	{ "Head", 3, { 0, 10, 0 }, { 0, 20, 0 } },
	{ "LeftShoulder", 2, { 5, 15, 0 }, { 0 } },
	{ "LeftArm", 5, { 13, 0, 0 }, { 0 } },
	{ "LeftForeArm", 6, { 28, 0, 0 }, { 0 } },
	{ "LeftHand", 7, { 26, 0, 0 }, { 15, 0, 0 } },
	{ "RightShoulder", 2, { -5, 15, 0 }, { 0 } },
	{ "RightArm", 9, { -13, 0, 0 }, { 0 } },
	{ "RightForeArm", 10, { -28, 0, 0 }, { 0 } },
	{ "RightHand", 11, { -26, 0, 0 }, { -15, 0, 0 } },
	{ "LeftUpLeg", 0, { 9, -3, 0 }, { 0 } },
	{ "LeftLeg", 13, { 0, -43, 0 }, { 0 } },
	{ "LeftFoot", 14, { 0, -42, 0 }, { 0 } },
	{ "LeftToe", 15, { 0, -6, 13 }, { 0, 0, 6 } },
	{ "RightUpLeg", 0, { -9, -3, 0 }, { 0 } },
	{ "RightLeg", 17, { 0, -43, 0 }, { 0 } },
	{ "RightFoot", 18, { 0, -42, 0 }, { 0 } },
	{ "RightToe", 19, { 0, -6, 13 }, { 0, 0, 6 } },
};

#define JOINTS ((int)(sizeof(joints) / sizeof(*joints)))

struct writer {
	struct dialect dialect;
	FILE *stream;
	int order[JOINTS]; /* in the order of the hierarchy */
	int count;
};

static void write_end(struct writer *writer, const float offset[3])
{
	fprintf(writer->stream, "End Site\n{\nOFFSET %g %g %g\n}\n", (double)offset[0],
		(double)offset[1], (double)offset[2]);
}

static void write_joint(struct writer *writer, int j)
{
	const struct joint *joint = &joints[j];
	bool has_positions = joint->parent < 0 || writer->dialect.positions != POSITIONS_NONE;

	if (writer->dialect.is_toeless && strstr(joint->name, "Toe")) {
		write_end(writer, joint->offset);
		return;
	}
	writer->order[writer->count++] = j;
	if (writer->dialect.is_nameless) {
		fprintf(writer->stream, "%s j%d", joint->parent < 0 ? "ROOT" : "JOINT", j * 7 % 23);
	} else {
		fprintf(writer->stream, "%s %s", joint->parent < 0 ? "ROOT" : "JOINT", joint->name);
	}
	float size = writer->dialect.is_point ? 0.0f : 1.0f;

	fprintf(writer->stream,
		"\n{\nOFFSET %g %g %g\nCHANNELS %d %sZrotation Xrotation Yrotation\n",
		(double)(joint->offset[0] * size), (double)(joint->offset[1] * size),
		(double)(joint->offset[2] * size), has_positions ? 6 : 3,
		has_positions ? "Xposition Yposition Zposition " : "");
	for (int i = 0; i < JOINTS; i++) {
		int child = writer->dialect.is_reversed ? JOINTS - 1 - i : i;

		if (joints[child].parent == j) {
			write_joint(writer, child);
		}
	}
	if (joint->end[0] != 0.0f || joint->end[1] != 0.0f || joint->end[2] != 0.0f) {
		write_end(writer, joint->end);
	}
	fprintf(writer->stream, "}\n");
}

/* Every joint turns a little and differently in every frame; the hips walk. */
static void write_values(const struct writer *writer, int j, int frame)
{
	const struct joint *joint = &joints[j];
	bool is_absolute = writer->dialect.positions == POSITIONS_ABSOLUTE;

	if (joint->parent < 0) {
		fprintf(writer->stream, "%d %d %d ", frame, 95 - frame, 5 * frame);
	} else if (writer->dialect.positions != POSITIONS_NONE) {
		for (int c = 0; c < 3; c++) {
			fprintf(writer->stream, "%g ",
				is_absolute ? (double)joint->offset[c] : 0.0);
		}
	}
	fprintf(writer->stream, "%d %d %d ", frame * (j % 5 - 2) * 4, frame * (j % 3 - 1) * 6,
		frame * (j % 7 - 3) * 2);
}

static char *write_file(struct dialect dialect)
{
	struct writer writer = { .dialect = dialect };
	char *text = NULL;
	size_t size;

	writer.stream = open_memstream(&text, &size);
	assert_non_null(writer.stream);
	fprintf(writer.stream, "HIERARCHY\n");
	write_joint(&writer, 0);
	fprintf(writer.stream, "MOTION\nFrames: %d\nFrame Time: 0.1\n", FRAMES);
	for (int frame = 0; frame < FRAMES; frame++) {
		for (int i = 0; i < writer.count; i++) {
			write_values(&writer, writer.order[i], frame);
		}
		fprintf(writer.stream, "\n");
	}
	fclose(writer.stream);
	return text;
}

static void refuses_joints_at_one_point(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;
	char *text = write_file((struct dialect){ .positions = POSITIONS_NONE, .is_point = true });

	assert_int_equal(jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic),
		JC_ERROR_NO_HUMANOID);
	assert_non_null(strstr(diagnostic.what, "one point"));
	free(text);
}

static struct jc_motion *read_file(struct dialect dialect, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion = NULL;
	char *text = write_file(dialect);

	if (jc_motion_read(text, strlen(text), 0, NULL, &motion, lint, &diagnostic) != JC_OK) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	free(text);
	return motion;
}

static void assert_same_poses(const struct jc_motion *a, const struct jc_motion *b)
{
	assert_int_equal(jc_motion_info(a)->bone_mask, jc_motion_info(b)->bone_mask);
	assert_float_equal(jc_motion_info(a)->hips_height, jc_motion_info(b)->hips_height, 1e-6f);
	for (int frame = 0; frame < FRAMES; frame++) {
		struct jc_pose pose, expected;

		jc_motion_pose(a, 0.1 * frame, &pose);
		jc_motion_pose(b, 0.1 * frame, &expected);
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			assert_true(jc_quat_angle(pose.rotations[bone], expected.rotations[bone]) <
				    1e-5f);
		}
		assert_true(jc_vec3_length(jc_vec3_subtract(
				    pose.hips_translation, expected.hips_translation)) < 1e-5f);
	}
}

static void check(struct dialect dialect, const char *family, float confidence, bool has_note)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *usual = read_file((struct dialect){ .positions = POSITIONS_NONE }, NULL);
	struct jc_motion *motion = read_file(dialect, &lint);

	assert_string_equal(jc_motion_info(motion)->family, family);
	assert_float_equal(jc_motion_info(motion)->confidence, confidence, 1e-3f);
	assert_int_equal(find_finding(&lint, "positions") != NULL, has_note);
	assert_same_poses(motion, usual);
	jc_motion_destroy(motion);
	jc_motion_destroy(usual);
}

static void position_channels_near_offset_replace_it(void **)
{
	check((struct dialect){ .positions = POSITIONS_ABSOLUTE }, "lafan", 1.0f, false);
}

static void position_channels_near_zero_add_to_offset(void **)
{
	check((struct dialect){ .positions = POSITIONS_ADDED }, "lafan", 1.0f, true);
}

static void position_channels_replace_a_missing_offset(void **)
{
	check((struct dialect){ .positions = POSITIONS_ABSOLUTE, .is_point = true }, "lafan", 1.0f,
		true);
	check(
		(struct dialect){
			.positions = POSITIONS_ABSOLUTE, .is_point = true, .is_nameless = true },
		"structure", 0.9f, true);
}

/* Feet without toe joints end at the same height above the floor, so the figure is as high, and
 * walks as far for its height. */
static void end_sites_stand_for_missing_toes(void **)
{
	struct jc_motion *toeless = read_file((struct dialect){ .is_toeless = true }, NULL);
	struct jc_motion *whole = read_file((struct dialect){ 0 }, NULL);

	assert_true((jc_motion_info(toeless)->bone_mask >> JC_BONE_LEFT_TOES & 1) == 0);
	assert_float_equal(jc_motion_info(whole)->hips_height, 0.94f, 1e-5f);
	assert_float_equal(jc_motion_info(toeless)->hips_height, 0.94f, 1e-5f);
	for (int frame = 0; frame < FRAMES; frame++) {
		struct jc_pose pose, expected;

		jc_motion_pose(toeless, 0.1 * frame, &pose);
		jc_motion_pose(whole, 0.1 * frame, &expected);
		assert_float_equal(pose.hips_translation.x, expected.hips_translation.x, 1e-5f);
		assert_float_equal(pose.hips_translation.z, expected.hips_translation.z, 1e-5f);
	}
	jc_motion_destroy(whole);
	jc_motion_destroy(toeless);
}

static void reads_the_same_poses_without_meaningful_names(void **)
{
	check((struct dialect){ .is_nameless = true }, "structure", 0.9f, false);
	check((struct dialect){ .is_nameless = true, .is_reversed = true }, "structure", 0.9f,
		false);
	check((struct dialect){ .positions = POSITIONS_ADDED, .is_nameless = true }, "structure",
		0.9f, true);
}

static void reference_clip_moves(void **)
{
	struct jc_motion *motion = read_file((struct dialect){ .positions = POSITIONS_NONE }, NULL);
	struct jc_pose pose;

	assert_int_equal(jc_motion_info(motion)->bone_mask >> JC_BONE_LEFT_EYE, 0);
	jc_motion_pose(motion, 0.2, &pose);
	/* LeftForeArm, the eighth: Z by 2 x (7 mod 5 - 2) x 4 = 0 degrees, X by
	 * 2 x (7 mod 3 - 1) x 6 = 0, Y by 2 x (7 mod 7 - 3) x 2 = -12; 0.2 s is frame 2. */
	assert_true(jc_quat_angle(pose.rotations[JC_BONE_LEFT_LOWER_ARM],
			    jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f },
				    -12.0f * 0.0174532925f)) < 1e-5f);
	/* The hips move 2 cm to the left and 10 cm forward; they are 94 cm high. */
	assert_float_equal(pose.hips_translation.x, 2.0f / 94.0f, 1e-4f);
	assert_float_equal(pose.hips_translation.z, 10.0f / 94.0f, 1e-4f);
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reference_clip_moves),
		cmocka_unit_test(position_channels_near_offset_replace_it),
		cmocka_unit_test(position_channels_near_zero_add_to_offset),
		cmocka_unit_test(position_channels_replace_a_missing_offset),
		cmocka_unit_test(refuses_joints_at_one_point),
		cmocka_unit_test(reads_the_same_poses_without_meaningful_names),
		cmocka_unit_test(end_sites_stand_for_missing_toes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
