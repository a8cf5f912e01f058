/* Rigs that repeat names: controls beside the body, joints that trackers insert, and hips by
 * another name. */
#include <string.h>

#include "named_tree.h"
#include "unit_test.h"

/* Controls come before the joints of the body, as in files that sort them so. The left foot
 * has its second name only below the leg. */
static const char *const controlled[][2] = {
	{ "Root", NULL },
	{ "Foot.L", "Root" },
	{ "Foot.R", "Root" },
	{ "Hand.L", "Root" },
	{ "Shin.R", "Root" },
	{ "Hips", "Root" },
	{ "Spine", "Hips" },
	{ "Head", "Spine" },
	{ "UpperLeg.L", "Hips" },
	{ "LowerLeg.L", "UpperLeg.L" },
	{ "Ankle.L", "LowerLeg.L" },
	{ "Toes.L", "Ankle.L" },
	{ "UpperLeg.R", "Hips" },
	{ "LowerLeg.R", "UpperLeg.R" },
	{ "foot_R", "LowerLeg.R" },
	{ "Toes.R", "foot_R" },
	{ "UpperArm.L", "Spine" },
	{ "LowerArm.L", "UpperArm.L" },
	{ "UpperArm.R", "Spine" },
	{ "LowerArm.R", "UpperArm.R" },
	{ "Hand.R", "LowerArm.R" },
	{ NULL, NULL },
};

static void a_joint_below_its_limb_wins_over_a_control(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, controlled);
	named_tree_assert_bone(&tree, JC_BONE_LEFT_FOOT, "Ankle.L");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_FOOT, "foot_R");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_LOWER_LEG, "LowerLeg.R");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_TOES, "Toes.L");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_HAND, "Hand.R");
}

/* As in figures whose hands and feet follow the floor and not the limb. */
static void a_hand_without_another_joint_keeps_its_control(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, controlled);
	named_tree_assert_bone(&tree, JC_BONE_LEFT_HAND, "Hand.L");
	assert_float_equal(tree.confidence, 1.0f, 1e-6f);
}

static void a_knee_beside_the_leg_is_no_bone(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, controlled);
	tree.parents[named_tree_joint(&tree, "LowerLeg.L")] = 0;
	named_tree_recognize(&tree);
	named_tree_assert_bone(&tree, JC_BONE_LEFT_LOWER_LEG, "");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_LOWER_LEG, "LowerLeg.R");
}

/* OpenNI's skeleton: the torso carries all limbs; hands and feet are ends without a joint. A
 * joint with a mark has no offset; the shoulder is above or below it. */
static const char *const openni[][2] = {
	{ "TORSO", NULL },
	{ "TORSO#", "TORSO" },
	{ "NECK", "TORSO#" },
	{ "HEAD", "NECK" },
	{ "LEFT_SHOULDER#", "NECK" },
	{ "LEFT_SHOULDER", "LEFT_SHOULDER#" },
	{ "LEFT_ELBOW", "LEFT_SHOULDER" },
	{ "RIGHT_SHOULDER", "NECK" },
	{ "RIGHT_SHOULDER#2", "RIGHT_SHOULDER" },
	{ "RIGHT_ELBOW", "RIGHT_SHOULDER#2" },
	{ "LEFT_HIP", "TORSO" },
	{ "LEFT_KNEE", "LEFT_HIP" },
	{ "RIGHT_HIP", "TORSO" },
	{ "RIGHT_KNEE", "RIGHT_HIP" },
	{ NULL, NULL },
};

static void the_lowest_of_inserted_joints_is_the_bone(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, openni);
	assert_string_equal(tree.family, "openni");
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "TORSO");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_UPPER_ARM, "LEFT_SHOULDER");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_LOWER_ARM, "LEFT_ELBOW");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "RIGHT_SHOULDER#2");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_LOWER_LEG, "LEFT_KNEE");
	named_tree_assert_bone(&tree, JC_BONE_HEAD, "HEAD");
	assert_float_equal(tree.confidence, 0.8f, 1e-6f); /* all but hands and feet */
}

static void a_neck_that_carries_the_arms_is_the_trunk(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, openni);
	named_tree_assert_bone(&tree, JC_BONE_NECK, "");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "TORSO#");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "NECK");
}

static void legs_show_hips_with_an_unknown_name(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, openni);
	tree.names[0] = "qx";
	tree.names[1] = "xq";
	named_tree_recognize(&tree);
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "qx");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_UPPER_LEG, "LEFT_HIP");
	assert_float_equal(tree.confidence, 0.8f, 1e-6f);
}

/* Arms alone make no body, but the message does not deny them. */
static void names_without_a_body_are_counted(void **)
{
	static const char *const arms[][2] = {
		{ "qx", NULL },
		{ "LEFT_SHOULDER", "qx" },
		{ "LEFT_ELBOW", "LEFT_SHOULDER" },
		{ "RIGHT_SHOULDER", "qx" },
		{ "RIGHT_ELBOW", "RIGHT_SHOULDER" },
		{ NULL, NULL },
	};
	struct jc_recognition found;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_joint_tree joints;
	struct named_tree tree;

	named_tree_build(&tree, arms);
	joints = (struct jc_joint_tree){ .count = tree.count,
		.joint_count = tree.count,
		.names = tree.names,
		.parents = tree.parents };
	assert_int_equal(jc_recognize(&joints, &found, &diagnostic), JC_ERROR_NO_HUMANOID);
	assert_non_null(strstr(diagnostic.what, "25 %"));
	joints.count = joints.joint_count = 3; /* one arm is no part of a body */
	assert_int_equal(jc_recognize(&joints, &found, &diagnostic), JC_ERROR_NO_HUMANOID);
	assert_null(strstr(diagnostic.what, "0 %"));
	assert_non_null(strstr(diagnostic.what, "2 bones"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_joint_below_its_limb_wins_over_a_control),
		cmocka_unit_test(a_hand_without_another_joint_keeps_its_control),
		cmocka_unit_test(a_knee_beside_the_leg_is_no_bone),
		cmocka_unit_test(the_lowest_of_inserted_joints_is_the_bone),
		cmocka_unit_test(a_neck_that_carries_the_arms_is_the_trunk),
		cmocka_unit_test(legs_show_hips_with_an_unknown_name),
		cmocka_unit_test(names_without_a_body_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
