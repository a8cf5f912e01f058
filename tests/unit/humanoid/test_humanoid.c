/* Bones, joints and their reference frames, against the sentences of the
 * specifications they come from. */
#include <string.h>

#include "jointcast/humanoid.h"
#include "jointcast/transform.h"
#include "unit_test.h"

static void assert_direction(struct jc_vec3 v, float x, float y, float z)
{
	assert_float_equal(v.x, x, 1e-6);
	assert_float_equal(v.y, y, 1e-6);
	assert_float_equal(v.z, z, 1e-6);
}

static struct jc_vec3 axis(struct jc_quat q, float x, float y, float z)
{
	return jc_quat_rotate(q, (struct jc_vec3){ x, y, z });
}

static void finds_exact_names_only(void **)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		assert_int_equal(jc_bone_find(jc_bone_name((enum jc_bone)i)), i);
	}
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		assert_int_equal(jc_joint_find(jc_joint_name((enum jc_joint)i)), i);
	}
	assert_int_equal(JC_BONE_COUNT, 55);
	assert_int_equal(JC_JOINT_COUNT, 83);
	assert_int_equal(jc_bone_find("Hips"), JC_BONE_NONE);
	assert_int_equal(jc_joint_find("root"), JC_JOINT_NONE);
}

static void both_spellings_of_the_middle_metacarpal_are_known_on_both_hands(void **)
{
	assert_int_equal(jc_joint_find("left-hand-middle-metacarpal"),
		jc_joint_find("left-hand-middle-phalanx-metacarpal"));
	assert_int_equal(jc_joint_find("right-hand-middle-phalanx-metacarpal"),
		jc_joint_find("right-hand-middle-metacarpal"));
	assert_int_not_equal(jc_joint_find("left-hand-middle-metacarpal"), JC_JOINT_NONE);
	assert_int_not_equal(jc_joint_find("right-hand-middle-metacarpal"), JC_JOINT_NONE);
}

static void every_bone_is_driven_by_exactly_one_joint_except_eyes_and_jaw(void **)
{
	int drivers[JC_BONE_COUNT] = { 0 };

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)j);

		if (bone != JC_BONE_NONE) {
			drivers[bone]++;
		}
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		bool face = b == JC_BONE_LEFT_EYE || b == JC_BONE_RIGHT_EYE || b == JC_BONE_JAW;

		assert_int_equal(drivers[b], face ? 0 : 1);
	}
}

static void mirror_of_a_mirrored_bone_is_the_bone_at_mirrored_positions(void **)
{
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		enum jc_bone bone = (enum jc_bone)i;
		enum jc_bone other = jc_bone_mirror(bone);
		struct jc_vec3 a = jc_bone_rest_position(bone);
		struct jc_vec3 b = jc_bone_rest_position(other);

		assert_int_equal(jc_bone_mirror(other), bone);
		assert_direction(b, -a.x, a.y, a.z);
		assert_true(strncmp(jc_bone_name(bone), "left", 4) != 0 || a.x > 0.0f);
	}
	assert_int_equal(jc_bone_mirror(JC_BONE_JAW), JC_BONE_JAW);
	assert_int_equal(jc_bone_mirror(JC_BONE_LEFT_THUMB_DISTAL), JC_BONE_RIGHT_THUMB_DISTAL);
}

/* "The bone node directs the +Y axis from the parent joint to the child joint":
 * the built-in skeleton is in the reference pose, so its own limbs show this. */
static void reference_rotations_point_y_along_the_bones_of_the_built_in_figure(void **)
{
	static const enum jc_bone limbs[][2] = {
		{ JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM },
		{ JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND },
		{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG },
		{ JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_INDEX_INTERMEDIATE },
		{ JC_BONE_LEFT_THUMB_METACARPAL, JC_BONE_LEFT_THUMB_PROXIMAL },
		{ JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_LOWER_ARM },
		{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG },
		{ JC_BONE_RIGHT_THUMB_PROXIMAL, JC_BONE_RIGHT_THUMB_DISTAL },
	};

	for (size_t i = 0; i < sizeof(limbs) / sizeof(limbs[0]); i++) {
		struct jc_vec3 along = jc_vec3_normalize(jc_vec3_subtract(
			jc_bone_rest_position(limbs[i][1]), jc_bone_rest_position(limbs[i][0])));
		struct jc_vec3 y = axis(jc_bone_reference_rotation(limbs[i][0]), 0, 1, 0);

		assert_true(jc_vec3_dot(along, y) > 0.999f);
	}
}

/* "+X rotation bends the joint like a muscle contracting": where the tip of
 * each bone goes when it turns a little about its own +X. */
