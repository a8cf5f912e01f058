/* VRM 1.0 and 0.x from hand-written glTF and from public files if they are present.
 * tests/oracle compares them with three-vrm. */
#include <stdlib.h>
#include <string.h>

#include "../data_file.h"
#include "expect.h"
#include "jointcast/skeleton.h"
#include "unit_test.h"

#define NODES                                                                                      \
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":["                                             \
	"{\"name\":\"pelvis\",\"translation\":[0,1,0],\"children\":[1,2]},"                        \
	"{\"name\":\"back\",\"rotation\":[0,0,1,0],\"children\":[3]},"                             \
	"{\"name\":\"hand\"},{\"name\":\"thumb\",\"children\":[4]},{}],"
#define VRM1(bones)                                                                                \
	NODES "\"extensions\":{\"VRMC_vrm\":{\"meta\":{\"name\":\"one\"},\"humanoid\":{"           \
	      "\"humanBones\":{" bones "}}}}}"
#define VRM0(bones)                                                                                \
	NODES "\"extensions\":{\"VRM\":{\"meta\":{\"title\":\"zero\"},\"humanoid\":{"              \
	      "\"humanBones\":[" bones "]}}}}"
#define BONE(name, node) "{\"bone\":\"" name "\",\"node\":" node "}"

static int read_text(const char *text, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	return jc_skeleton_read(text, strlen(text), 0, NULL, out_skeleton, lint, diagnostic);
}

static void vrm_1_faces_plus_z(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(VRM1("\"hips\":{\"node\":0},\"spine\":{\"node\":1}"), &skeleton,
				 &lint, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_VRM1);
	assert_string_equal(jc_skeleton_name(skeleton), "one");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_SPINE), 1);
	assert_string_equal(jc_skeleton_nodes(skeleton)[1].name, "back");
	assert_float_equal(jc_skeleton_facing(skeleton).w, 1.0f, 0.0f);
	/* The rest is the T-pose, whatever its rotations. */
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_SPINE).z, 1.0f, 1e-6f);
	assert_float_equal(jc_skeleton_correction(skeleton, JC_BONE_SPINE).w, 1.0f, 0.0f);
	jc_skeleton_destroy(skeleton);
}

static void vrm_0_faces_minus_z_and_counts_thumbs_differently(void **)
{
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(
		read_text(VRM0(BONE("hips", "0") "," BONE("leftHand", "2") "," BONE(
				  "leftThumbProximal", "1") "," BONE("leftThumbIntermediate",
				  "3") "," BONE("leftThumbDistal", "4")),
			&skeleton, NULL, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_VRM0);
	assert_string_equal(jc_skeleton_name(skeleton), "zero");
	assert_float_equal(jc_skeleton_facing(skeleton).y, 1.0f, 0.0f);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_METACARPAL), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_PROXIMAL), 3);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_DISTAL), 4);
	jc_skeleton_destroy(skeleton);
}

/* 1.0 has metacarpal and proximal; its betas had the three names of 0.x. */
static void thumbs_of_vrm_1_use_their_own_names_except_betas(void **)
{
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(VRM1("\"leftThumbMetacarpal\":{\"node\":1},"
					"\"leftThumbProximal\":{\"node\":3}"),
				 &skeleton, NULL, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_METACARPAL), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_PROXIMAL), 3);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(read_text(VRM1("\"leftThumbProximal\":{\"node\":1},"
					"\"leftThumbIntermediate\":{\"node\":3}"),
				 &skeleton, NULL, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_METACARPAL), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_THUMB_PROXIMAL), 3);
	jc_skeleton_destroy(skeleton);
}

static void lists_findings_for_the_artist(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(VRM0(BONE("hips", "0") "," BONE("tail", "1") "," BONE("neck",
					   "-1") "," BONE("spine", "1") "," BONE("leftUpperLeg",
					   "1") "," BONE("leftUpperLeg", "2")),
				 &skeleton, &lint, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_NECK), -1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG), 2);
	assert_non_null(strstr(find_finding(&lint, "unknown-bone"), "'tail'"));
	assert_non_null(strstr(find_finding(&lint, "bone-twice"), "'leftUpperLeg'"));
	assert_non_null(strstr(find_finding(&lint, "missing-bones"), "head, leftUpperArm"));
	assert_null(strstr(find_finding(&lint, "missing-bones"), "hips"));
	jc_skeleton_destroy(skeleton);
}

