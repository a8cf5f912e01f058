/* Splitting of joint names as rigs of the field write them. */
#include <string.h>

#include "joint_name.h"
#include "unit_test.h"

struct example {
	const char *name;
	enum jc_name_side side;
	const char *core;
};

static void assert_parsed(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct jc_joint_name name;

		jc_joint_name_parse(examples[i].name, &name);
		if (name.side != examples[i].side || strcmp(name.core, examples[i].core) != 0) {
			fail_msg("'%s' is '%s' on side %d", examples[i].name, name.core, name.side);
		}
	}
}

#define ASSERT_PARSED(examples) assert_parsed(examples, sizeof(examples) / sizeof(*(examples)))

static void finds_a_side_at_any_place_in_the_name(void **)
{
	static const struct example examples[] = {
		{ "LeftArm", JC_NAME_LEFT, "arm" },
		{ "upperarm_l", JC_NAME_LEFT, "upperarm" },
		{ "upper_arm.R", JC_NAME_RIGHT, "upperarm" },
		{ "Upper_Arm_Left", JC_NAME_LEFT, "upperarm" },
		{ "Bip01 L UpperArm", JC_NAME_LEFT, "bip01upperarm" },
		{ "DEF-upper_arm.L", JC_NAME_LEFT, "defupperarm" },
		{ "l_arm", JC_NAME_LEFT, "arm" },
		{ "ArmL", JC_NAME_LEFT, "arm" },
		{ "RArm", JC_NAME_RIGHT, "arm" },
		{ "rShldr", JC_NAME_RIGHT, "shldr" },
		{ "SHOULDER_LEFT", JC_NAME_LEFT, "shoulder" },
		{ "ShoulderLeft", JC_NAME_LEFT, "shoulder" },
		{ "thumb_01_l", JC_NAME_LEFT, "thumb01" },
		{ "finger1-2.R", JC_NAME_RIGHT, "finger12" },
		{ "J_Bip_L_UpperArm", JC_NAME_LEFT, "jbipupperarm" },
		{ "Skeleton_arm_joint_L__4_", JC_NAME_LEFT, "skeletonarmjoint4" },
		{ "leftarm", JC_NAME_LEFT, "arm" },
		{ "upperarmright", JC_NAME_RIGHT, "upperarm" },
		{ "LEFT_SHOULDER#2", JC_NAME_LEFT, "shoulder" },
	};

	ASSERT_PARSED(examples);
}

static void letters_within_a_word_are_no_side(void **)
{
	static const struct example examples[] = {
		{ "lowerarm", JC_NAME_MIDDLE, "lowerarm" },
		{ "pelvis", JC_NAME_MIDDLE, "pelvis" },
		{ "root", JC_NAME_MIDDLE, "root" },
		{ "Collar", JC_NAME_MIDDLE, "collar" },
		{ "Spine1", JC_NAME_MIDDLE, "spine1" },
		{ "", JC_NAME_MIDDLE, "" },
		{ "_._", JC_NAME_MIDDLE, "" },
		{ "left", JC_NAME_LEFT, "" },
	};

	ASSERT_PARSED(examples);
}

static void removes_namespaces_and_middle_marks(void **)
{
	static const struct example examples[] = {
		{ "mixamorig:LeftArm", JC_NAME_LEFT, "arm" },
		{ "scene:rig:Hips", JC_NAME_MIDDLE, "hips" },
		{ "Armature|Hips", JC_NAME_MIDDLE, "hips" },
		{ "J_Bip_C_Hips", JC_NAME_MIDDLE, "jbiphips" },
		{ "C_spine", JC_NAME_MIDDLE, "spine" },
		{ "left:", JC_NAME_MIDDLE, "" },
	};

	ASSERT_PARSED(examples);
}

static void too_long_names_have_no_core(void **)
{
	char long_name[2 * JC_NAME_CORE];
	struct jc_joint_name name;

	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	jc_joint_name_parse(long_name, &name);
	assert_string_equal(name.core, "");
	long_name[JC_NAME_CORE - 1] = '\0';
	jc_joint_name_parse(long_name, &name);
	assert_string_equal(name.core, long_name);
}

static void numbers_equal_by_value_match_less(void **)
{
	assert_int_equal(jc_joint_name_fit("thumb1", "thumb1"), 2);
	assert_int_equal(jc_joint_name_fit("thumb01", "thumb1"), 1);
	assert_int_equal(jc_joint_name_fit("spine001", "spine01"), 1);
	assert_int_equal(jc_joint_name_fit("finger10", "finger1"), 0);
	assert_int_equal(jc_joint_name_fit("finger1", "finger10"), 0);
	assert_int_equal(jc_joint_name_fit("toe0", "toe0"), 2);
	assert_int_equal(jc_joint_name_fit("toe00", "toe0"), 1);
	assert_int_equal(jc_joint_name_fit("arm", "arms"), 0);
	assert_int_equal(jc_joint_name_fit("arms", "arm"), 0);
}

static void finds_whole_words(void **)
{
	static const char *const with[] = { "Tail", "Tail1", "tail_01", "mixamorig:Tail1",
		"Bip01 Tail", "BN_TAIL_02", "foxTail" };
	static const char *const without[] = { "", "tailbone", "ponytail1", "TAILS", "Hips" };

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		assert_true(jc_joint_name_has_word(with[i], "tail"));
	}
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		assert_false(jc_joint_name_has_word(without[i], "tail"));
	}
}

static void two_underscores_mark_a_helper(void **)
{
	struct jc_joint_name name;

	jc_joint_name_parse("__UpLeg_L", &name);
	assert_true(name.is_helper);
	assert_int_equal(name.side, JC_NAME_LEFT);
	jc_joint_name_parse("_UpLeg_L", &name);
	assert_false(name.is_helper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_side_at_any_place_in_the_name),
		cmocka_unit_test(letters_within_a_word_are_no_side),
		cmocka_unit_test(removes_namespaces_and_middle_marks),
		cmocka_unit_test(too_long_names_have_no_core),
		cmocka_unit_test(numbers_equal_by_value_match_less),
		cmocka_unit_test(finds_whole_words),
		cmocka_unit_test(two_underscores_mark_a_helper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
