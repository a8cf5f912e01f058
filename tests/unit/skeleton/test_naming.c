/* Name families on hierarchies as the field's files have them, and on ones
 * that no humanoid has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "jointcast/limits.h"
#include "jointcast/recognition.h"

#define MAX_JOINTS 128

/* A hierarchy written as it reads: one joint a word, parents by name. */
struct tree {
	size_t count;
	const char *names[MAX_JOINTS];
	int parents[MAX_JOINTS];
	int bones[JC_BONE_COUNT];
	const char *family;
	size_t found;
	float confidence;
};

static void add(struct tree *tree, const char *name, int parent)
{
	tree->names[tree->count] = name;
	tree->parents[tree->count] = parent;
	tree->count++;
}

static int joint(const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++) {
		if (strcmp(tree->names[i], name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* By names alone: no joint has a position. */
static void recognize(struct tree *tree)
{
	const struct jc_joint_tree joints = { tree->count, tree->count, tree->names, tree->parents,
		NULL };
	struct jc_recognition recognition;
	bool is_humanoid = jc_recognize(&joints, &recognition, NULL) == JC_OK;

	memcpy(tree->bones, recognition.bones, sizeof(tree->bones));
	tree->family = recognition.family;
	tree->found = is_humanoid ? recognition.bone_count : 0;
	tree->confidence = recognition.confidence;
}

/* Pairs of name and parent's name, ended by NULL. */
static void build(struct tree *tree, const char *const (*pairs)[2])
{
	memset(tree, 0, sizeof(*tree));
	for (; (*pairs)[0]; pairs++) {
		add(tree, (*pairs)[0], (*pairs)[1] ? joint(tree, (*pairs)[1]) : -1);
	}
	recognize(tree);
}

static void assert_bone(const struct tree *tree, enum jc_bone bone, const char *name)
{
	int found = tree->bones[bone];

	if (strcmp(found < 0 ? "" : tree->names[found], name) != 0) {
		fail_msg("%s is '%s', not '%s'", jc_bone_name(bone),
			found < 0 ? "" : tree->names[found], name);
	}
}

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

static void cmu_trunk_begins_at_the_lower_back(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, cmu);
	assert_string_equal(tree.family, "cmu");
	assert_bone(&tree, JC_BONE_HIPS, "Hips");
	assert_bone(&tree, JC_BONE_SPINE, "LowerBack");
	assert_bone(&tree, JC_BONE_CHEST, "Spine");
	assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine1");
	assert_bone(&tree, JC_BONE_NECK, "Neck");
	assert_bone(&tree, JC_BONE_HEAD, "Head");
	assert_bone(&tree, JC_BONE_LEFT_SHOULDER, "LeftShoulder");
	assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "RightArm");
	assert_bone(&tree, JC_BONE_RIGHT_LOWER_LEG, "RightLeg");
	assert_bone(&tree, JC_BONE_LEFT_TOES, "LeftToeBase");
	assert_bone(&tree, JC_BONE_RIGHT_THUMB_METACARPAL, "RThumb");
	assert_bone(&tree, JC_BONE_LEFT_MIDDLE_PROXIMAL, "");
	assert_int_equal(tree.found, 24);
}

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

static void daz_has_two_trunk_joints_and_one_letter_sides(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, daz);
	assert_string_equal(tree.family, "daz");
	assert_bone(&tree, JC_BONE_HIPS, "hip");
	assert_bone(&tree, JC_BONE_SPINE, "abdomen");
	assert_bone(&tree, JC_BONE_CHEST, "chest");
	assert_bone(&tree, JC_BONE_UPPER_CHEST, "");
	assert_bone(&tree, JC_BONE_LEFT_UPPER_LEG, "lThigh");
	assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "rShldr");
	assert_bone(&tree, JC_BONE_LEFT_EYE, "leftEye");
	assert_bone(&tree, JC_BONE_RIGHT_THUMB_METACARPAL, "rThumb1");
	assert_bone(&tree, JC_BONE_RIGHT_MIDDLE_INTERMEDIATE, "rMid2");
	assert_bone(&tree, JC_BONE_LEFT_LITTLE_INTERMEDIATE, "lPinky2");
}

/* LAFAN1's hierarchy; with another prefix it is MotionBuilder's and Mixamo's. */
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