static void lists_limbs_below_the_wrong_bone(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(VRM1("\"hips\":{\"node\":0},\"spine\":{\"node\":2},"
					"\"head\":{\"node\":3}"),
				 &skeleton, &lint, NULL),
		JC_OK);
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_HEAD), JC_BONE_HIPS);
	assert_string_equal(find_finding(&lint, "detached-bone"), "head is not below spine");
	jc_skeleton_destroy(skeleton);
}

static void lists_mirrored_and_sheared_bones(void **)
{
	static const char mirrored[] =
		"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[-1,-1,1]}],"
		"\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":"
		"{\"hips\":{\"node\":0}}}}}}";
	static const char sheared[] =
		"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[3,1,1],\"children\":[1]},"
		"{\"rotation\":[0,0,0.38268343,0.92387953]}],"
		"\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":"
		"{\"hips\":{\"node\":1}}}}}}";
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(mirrored, &skeleton, &lint, NULL), JC_OK);
	jc_skeleton_destroy(skeleton);
	assert_non_null(find_finding(&lint, "mirrored"));
	assert_null(find_finding(&lint, "sheared-bone"));
	assert_int_equal(read_text(sheared, &skeleton, &lint, NULL), JC_OK);
	jc_skeleton_destroy(skeleton);
	assert_non_null(find_finding(&lint, "sheared-bone"));
}

static void rejects_invalid_bone_maps(void **)
{
	static const struct {
		const char *text;
		int error;
		const char *where;
	} cases[] = {
		{ VRM0(BONE("spine", "12345")), JC_ERROR_INVALID,
			"VRM.humanoid.humanBones[0].node" },
		{ VRM1("\"hips\":{\"node\":5}"), JC_ERROR_INVALID,
			"VRMC_vrm.humanoid.humanBones.hips.node" },
		{ VRM1("\"hips\":0"), JC_ERROR_INVALID, "VRMC_vrm.humanoid.humanBones.hips" },
		{ VRM0("{\"node\":0}"), JC_ERROR_INVALID, "VRM.humanoid.humanBones[0]" },
		{ VRM0("7"), JC_ERROR_INVALID, "VRM.humanoid.humanBones[0]" },
		{ VRM0(BONE("hips", "0") "," BONE("spine", "0")), JC_ERROR_INVALID, "bones.spine" },
		{ VRM0(BONE("hips", "1") "," BONE("spine", "0")), JC_ERROR_INVALID, "bones.hips" },
		{ VRM1(""), JC_ERROR_NO_HUMANOID, "" },
		{ VRM0(""), JC_ERROR_NO_HUMANOID, "" },
		{ NODES "\"extensions\":{\"VRM\":{}}}", JC_ERROR_NO_HUMANOID, "VRM.humanoid" },
		{ NODES "\"extensions\":{\"VRMC_vrm\":{}}}", JC_ERROR_NO_HUMANOID,
			"VRMC_vrm.humanoid" },
		{ NODES "\"extensions\":{}}", JC_ERROR_NO_HUMANOID, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton;

		assert_int_equal(
			read_text(cases[i].text, &skeleton, NULL, &diagnostic), cases[i].error);
		assert_string_equal(diagnostic.where, cases[i].where);
		assert_true(strlen(diagnostic.what) > 0);
		if (cases[i].error == JC_ERROR_NO_HUMANOID) {
			assert_memory_equal(diagnostic.what, "no humanoid: ", 13);
		}
	}
}

static void file_has_one_vrm_humanoid(void **)
{
	static const char text[] = VRM1("\"hips\":{\"node\":0}");
	struct jc_skeleton *skeleton;

	assert_int_equal(jc_skeleton_read(text, strlen(text), 1, NULL, &skeleton, NULL, NULL),
		JC_ERROR_ABSENT);
}

static void reads_virtual_transforms_with_the_skeleton(void **)
{
	static const char text[] = NODES
		"\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":0}}"
		"}},"
		"\"KHR_virtual_transforms\":{\"virtualTransforms\":["
		"{\"name\":\"grip\",\"parent\":4,\"translation\":[1,2,3],\"rotation\":[0,1,0,0],"
		"\"scale\":[4,5,6],\"respectParentRotation\":false,\"tags\":[\"a\",\"b\"]},"
		"{\"parent\":5},{\"rotation\":[1,1,0,0]},{\"tags\":1},{}]}}}";
	const struct jc_virtual_transform *virtuals;
	size_t left_out = 0;
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(text, &skeleton, &lint, NULL), JC_OK);
	assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), 2);
	virtuals = jc_skeleton_virtual_transforms(skeleton);
	assert_string_equal(virtuals[0].name, "grip");
	assert_int_equal(virtuals[0].parent, 4);
	assert_float_equal(virtuals[0].offset.translation.z, 3.0f, 0.0f);
	assert_float_equal(virtuals[0].offset.rotation.y, 1.0f, 0.0f);
	assert_float_equal(virtuals[0].offset.scale.x, 4.0f, 0.0f);
	assert_true(virtuals[0].respect_position);
	assert_false(virtuals[0].respect_rotation);
	assert_true(virtuals[0].respect_scale);
	assert_int_equal(virtuals[0].tag_count, 2);
	assert_string_equal(virtuals[0].tags[1], "b");
	/* Defaults, "Properties"; without a parent it is a root. */
	assert_int_equal(virtuals[1].parent, -1);
	assert_float_equal(virtuals[1].offset.rotation.w, 1.0f, 0.0f);
	assert_float_equal(virtuals[1].offset.scale.y, 1.0f, 0.0f);
	assert_true(virtuals[1].respect_rotation);
	/* Three were left out, each with a finding that names the place. */
	assert_non_null(strstr(find_finding(&lint, "virtual-transform"),
		"KHR_virtual_transforms.virtualTransforms[1].parent"));
	for (size_t i = 0; i < lint.count; i++) {
		left_out += strcmp(lint.entries[i].code, "virtual-transform") == 0;
	}
	assert_int_equal(left_out, 3);
	lint.count = 0;
	assert_int_equal(jc_skeleton_lint(skeleton, &lint), JC_OK);
	assert_non_null(strstr(find_finding(&lint, "virtual-transform-unnamed"), "1 of 2"));
	jc_skeleton_destroy(skeleton);
}

