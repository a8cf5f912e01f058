/* Bones of H-Anim joints by the names of all three versions of the standard and of
 * published figures. */
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "hanim_figure.h"
#include "jointcast_private/hanim.h"
#include "unit_test.h"

static const char *spine_of(const char *const *vertebrae, enum jc_bone bone, char *out_name)
{
	char text[1024] =
		VRML "HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children [ ";
	struct jc_skeleton *skeleton;
	size_t count = 0;

	for (; vertebrae[count]; count++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			"HAnimJoint { name \"%s\" center 0 1 0 children [ ", vertebrae[count]);
	}
	for (size_t i = 0; i <= count; i++) {
		strcat(text, "] } ");
	}
	strcat(text, "}");
	skeleton = hanim_read(text, 0);
	snprintf(out_name, 16, "%s", hanim_bone_node(skeleton, bone));
	jc_skeleton_destroy(skeleton);
	return out_name;
}

static void spine_anchors_fall_back_to_the_nearest_vertebra(void **)
{
	static const struct {
		const char *vertebrae[9];
		const char *spine, *chest, *upper_chest, *neck;
	} cases[] = {
		{ { "vl5", "vl1", "vt6", "vc7" }, "vl5", "vl1", "vt6", "vc7" },
		{ { "vl5", "vl3", "vl1", "vt10", "vt6", "vt1", "vc4", "vc2" }, "vl5", "vl1", "vt6",
			"vc4" },
		{ { "vl3", "vt10", "vt1", "vc2" }, "vl3", "vt10", "vt1", "vc2" },
		{ { "vl1", "vt9" }, "", "vl1", "vt9", "" },
		{ { "vl5" }, "vl5", "", "", "" },
		{ { "vl4", "vt12", "vt7", "vc1" }, "vl4", "vt12", "vt7", "vc1" },
	};
	char name[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *const *v = cases[i].vertebrae;

		assert_string_equal(spine_of(v, JC_BONE_SPINE, name), cases[i].spine);
		assert_string_equal(spine_of(v, JC_BONE_CHEST, name), cases[i].chest);
		assert_string_equal(spine_of(v, JC_BONE_UPPER_CHEST, name), cases[i].upper_chest);
		assert_string_equal(spine_of(v, JC_BONE_NECK, name), cases[i].neck);
	}
}

/* Names of 1.0, 1.1 and 2.0 for one bone each, and some without a bone. */
static void knows_joint_names_of_every_version(void **)
{
	static const struct {
		const char *name;
		enum jc_bone bone;
	} names[] = {
		{ "humanoid_root", JC_BONE_HIPS },
		{ "HumanoidRoot", JC_BONE_HIPS },
		{ "r_ankle", JC_BONE_RIGHT_FOOT },
		{ "r_talocrural", JC_BONE_RIGHT_FOOT },
		{ "l_midtarsal", JC_BONE_LEFT_TOES },
		{ "l_metatarsal", JC_BONE_LEFT_TOES },
		{ "l_metatarsophalangeal_2", JC_BONE_LEFT_TOES },
		{ "r_wrist", JC_BONE_RIGHT_HAND },
		{ "r_radiocarpal", JC_BONE_RIGHT_HAND },
		{ "l_thumb1", JC_BONE_LEFT_THUMB_METACARPAL },
		{ "l_carpometacarpal_1", JC_BONE_LEFT_THUMB_METACARPAL },
		{ "r_pinky3", JC_BONE_RIGHT_LITTLE_DISTAL },
		{ "r_carpal_distal_interphalangeal_5", JC_BONE_RIGHT_LITTLE_DISTAL },
		{ "l_eyeball_joint", JC_BONE_LEFT_EYE },
		{ "temporomandibular", JC_BONE_JAW },
		{ "l_sternoclavicular", JC_BONE_LEFT_SHOULDER },
	};
	static const char *const unmapped[] = { "l_acromioclavicular", "r_subtalar", "l_index0",
		"l_midcarpal_4_5", "sacroiliac", "r_tarsometatarsal_5" };
	char text[512];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct jc_skeleton *skeleton;

		snprintf(text, sizeof(text),
			VRML "HAnimHumanoid { skeleton [ HAnimJoint { name \"%s\" } "
			     "HAnimJoint { name \"tail\" } ] }",
			names[i].name);
		skeleton = hanim_read(text, 0);
		assert_true(jc_skeleton_bone_mask(skeleton) == UINT64_C(1) << names[i].bone);
		jc_skeleton_destroy(skeleton);
	}
	for (size_t i = 0; i < sizeof(unmapped) / sizeof(*unmapped); i++) {
		struct jc_skeleton *skeleton;

		snprintf(text, sizeof(text),
			VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" children "
			     "HAnimJoint { name \"%s\" } } }",
			unmapped[i]);
		skeleton = hanim_read(text, 0);
		assert_true(jc_skeleton_bone_mask(skeleton) == UINT64_C(1) << JC_BONE_HIPS);
		jc_skeleton_destroy(skeleton);
	}
}

