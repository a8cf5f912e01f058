/* Tests joint-frame profiles: their axes are those of the sources' specifications, and a motion
 * is the same in all profiles. */
#include <stdlib.h>

#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "recorded.h"
#include "unit_test.h"

#define DEGREE 0.01745329252f
#define FRAMES 16

/* Where a joint's local X, Y and Z point in the T-pose, as six letters of
 * Left Right Up Down Front Back. */
struct axes {
	enum jc_profile profile;
	enum jc_joint joint;
	const char *directions;
};

/* meta: "torso and head bone -X, forward +Y, right +Z; left arm, hand, leg bone -X,
 * right ones +X; left palm normal +Y, right palm -Y; left foot toes +X up +Y, right
 * foot toes -X up -Y"; the arms' roll from Godot's correction quaternions, which
 * turn both these axes and pico's into one humanoid.
 * pico (XrBodyJointBD) and htc (XrBodyJointHTC): in the T-pose every joint has +X to
 * the right, +Y up, and so +Z to the back.
 * slimevr: the identity is a bone whose tail is along -Y on a body that looks to -Z. */
static const struct axes expected[] = {
	{ JC_PROFILE_META, JC_JOINT_HIPS, "DFR" },
	{ JC_PROFILE_META, JC_JOINT_HEAD, "DFR" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_SCAPULA, "DFR" },
	{ JC_PROFILE_META, JC_JOINT_RIGHT_SCAPULA, "DFR" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_SHOULDER, "RFU" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_ARM_LOWER, "RFU" },
	{ JC_PROFILE_META, JC_JOINT_RIGHT_ARM_UPPER, "RBD" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_HAND_WRIST, "RDF" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_HAND_RING_METACARPAL, "RDF" },
	{ JC_PROFILE_META, JC_JOINT_RIGHT_HAND_PALM, "RUB" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_UPPER_LEG, "UBR" },
	{ JC_PROFILE_META, JC_JOINT_RIGHT_LOWER_LEG, "DFR" },
	{ JC_PROFILE_META, JC_JOINT_LEFT_FOOT_BALL, "FUR" },
	{ JC_PROFILE_META, JC_JOINT_RIGHT_FOOT_ANKLE, "BDR" },
	{ JC_PROFILE_PICO, JC_JOINT_HIPS, "RUB" },
	{ JC_PROFILE_PICO, JC_JOINT_LEFT_ARM_UPPER, "RUB" },
	{ JC_PROFILE_PICO, JC_JOINT_RIGHT_HAND_PALM, "RUB" },
	{ JC_PROFILE_PICO, JC_JOINT_LEFT_LOWER_LEG, "RUB" },
	{ JC_PROFILE_PICO, JC_JOINT_RIGHT_FOOT_BALL, "RUB" },
	{ JC_PROFILE_HTC, JC_JOINT_CHEST, "RUB" },
	{ JC_PROFILE_HTC, JC_JOINT_LEFT_SCAPULA, "RUB" },
	{ JC_PROFILE_HTC, JC_JOINT_RIGHT_FOOT_ANKLE, "RUB" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_HIPS, "RUB" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_LEFT_UPPER_LEG, "RUB" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_LEFT_ARM_LOWER, "DRB" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_RIGHT_HAND_WRIST, "ULB" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_LEFT_FOOT_ANKLE, "RBD" },
	/* XR_EXT_hand_tracking gives the others' missing joints: -Z along, +Y up. */
	{ JC_PROFILE_PICO, JC_JOINT_LEFT_HAND_INDEX_PHALANX_DISTAL, "FUR" },
	{ JC_PROFILE_SLIMEVR, JC_JOINT_RIGHT_HAND_LITTLE_TIP, "BUL" },
	{ JC_PROFILE_WEBXR_SPEC, JC_JOINT_LEFT_HAND_WRIST, "FUR" },
};

static struct jc_vec3 direction(char letter)
{
	switch (letter) {
	case 'L':
		return (struct jc_vec3){ 1.0f, 0.0f, 0.0f };
	case 'R':
		return (struct jc_vec3){ -1.0f, 0.0f, 0.0f };
	case 'U':
		return (struct jc_vec3){ 0.0f, 1.0f, 0.0f };
	case 'D':
		return (struct jc_vec3){ 0.0f, -1.0f, 0.0f };
	case 'F':
		return (struct jc_vec3){ 0.0f, 0.0f, 1.0f };
	default:
		return (struct jc_vec3){ 0.0f, 0.0f, -1.0f };
	}
}