static void positive_x_bends_each_bone_the_way_a_muscle_does(void **)
{
	static const struct {
		enum jc_bone bone;
		struct jc_vec3 goes;
	} cases[] = {
		{ JC_BONE_SPINE, { 0, 0, 1 } },         /* pitches forward */
		{ JC_BONE_HEAD, { 0, 0, 1 } },          /* nods */
		{ JC_BONE_LEFT_SHOULDER, { 0, 1, 0 } }, /* raises */
		{ JC_BONE_RIGHT_SHOULDER, { 0, 1, 0 } },
		{ JC_BONE_LEFT_UPPER_ARM, { 0, -1, 0 } }, /* lowers */
		{ JC_BONE_RIGHT_UPPER_ARM, { 0, -1, 0 } },
		{ JC_BONE_LEFT_LOWER_ARM, { 0, 0, 1 } }, /* bends forward */
		{ JC_BONE_RIGHT_LOWER_ARM, { 0, 0, 1 } },
		{ JC_BONE_LEFT_HAND, { 0, -1, 0 } }, /* curls down */
		{ JC_BONE_RIGHT_INDEX_DISTAL, { 0, -1, 0 } },
		{ JC_BONE_LEFT_UPPER_LEG, { 0, 0, 1 } }, /* flexes forward */
		{ JC_BONE_RIGHT_UPPER_LEG, { 0, 0, 1 } },
		{ JC_BONE_LEFT_LOWER_LEG, { 0, 0, -1 } }, /* flexes back */
		{ JC_BONE_RIGHT_LOWER_LEG, { 0, 0, -1 } },
		{ JC_BONE_LEFT_FOOT, { 0, 1, 0 } },   /* dorsiflexes */
		{ JC_BONE_RIGHT_TOES, { 0, -1, 0 } }, /* curl down */
		{ JC_BONE_JAW, { 0, 1, 0 } },         /* closes */
		{ JC_BONE_RIGHT_EYE, { 0, -1, 0 } },  /* looks down */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_quat w = jc_bone_reference_rotation(cases[i].bone);
		struct jc_quat bent = jc_quat_multiply(
			w, jc_quat_from_axis_angle((struct jc_vec3){ 1, 0, 0 }, 0.1f));
		struct jc_vec3 moved = jc_vec3_subtract(axis(bent, 0, 1, 0), axis(w, 0, 1, 0));

		assert_true(jc_vec3_dot(jc_vec3_normalize(moved), cases[i].goes) > 0.99f);
	}
}

/* "The thumbs straight parallel to the ground half way between x and z", and
 * they flex towards the fingers: about the vertical. */
static void thumbs_point_between_x_and_z_and_bend_about_the_vertical(void **)
{
	const float h = 0.70710678f;

	assert_direction(
		axis(jc_bone_reference_rotation(JC_BONE_LEFT_THUMB_DISTAL), 0, 1, 0), h, 0, h);
	assert_direction(
		axis(jc_bone_reference_rotation(JC_BONE_LEFT_THUMB_DISTAL), 1, 0, 0), 0, 1, 0);
	assert_direction(
		axis(jc_bone_reference_rotation(JC_BONE_RIGHT_THUMB_DISTAL), 0, 1, 0), -h, 0, h);
	assert_direction(
		axis(jc_bone_reference_rotation(JC_BONE_RIGHT_THUMB_DISTAL), 1, 0, 0), 0, -1, 0);
}

/* "-Z direction pointing along their associated bone … -Y perpendicular to the
 * skin, outwards from the palm", with palms to the ground in the T-pose. */
static void joint_frames_follow_the_webxr_draft(void **)
{
	struct jc_quat left = jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_LEFT_HAND_WRIST);
	struct jc_quat right =
		jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_RIGHT_HAND_INDEX_PHALANX_PROXIMAL);
	struct jc_quat leg = jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_LEFT_UPPER_LEG);
	struct jc_quat foot = jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_RIGHT_FOOT_BALL);

	assert_direction(axis(left, 0, 0, -1), 1, 0, 0);
	assert_direction(axis(left, 0, -1, 0), 0, -1, 0);
	assert_direction(axis(right, 0, 0, -1), -1, 0, 0);
	assert_direction(axis(right, 0, -1, 0), 0, -1, 0);
	assert_direction(axis(leg, 0, 0, -1), 0, -1, 0);
	assert_direction(axis(leg, 0, 1, 0), 0, 0, 1);
	assert_direction(axis(foot, 0, 0, -1), 0, 0, 1);
	assert_direction(axis(foot, 0, 1, 0), 0, 1, 0);
	/* The thumb's pad looks at the fingers. */
	assert_direction(axis(jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_LEFT_HAND_THUMB_TIP),
				 0, -1, 0),
		0.70710678f, 0, -0.70710678f);
}

