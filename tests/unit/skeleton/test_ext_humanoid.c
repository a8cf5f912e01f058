/* EXT_skeleton_humanoid from hand-written glTF with known inverse bind matrices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gltf_text.h"
#include "expect.h"
#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f

/* Columns of the inverse of "translate by x, y, z". */
#define MOVED(x, y, z) 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -(x), -(y), -(z), 1

/* The inverse of "translate by x, y, z, then a quarter turn about +Z". */
#define TURNED(x, y, z) 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -(y), x, -(z), 1

#define EXT(skeletons) "\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":[" skeletons "]}"

static int read_text(const char *text, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return jc_skeleton_read(text, strlen(text), index, NULL, out_skeleton, lint, diagnostic);
}

/* nodes, skins and extensions are the contents of JSON members; matrices may be NULL. */
static struct jc_skeleton *read_parts(const char *nodes, const char *skins, const char *extensions,
	const float *matrices, size_t matrix_count, struct jc_lint *lint)
{
	char *numbers = matrices ? gltf_text_floats(matrices, matrix_count * 16) : NULL;
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;
	char *text = NULL;

	assert_true(asprintf(&text,
			    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[%s],\"skins\":[%s],"
			    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
			    "\"type\":\"MAT4\",\"count\":%zu}],\"extensions\":{%s}%s%s}",
			    nodes, skins, matrix_count, extensions, numbers ? "," : "",
			    numbers ? numbers : "") > 0);
	free(numbers);
	if (read_text(text, 0, &skeleton, lint, &diagnostic)) {
		print_error("%s: %s\n", diagnostic.where, diagnostic.what);
		fail();
	}
	free(text);
	return skeleton;
}

#define TWO_FIGURES                                                                                \
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\",\"children\":[1]},{},"        \
	"{\"name\":\"b\",\"children\":[3]},{}],\"extensions\":{"

static void selects_skeletons_by_index(void **)
{
	static const char text[] =
		TWO_FIGURES EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":1}},"
				"{\"rootNode\":2,\"humanoidBones\":{\"hips\":3}}") "}}";
	struct jc_skeleton *skeleton = NULL;
	struct jc_diagnostic diagnostic;

	assert_int_equal(read_text(text, 0, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_EXT);
	assert_string_equal(jc_skeleton_format_name(JC_SKELETON_EXT), "gltf-ext");
	assert_string_equal(jc_skeleton_name(skeleton), "a");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(read_text(text, 1, &skeleton, NULL, NULL), JC_OK);
	assert_string_equal(jc_skeleton_name(skeleton), "b");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 3);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(read_text(text, 2, &skeleton, NULL, &diagnostic), JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "there is no humanoid 2: the file has 2");
}

/* The published schema has no array; the text has one and has priority. */
static void reads_a_single_skeleton_at_the_root_unless_there_is_an_array(void **)
{
	static const char single[] = TWO_FIGURES
		"\"EXT_skeleton_humanoid\":{\"rootNode\":0,\"humanoidBones\":{\"hips\":1}}}}";
	static const char both[] = TWO_FIGURES
		"\"EXT_skeleton_humanoid\":{\"rootNode\":0,\"humanoidBones\":{\"hips\":1},"
		"\"humanoidSkeletons\":[{\"rootNode\":2,\"humanoidBones\":{\"hips\":3}}]}}}";
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(single, 0, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(read_text(both, 0, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 3);
	jc_skeleton_destroy(skeleton);
}

#define EMPTY "\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":[]}"

/* "EXT_skeleton_humanoid property": humanoidSkeletons has 1 element at least. Bones are recognised
 * by their names then. */
static void reports_an_empty_list_of_skeletons(void **)
{
	static const char *const extensions[] = { EMPTY, "\"EXT_skeleton_humanoid\":{}",
		"\"EXT_skeleton_humanoid\":{\"humanoidSkeletons\":{}}" };
	static const char nodes[] =
		"{\"name\":\"hips\",\"children\":[1,2,3]},{\"name\":\"spine\","
		"\"translation\":[0,0.2,0],\"children\":[4]},"
		"{\"name\":\"leftUpperLeg\",\"translation\":[0.1,0,0],\"children\":[5]},"
		"{\"name\":\"rightUpperLeg\",\"translation\":[-0.1,0,0],\"children\":[6]},"
		"{\"name\":\"head\",\"translation\":[0,0.4,0]},"
		"{\"name\":\"leftLowerLeg\",\"translation\":[0,-0.4,0]},"
		"{\"name\":\"rightLowerLeg\",\"translation\":[0,-0.4,0]}";

	for (size_t i = 0; i < 3; i++) {
		struct jc_lint lint = { 0 };
		struct jc_skeleton *skeleton = read_parts(nodes, "", extensions[i], NULL, 0, &lint);

		assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_GLTF);
		assert_non_null(find_finding(&lint, "no-skeletons"));
		jc_skeleton_destroy(skeleton);
	}
}

static void names_an_empty_list_where_no_bone_is_recognised(void **)
{
	static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],"
				   "\"extensions\":{" EMPTY "}}";
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(text, 0, &skeleton, NULL, &diagnostic), JC_ERROR_NO_HUMANOID);
	assert_string_equal(diagnostic.where, "EXT_skeleton_humanoid.humanoidSkeletons");
	assert_non_null(strstr(diagnostic.what, "the list is empty, and without it: "));
}

