/* Trunk joints by their position between limbs and head, whatever their names, and other
 * joints of a body. */
#include "named_tree.h"
#include "unit_test.h"

static const char *const cmu[][2] = {
	{ "Hips", NULL },
	{ "LHipJoint", "Hips" },
	{ "LeftUpLeg", "LHipJoint" },
	{ "LeftLeg", "LeftUpLeg" },
	{ "LeftFoot", "LeftLeg" },
	{ "LeftToeBase", "LeftFoot" },
	{ "RHipJoint", "Hips" },
	{ "RightUpLeg", "RHipJoint" },
	{ "RightLeg", "RightUpLeg" },
	{ "RightFoot", "RightLeg" },
	{ "RightToeBase", "RightFoot" },
	{ "LowerBack", "Hips" },
	{ "Spine", "LowerBack" },
	{ "Spine1", "Spine" },
	{ "Neck", "Spine1" },
	{ "Neck1", "Neck" },
	{ "Head", "Neck1" },
	{ "LeftShoulder", "Spine1" },
	{ "LeftArm", "LeftShoulder" },
	{ "LeftForeArm", "LeftArm" },
	{ "LeftHand", "LeftForeArm" },
	{ "LeftFingerBase", "LeftHand" },
	{ "LFingers", "LeftFingerBase" },
	{ "LThumb", "LeftHand" },
	{ "RightShoulder", "Spine1" },
	{ "RightArm", "RightShoulder" },
	{ "RightForeArm", "RightArm" },
	{ "RightHand", "RightForeArm" },
	{ "RightFingerBase", "RightHand" },
	{ "RFingers", "RightFingerBase" },
	{ "RThumb", "RightHand" },
	{ NULL, NULL },
};

static void cmu_trunk_begins_at_the_lower_back(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, cmu);
	assert_string_equal(tree.family, "cmu");
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "Hips");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "LowerBack");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "Spine");
	named_tree_assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine1");
	named_tree_assert_bone(&tree, JC_BONE_NECK, "Neck");
	named_tree_assert_bone(&tree, JC_BONE_HEAD, "Head");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_SHOULDER, "LeftShoulder");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "RightArm");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_LOWER_LEG, "RightLeg");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_TOES, "LeftToeBase");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_THUMB_METACARPAL, "RThumb");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_MIDDLE_PROXIMAL, "");
	assert_int_equal(tree.found, 24);
}

/* Four trunk joints and fingers with metacarpals and tips. */
static const char *const fingers[][2] = {
	{ "Hips", NULL },
	{ "Spine", "Hips" },
	{ "Spine1", "Spine" },
	{ "Spine2", "Spine1" },
	{ "Spine3", "Spine2" },
	{ "Neck", "Spine3" },
	{ "Neck1", "Neck" },
	{ "Head", "Neck1" },
	{ "HeadEnd", "Head" },
	{ "LeftShoulder", "Spine3" },
	{ "LeftArm", "LeftShoulder" },
	{ "LeftForeArm", "LeftArm" },
	{ "LeftHand", "LeftForeArm" },
	{ "LeftInHandIndex", "LeftHand" },
	{ "LeftHandIndex1", "LeftInHandIndex" },
	{ "LeftHandIndex2", "LeftHandIndex1" },
	{ "LeftHandIndex3", "LeftHandIndex2" },
	{ "LeftHandIndex4", "LeftHandIndex3" },
	{ "LeftHandThumb1", "LeftHand" },
	{ "LeftHandThumb2", "LeftHandThumb1" },
	{ "LeftHandThumb3", "LeftHandThumb2" },
	{ "RightShoulder", "Spine3" },
	{ "RightArm", "RightShoulder" },
	{ "RightForeArm", "RightArm" },
	{ "RightHand", "RightForeArm" },
	{ NULL, NULL },
};

static void surplus_joints_stay_unmapped(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, fingers);
	assert_string_equal(tree.family, "perception-neuron");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "Spine");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "Spine2");
	named_tree_assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine3");
	named_tree_assert_bone(&tree, JC_BONE_NECK, "Neck");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_INDEX_PROXIMAL, "LeftHandIndex1");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_INDEX_DISTAL, "LeftHandIndex3");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_THUMB_METACARPAL, "LeftHandThumb1");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_THUMB_DISTAL, "LeftHandThumb3");
	assert_int_equal(tree.found, 20);
}

static const char *const with_controls[][2] = {
	{ "root", NULL },
	{ "hips", "root" },
	{ "spine", "hips" },
	{ "head", "spine" },
	{ "upperarm.l", "spine" },
	{ "lowerarm.l", "upperarm.l" },
	{ "wrist.l", "lowerarm.l" },
	{ "hand.l", "wrist.l" },
	{ "upperarm.r", "spine" },
	{ "lowerarm.r", "upperarm.r" },
	{ "wrist.r", "lowerarm.r" },
	{ "upperarm_twist_01.r", "upperarm.r" },
	{ "upperleg.l", "hips" },
	{ "lowerleg.l", "upperleg.l" },
	{ "foot.l", "lowerleg.l" },
	{ "upperleg.r", "hips" },
	{ "lowerleg.r", "upperleg.r" },
	{ "foot.r", "lowerleg.r" },
	{ "kneeIK.l", "root" },
	{ "control-foot-roll.l", "root" },
	{ "IK-foot.l", "control-foot-roll.l" },
	{ "IK-toe.l", "control-foot-roll.l" },
	{ "handIK.l", "root" },
	{ NULL, NULL },
};

static void ignores_controls_and_twist_joints(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, with_controls);
	assert_string_equal(tree.family, "common");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_HAND, "wrist.l");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_FOOT, "foot.l");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_TOES, "");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "upperarm.r");
	assert_int_equal(tree.found, 15);
}

/* The style of RobotExpressive and MakeHuman: the joint named hips carries only one half. */
static void moves_hips_up_to_carry_the_legs(void **)
{
	static const char *const pairs[][2] = {
		{ "Body", NULL },
		{ "Hips", "Body" },
		{ "Torso", "Hips" },
		{ "Head", "Torso" },
		{ "UpperArm.L", "Torso" },
		{ "LowerArm.L", "UpperArm.L" },
		{ "UpperArm.R", "Torso" },
		{ "LowerArm.R", "UpperArm.R" },
		{ "UpperLeg.L", "Body" },
		{ "LowerLeg.L", "UpperLeg.L" },
		{ "UpperLeg.R", "Body" },
		{ "LowerLeg.R", "UpperLeg.R" },
		{ NULL, NULL },
	};
	struct named_tree tree;

	named_tree_build(&tree, pairs);
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "Body");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "Hips");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "Torso");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cmu_trunk_begins_at_the_lower_back),
		cmocka_unit_test(surplus_joints_stay_unmapped),
		cmocka_unit_test(ignores_controls_and_twist_joints),
		cmocka_unit_test(moves_hips_up_to_carry_the_legs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