/* Bones and heights from the notes of the files. */
static void public_files_are_usable_except_the_broken_ones(void **)
{
	static const struct {
		const char *name;
		int bones; /* or an error */
		const char *what;
	} files[] = {
		{ "broken_empty.vrm", JC_ERROR_NO_HUMANOID, "no humanoid" },
		{ "broken_extensions_required.vrm", JC_ERROR_INVALID, "'VRMC_vrm'" },
		{ "broken_human_bone.vrm", JC_ERROR_INVALID, "12345" },
		{ "vrm0_blender_armature_transform.vrm", 17, NULL },
		{ "vrm0_blender_minimal.vrm", 17, NULL },
		{ "vrm0_crimsom_polygonalmind.vrm", 52, NULL },
		{ "vrm0_cryptovoxels_nonidentity_rest.vrm", 43, NULL },
		{ "vrm0_godette.vrm", 45, NULL },
		{ "vrm0_unavi_robot.vrm", 53, NULL },
		{ "vrm0_univrm_emission_test.vrm", 52, NULL },
		{ "vrm1_blender_multi_root.vrm", 17, NULL },
		{ "vrm1_debug_robot.vrm", 53, NULL },
		{ "vrm1_isBinary_overridden.vrm", 22, NULL },
		{ "vrm1_mtoon_uv_animation_test.vrm", 53, NULL },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton = NULL;
		size_t length;
		char *bytes = data_file_read("vrm", files[i].name, &length);
		int error;

		if (!bytes) {
			skip();
		}
		error = jc_skeleton_read(bytes, length, 0, NULL, &skeleton, NULL, &diagnostic);
		free(bytes);
		if (files[i].bones < 0) {
			assert_int_equal(error, files[i].bones);
			assert_non_null(strstr(diagnostic.what, files[i].what));
			continue;
		}
		assert_int_equal(error, JC_OK);
		assert_int_equal(
			__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), files[i].bones);
		jc_skeleton_destroy(skeleton);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vrm_1_faces_plus_z),
		cmocka_unit_test(vrm_0_faces_minus_z_and_counts_thumbs_differently),
		cmocka_unit_test(thumbs_of_vrm_1_use_their_own_names_except_betas),
		cmocka_unit_test(lists_findings_for_the_artist),
		cmocka_unit_test(lists_limbs_below_the_wrong_bone),
		cmocka_unit_test(lists_mirrored_and_sheared_bones),
		cmocka_unit_test(rejects_invalid_bone_maps),
		cmocka_unit_test(file_has_one_vrm_humanoid),
		cmocka_unit_test(reads_virtual_transforms_with_the_skeleton),
		cmocka_unit_test(public_files_are_usable_except_the_broken_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
