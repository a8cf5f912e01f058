/* The solver against body frames made by a forward kinematics of the tests'
 * own, under the axes as the WebXR draft and BODY-FRAMES.md put them. */
#include <string.h>

#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "reference.h"
#include "unit_test.h"

/* Of the built-in figure: hips over the toes, the lowest joint. */
#define BUILTIN_HIPS_HEIGHT 0.945

static struct vector axis(double x, double y, double z)
{
	return (struct vector){ { x, y, z } };
}

/* World rotation of a joint in the T-pose: -Z along the bone, +Y up, or to the front if the bone
 * is vertical. */
static struct matrix spec_axes(enum jc_joint joint)
{
	const char *name = jc_joint_name(joint);
	double side = strncmp(name, "left", 4) == 0 ? 1.0 : -1.0;
	double diagonal = 0.70710678118654752;
	struct vector along = axis(side, 0, 0);
	struct vector up = axis(0, 1, 0);
	struct vector z;

	if (strstr(name, "thumb")) {
		along = axis(side * diagonal, 0, diagonal);
		up = axis(-side * diagonal, 0, diagonal);
	} else if (strstr(name, "foot") && !strstr(name, "ankle-twist")) {
		along = axis(0, 0, 1);
	} else if (strstr(name, "leg") || strstr(name, "foot")) {
		along = axis(0, -1, 0);
		up = axis(0, 0, 1);
	} else if (joint <= JC_JOINT_HEAD) {
		along = axis(0, 1, 0);
		up = axis(0, 0, 1);
	}
	z = vector_scale(along, -1);
	return matrix_from_columns(vector_cross(up, z), up, z);
}

/* The built-in figure times `size` in a pose, as body frame; the hips stand
 * where the pose has them, in units of that figure's hips height. */
static struct jc_body_frame make_frame(const struct jc_pose *pose, double size)
{
	struct jc_body_frame frame = { .confidence = 1.0f };
	struct matrix turned[JC_BONE_COUNT];
	struct vector position[JC_BONE_COUNT];

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct vector rest = vector_from(jc_bone_rest_position((enum jc_bone)bone));
		struct vector offset;

		turned[bone] = matrix_from_quat(pose->rotations[bone]);
		if (parent == JC_BONE_NONE) {
			offset = vector_scale(
				vector_from(pose->hips_translation), BUILTIN_HIPS_HEIGHT);
			position[bone] = vector_scale(vector_add(rest, offset), size);
			continue;
		}
		offset = vector_subtract(rest, vector_from(jc_bone_rest_position(parent)));
		position[bone] = vector_add(
			position[parent], matrix_apply(turned[parent], vector_scale(offset, size)));
		turned[bone] = matrix_multiply(turned[parent], turned[bone]);
	}
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)joint);

		if (bone != JC_BONE_NONE) {
			frame.joints[joint] = (struct jc_body_joint){
				.position = vector_to(position[bone]),
				.orientation = matrix_to_quat(matrix_multiply(
					turned[bone], spec_axes((enum jc_joint)joint))),
				.state = JC_TRACKED,
			};
		}
	}
	return frame;
}

static struct jc_pose random_pose(void)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (bone < JC_BONE_LEFT_EYE || bone > JC_BONE_JAW) {
			pose.rotations[bone] = matrix_to_quat(random_rotation(bone ? 120 : 180));
		}
	}
	pose.hips_translation = (struct jc_vec3){ (float)random_unit(), (float)random_unit(),
		(float)random_unit() };
	return pose;
}

static double rotation_error(struct jc_quat a, struct jc_quat b)
{
	return matrix_difference(matrix_from_quat(a), matrix_from_quat(b));
}

static void assert_vec3(struct jc_vec3 v, double x, double y, double z, double tolerance)
{
	if (!(vector_distance(vector_from(v), axis(x, y, z)) < tolerance)) {
		fail_msg("(%g %g %g) instead of (%g %g %g)", (double)v.x, (double)v.y, (double)v.z,
			x, y, z);
	}
}

static void check_rotations(const struct jc_pose *solved, const struct jc_pose *pose)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		bool face = bone >= JC_BONE_LEFT_EYE && bone <= JC_BONE_JAW;

		assert_int_equal(solved->states[bone], face ? JC_ABSENT : JC_TRACKED);
		if (!(rotation_error(solved->rotations[bone], pose->rotations[bone]) < 1e-5)) {
			fail_msg("'%s' is off by %g", jc_bone_name((enum jc_bone)bone),
				rotation_error(solved->rotations[bone], pose->rotations[bone]));
		}
	}
}

static void solve(const struct jc_body_frame *rest, const struct jc_body_frame *frame,
	struct jc_pose *out_pose)
{
	struct jc_solver solver;

	jc_solver_init(&solver, JC_PROFILE_WEBXR_SPEC, rest);
	jc_solver_solve(&solver, frame, out_pose);
}