static void joint_name_has_priority_over_def(void **)
{
	struct jc_skeleton *skeleton = hanim_read(VRML
		"DEF Jane HAnimHumanoid { skeleton DEF Jane_humanoid_root HAnimJoint { children [\n"
		"DEF Jane_l_hip HAnimJoint { name \"r_hip\" }\n"
		"DEF Jane_l_knee HAnimJoint { } DEF Fred_r_knee HAnimJoint { }\n"
		"DEF Jane_r_ankle HAnimJoint { name \"my ankle\" } ] } }",
		0);

	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_UPPER_LEG), 2);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG), -1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_LOWER_LEG), 3);
	/* Not a prefix of Jane's joints. */
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_LOWER_LEG), -1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_FOOT), 5);
	jc_skeleton_destroy(skeleton);
}

/* The error of a published figure: the inner joint has the name of the outer one. */
static void joint_with_the_name_of_another_uses_its_def(void **)
{
	struct jc_skeleton *skeleton = hanim_read(
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton DEF J_humanoid_root HAnimJoint { name \"humanoid_root\" "
		"children DEF J_l_acromioclavicular HAnimJoint { children "
		"DEF J_l_sternoclavicular HAnimJoint { name \"l_acromioclavicular\" children [ "
		"DEF J_l_shoulder HAnimJoint { name \"l_shoulder\" } "
		"DEF J_another HAnimJoint { name \"l_shoulder\" } ] } } } }",
		0);

	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_LEFT_SHOULDER), "l_sternoclavicular");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_SHOULDER), 3);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_ARM), 4);
	jc_skeleton_destroy(skeleton);
}

/* From the hierarchy of the 1.0 specification and a figure of 2.0 with all joints. */
static void joints_and_segments_have_names_of_both_versions(void **)
{
	static const struct {
		const char *old, *old_segment, *name, *segment;
	} names[] = {
		{ "HumanoidRoot", "sacrum", "humanoid_root", "sacrum" },
		{ "sacroiliac", "pelvis", "sacroiliac", "pelvis" },
		{ "l_ankle", "l_hindfoot", "l_talocrural", "l_talus" },
		{ "r_midtarsal", "r_middistal", "r_metatarsophalangeal_2",
			"r_tarsal_proximal_phalanx_2" },
		{ "vl5", "l5", "vl5", "l5" },
		{ "vt12", "t12", "vt12", "t12" },
		{ "vc1", "c1", "vc1", "c1" },
		{ "skullbase", "skull", "skullbase", "skull" },
		{ "l_acromioclavicular", "l_scapula", "l_acromioclavicular", "l_scapula" },
		{ "l_wrist", "l_hand", "l_radiocarpal", "l_carpal" },
		{ "r_thumb1", "r_thumb_metacarpal", "r_carpometacarpal_1", "r_metacarpal_1" },
		{ "r_pinky2", "r_pinky_middle", "r_carpal_proximal_interphalangeal_5",
			"r_carpal_middle_phalanx_5" },
		{ "l_midcarpal_4_5", "l_hamate", "l_midcarpal_4_5", "l_hamate" },
	};
	struct jc_hanim_label label;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_true(jc_hanim_label_joint(names[i].name, JC_HANIM_SPELLING_1, &label));
		assert_string_equal(label.joint, names[i].old);
		assert_string_equal(label.segment, names[i].old_segment);
		assert_true(jc_hanim_label_joint(names[i].old, JC_HANIM_SPELLING_2, &label));
		assert_string_equal(label.joint, names[i].name);
		assert_string_equal(label.segment, names[i].segment);
	}
	assert_false(jc_hanim_label_joint("vt13", JC_HANIM_SPELLING_1, &label));
	assert_false(jc_hanim_label_joint("hip", JC_HANIM_SPELLING_1, &label));
	jc_hanim_label_bone(JC_BONE_UPPER_CHEST, JC_HANIM_SPELLING_1, &label);
	assert_string_equal(label.joint, "vt6");
	jc_hanim_label_bone(JC_BONE_RIGHT_EYE, JC_HANIM_SPELLING_2, &label);
	assert_string_equal(label.joint, "r_eyeball_joint");
	jc_hanim_label_bone(JC_BONE_LEFT_TOES, JC_HANIM_SPELLING_1, &label);
	assert_string_equal(label.joint, "l_midtarsal");
}

