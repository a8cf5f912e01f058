/* Tables of poses: reading, and writing and reading again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "unit_test.h"

#define HEAD "time,head.qx,head.qy,head.qz,head.qw"

static struct jc_motion *read_motion(const char *text)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion = NULL;

	if (jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return motion;
}

static void assert_refused(const char *text, int error, const char *what)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion;

	assert_int_equal(
		jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, &diagnostic), error);
	assert_string_equal(diagnostic.what, what);
}

/* Half a turn about Z, (0, 0, 1, 0); halfway it is a quarter turn. */
static void interpolates_poses_between_rows(void **)
{
	struct jc_motion *motion = read_motion("time,hips.x,hips.y,hips.z,head.qz,head.qw,head.qx,"
					       "head.qy\n"
					       "10,0,0,0,0,1,0,0\n"
					       "12,1,-2,4,0.99,0,0,0\n");
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_pose pose;

	assert_string_equal(info->format, "csv");
	assert_float_equal(info->duration, 2.0, 1e-12);
	assert_float_equal(info->fps, 0.5, 1e-12);
	assert_int_equal(info->frame_count, 2);
	assert_int_equal(info->bone_mask, UINT64_C(1) << JC_BONE_HEAD);
	jc_motion_pose(motion, 1.0, &pose);
	assert_float_equal(pose.hips_translation.y, -1.0, 1e-6);
	assert_float_equal(pose.rotations[JC_BONE_HEAD].z, sqrt(0.5), 1e-6);
	assert_float_equal(pose.rotations[JC_BONE_HEAD].w, sqrt(0.5), 1e-6);
	assert_int_equal(pose.states[JC_BONE_HEAD], JC_TRACKED);
	assert_int_equal(pose.states[JC_BONE_HIPS], JC_ABSENT);
	jc_motion_pose(motion, 2.0, &pose);
	assert_float_equal(pose.rotations[JC_BONE_HEAD].z, 1.0, 1e-6);
	jc_motion_destroy(motion);
}

static void an_empty_rotation_is_an_absent_bone(void **)
{
	struct jc_motion *motion = read_motion(HEAD "\n0,1,0,0,0\n1,,,,\n2,1,0,0,0\n");
	struct jc_pose pose;

	for (int i = 0; i < 4; i++) {
		jc_motion_pose(motion, 0.5 + 0.25 * i, &pose);
		assert_int_equal(pose.states[JC_BONE_HEAD], JC_ABSENT);
		assert_true(pose.rotations[JC_BONE_HEAD].w == 1.0f);
	}
	jc_motion_pose(motion, 2.0, &pose);
	assert_int_equal(pose.states[JC_BONE_HEAD], JC_TRACKED);
	jc_motion_destroy(motion);
}

static void rejects_other_tables(void **)
{
	assert_refused("time,tail.qx\n0,0\n", JC_ERROR_INVALID,
		"unknown column \'tail.qx\'; known are time, hips.x to hips.z, BONE.qx to "
		"BONE.qw and BONE.px to BONE.pz");
	assert_refused("time,head.x\n0,0\n", JC_ERROR_INVALID,
		"unknown column \'head.x\'; known are time, hips.x to hips.z, BONE.qx to "
		"BONE.qw and BONE.px to BONE.pz");
	assert_refused("time,tail.px\n0,0\n", JC_ERROR_INVALID,
		"unknown column \'tail.px\'; known are time, hips.x to hips.z, BONE.qx to "
		"BONE.qw and BONE.px to BONE.pz");
	assert_refused("time,head.qx,head.qy,head.qz\n0,0,0,0\n", JC_ERROR_INVALID,
		"some of the columns head.qx to head.qw are missing");
	assert_refused("time,hips.z\n0,0\n", JC_ERROR_INVALID,
		"some of the columns hips.x to hips.z are missing");
	assert_refused("# jointcast poses\nhips.x,hips.y,hips.z\n0,0,0\n", JC_ERROR_INVALID,
		"no column 'time'");
	assert_refused("time,hips.x,hips.y,hips.z\n0,0,0,0\n", JC_ERROR_NO_HUMANOID,
		"no bone has columns");
	assert_refused(HEAD "\n0,0,0,0,2\n", JC_ERROR_INVALID,
		"the rotation of head is not a unit quaternion");
	assert_refused(HEAD "\n0,0,,0,1\n", JC_ERROR_INVALID,
		"the rotation of head is not a unit quaternion");
	assert_refused(HEAD "\n1,0,0,0,1\n1,0,0,0,1\n", JC_ERROR_INVALID,
		"the time is not after that of the row before");
	assert_refused(HEAD "\n,0,0,0,1\n", JC_ERROR_INVALID,
		"the time is not after that of the row before");
	assert_refused(HEAD ",hips.x,hips.y,hips.z\n0,0,0,0,1,1e9,0,0\n", JC_ERROR_INVALID,
		"the position of the hips is empty or too far");
}

static void pose_of_motion(void *context, size_t index, struct jc_pose *out_pose)
{
	jc_motion_pose(context, (double)index / 30.0, out_pose);
	if (index == 3) {
		out_pose->states[JC_BONE_LEFT_HAND] = JC_ABSENT;
		out_pose->rotations[JC_BONE_LEFT_HAND] = JC_QUAT_IDENTITY;
	}
}

static void written_table_reads_back_the_same(void **)
{
	struct jc_clip clip = {
		.frame_count = 31, .frame_seconds = 1.0 / 30.0, .pose = pose_of_motion
	};
	struct jc_lint lint = { 0 };
	struct jc_written file;
	struct jc_motion *motion, *read;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	clip.motion = motion;
	clip.context = motion;
	assert_int_equal(jc_write_csv(&clip, &file, &lint, NULL), JC_OK);
	assert_int_equal(lint.count, 0);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &read, NULL, NULL), JC_OK);
	assert_int_equal(jc_motion_info(read)->bone_mask, jc_motion_info(motion)->bone_mask);
	for (size_t i = 0; i < clip.frame_count; i++) {
		struct jc_pose expected, got;

		pose_of_motion(motion, i, &expected);
		jc_motion_pose(read, (double)i / 30.0, &got);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert_int_equal(
				got.states[b] == JC_ABSENT, expected.states[b] == JC_ABSENT);
			assert_true(jc_quat_angle(got.rotations[b], expected.rotations[b]) < 1e-6f);
		}
		assert_true(jc_vec3_length(jc_vec3_subtract(
				    got.hips_translation, expected.hips_translation)) < 1e-6f);
	}
	jc_motion_destroy(read);
	jc_motion_destroy(motion);
	free(file.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpolates_poses_between_rows),
		cmocka_unit_test(an_empty_rotation_is_an_absent_bone),
		cmocka_unit_test(rejects_other_tables),
		cmocka_unit_test(written_table_reads_back_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