static void interpolation_takes_the_lower_state_and_matches_both_ends(void **)
{
	struct jc_pose a, b, c;

	jc_pose_init(&a);
	jc_pose_init(&b);
	a.states[JC_BONE_HEAD] = JC_TRACKED;
	b.states[JC_BONE_HEAD] = JC_ESTIMATED;
	a.rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle((struct jc_vec3){ 0, 1, 0 }, 0.2f);
	b.rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle((struct jc_vec3){ 0, 1, 0 }, 1.0f);
	b.hips_translation.y = 2.0f;
	jc_pose_interpolate(&a, &b, 0.25f, &c);
	assert_int_equal(c.states[JC_BONE_HEAD], JC_ESTIMATED);
	assert_int_equal(c.states[JC_BONE_HIPS], JC_ABSENT);
	assert_float_equal(c.hips_translation.y, 0.5f, 1e-6);
	assert_float_equal(jc_quat_angle(c.rotations[JC_BONE_HEAD],
				   jc_quat_from_axis_angle((struct jc_vec3){ 0, 1, 0 }, 0.4f)),
		0.0f, 1e-6);
}

static void joints_have_a_counterpart_on_the_other_side(void **)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		enum jc_joint joint = (enum jc_joint)j, other = jc_joint_mirror(joint);
		bool is_left = strncmp(jc_joint_name(joint), "left-", 5) == 0;
		bool is_right = strncmp(jc_joint_name(joint), "right-", 6) == 0;

		assert_int_equal(jc_joint_mirror(other), joint);
		assert_int_equal(other != joint, is_left || is_right);
		assert_int_equal(strncmp(jc_joint_name(other), "left-", 5) == 0, is_right);
	}
	/* The draft has two naming rules for these joints. */
	assert_int_equal(jc_joint_mirror(JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_METACARPAL),
		JC_JOINT_RIGHT_HAND_MIDDLE_METACARPAL);
}

/* The hand bends by 30 degrees about +Z and is rolled by 80 about the forearm,
 * +X on the left: Rx(80) Rz(30). A quarter of the roll is 20 degrees. */
static void the_lower_arm_takes_on_a_share_of_the_hands_twist(void **)
{
	const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, z = { 0.0f, 0.0f, 1.0f };
	const float degree = 0.017453292519943295f;
	struct jc_quat bent = jc_quat_from_axis_angle(z, 30 * degree);
	struct jc_quat elbow = jc_quat_from_axis_angle(z, -50 * degree);
	struct jc_quat hand, expected;
	struct jc_pose pose;

	for (int side = 0; side < 2; side++) {
		enum jc_bone lower = side ? JC_BONE_RIGHT_LOWER_ARM : JC_BONE_LEFT_LOWER_ARM;
		enum jc_bone last = side ? JC_BONE_RIGHT_HAND : JC_BONE_LEFT_HAND;

		jc_pose_init(&pose);
		pose.states[lower] = pose.states[last] = JC_TRACKED;
		pose.rotations[lower] = elbow;
		pose.rotations[last] =
			jc_quat_multiply(jc_quat_from_axis_angle(x, 80 * degree), bent);
		hand = jc_quat_multiply(elbow, pose.rotations[last]);
		jc_pose_share_twist(&pose, 0.25f);
		expected = jc_quat_multiply(elbow, jc_quat_from_axis_angle(x, 20 * degree));
		assert_float_equal(jc_quat_angle(pose.rotations[lower], expected), 0, 1e-6f);
		expected = jc_quat_multiply(jc_quat_from_axis_angle(x, 60 * degree), bent);
		assert_float_equal(jc_quat_angle(pose.rotations[last], expected), 0, 1e-6f);
		assert_float_equal(
			jc_quat_angle(jc_quat_multiply(pose.rotations[lower], pose.rotations[last]),
				hand),
			0, 1e-6f);
	}
}

static void a_missing_hand_or_lower_arm_shares_nothing(void **)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.states[JC_BONE_LEFT_HAND] = JC_TRACKED;
	pose.rotations[JC_BONE_LEFT_HAND] = (struct jc_quat){ 0.6f, 0.0f, 0.0f, 0.8f };
	jc_pose_share_twist(&pose, 0.5f);
	assert_float_equal(pose.rotations[JC_BONE_LEFT_HAND].x, 0.6f, 0.0f);
	assert_float_equal(pose.rotations[JC_BONE_LEFT_LOWER_ARM].w, 1.0f, 0.0f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_exact_names_only),
		cmocka_unit_test(both_spellings_of_the_middle_metacarpal_are_known_on_both_hands),
		cmocka_unit_test(every_bone_is_driven_by_exactly_one_joint_except_eyes_and_jaw),
		cmocka_unit_test(mirror_of_a_mirrored_bone_is_the_bone_at_mirrored_positions),
		cmocka_unit_test(
			reference_rotations_point_y_along_the_bones_of_the_built_in_figure),
		cmocka_unit_test(positive_x_bends_each_bone_the_way_a_muscle_does),
		cmocka_unit_test(thumbs_point_between_x_and_z_and_bend_about_the_vertical),
		cmocka_unit_test(joint_frames_follow_the_webxr_draft),
		cmocka_unit_test(interpolation_takes_the_lower_state_and_matches_both_ends),
		cmocka_unit_test(joints_have_a_counterpart_on_the_other_side),
		cmocka_unit_test(the_lower_arm_takes_on_a_share_of_the_hands_twist),
		cmocka_unit_test(a_missing_hand_or_lower_arm_shares_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