#define JOINT(name, y, children)                                                                   \
	"HAnimJoint { name \"" name "\" center 0 " y " 0 children [\n" children " ] }\n"
#define ARMS                                                                                       \
	"HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 }\n"                                    \
	"HAnimJoint { name \"r_shoulder\" center -0.2 1.4 0 }\n"

/* Shoulders at vc7, with and without a vertebra above it, and under the skull. */
static void neck_and_head_carry_no_arms(void **)
{
	static const char above[] = VRML "HAnimHumanoid { skeleton " JOINT("humanoid_root", "1",
		JOINT("vl5", "1.1",
			JOINT("vc7", "1.4",
				ARMS JOINT("vc4", "1.5", JOINT("skullbase", "1.6", ""))))) "}";
	static const char alone[] = VRML "HAnimHumanoid { skeleton " JOINT("humanoid_root", "1",
		JOINT("vl5", "1.1", JOINT("vc7", "1.4", ARMS JOINT("skullbase", "1.6", "")))) "}";
	static const char skull[] = VRML "HAnimHumanoid { skeleton " JOINT("humanoid_root", "1",
		JOINT("vl5", "1.1", JOINT("vc4", "1.4", JOINT("skullbase", "1.6", ARMS)))) "}";
	struct jc_skeleton *skeleton = hanim_read(above, 0);
	struct jc_lint lint = { 0 };

	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_NECK), "vc4");
	assert_int_equal(
		jc_skeleton_mapped_parent(skeleton, JC_BONE_LEFT_UPPER_ARM), JC_BONE_SPINE);
	jc_skeleton_destroy(skeleton);
	skeleton = hanim_read(alone, 0);
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_NECK), "");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_HEAD), "skullbase");
	jc_skeleton_destroy(skeleton);
	assert_int_equal(
		jc_skeleton_read(skull, sizeof(skull) - 1, 0, NULL, &skeleton, &lint, NULL), JC_OK);
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_HEAD), "");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_NECK), "");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_RIGHT_UPPER_ARM), "r_shoulder");
	assert_string_equal(find_finding(&lint, "hanim-head"),
		"line 5: 'skullbase' carries the arms: not used as the head");
	jc_skeleton_destroy(skeleton);
}

static void names_of_other_conventions_are_recognised_by_their_family(void **)
{
	static const char text[] = VRML "HAnimHumanoid { skeleton " JOINT("Hips", "0.9",
		JOINT("LeftUpLeg", "0.9",
			JOINT("LeftLeg", "0.5", JOINT("LeftFoot", "0.1", ""))) JOINT("RightUpLeg",
			"0.9", JOINT("RightLeg", "0.5", JOINT("RightFoot", "0.1", "")))
			JOINT("Spine", "1", JOINT("Neck", "1.4", JOINT("Head", "1.5", "")))) "}";
	static const char unknown[] =
		VRML "HAnimHumanoid { skeleton " JOINT("a", "1", JOINT("b", "2", "")) "}";
	struct jc_diagnostic diagnostic;
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(text, sizeof(text) - 1, 0, NULL, &skeleton, &lint, NULL), JC_OK);
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_LEFT_LOWER_LEG), "LeftLeg");
	assert_string_equal(hanim_bone_node(skeleton, JC_BONE_NECK), "Neck");
	assert_non_null(find_finding(&lint, "hanim-names"));
	jc_skeleton_destroy(skeleton);
	assert_int_equal(jc_skeleton_read(unknown, sizeof(unknown) - 1, 0, NULL, &skeleton, NULL,
				 &diagnostic),
		JC_ERROR_NO_HUMANOID);
	assert_string_equal(
		diagnostic.what, "none of the 2 joints has a name of H-Anim: the first is 'a'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spine_anchors_fall_back_to_the_nearest_vertebra),
		cmocka_unit_test(knows_joint_names_of_every_version),
		cmocka_unit_test(joint_name_has_priority_over_def),
		cmocka_unit_test(joint_with_the_name_of_another_uses_its_def),
		cmocka_unit_test(joints_and_segments_have_names_of_both_versions),
		cmocka_unit_test(neck_and_head_carry_no_arms),
		cmocka_unit_test(names_of_other_conventions_are_recognised_by_their_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