static void frames_of_known_poses_give_those_poses(void **)
{
	struct jc_pose t_pose, pose, solved;
	struct jc_body_frame rest, frame;

	random_start(11);
	jc_pose_init(&t_pose);
	for (int i = 0; i < 50; i++) {
		pose = random_pose();
		rest = make_frame(&t_pose, 1.0);
		frame = make_frame(&pose, 1.0);
		solve(&rest, &frame, &solved);
		check_rotations(&solved, &pose);
		assert_vec3(solved.hips_translation, (double)pose.hips_translation.x,
			(double)pose.hips_translation.y, (double)pose.hips_translation.z, 1e-5);
	}
}

static void bodies_of_any_size_give_equal_poses(void **)
{
	/* The built-in figure is 1.75 m: a child of 1.1 m, a giant, a doll. */
	static const double sizes[] = { 1.1 / 1.75, 2.3 / 1.75, 0.1 };
	struct jc_pose t_pose, pose, solved;
	struct jc_body_frame rest, frame;

	random_start(12);
	jc_pose_init(&t_pose);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pose = random_pose();
		rest = make_frame(&t_pose, sizes[i]);
		frame = make_frame(&pose, sizes[i]);
		solve(&rest, &frame, &solved);
		check_rotations(&solved, &pose);
		assert_vec3(solved.hips_translation, (double)pose.hips_translation.x,
			(double)pose.hips_translation.y, (double)pose.hips_translation.z, 1e-5);
		/* The lengths of the legs say the same, however they are bent. */
		solve(NULL, &frame, &solved);
		assert_vec3(solved.hips_translation, (double)pose.hips_translation.x,
			(double)pose.hips_translation.y, (double)pose.hips_translation.z, 1e-3);
	}
}

static void trunk_measures_a_body_without_legs(void **)
{
	struct jc_pose pose, solved;
	struct jc_body_frame frame;

	random_start(13);
	pose = random_pose();
	frame = make_frame(&pose, 0.7);
	for (int joint = JC_JOINT_LEFT_UPPER_LEG; joint < JC_JOINT_COUNT; joint++) {
		frame.joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
	}
	solve(NULL, &frame, &solved);
	assert_int_equal(solved.states[JC_BONE_LEFT_FOOT], JC_ABSENT);
	assert_int_equal(solved.states[JC_BONE_HEAD], JC_TRACKED);
	assert_vec3(solved.hips_translation, (double)pose.hips_translation.x,
		(double)pose.hips_translation.y, (double)pose.hips_translation.z, 1e-3);
}

static void one_leg_measures_the_hips_height(void **)
{
	struct jc_pose pose, solved;
	struct jc_body_frame frame;

	random_start(14);
	pose = random_pose();
	frame = make_frame(&pose, 1.3);
	frame.joints[JC_JOINT_LEFT_LOWER_LEG].state = JC_ABSENT;
	solve(NULL, &frame, &solved);
	assert_vec3(solved.hips_translation, (double)pose.hips_translation.x,
		(double)pose.hips_translation.y, (double)pose.hips_translation.z, 1e-3);
}

static void hips_alone_have_the_size_of_the_built_in_figure(void **)
{
	struct jc_body_frame frame = { 0 };
	struct jc_pose solved;

	frame.joints[JC_JOINT_HIPS] = (struct jc_body_joint){
		.position = { 0.945f, 0.96f, -1.89f },
		.orientation = matrix_to_quat(spec_axes(JC_JOINT_HIPS)),
		.state = JC_ESTIMATED,
	};
	solve(NULL, &frame, &solved);
	assert_vec3(solved.hips_translation, 1, 0, -2, 1e-4);
	assert_int_equal(solved.states[JC_BONE_HIPS], JC_ESTIMATED);
}

/* 30 degrees in the chest and 15 in the upper chest: without the chest's joint
 * the upper chest holds both. */
static void skips_a_missing_parent_bone(void **)
{
	struct jc_pose pose, solved;
	struct jc_body_frame frame;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_CHEST] = matrix_to_quat(matrix_about(0, 1, 0, 30));
	pose.rotations[JC_BONE_UPPER_CHEST] = matrix_to_quat(matrix_about(0, 1, 0, 15));
	frame = make_frame(&pose, 1.0);
	frame.joints[JC_JOINT_SPINE_UPPER].state = JC_ABSENT;
	solve(NULL, &frame, &solved);
	assert_int_equal(solved.states[JC_BONE_CHEST], JC_ABSENT);
	assert_true(rotation_error(solved.rotations[JC_BONE_CHEST], JC_QUAT_IDENTITY) == 0.0);
	assert_true(rotation_error(solved.rotations[JC_BONE_UPPER_CHEST],
			    matrix_to_quat(matrix_about(0, 1, 0, 45))) < 1e-6);
}

static void without_hips_bones_keep_their_world_rotations(void **)
{
	struct jc_pose pose, solved;
	struct jc_body_frame frame;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HIPS] = matrix_to_quat(matrix_about(0, 1, 0, 70));
	pose.hips_translation = (struct jc_vec3){ 3.0f, 0.0f, 0.0f };
	frame = make_frame(&pose, 1.0);
	frame.joints[JC_JOINT_HIPS].state = JC_ABSENT;
	solve(NULL, &frame, &solved);
	assert_true(rotation_error(solved.rotations[JC_BONE_SPINE],
			    matrix_to_quat(matrix_about(0, 1, 0, 70))) < 1e-6);
	assert_true(rotation_error(solved.rotations[JC_BONE_LEFT_UPPER_LEG],
			    matrix_to_quat(matrix_about(0, 1, 0, 70))) < 1e-6);
	assert_vec3(solved.hips_translation, 0, 0, 0, 1e-9);
}

