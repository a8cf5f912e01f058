/* Tests mirrored poses against reflected matrices: with S = diag(-1, 1, 1) the mirror image of a
 * rotation A is S A S, that of a position p is S p. Motions of both kinds give such poses. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "reference.h"
#include "unit_test.h"

static struct matrix reflected(struct matrix a)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			a.m[i][j] *= (i == 0) == (j == 0) ? 1.0 : -1.0;
		}
	}
	return a;
}

static struct jc_pose random_pose(void)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = matrix_to_quat(random_rotation(170));
		pose.states[b] = (uint8_t)(b % 3);
	}
	pose.hips_translation = (struct jc_vec3){ (float)random_unit(), (float)random_unit(),
		(float)random_unit() };
	return pose;
}

static void the_world_rotation_of_every_bone_is_reflected(void **)
{
	random_start(5);
	for (int run = 0; run < 20; run++) {
		struct matrix before[JC_BONE_COUNT], after[JC_BONE_COUNT];
		struct jc_pose pose = random_pose();
		struct jc_pose mirrored = pose;

		jc_pose_mirror(&mirrored);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			enum jc_bone parent = jc_bone_parent((enum jc_bone)b);

			before[b] = matrix_from_quat(pose.rotations[b]);
			after[b] = matrix_from_quat(mirrored.rotations[b]);
			if (parent != JC_BONE_NONE) {
				before[b] = matrix_multiply(before[parent], before[b]);
				after[b] = matrix_multiply(after[parent], after[b]);
			}
		}
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			enum jc_bone other = jc_bone_mirror((enum jc_bone)b);

			assert_true(matrix_difference(after[other], reflected(before[b])) < 1e-5);
			assert_int_equal(mirrored.states[other], pose.states[b]);
		}
		assert_true(mirrored.hips_translation.x == -pose.hips_translation.x);
		assert_true(mirrored.hips_translation.y == pose.hips_translation.y);
		assert_true(mirrored.hips_translation.z == pose.hips_translation.z);
	}
}

/* A raised left arm: a quarter turn about +Z takes +X, where it points, to +Y;
 * the right one in the mirror takes -X to +Y, a quarter about -Z. */
static void a_raised_left_arm_becomes_a_raised_right_arm(void **)
{
	const struct jc_vec3 x = { 1, 0, 0 };
	struct jc_pose pose;
	struct jc_vec3 arm;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = (struct jc_quat){ 0, 0, 0.70710678f, 0.70710678f };
	jc_pose_mirror(&pose);
	assert_float_equal(pose.rotations[JC_BONE_LEFT_UPPER_ARM].w, 1.0f, 0.0f);
	arm = jc_quat_rotate(pose.rotations[JC_BONE_RIGHT_UPPER_ARM], jc_vec3_scale(x, -1.0f));
	assert_float_equal(arm.y, 1.0f, 1e-6f);
}

static void two_mirrors_show_the_pose_itself(void **)
{
	struct jc_pose pose, twice;

	random_start(6);
	for (int run = 0; run < 20; run++) {
		pose = random_pose();
		memcpy(&twice, &pose, sizeof(pose));
		jc_pose_mirror(&twice);
		jc_pose_mirror(&twice);
		assert_memory_equal(&twice, &pose, sizeof(pose));
	}
}

static void assert_same_pose(const struct jc_pose *a, const struct jc_pose *b, float radians)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_int_equal(a->states[bone], b->states[bone]);
		assert_true(jc_quat_angle(a->rotations[bone], b->rotations[bone]) <= radians);
	}
	assert_true(jc_vec3_length(jc_vec3_subtract(a->hips_translation, b->hips_translation)) <=
		    1e-5f);
}

static struct jc_motion *make_demo(const char *name)
{
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	return motion;
}

static struct jc_motion *mirror(struct jc_motion *motion)
{
	struct jc_motion *mirrored;

	assert_int_equal(jc_motion_create_mirror(motion, &mirrored), JC_OK);
	return mirrored;
}

static void a_mirrored_motion_has_mirrored_poses(void **)
{
	struct jc_motion *wave = make_demo("wave");
	struct jc_motion *twice = mirror(mirror(make_demo("wave")));
	struct jc_motion *once = mirror(make_demo("wave"));

	for (double t = 0.0; t < 2.0; t += 0.37) {
		struct jc_pose expected, seen;

		jc_motion_pose(wave, t, &expected);
		jc_motion_pose(twice, t, &seen);
		assert_memory_equal(&seen, &expected, sizeof(seen));
		jc_pose_mirror(&expected);
		jc_motion_pose(once, t, &seen);
		assert_memory_equal(&seen, &expected, sizeof(seen));
	}
	jc_motion_destroy(wave);
	jc_motion_destroy(twice);
	jc_motion_destroy(once);
}

static void sample(void *context, size_t index, struct jc_pose *out_pose)
{
	jc_motion_pose(context, (double)index * 0.1, out_pose);
}

/* Every joint but the right hand's: in the mirror the left hand is missing. */
static struct jc_motion *read_body_frames(struct jc_motion *demo)
{
	bool dropped[JC_JOINT_COUNT] = { [JC_JOINT_RIGHT_HAND_WRIST] = true };
	struct jc_clip clip = { .motion = demo,
		.frame_count = 8,
		.frame_seconds = 0.1,
		.pose = sample,
		.context = demo };
	struct jc_written file;
	struct jc_motion *motion;

	assert_int_equal(
		jc_write_body_frames(&clip, JC_PROFILE_WEBXR_SPEC, dropped, &file, NULL, NULL),
		JC_OK);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &motion, NULL, NULL), JC_OK);
	free(file.bytes);
	return motion;
}

static void mirrored_body_frames_are_solved_to_mirrored_poses(void **)
{
	struct jc_motion *demo = make_demo("walk");
	struct jc_motion *frames = read_body_frames(demo);
	struct jc_motion *mirrored = mirror(read_body_frames(demo));
	struct jc_solver solver, mirrored_solver;

	assert_true(jc_motion_info(frames)->bone_mask >> JC_BONE_LEFT_HAND & 1);
	assert_false(jc_motion_info(mirrored)->bone_mask >> JC_BONE_LEFT_HAND & 1);
	jc_solver_init_motion(&solver, frames);
	jc_solver_init_motion(&mirrored_solver, mirrored);
	for (int i = 0; i < 8; i++) {
		struct jc_pose expected, seen;

		jc_solver_sample(&solver, frames, 0.1 * i, &expected);
		jc_pose_mirror(&expected);
		jc_solver_sample(&mirrored_solver, mirrored, 0.1 * i, &seen);
		assert_same_pose(&seen, &expected, 2e-6f);
	}
	jc_motion_destroy(mirrored);
	jc_motion_destroy(frames);
	jc_motion_destroy(demo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_world_rotation_of_every_bone_is_reflected),
		cmocka_unit_test(a_raised_left_arm_becomes_a_raised_right_arm),
		cmocka_unit_test(two_mirrors_show_the_pose_itself),
		cmocka_unit_test(a_mirrored_motion_has_mirrored_poses),
		cmocka_unit_test(mirrored_body_frames_are_solved_to_mirrored_poses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
