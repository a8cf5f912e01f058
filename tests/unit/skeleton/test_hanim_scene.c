/* H-Anim figures in scenes: their place, several of them, none, errors of published
 * files, and facts of a figure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../data_file.h"
#include "hanim_figure.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/hanim.h"
#include "unit_test.h"

/* A quarter turn about Y takes canonical +X to -Z in the scene; scale 0.5 and inches
 * reduce the size; the translation does not change the height. */
static void humanoids_keep_their_position_in_the_scene(void **)
{
	struct jc_skeleton *skeleton = hanim_read(
		"#X3D V3.3 utf8\nUNIT length inch 0.0254\n"
		"Transform { translation 10 0 0 children HAnimHumanoid { scale 0.5 0.5 0.5\n"
		"rotation 0 1 0 1.5707963 skeleton HAnimJoint { name \"humanoid_root\" center 0 40 "
		"0\n"
		"children [ HAnimJoint { name \"l_hip\" center 4 44 0 }\n"
		"HAnimJoint { name \"r_hip\" center -4 44 0 } ] } } }",
		0);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);
	struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };

	/* inches of (10, 0, 0) + 0.5 * (0, 44, -4) */
	hanim_assert_vec3(jc_mat4_translation(
				  worlds[jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG)]),
		10 * 0.0254, 22 * 0.0254, -2 * 0.0254, 1e-6);
	hanim_assert_vec3(jc_quat_rotate(jc_skeleton_facing(skeleton), left), 0.0, 0.0, -1.0, 1e-6);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_HIPS).w, 1.0, 1e-6);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 22 * 0.0254f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

static void selects_humanoids_by_index(void **)
{
	static const char text[] = VRML
		"DEF Fred HAnimHumanoid { name \"Fred\" skeleton HAnimJoint { name "
		"\"HumanoidRoot\" } }\n"
		"DEF Jane HAnimHumanoid { name \"Jane\" skeleton HAnimJoint { name "
		"\"HumanoidRoot\" } }\n"
		"DEF Sally HAnimHumanoid { name \"Sally\" skeleton HAnimJoint { name \"vl5\" } }\n"
		"DEF HumanoidGroup Group { children [ USE Sally, USE Fred ] }\n"
		"HAnimJoint { name \"HumanoidRoot\" }\n";
	static const char *const names[] = { "Sally", "Fred", "Jane", "" };
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;

	for (size_t i = 0; i < 4; i++) {
		skeleton = hanim_read(text, i);
		assert_string_equal(jc_skeleton_name(skeleton), names[i]);
		jc_skeleton_destroy(skeleton);
	}
	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 4, NULL, &skeleton, NULL, &diagnostic),
		JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "there is no humanoid 4: the file has 4");
}

static void assert_no_humanoid(const char *text, int error, const char *what)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, NULL, &diagnostic), error);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' is not in '%s'", what, diagnostic.what);
	}
}

static void rejects_scenes_without_a_humanoid(void **)
{
	assert_no_humanoid(VRML "Transform { }", JC_ERROR_NO_HUMANOID, "no Humanoid");
	assert_no_humanoid(VRML "HAnimHumanoid { }", JC_ERROR_NO_HUMANOID, "no joints");
	assert_no_humanoid(VRML "HAnimHumanoid { skeleton HAnimJoint { name \"WAIST\" } }",
		JC_ERROR_NO_HUMANOID, "the first is 'WAIST'");
	assert_no_humanoid(VRML "HAnimHumanoid { scale 0 1 1 skeleton HAnimJoint { "
				"name \"HumanoidRoot\" } }",
		JC_ERROR_INVALID, "its scale is zero");
	assert_no_humanoid(VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" "
				"center 0 1e30 0 } }",
		JC_ERROR_INVALID, "too far");
}

/* Arms that are out in the file are measured and not turned by a further right angle. */
static void arms_that_do_not_hang_are_not_turned_by_a_right_angle(void **)
{
	static const char text[] =
		VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" children [\n"
		     "HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 children\n"
		     "HAnimJoint { name \"l_elbow\" center 0.5 1.4 0 children\n"
		     "HAnimJoint { name \"l_wrist\" center 0.7 1.3 0 } } } ] } }";
	struct jc_skeleton *skeleton = hanim_read(text, 0);
	const double half = atan(0.5) / 2.0; /* of the forearm, which falls 1 in 2 */
	struct jc_quat forearm = { 0.0f, 0.0f, (float)sin(half), (float)cos(half) };

	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM).w, 1.0, 1e-6);
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_ARM), forearm), 0.0,
		1e-6);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_HAND).w, 1.0, 1e-6);
	jc_skeleton_destroy(skeleton);
}

/* A joint below a turned Transform and above a site: centers and sites are in the
 * coordinates of their parents. */