/* By hand: in the T-pose the left arm's -Z is the world's +X and its +Y the
 * world's +Y. Raised by 90 degrees about the world's Z they are +Y and -X, and
 * its X stays the world's +Z. */
static void raised_arm_has_the_computed_rotation(void **)
{
	struct jc_body_frame frame = { 0 };
	struct jc_pose solved;

	frame.joints[JC_JOINT_LEFT_ARM_UPPER] = (struct jc_body_joint){
		.orientation = matrix_to_quat(
			matrix_from_columns(axis(0, 0, 1), axis(-1, 0, 0), axis(0, -1, 0))),
		.state = JC_TRACKED,
	};
	solve(NULL, &frame, &solved);
	assert_true(rotation_error(solved.rotations[JC_BONE_LEFT_UPPER_ARM],
			    matrix_to_quat(matrix_about(0, 0, 1, 90))) < 1e-6);
}

static void wrist_roll_is_part_of_the_hand(void **)
{
	struct jc_pose pose, solved;
	struct jc_body_frame frame;

	jc_pose_init(&pose);
	/* The hand turned palm up about the forearm, the elbow's joint not. */
	pose.rotations[JC_BONE_LEFT_HAND] = matrix_to_quat(matrix_about(1, 0, 0, -90));
	frame = make_frame(&pose, 1.0);
	assert_true(rotation_error(frame.joints[JC_JOINT_LEFT_ARM_LOWER].orientation,
			    matrix_to_quat(spec_axes(JC_JOINT_LEFT_ARM_LOWER))) < 1e-6);
	solve(NULL, &frame, &solved);
	assert_true(
		rotation_error(solved.rotations[JC_BONE_LEFT_LOWER_ARM], JC_QUAT_IDENTITY) < 1e-6);
	assert_true(rotation_error(solved.rotations[JC_BONE_LEFT_HAND],
			    matrix_to_quat(matrix_about(1, 0, 0, -90))) < 1e-6);
}

static void empty_frame_is_an_absent_body(void **)
{
	struct jc_body_frame frame = { 0 };
	struct jc_pose solved;

	solve(&frame, &frame, &solved);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_int_equal(solved.states[bone], JC_ABSENT);
		assert_true(rotation_error(solved.rotations[bone], JC_QUAT_IDENTITY) == 0.0);
	}
	assert_vec3(solved.hips_translation, 0, 0, 0, 1e-9);
}

static void samples_motions_of_poses_and_of_body_frames(void **)
{
	static const char text[] =
		"{\"jointcast\":\"body-frames\",\"profile\":\"webxr-spec\",\"joints\":[\"hips\"],"
		"\"rest\":{\"joints\":[[0,1,0,0,0.7071068,0.7071068,0,2]]}}\n"
		"{\"t\":0,\"joints\":[[0,1,0,0,0.7071068,0.7071068,0,2]]}\n"
		"{\"t\":2,\"joints\":[[0,1,4,0,0.7071068,0.7071068,0,2]]}\n";
	struct jc_motion *motion = NULL;
	struct jc_pose sampled, pose;
	struct jc_solver solver;

	assert_int_equal(jc_motion_read(text, strlen(text), 0, NULL, &motion, NULL, NULL), JC_OK);
	jc_solver_init_motion(&solver, motion);
	jc_solver_sample(&solver, motion, 0.5, &sampled);
	assert_true(solver.hips_height > 0.0f);
	assert_float_equal(sampled.hips_translation.z, 1.0f / solver.hips_height, 1e-5f);
	assert_float_equal(sampled.hips_translation.y, 0.0f, 1e-5f);
	jc_motion_destroy(motion);

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	jc_solver_init_motion(&solver, motion);
	jc_solver_sample(&solver, motion, 1.25, &sampled);
	jc_motion_pose(motion, 1.25, &pose);
	assert_memory_equal(sampled.rotations, pose.rotations, sizeof(pose.rotations));
	assert_memory_equal(sampled.states, pose.states, sizeof(pose.states));
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_known_poses_give_those_poses),
		cmocka_unit_test(bodies_of_any_size_give_equal_poses),
		cmocka_unit_test(trunk_measures_a_body_without_legs),
		cmocka_unit_test(one_leg_measures_the_hips_height),
		cmocka_unit_test(hips_alone_have_the_size_of_the_built_in_figure),
		cmocka_unit_test(skips_a_missing_parent_bone),
		cmocka_unit_test(without_hips_bones_keep_their_world_rotations),
		cmocka_unit_test(raised_arm_has_the_computed_rotation),
		cmocka_unit_test(wrist_roll_is_part_of_the_hand),
		cmocka_unit_test(empty_frame_is_an_absent_body),
		cmocka_unit_test(samples_motions_of_poses_and_of_body_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