static void lafan_is_known_by_its_toes(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, lafan);
	assert_string_equal(tree.family, "lafan");
	assert_int_equal(tree.found, 22);
	assert_bone(&tree, JC_BONE_SPINE, "Spine");
	assert_bone(&tree, JC_BONE_CHEST, "Spine1");
	assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine2");
	assert_bone(&tree, JC_BONE_LEFT_TOES, "LeftToe");
}

/* The hierarchy of `pairs` under names that begin with `prefix`. */
static void build_prefixed(struct tree *tree, const char *const (*pairs)[2], const char *prefix,
	char (*names)[JC_LIMIT_NAME_BYTES])
{
	build(tree, pairs);
	for (size_t i = 0; i < tree->count; i++) {
		snprintf(names[i], sizeof(names[i]), "%s%s", prefix, tree->names[i]);
		tree->names[i] = names[i];
	}
	recognize(tree);
}

static void prefixes_are_looked_through(void **state)
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
	struct tree tree;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		build_prefixed(&tree, lafan, cases[i].prefix, names);
		assert_string_equal(tree.family, cases[i].family);
		assert_int_equal(tree.found, 22);
		assert_int_equal(tree.bones[JC_BONE_HIPS], 0);
		assert_int_equal(tree.bones[JC_BONE_RIGHT_HAND], 21);
	}
}

static void case_and_separators_do_not_matter(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, lafan);
	tree.names[0] = "HIPS";
	tree.names[1] = "left_up_leg";
	tree.names[2] = "Left Leg";
	tree.names[16] = "left-fore.arm";
	recognize(&tree);
	assert_int_equal(tree.found, 22);
	assert_int_equal(tree.bones[JC_BONE_LEFT_LOWER_ARM], 16);
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

static void surplus_joints_stay_unmapped(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, fingers);
	assert_string_equal(tree.family, "perception-neuron");
	assert_bone(&tree, JC_BONE_SPINE, "Spine");
	assert_bone(&tree, JC_BONE_CHEST, "Spine2");
	assert_bone(&tree, JC_BONE_UPPER_CHEST, "Spine3");
	assert_bone(&tree, JC_BONE_NECK, "Neck");
	assert_bone(&tree, JC_BONE_LEFT_INDEX_PROXIMAL, "LeftHandIndex1");
	assert_bone(&tree, JC_BONE_LEFT_INDEX_DISTAL, "LeftHandIndex3");
	assert_bone(&tree, JC_BONE_LEFT_THUMB_METACARPAL, "LeftHandThumb1");
	assert_bone(&tree, JC_BONE_LEFT_THUMB_DISTAL, "LeftHandThumb3");
	assert_int_equal(tree.found, 20);
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

static void a_shoulder_below_a_collar_is_the_upper_arm(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, xsens);
	assert_string_equal(tree.family, "xsens");
	assert_bone(&tree, JC_BONE_LEFT_SHOULDER, "LeftCollar");
	assert_bone(&tree, JC_BONE_LEFT_UPPER_ARM, "LeftShoulder");
	assert_bone(&tree, JC_BONE_LEFT_HAND, "LeftWrist");
	assert_bone(&tree, JC_BONE_RIGHT_UPPER_LEG, "RightHip");
	assert_bone(&tree, JC_BONE_SPINE, "Chest");
	assert_bone(&tree, JC_BONE_CHEST, "Chest3");
	assert_bone(&tree, JC_BONE_UPPER_CHEST, "Chest4");
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

static void controls_and_twists_are_no_bones(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, with_controls);
	assert_string_equal(tree.family, "common");
	assert_bone(&tree, JC_BONE_LEFT_HAND, "wrist.l");
	assert_bone(&tree, JC_BONE_LEFT_FOOT, "foot.l");
	assert_bone(&tree, JC_BONE_LEFT_TOES, "");
	assert_bone(&tree, JC_BONE_RIGHT_UPPER_ARM, "upperarm.r");
	assert_int_equal(tree.found, 15);
}

/* RobotExpressive's and MakeHuman's way: what is called hips carries one half. */
static void hips_that_do_not_carry_the_legs_give_way(void **state)
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
	struct tree tree;

	(void)state;
	build(&tree, pairs);
	assert_bone(&tree, JC_BONE_HIPS, "Body");
	assert_bone(&tree, JC_BONE_SPINE, "Hips");
	assert_bone(&tree, JC_BONE_CHEST, "Torso");
}