static void transforms_between_joints_stay_in_the_rest(void **)
{
	struct jc_skeleton *skeleton = hanim_read(
		"<X3D><Scene><HAnimHumanoid><HAnimJoint name='humanoid_root' center='0 1 0' "
		"containerField='skeleton'><Transform translation='1 0 0' rotation='0 0 1 "
		"1.5707963'>"
		"<HAnimJoint name='l_hip' center='2 0 0'><HAnimSegment><HAnimSite name='l_knee_pt' "
		"translation='3 0 0'/></HAnimSegment></HAnimJoint></Transform></HAnimJoint>"
		"</HAnimHumanoid></Scene></X3D>",
		0);
	int node = jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG);
	const struct jc_virtual_transform *site = jc_skeleton_virtual_transforms(skeleton);

	/* (2, 0, 0) turned is (0, 2, 0), moved (1, 2, 0). */
	hanim_assert_vec3(
		jc_mat4_translation(jc_skeleton_rest_worlds(skeleton)[node]), 1.0, 2.0, 0.0, 1e-6);
	assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), 1);
	assert_string_equal(site->name, "l_knee_pt");
	assert_int_equal(site->parent, node);
	assert_string_equal(site->tags[0], "site");
	hanim_assert_vec3(site->offset.translation, 1.0, 0.0, 0.0, 1e-6);
	jc_skeleton_destroy(skeleton);
}

/* A site beside the root joint, and one that only the list of sites has: both stand with the
 * humanoid. */
static void sites_of_the_humanoid_hang_on_its_node(void **)
{
	struct jc_skeleton *skeleton = hanim_read(VRML
		"HAnimHumanoid { translation 0 0 5 skeleton [ HAnimJoint { name \"HumanoidRoot\" "
		"center 0 1 0 } HAnimSite { name \"seat_pt\" translation 0 0.5 0 } ]\n"
		"sites [ HAnimSite { name \"door_pt\" translation 2 0 0 } ] }",
		0);
	const struct jc_virtual_transform *sites = jc_skeleton_virtual_transforms(skeleton);

	assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), 2);
	assert_string_equal(sites[0].name, "door_pt");
	assert_string_equal(sites[1].name, "seat_pt");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(jc_skeleton_nodes(skeleton)[sites[i].parent].parent, -1);
	}
	hanim_assert_vec3(
		jc_mat4_transform_point(jc_skeleton_rest_worlds(skeleton)[sites[1].parent],
			sites[1].offset.translation),
		0.0, 0.5, 5.0, 1e-6);
	jc_skeleton_destroy(skeleton);
}

static size_t count_findings(const char *text, const char *code)
{
	struct jc_skeleton *skeleton;
	struct jc_lint lint = { 0 };
	size_t count = 0;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, &lint, NULL), JC_OK);
	for (size_t i = 0; i < lint.count; i++) {
		count += strcmp(lint.entries[i].code, code) == 0;
	}
	jc_skeleton_destroy(skeleton);
	return count;
}

static const char *find_text(const struct jc_lint *lint, const char *code, size_t index)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, code) == 0 && index-- == 0) {
			return lint->entries[i].text;
		}
	}
	return "";
}

/* "Modeling the Humanoid": all fields but center are left at their defaults. A rotation by nothing
 * about any axis and the values of a PROTO are defaults too. */
static void reports_joints_that_are_not_neutral(void **)
{
	static const char text[] = VRML
		"HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" rotation 1 0 0 0\n"
		"children [ HAnimJoint { name \"vl5\" scale 1 1.5 1 rotation 0 1 0 0.5 children\n"
		"HAnimJoint { name \"vl1\" rotation 0 1 0 0.5 center 0 1 0 } }\n"
		"HAnimJoint { name \"sacroiliac\" scaleOrientation 0 0 1 1 translation 0 0 2 }\n"
		"] } }";
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, &lint, NULL), JC_OK);
	assert_string_equal(find_text(&lint, "hanim-not-neutral", 0),
		"line 3: rotation of 2 joints ('vl5' first) is not the default: read as a pose, "
		"not "
		"as the rest");
	assert_string_equal(find_text(&lint, "hanim-not-neutral", 1),
		"line 5: translation of 'sacroiliac' is not the default: read as a pose, not as "
		"the "
		"rest");
	assert_string_equal(find_text(&lint, "hanim-not-neutral", 2),
		"line 3: scale of 'vl5' is not the default: not applied");
	assert_string_equal(find_text(&lint, "hanim-not-neutral", 3),
		"line 5: scaleOrientation of 'sacroiliac' is not the default: not applied");
	assert_string_equal(find_text(&lint, "hanim-not-neutral", 4), "");
	jc_skeleton_destroy(skeleton);
}