static void rest_is_the_bind_pose_of_the_skin(void **)
{
	static const float matrices[] = { MOVED(0, 1, 0), TURNED(0, 1.5f, 0) };
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = read_parts(
		"{\"translation\":[0,1,0],\"children\":[1]},"
		"{\"name\":\"back\",\"translation\":[0,0.5,0],\"rotation\":[0.6,0,0,0.8]}",
		"{\"joints\":[0,1],\"inverseBindMatrices\":0}",
		EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":0,\"spine\":1}}"), matrices, 2,
		&lint);
	struct jc_skeleton_pose pose = { 0 };
	struct jc_transform locals[2];

	assert_quat(jc_skeleton_t_pose(skeleton, JC_BONE_SPINE),
		(struct jc_quat){ 0.0f, 0.0f, HALF, HALF });
	assert_quat(jc_skeleton_correction(skeleton, JC_BONE_SPINE), JC_QUAT_IDENTITY);
	/* animatedLocal = bindLocal * R, "Animation remapping". */
	pose.rotations[JC_BONE_HIPS] = JC_QUAT_IDENTITY;
	pose.rotations[JC_BONE_SPINE] = (struct jc_quat){ HALF, 0.0f, 0.0f, HALF };
	jc_skeleton_locals(skeleton, &pose, locals);
	assert_quat(locals[1].rotation, (struct jc_quat){ 0.5f, 0.5f, 0.5f, 0.5f });
	assert_vec3(locals[1].translation, (struct jc_vec3){ 0.0f, 0.5f, 0.0f });
	/* Half a right angle and 73.74 degrees about crossed axes: cos(a/2) is
	 * 0.8 * 0.70710678, so the node is 111.1 degrees off. */
	assert_string_equal(find_finding(&lint, "bind-pose"),
		"1 joints have another rest pose than bind pose, 'back' by 111.1 degrees; the bind "
		"pose is used");
	jc_skeleton_destroy(skeleton);
}

/* Armature: twice as large and a quarter turn about Z; the hips are bound at (0, 1, 0) of
 * the model, which is (0.5, 0, 0) in the armature. A node between hips and head is not a
 * joint and does not change. */
static void nodes_without_a_skin_keep_their_local_transforms(void **)
{
	static const float matrices[] = { MOVED(0, 1, 0), MOVED(0, 2, 0) };
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton =
		read_parts("{\"rotation\":[0,0,0.70710678,0.70710678],\"scale\":[2,2,2],"
			   "\"children\":[1]},"
			   "{\"scale\":[0.5,0.5,0.5],\"children\":[2]},{\"translation\":[0,0.25,0],"
			   "\"rotation\":[1,0,0,0],"
			   "\"children\":[3]},{}",
			"{\"joints\":[1,3],\"inverseBindMatrices\":0}",
			EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":1,\"head\":3}}"), matrices,
			2, &lint);
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	assert_vec3(nodes[1].rest.translation, (struct jc_vec3){ 0.5f, 0.0f, 0.0f });
	assert_quat(nodes[1].rest.rotation, (struct jc_quat){ 0.0f, 0.0f, -HALF, HALF });
	assert_vec3(nodes[1].rest.scale, (struct jc_vec3){ 0.5f, 0.5f, 0.5f });
	assert_vec3(nodes[2].rest.translation, (struct jc_vec3){ 0.0f, 0.25f, 0.0f });
	assert_quat(nodes[2].rest.rotation, (struct jc_quat){ 1.0f, 0.0f, 0.0f, 0.0f });
	/* The head at (0, 2, 0), seen from (0, 1.25, 0) upside down. */
	assert_vec3(nodes[3].rest.translation, (struct jc_vec3){ 0.0f, -0.75f, 0.0f });
	assert_quat(jc_skeleton_t_pose(skeleton, JC_BONE_HEAD), JC_QUAT_IDENTITY);
	jc_skeleton_destroy(skeleton);
}