static void axes_match_the_documents_of_the_sources(void **)
{
	static const struct jc_vec3 units[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct axes *one = &expected[i];
		struct jc_quat rotation = jc_joint_t_pose(one->profile, one->joint);

		for (int axis = 0; axis < 3; axis++) {
			struct jc_vec3 lies = jc_quat_rotate(rotation, units[axis]);

			if (jc_vec3_angle(lies, direction(one->directions[axis])) > 1e-5f) {
				fail_msg("%s: %s, axis %d", jc_profile_name(one->profile),
					jc_joint_name(one->joint), axis);
			}
		}
	}
}

static size_t count_delivered(enum jc_profile profile)
{
	size_t count = 0;

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		count += jc_profile_delivers(profile, (enum jc_joint)j);
	}
	return count;
}

/* META 84 with its root, BD 24, HTC 26 with its waist, which the draft lacks. */
static void profiles_list_the_joints_of_their_sources(void **)
{
	assert_int_equal(count_delivered(JC_PROFILE_WEBXR_SPEC), 83);
	assert_int_equal(count_delivered(JC_PROFILE_META), 83);
	assert_int_equal(count_delivered(JC_PROFILE_PICO), 24);
	assert_int_equal(count_delivered(JC_PROFILE_HTC), 25);
	assert_int_equal(count_delivered(JC_PROFILE_SLIMEVR), 20);
	assert_false(jc_profile_delivers(JC_PROFILE_PICO, JC_JOINT_CHEST));
	assert_true(jc_profile_delivers(JC_PROFILE_HTC, JC_JOINT_CHEST));
}

static void assert_same_pose(
	const struct jc_pose *expected_pose, const struct jc_pose *pose, const char *what)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		float off = jc_quat_angle(expected_pose->rotations[b], pose->rotations[b]);

		if (b >= JC_BONE_LEFT_EYE && b <= JC_BONE_JAW) {
			continue;
		}
		assert_int_equal(expected_pose->states[b], pose->states[b]);
		if (!(off < 0.1f * DEGREE)) {
			fail_msg("%s: '%s' is %g degrees off", what, jc_bone_name((enum jc_bone)b),
				(double)(off / DEGREE));
		}
	}
	assert_true(jc_vec3_length(jc_vec3_subtract(
			    expected_pose->hips_translation, pose->hips_translation)) < 1e-5f);
}

/* Motion -> file of body frames in each profile -> motion -> poses. */
static void sample(void *context, size_t index, struct jc_pose *out_pose)
{
	const struct jc_motion *motion = context;

	jc_motion_pose(
		motion, jc_motion_info(motion)->duration * (double)index / (FRAMES - 1), out_pose);
}

static void check_round_trip(struct jc_motion *motion, enum jc_profile profile, const char *name)
{
	static const bool none[JC_JOINT_COUNT];
	struct jc_clip clip = { .motion = motion,
		.frame_count = FRAMES,
		.frame_seconds = jc_motion_info(motion)->duration / (FRAMES - 1),
		.pose = sample,
		.context = motion };
	struct jc_motion *back = NULL;
	struct jc_written file;
	struct jc_solver solver;
	struct jc_pose before, after;

	assert_int_equal(jc_write_body_frames(&clip, profile, none, &file, NULL, NULL), JC_OK);
	assert_int_equal(
		jc_motion_read(file.bytes, file.length, 0, NULL, &back, NULL, NULL), JC_OK);
	assert_int_equal(jc_motion_profile(back), profile);
	jc_solver_init_motion(&solver, back);
	for (int i = 0; i < FRAMES; i++) {
		sample(motion, (size_t)i, &before);
		jc_solver_sample(&solver, back, clip.frame_seconds * i, &after);
		assert_same_pose(&before, &after, name);
	}
	jc_motion_destroy(back);
	free(file.bytes);
}