/* Routes that only some systems follow; the translation of the root and rotations are portable. */
static void reports_routes_that_are_not_portable(void **)
{
	static const char text[] =
		VRML "DEF Root HAnimJoint { name \"HumanoidRoot\" children\n"
		     "DEF Hip HAnimJoint { name \"l_hip\" children\n"
		     "DEF Knee HAnimJoint { name \"l_knee\" } } }\n"
		     "DEF P PositionInterpolator { } DEF O OrientationInterpolator { }\n"
		     "ROUTE P.value_changed TO Root.set_translation\n"
		     "ROUTE O.value_changed TO Knee.set_rotation\n"
		     "ROUTE P.value_changed TO Hip.set_translation\n"
		     "ROUTE P.value_changed TO Hip.translation\n"
		     "ROUTE P.value_changed TO Root.set_scale\n"
		     "ROUTE P.value_changed TO Knee.set_scale\n"
		     "ROUTE O.value_changed TO Knee.scaleOrientation\n"
		     "ROUTE P.value_changed TO Knee.set_center\n";
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, &lint, NULL), JC_OK);
	assert_string_equal(find_text(&lint, "hanim-not-portable", 0),
		"line 3: a route leads into translation of 'l_hip': not applied, only HumanoidRoot "
		"moves in space");
	assert_string_equal(find_text(&lint, "hanim-not-portable", 1),
		"line 2: a route leads into scale of 2 joints ('HumanoidRoot' first): not "
		"applied");
	assert_string_equal(find_text(&lint, "hanim-not-portable", 2),
		"line 4: a route leads into scaleOrientation of 'l_knee': not applied");
	assert_string_equal(find_text(&lint, "hanim-not-portable", 3),
		"line 4: a route leads into center of 'l_knee': not applied, center does not "
		"receive "
		"events");
	assert_string_equal(find_text(&lint, "hanim-not-portable", 4), "");
	jc_skeleton_destroy(skeleton);
}