static void without_inverse_bind_matrices_nodes_give_the_rest(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = read_parts(
		"{\"translation\":[0,1,0],\"children\":[1]},{\"rotation\":[1,0,0,0]}",
		"{\"joints\":[0]}",
		EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":0,\"spine\":1}}"), NULL, 0, &lint);

	assert_quat(jc_skeleton_t_pose(skeleton, JC_BONE_SPINE),
		(struct jc_quat){ 1.0f, 0.0f, 0.0f, 0.0f });
	assert_non_null(strstr(find_finding(&lint, "no-inverse-bind"), ": hips"));
	assert_non_null(strstr(find_finding(&lint, "not-a-joint"), ": spine"));
	jc_skeleton_destroy(skeleton);
}

static void joints_of_several_skins_use_the_first_binding(void **)
{
	static const float matrices[] = { MOVED(0, 1, 0), MOVED(0, 2, 0), MOVED(0, 3, 0) };
	static const char nodes[] = "{\"translation\":[0,1,0],\"children\":[1]},{}";
	static const char ext[] = EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":0,\"head\":1}}");
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton;

	/* Matrices 0 and 1 are hips and head. The second skin lists both in the same
	 * order and agrees; the third binds the head in the place of the hips. */
	skeleton = read_parts(nodes,
		"{\"joints\":[0,1],\"inverseBindMatrices\":0},"
		"{\"joints\":[0,1],\"inverseBindMatrices\":0}",
		ext, matrices, 3, &lint);
	assert_vec3(jc_skeleton_nodes(skeleton)[1].rest.translation,
		(struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	assert_null(find_finding(&lint, "skins-disagree"));
	jc_skeleton_destroy(skeleton);
	skeleton = read_parts(nodes,
		"{\"joints\":[0,1],\"inverseBindMatrices\":0},"
		"{\"joints\":[1],\"inverseBindMatrices\":0}",
		ext, matrices, 3, &lint);
	assert_vec3(jc_skeleton_nodes(skeleton)[1].rest.translation,
		(struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	assert_non_null(find_finding(&lint, "skins-disagree"));
	jc_skeleton_destroy(skeleton);
}

/* An exporter that leaves the Z-up centimetres of the armature in the skin: hips at (0,
 * 0, 100) and head at (0, 0, 160). */
static void nodes_correct_a_transform_baked_into_a_skin(void **)
{
	static const float matrices[] = { MOVED(0, 0, 100), MOVED(0, 0, 160) };
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton =
		read_parts("{\"rotation\":[-0.70710678,0,0,0.70710678],\"scale\":[0.01,0.01,0.01],"
			   "\"children\":[1]},{\"translation\":[0,0,100],\"children\":[2]},"
			   "{\"rotation\":[0,0,1,0],\"translation\":[0,0,50]}",
			"{\"joints\":[1,2],\"inverseBindMatrices\":0}",
			EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":1,\"head\":2}}"), matrices,
			2, &lint);

	assert_non_null(find_finding(&lint, "baked-skin"));
	assert_true(jc_vec3_length(jc_vec3_subtract(jc_skeleton_nodes(skeleton)[2].rest.translation,
			    (struct jc_vec3){ 0.0f, 0.0f, 60.0f })) < 1e-3f);
	assert_quat(jc_skeleton_nodes(skeleton)[2].rest.rotation, JC_QUAT_IDENTITY);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.0f, 1e-5f);
	jc_skeleton_destroy(skeleton);
}

static void virtual_transforms_belong_to_the_skeleton_of_their_parent(void **)
{
	static const char text[] = TWO_FIGURES EXT(
		"{\"rootNode\":0,\"humanoidBones\":{\"hips\":1}},"
		"{\"rootNode\":2,\"humanoidBones\":{\"hips\":3}}") ","
								   "\"KHR_virtual_transform\":{"
								   "\"virtualTransforms\":[{"
								   "\"name\":\"first\","
								   "\"parent\":1,\"tags\":[\"a\"]},"
								   "{\"name\":\"second\","
								   "\"parent\":2,\"tags\":[\"b\"]},"
								   "{\"name\":\"all\"}]}}}";
	static const char *const names[] = { "first", "second" };

	for (size_t i = 0; i < 2; i++) {
		const struct jc_virtual_transform *virtuals;
		struct jc_skeleton *skeleton = NULL;

		assert_int_equal(read_text(text, i, &skeleton, NULL, NULL), JC_OK);
		virtuals = jc_skeleton_virtual_transforms(skeleton);
		assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), 2);
		assert_string_equal(virtuals[0].name, names[i]);
		assert_string_equal(virtuals[1].name, "all");
		jc_skeleton_destroy(skeleton);
	}
}

