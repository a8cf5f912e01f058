/* Name families on hierarchies of real files, and on hierarchies of no humanoid. */
#include <stdio.h>

#include "jointcast/limits.h"
#include "named_tree.h"
#include "unit_test.h"

static const char *const daz[][2] = {
	{ "hip", NULL },
	{ "abdomen", "hip" },
	{ "chest", "abdomen" },
	{ "neck", "chest" },
	{ "head", "neck" },
	{ "leftEye", "head" },
	{ "rightEye", "head" },
	{ "rCollar", "chest" },
	{ "rShldr", "rCollar" },
	{ "rForeArm", "rShldr" },
	{ "rHand", "rForeArm" },
	{ "rThumb1", "rHand" },
	{ "rMid1", "rHand" },
	{ "rMid2", "rMid1" },
	{ "lCollar", "chest" },
	{ "lShldr", "lCollar" },
	{ "lForeArm", "lShldr" },
	{ "lHand", "lForeArm" },
	{ "lPinky2", "lHand" },
	{ "rButtock", "hip" },
	{ "rThigh", "rButtock" },
	{ "rShin", "rThigh" },
	{ "rFoot", "rShin" },
	{ "lButtock", "hip" },
	{ "lThigh", "lButtock" },
	{ "lShin", "lThigh" },
	{ "lFoot", "lShin" },
	{ NULL, NULL },
};

static void daz_has_two_trunk_joints_and_one_letter_sides(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, daz);
	assert_string_equal(tree.family, "daz");
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "hip");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "abdomen");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "chest");
	named_tree_assert_bone(&tree, JC_BONE_UPPER_CHEST, "");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_UPPER_LEG, "lThigh");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "rShldr");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_EYE, "leftEye");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_THUMB_METACARPAL, "rThumb1");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_MIDDLE_INTERMEDIATE, "rMid2");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_LITTLE_INTERMEDIATE, "lPinky2");
}

/* The hierarchy of LAFAN1; with another prefix it is MotionBuilder's and Mixamo's. */
static const char *const lafan[][2] = {
	{ "Hips", NULL },
	{ "LeftUpLeg", "Hips" },
	{ "LeftLeg", "LeftUpLeg" },
	{ "LeftFoot", "LeftLeg" },
	{ "LeftToe", "LeftFoot" },
	{ "RightUpLeg", "Hips" },
	{ "RightLeg", "RightUpLeg" },
	{ "RightFoot", "RightLeg" },
	{ "RightToe", "RightFoot" },
	{ "Spine", "Hips" },
	{ "Spine1", "Spine" },
	{ "Spine2", "Spine1" },
	{ "Neck", "Spine2" },
	{ "Head", "Neck" },
	{ "LeftShoulder", "Spine2" },
	{ "LeftArm", "LeftShoulder" },
	{ "LeftForeArm", "LeftArm" },
	{ "LeftHand", "LeftForeArm" },
	{ "RightShoulder", "Spine2" },
	{ "RightArm", "RightShoulder" },
	{ "RightForeArm", "RightArm" },
	{ "RightHand", "RightForeArm" },
	{ NULL, NULL },
};

static void recognises_lafan_by_its_toes(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, lafan);
	assert_string_equal(tree.family, "lafan");
	assert_int_equal(tree.found, 22);
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "Spine");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "Spine1");
	named_tree_assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine2");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_TOES, "LeftToe");
}

/* The hierarchy of `pairs` with names that begin with `prefix`. */
static void build_prefixed(struct named_tree *tree, const char *const (*pairs)[2],
	const char *prefix, char (*names)[JC_LIMIT_NAME_BYTES])
{
	named_tree_build(tree, pairs);
	for (size_t i = 0; i < tree->count; i++) {
		snprintf(names[i], sizeof(names[i]), "%s%s", prefix, tree->names[i]);
		tree->names[i] = names[i];
	}
	named_tree_recognize(tree);
}

static void ignores_common_prefixes(void **)
{
	static const struct {
		const char *prefix, *family;
	} cases[] = {
		{ "mixamorig:", "mixamo" },
		{ "mixamorig1:", "mixamo" },
		{ "mixamorig", "mixamo" },
		{ "mixamorig_", "mixamo" },
		{ "Name:", "lafan" },
		{ "scene:Name:", "lafan" },
		{ "Character1_", "lafan" },
	};
	static char names[MAX_JOINTS][JC_LIMIT_NAME_BYTES];
	struct named_tree tree;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		build_prefixed(&tree, lafan, cases[i].prefix, names);
		assert_string_equal(tree.family, cases[i].family);
		assert_int_equal(tree.found, 22);
		assert_int_equal(tree.bones[JC_BONE_HIPS], 0);
		assert_int_equal(tree.bones[JC_BONE_RIGHT_HAND], 21);
	}
}

static void ignores_case_and_separators(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, lafan);
	tree.names[0] = "HIPS";
	tree.names[1] = "left_up_leg";
	tree.names[2] = "Left Leg";
	tree.names[16] = "left-fore.arm";
	named_tree_recognize(&tree);
	assert_int_equal(tree.found, 22);
	assert_int_equal(tree.bones[JC_BONE_LEFT_LOWER_ARM], 16);
}