static void reports_arms_beside_the_spine(void **)
{
	const char beside[] =
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children [ "
		"HAnimJoint { name \"vl5\" } HAnimJoint { name \"l_shoulder\" } ] } }";
	const char above[] =
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children "
		"HAnimJoint { name \"vl5\" children HAnimJoint { name \"l_shoulder\" } } } }";

	assert_int_equal(count_findings(beside, "hanim-arm"), 1);
	assert_int_equal(count_findings(above, "hanim-arm"), 0);
}

/* The figure is in the file once, whatever its instances change. */
static void reports_a_figure_whose_fields_instances_set(void **)
{
	const char figure[] = "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\"";
	char text[1024];
	char *plain = hanim_make_figure();

	snprintf(text, sizeof(text),
		VRML "PROTO Body [ field SFVec3f c 0 0 0 ] { %s center IS c } } }\n"
		     "Body { c 0 3 0 } Body { }",
		figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 1);
	/* Through a prototype in between without any IS connections. */
	snprintf(text, sizeof(text),
		VRML "PROTO Inner [ ] { %s } } }\n"
		     "PROTO Outer [ field SFVec3f t 0 0 0 ] { Transform { translation IS t\n"
		     "children Inner { } } } Outer { t 1 0 0 }",
		figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 1);
	snprintf(text, sizeof(text), VRML "PROTO Body [ ] { %s } } } Body { } Body { }", figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 0);
	/* Joint and Humanoid of 1.0 are prototypes whose instances are read. */
	assert_int_equal(count_findings(plain, "hanim-proto"), 0);
	free(plain);
}

static const struct jc_skeleton_facts *read_facts(const char *text, struct jc_skeleton **out)
{
	*out = hanim_read(text, 0);
	return jc_skeleton_facts(*out);
}

static void reads_facts_of_a_figure_within_limits(void **)
{
	const char joint[] =
		"skeleton HAnimJoint { name \"HumanoidRoot\" children [ HAnimSegment { "
		"mass 2.5 } HAnimSegment { mass 4 } HAnimSegment { mass -1 } ] } }";
	char *text = malloc(8192);
	struct jc_skeleton *skeleton;
	const struct jc_skeleton_facts *facts;
	size_t length;

	assert_non_null(text);
	snprintf(text, 8192, VRML "HAnimHumanoid { info [ \"a=b\" \"humanoidVersion=2.0\" ] %s",
		joint);
	facts = read_facts(text, &skeleton);
	assert_string_equal(facts->version, "2.0");
	assert_float_equal(facts->mass, 6.5, 0.0);
	assert_int_equal(facts->info_count, 2);
	assert_string_equal(facts->info[0], "a=b");
	assert_int_equal(facts->info_dropped, 0);
	jc_skeleton_destroy(skeleton);

	/* The field has priority over info. 70 strings; the first is truncated before its
	 * last character, whose two bytes would exceed the maximum. */
	length = (size_t)snprintf(text, 8192,
		VRML "HAnimHumanoid { version \"1.1\" info [ \"%0*d\xc3\xa9\"",
		JC_LIMIT_FACT_BYTES - 2, 7);
	for (int i = 1; i < 70; i++) {
		length +=
			(size_t)snprintf(text + length, 8192 - length, " \"humanoidVersion=2.0\"");
	}
	snprintf(text + length, 8192 - length, " ] %s", joint);
	facts = read_facts(text, &skeleton);
	assert_string_equal(facts->version, "1.1");
	assert_int_equal(facts->info_count, JC_LIMIT_FACTS);
	assert_int_equal(facts->info_dropped, 70 - JC_LIMIT_FACTS);
	assert_int_equal(strlen(facts->info[0]), JC_LIMIT_FACT_BYTES - 2);
	jc_skeleton_destroy(skeleton);

	facts = read_facts(VRML
		"HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\"\n"
		"children [ HAnimSegment { mass 1e308 } HAnimSegment { mass 1e308 } ] } }",
		&skeleton);
	assert_float_equal(facts->mass, 0.0, 0.0);
	jc_skeleton_destroy(skeleton);
	free(text);
}

/* Number of joints from the notes of the files, bones from the names in them, heights
 * from joint centers: mean of the hips, or the root if that is higher, minus the lowest
 * foot, times the scale of the humanoid. */
static void public_files_match_their_documentation(void **)
{
	static const struct {
		const char *name;
		size_t joints, bones;
		double height;
		const char *spine, *chest, *neck, *left_toes;
	} files[] = {
		{ "BoxManC.x3d", 17, 17, 0.9723 - 0.0317, "vl5", "", "", "l_midtarsal" },
		{ "DiamondManLOA-0.wrl", 17, 16, (0.9124 + 0.9171) / 2 - 0.0656, "", "vl1", "vc4",
			"" },
		{ "JinLOA4_x3djsail.wrl", 146, 55, (36.74 - 0.6656) * 0.0225, "vl5", "vl1", "vc7",
			"l_metatarsophalangeal_2" },
		/* Both left clavicle joints are named l_acromioclavicular, one of them by
		 * its DEF l_sternoclavicular. */
		{ "JoeKick.x3d", 94, 55, 0.92 - 0.037, "vl5", "vl1", "vc7",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacter02Chul.x3d", 18, 17, (44.07 - 5.583) * 0.0225, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacterMotionAnnexC01Jin.x3d", 18, 17, -1, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacterMotionAnnexD01Jin.x3d", 18, 17, -1, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "MotionCaptureROM_3dsmax_biped.wrl", 0, 0, -1, "", "", "", "" },
		{ "openhrp3_sample1.wrl", 30, 0, -1, "", "", "", "" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton = NULL;
		size_t size;
		char *bytes = data_file_read("hanim", files[i].name, &size);
		int error;

		if (!bytes) {
			continue;
		}
		error = jc_skeleton_read(bytes, size, 0, NULL, &skeleton, NULL, &diagnostic);
		free(bytes);
		if (files[i].bones == 0) {
			assert_int_equal(error, JC_ERROR_NO_HUMANOID);
			continue;
		}
		if (error) {
			fail_msg("%s: %s: %s", files[i].name, diagnostic.where, diagnostic.what);
		}
		assert_int_equal(jc_skeleton_node_count(skeleton), files[i].joints + 1);
		assert_int_equal(
			__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), files[i].bones);
		assert_string_equal(hanim_bone_node(skeleton, JC_BONE_SPINE), files[i].spine);
		assert_string_equal(hanim_bone_node(skeleton, JC_BONE_CHEST), files[i].chest);
		assert_string_equal(hanim_bone_node(skeleton, JC_BONE_NECK), files[i].neck);
		assert_string_equal(
			hanim_bone_node(skeleton, JC_BONE_LEFT_TOES), files[i].left_toes);
		if (files[i].height > 0) {
			assert_float_equal(
				jc_skeleton_hips_height(skeleton), files[i].height, 1e-5);
		}
		jc_skeleton_destroy(skeleton);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(humanoids_keep_their_position_in_the_scene),
		cmocka_unit_test(selects_humanoids_by_index),
		cmocka_unit_test(rejects_scenes_without_a_humanoid),
		cmocka_unit_test(arms_that_do_not_hang_are_not_turned_by_a_right_angle),
		cmocka_unit_test(transforms_between_joints_stay_in_the_rest),
		cmocka_unit_test(sites_of_the_humanoid_hang_on_its_node),
		cmocka_unit_test(reports_joints_that_are_not_neutral),
		cmocka_unit_test(reports_routes_that_are_not_portable),
		cmocka_unit_test(reports_arms_beside_the_spine),
		cmocka_unit_test(reports_a_figure_whose_fields_instances_set),
		cmocka_unit_test(reads_facts_of_a_figure_within_limits),
		cmocka_unit_test(public_files_match_their_documentation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