static void confidence_is_the_sum_of_the_parts(void **state)
{
	static const char *const bust[][2] = {
		{ "Hips", NULL },
		{ "Spine", "Hips" },
		{ "Neck", "Spine" },
		{ "LeftHand", "Spine" },
		{ "RightHand", "Spine" },
		{ NULL, NULL },
	};
	struct tree tree;

	(void)state;
	build(&tree, bust); /* hips, spine, neck and both hands */
	assert_float_equal(tree.confidence, 0.4f, 1e-6f);
	assert_int_equal(tree.found, 5);
	tree.count = 4; /* one hand is no pair */
	recognize(&tree);
	assert_float_equal(tree.confidence, 0.3f, 1e-6f);
	assert_int_equal(tree.found, 0);
	build(&tree, lafan);
	assert_float_equal(tree.confidence, 1.0f, 1e-6f);
}

static void one_leg_and_a_trunk_are_no_humanoid(void **state)
{
	static const char *const pairs[][2] = {
		{ "Hips", NULL },
		{ "Spine", "Hips" },
		{ "Head", "Spine" },
		{ "LeftUpLeg", "Hips" },
		{ "LeftLeg", "LeftUpLeg" },
		{ NULL, NULL },
	};
	struct tree tree;

	(void)state;
	build(&tree, pairs);
	assert_int_equal(tree.found, 0);
	assert_string_equal(tree.family, "");
	assert_bone(&tree, JC_BONE_HIPS, "Hips"); /* the nearest miss */
	assert_bone(&tree, JC_BONE_RIGHT_UPPER_LEG, "");
}

static void strangers_are_no_humanoid(void **state)
{
	static const char *const pairs[][2] = {
		{ "base", NULL },
		{ "child1", "base" },
		{ "child2", "child1" },
		{ NULL, NULL },
	};
	struct tree tree;

	(void)state;
	build(&tree, pairs);
	assert_int_equal(tree.found, 0);
	assert_int_equal(tree.bones[JC_BONE_HIPS], -1);
}

static void bones_that_hang_where_no_humanoid_has_them_are_dropped(void **state)
{
	struct tree tree;

	(void)state;
	build(&tree, lafan);
	tree.parents[joint(&tree, "RightFoot")] = joint(&tree, "LeftLeg");
	recognize(&tree);
	assert_bone(&tree, JC_BONE_RIGHT_FOOT, "");
	assert_bone(&tree, JC_BONE_RIGHT_TOES, "");
	assert_bone(&tree, JC_BONE_LEFT_FOOT, "LeftFoot");
	assert_int_equal(tree.found, 20);
}

static void parents_that_come_later_are_refused(void **state)
{
	struct jc_recognition recognition;
	struct jc_joint_tree joints;
	struct tree tree;

	(void)state;
	build(&tree, lafan);
	tree.parents[0] = joint(&tree, "Head");
	joints = (struct jc_joint_tree){ tree.count, tree.count, tree.names, tree.parents, NULL };
	assert_int_equal(jc_recognize(&joints, &recognition, NULL), JC_ERROR_INVALID);
	joints.count = joints.joint_count = 0;
	assert_int_equal(jc_recognize(&joints, &recognition, NULL), JC_ERROR_NO_HUMANOID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cmu_trunk_begins_at_the_lower_back),
		cmocka_unit_test(daz_has_two_trunk_joints_and_one_letter_sides),
		cmocka_unit_test(lafan_is_known_by_its_toes),
		cmocka_unit_test(prefixes_are_looked_through),
		cmocka_unit_test(case_and_separators_do_not_matter),
		cmocka_unit_test(surplus_joints_stay_unmapped),
		cmocka_unit_test(a_shoulder_below_a_collar_is_the_upper_arm),
		cmocka_unit_test(controls_and_twists_are_no_bones),
		cmocka_unit_test(hips_that_do_not_carry_the_legs_give_way),
		cmocka_unit_test(confidence_is_the_sum_of_the_parts),
		cmocka_unit_test(one_leg_and_a_trunk_are_no_humanoid),
		cmocka_unit_test(strangers_are_no_humanoid),
		cmocka_unit_test(bones_that_hang_where_no_humanoid_has_them_are_dropped),
		cmocka_unit_test(parents_that_come_later_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