static void generated_motion_is_the_same_in_every_profile(void **)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_motion *motion;

		assert_int_equal(jc_motion_create_demo(*name, &motion, NULL), JC_OK);
		for (int p = 0; p < JC_PROFILE_COUNT; p++) {
			check_round_trip(motion, (enum jc_profile)p, *name);
		}
		jc_motion_destroy(motion);
	}
}

static void recorded_motion_is_the_same_in_every_profile(void **)
{
	size_t count = 0;

	for (size_t i = 0; i < recorded_count; i++) {
		struct jc_motion *motion = recorded_read(recorded_names[i]);

		if (!motion) {
			continue;
		}
		count++;
		for (int p = 0; p < JC_PROFILE_COUNT; p++) {
			check_round_trip(motion, (enum jc_profile)p, recorded_names[i]);
		}
		jc_motion_destroy(motion);
	}
	if (count == 0) {
		print_message("no recorded motions here: set JOINTCAST_DATA\n");
		skip();
	}
}

/* Frame -> pose -> frame: positions of the built-in figure are those again. */
static void frames_convert_to_poses_and_back(void **)
{
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo("wave", &motion, NULL), JC_OK);
	for (int p = 0; p < JC_PROFILE_COUNT; p++) {
		struct jc_body_frame before, after;
		struct jc_pose pose, solved;
		struct jc_solver solver;

		sample(motion, 5, &pose);
		jc_pose_to_body_frame(&pose, (enum jc_profile)p, &before);
		jc_solver_init(&solver, (enum jc_profile)p, NULL);
		jc_solver_solve(&solver, &before, &solved);
		jc_pose_to_body_frame(&solved, (enum jc_profile)p, &after);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			assert_int_equal(before.joints[j].state, after.joints[j].state);
			assert_true(jc_quat_angle(before.joints[j].orientation,
					    after.joints[j].orientation) < 0.1f * DEGREE);
			assert_true(jc_vec3_length(jc_vec3_subtract(before.joints[j].position,
					    after.joints[j].position)) < 1e-3f);
		}
	}
	jc_motion_destroy(motion);
}

static void turn_bones(const struct jc_pose *pose, struct jc_quat out_turned[JC_BONE_COUNT])
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);

		out_turned[b] = parent == JC_BONE_NONE
					? pose->rotations[b]
					: jc_quat_multiply(out_turned[parent], pose->rotations[b]);
	}
}

/* Whichever joint is missing, the bones of the others stand in the world as they
 * did. */
static void missing_joint_does_not_change_its_neighbours(void **)
{
	struct jc_motion *motion;
	struct jc_pose pose;

	assert_int_equal(jc_motion_create_demo("sit", &motion, NULL), JC_OK);
	sample(motion, 9, &pose);
	for (int p = 0; p < JC_PROFILE_COUNT; p++) {
		for (int dropped = 0; dropped < JC_JOINT_COUNT; dropped++) {
			struct jc_quat before[JC_BONE_COUNT], after[JC_BONE_COUNT];
			struct jc_body_frame frame;
			struct jc_solver solver;
			struct jc_pose solved;

			jc_pose_to_body_frame(&pose, (enum jc_profile)p, &frame);
			frame.joints[dropped] = (struct jc_body_joint){ .state = JC_ABSENT };
			jc_solver_init(&solver, (enum jc_profile)p, NULL);
			jc_solver_solve(&solver, &frame, &solved);
			turn_bones(&pose, before);
			turn_bones(&solved, after);
			for (int j = 0; j < JC_JOINT_COUNT; j++) {
				enum jc_bone bone = jc_joint_bone((enum jc_joint)j);

				if (bone == JC_BONE_NONE) {
					continue;
				}
				assert_int_equal(solved.states[bone],
					j == dropped ? JC_ABSENT : pose.states[bone]);
				assert_true(j == dropped || jc_quat_angle(before[bone],
								    after[bone]) < 0.1f * DEGREE);
			}
		}
	}
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_match_the_documents_of_the_sources),
		cmocka_unit_test(profiles_list_the_joints_of_their_sources),
		cmocka_unit_test(generated_motion_is_the_same_in_every_profile),
		cmocka_unit_test(recorded_motion_is_the_same_in_every_profile),
		cmocka_unit_test(frames_convert_to_poses_and_back),
		cmocka_unit_test(missing_joint_does_not_change_its_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