static void lists_findings_for_the_artist(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_skeleton *skeleton = read_parts("{},{\"rotation\":[1,0,0,0]}", "",
		EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":1,\"tail\":0}}"), NULL, 0, &lint);

	assert_non_null(strstr(find_finding(&lint, "unknown-bone"), "'tail'"));
	assert_non_null(strstr(find_finding(&lint, "outside-root"), ": hips"));
	assert_non_null(strstr(find_finding(&lint, "bone-axes"),
		"the worst is hips: +Y differs by 180.0 degrees"));
	jc_skeleton_destroy(skeleton);
}

#define CHAIN                                                                                      \
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{\"children\":[2]},{}],"   \
	"\"extensions\":{"

static void rejects_invalid_skeletons(void **)
{
	static const struct {
		const char *text;
		int error;
		const char *where;
	} cases[] = {
		/* "Between parent and child bone nodes other humanoid bone nodes of the
		 * same skeleton MUST NOT be": the example of the text. */
		{ CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":0,\"chest\":1,\"spine\":2}"
			    "}") "}}",
			JC_ERROR_INVALID, "bones.spine" },
		{ CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":0,\"spine\":0}}") "}}",
			JC_ERROR_INVALID, "bones.spine" },
		{ CHAIN EXT("{\"rootNode\":3,\"humanoidBones\":{\"hips\":0}}") "}}",
			JC_ERROR_INVALID, "EXT_skeleton_humanoid.humanoidSkeletons[0].rootNode" },
		{ CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":3}}") "}}",
			JC_ERROR_INVALID,
			"EXT_skeleton_humanoid.humanoidSkeletons[0].humanoidBones.hips" },
		{ CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{\"hips\":\"0\"}}") "}}",
			JC_ERROR_INVALID,
			"EXT_skeleton_humanoid.humanoidSkeletons[0].humanoidBones.hips" },
		{ CHAIN "\"EXT_skeleton_humanoid\":{\"humanoidBones\":{\"hips\":-1}}}}",
			JC_ERROR_INVALID, "EXT_skeleton_humanoid.humanoidBones.hips" },
		{ CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{}}") "}}", JC_ERROR_NO_HUMANOID,
			"EXT_skeleton_humanoid.humanoidSkeletons[0].humanoidBones" },
		{ CHAIN EXT("7") "}}", JC_ERROR_INVALID,
			"EXT_skeleton_humanoid.humanoidSkeletons[0]" },
		{ CHAIN EXT("") "}}", JC_ERROR_NO_HUMANOID,
			"EXT_skeleton_humanoid.humanoidSkeletons" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton;

		assert_int_equal(
			read_text(cases[i].text, 0, &skeleton, NULL, &diagnostic), cases[i].error);
		assert_string_equal(diagnostic.where, cases[i].where);
		assert_true(strlen(diagnostic.what) > 0);
	}
}

static void accepts_missing_and_separate_bones(void **)
{
	static const char text[] =
		CHAIN EXT("{\"rootNode\":0,\"humanoidBones\":{\"spine\":0,\"upperChest\":2}}") "}}";
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(text, 0, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_UPPER_CHEST), JC_BONE_SPINE);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), -1);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selects_skeletons_by_index),
		cmocka_unit_test(reads_a_single_skeleton_at_the_root_unless_there_is_an_array),
		cmocka_unit_test(reports_an_empty_list_of_skeletons),
		cmocka_unit_test(names_an_empty_list_where_no_bone_is_recognised),
		cmocka_unit_test(rest_is_the_bind_pose_of_the_skin),
		cmocka_unit_test(nodes_without_a_skin_keep_their_local_transforms),
		cmocka_unit_test(without_inverse_bind_matrices_nodes_give_the_rest),
		cmocka_unit_test(joints_of_several_skins_use_the_first_binding),
		cmocka_unit_test(nodes_correct_a_transform_baked_into_a_skin),
		cmocka_unit_test(virtual_transforms_belong_to_the_skeleton_of_their_parent),
		cmocka_unit_test(lists_findings_for_the_artist),
		cmocka_unit_test(rejects_invalid_skeletons),
		cmocka_unit_test(accepts_missing_and_separate_bones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