static const char *const xsens[][2] = {
	{ "Hips", NULL },
	{ "Chest", "Hips" },
	{ "Chest2", "Chest" },
	{ "Chest3", "Chest2" },
	{ "Chest4", "Chest3" },
	{ "Neck", "Chest4" },
	{ "Head", "Neck" },
	{ "RightCollar", "Chest4" },
	{ "RightShoulder", "RightCollar" },
	{ "RightElbow", "RightShoulder" },
	{ "RightWrist", "RightElbow" },
	{ "LeftCollar", "Chest4" },
	{ "LeftShoulder", "LeftCollar" },
	{ "LeftElbow", "LeftShoulder" },
	{ "LeftWrist", "LeftElbow" },
	{ "RightHip", "Hips" },
	{ "RightKnee", "RightHip" },
	{ "RightAnkle", "RightKnee" },
	{ "RightToe", "RightAnkle" },
	{ "LeftHip", "Hips" },
	{ "LeftKnee", "LeftHip" },
	{ "LeftAnkle", "LeftKnee" },
	{ "LeftToe", "LeftAnkle" },
	{ NULL, NULL },
};

static void a_shoulder_below_a_collar_is_the_upper_arm(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, xsens);
	assert_string_equal(tree.family, "xsens");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_SHOULDER, "LeftCollar");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_UPPER_ARM, "LeftShoulder");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_HAND, "LeftWrist");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_LEG, "RightHip");
	named_tree_assert_bone(&tree, JC_BONE_SPINE, "Chest");
	named_tree_assert_bone(&tree, JC_BONE_CHEST, "Chest3");
	named_tree_assert_bone(&tree, JC_BONE_UPPER_CHEST, "Chest4");
}

static void confidence_is_the_sum_of_the_parts(void **)
{
	static const char *const bust[][2] = {
		{ "Hips", NULL },
		{ "Spine", "Hips" },
		{ "Neck", "Spine" },
		{ "LeftHand", "Spine" },
		{ "RightHand", "Spine" },
		{ NULL, NULL },
	};
	struct named_tree tree;

	named_tree_build(&tree, bust); /* hips, spine, neck and both hands */
	assert_float_equal(tree.confidence, 0.4f, 1e-6f);
	assert_int_equal(tree.found, 5);
	tree.count = 4; /* one hand is not a pair */
	named_tree_recognize(&tree);
	assert_float_equal(tree.confidence, 0.3f, 1e-6f);
	assert_int_equal(tree.found, 0);
	named_tree_build(&tree, lafan);
	assert_float_equal(tree.confidence, 1.0f, 1e-6f);
}

static void rejects_one_leg_and_a_trunk(void **)
{
	static const char *const pairs[][2] = {
		{ "Hips", NULL },
		{ "Spine", "Hips" },
		{ "Head", "Spine" },
		{ "LeftUpLeg", "Hips" },
		{ "LeftLeg", "LeftUpLeg" },
		{ NULL, NULL },
	};
	struct named_tree tree;

	named_tree_build(&tree, pairs);
	assert_int_equal(tree.found, 0);
	assert_string_equal(tree.family, "");
	named_tree_assert_bone(&tree, JC_BONE_HIPS, "Hips"); /* the best attempt */
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_UPPER_LEG, "");
}

static void rejects_unrelated_names(void **)
{
	static const char *const pairs[][2] = {
		{ "base", NULL },
		{ "child1", "base" },
		{ "child2", "child1" },
		{ NULL, NULL },
	};
	struct named_tree tree;

	named_tree_build(&tree, pairs);
	assert_int_equal(tree.found, 0);
	assert_int_equal(tree.bones[JC_BONE_HIPS], -1);
}

static void removes_bones_at_impossible_places(void **)
{
	struct named_tree tree;

	named_tree_build(&tree, lafan);
	tree.parents[named_tree_joint(&tree, "RightFoot")] = named_tree_joint(&tree, "LeftLeg");
	named_tree_recognize(&tree);
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_FOOT, "");
	named_tree_assert_bone(&tree, JC_BONE_RIGHT_TOES, "");
	named_tree_assert_bone(&tree, JC_BONE_LEFT_FOOT, "LeftFoot");
	assert_int_equal(tree.found, 20);
}

static void rejects_parents_after_their_children(void **)
{
	struct jc_recognition recognition;
	struct jc_joint_tree joints;
	struct named_tree tree;

	named_tree_build(&tree, lafan);
	tree.parents[0] = named_tree_joint(&tree, "Head");
	joints = (struct jc_joint_tree){ .count = tree.count,
		.joint_count = tree.count,
		.names = tree.names,
		.parents = tree.parents };
	assert_int_equal(jc_recognize(&joints, &recognition, NULL), JC_ERROR_INVALID);
	joints.count = joints.joint_count = 0;
	assert_int_equal(jc_recognize(&joints, &recognition, NULL), JC_ERROR_NO_HUMANOID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(daz_has_two_trunk_joints_and_one_letter_sides),
		cmocka_unit_test(recognises_lafan_by_its_toes),
		cmocka_unit_test(ignores_common_prefixes),
		cmocka_unit_test(ignores_case_and_separators),
		cmocka_unit_test(a_shoulder_below_a_collar_is_the_upper_arm),
		cmocka_unit_test(confidence_is_the_sum_of_the_parts),
		cmocka_unit_test(rejects_one_leg_and_a_trunk),
		cmocka_unit_test(rejects_unrelated_names),
		cmocka_unit_test(removes_bones_at_impossible_places),
		cmocka_unit_test(rejects_parents_after_their_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
