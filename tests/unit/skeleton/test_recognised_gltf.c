/* glTF figures without marked bones, from hand-written documents: the joints that are
 * searched, the source of the rest, and files without a figure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gltf_text.h"
#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f

struct document {
	char *text;
	size_t size;
	FILE *stream;
	int count; /* of nodes */
};

static void put(struct document *document, const char *name, float x, float y, float z,
	const char *children)
{
	fprintf(document->stream, "%s{\"name\":\"%s\",\"translation\":[%g,%g,%g]%s%s%s}",
		document->count++ ? "," : "", name, (double)x, (double)y, (double)z,
		*children ? ",\"children\":[" : "", children, *children ? "]" : "");
}

enum figure_pose {
	ARMS_LEVEL,
	ARMS_DOWN,
	ON_FOUR_LEGS,      /* arms are fore legs; the trunk is level */
	ON_HANDS_AND_FEET, /* a human who stands so */
};

/* Sixteen nodes from index `first` with Mixamo names after `prefix`. */
static void put_figure(
	struct document *document, const char *prefix, int first, enum figure_pose pose)
{
	static const struct {
		const char *name;
		int children[4];
	} nodes[] = {
		{ "Hips", { 1, 8, 11 } },
		{ "Spine", { 2, 4, 6 } },
		{ "Neck", { 3 } },
		{ "Head", { 0 } },
		{ "LeftArm", { 5 } },
		{ "LeftForeArm", { 14 } },
		{ "RightArm", { 7 } },
		{ "RightForeArm", { 15 } },
		{ "LeftUpLeg", { 9 } },
		{ "LeftLeg", { 10 } },
		{ "LeftFoot", { 0 } },
		{ "RightUpLeg", { 12 } },
		{ "RightLeg", { 13 } },
		{ "RightFoot", { 0 } },
		{ "LeftHand", { 0 } },
		{ "RightHand", { 0 } },
	};
	float along = pose == ARMS_LEVEL ? 0.3f : 0.0f;
	float down = pose == ARMS_LEVEL ? 0.0f : pose == ARMS_DOWN ? -0.3f : -0.5f;
	float ahead = pose == ON_FOUR_LEGS ? 0.8f : pose == ON_HANDS_AND_FEET ? 0.4f : 0.0f;
	float up = ahead > 0.0f ? 0.0f : 0.3f;
	const float places[][3] = { { 0, 1, 0 }, { 0, up, ahead }, { 0, 0.2f, 0 }, { 0, 0.1f, 0 },
		{ 0.2f, 0.1f, 0 }, { along, down, 0 }, { -0.2f, 0.1f, 0 }, { -along, down, 0 },
		{ 0.1f, -0.05f, 0 }, { 0, -0.45f, 0 }, { 0, -0.45f, 0 }, { -0.1f, -0.05f, 0 },
		{ 0, -0.45f, 0 }, { 0, -0.45f, 0 }, { along, down, 0 }, { -along, down, 0 } };

	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		char name[64], children[64] = "";
		size_t used = 0;

		for (int c = 0; c < 4 && nodes[i].children[c]; c++) {
			used += (size_t)snprintf(children + used, sizeof(children) - used, "%s%d",
				c ? "," : "", first + nodes[i].children[c]);
		}
		snprintf(name, sizeof(name), "%s%s", prefix, nodes[i].name);
		put(document, name, places[i][0], places[i][1], places[i][2], children);
	}
}

#define FIGURE_NODES 16

static void begin(struct document *document)
{
	*document = (struct document){ 0 };
	document->stream = open_memstream(&document->text, &document->size);
	assert_non_null(document->stream);
	fputs("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[", document->stream);
}

/* Ends the nodes and adds members, each after a comma. */
static void end(struct document *document, const char *members)
{
	fprintf(document->stream, "]%s}", members);
	fclose(document->stream);
}

static int read_text(const char *text, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return jc_skeleton_read(text, strlen(text), index, NULL, out_skeleton, lint, diagnostic);
}

static struct jc_skeleton *read_document(struct document *document, const char *members)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	end(document, members);
	if (read_text(document->text, 0, &skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	free(document->text);
	return skeleton;
}

static struct jc_vec3 rest_position(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return jc_mat4_translation(
		jc_skeleton_rest_worlds(skeleton)[jc_skeleton_bone_node(skeleton, bone)]);
}

static void assert_vec3(struct jc_vec3 v, float x, float y, float z)
{
	assert_float_equal(v.x, x, 1e-5f);
	assert_float_equal(v.y, y, 1e-5f);
	assert_float_equal(v.z, z, 1e-5f);
}

#define ALL_JOINTS                                                                                 \
	",\"skins\":[{\"name\":\"body\",\"joints\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}]"

static void recognises_joints_of_a_skin_by_name(void **)
{
	struct document document;
	struct jc_skeleton *skeleton;

	begin(&document);
	put(&document, "Armature", 0, 0, 0, "1");
	put_figure(&document, "mixamorig:", 1, ARMS_LEVEL);
	skeleton = read_document(&document, ALL_JOINTS);
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_GLTF);
	assert_string_equal(jc_skeleton_format_name(JC_SKELETON_GLTF), "gltf");
	assert_string_equal(jc_skeleton_name(skeleton), "body");
	assert_string_equal(jc_skeleton_family(skeleton), "mixamo");
	assert_float_equal(jc_skeleton_confidence(skeleton), 1.0f, 1e-6f);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_HAND), 16);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.95f, 1e-5f);
	jc_skeleton_destroy(skeleton);
}

/* Arms that hang turn by a quarter about +Z into the T-pose, on the right about -Z; legs
 * and trunk do not turn. */
static void corrects_an_i_pose(void **)
{
	struct document document;
	struct jc_skeleton *skeleton;

	begin(&document);
	put(&document, "Armature", 0, 0, 0, "1");
	put_figure(&document, "", 1, ARMS_DOWN);
	skeleton = read_document(&document, ALL_JOINTS);
	assert_true(jc_quat_angle(jc_skeleton_correction(skeleton, JC_BONE_LEFT_UPPER_ARM),
			    (struct jc_quat){ 0, 0, HALF, HALF }) < 1e-4f);
	assert_true(jc_quat_angle(jc_skeleton_correction(skeleton, JC_BONE_RIGHT_LOWER_ARM),
			    (struct jc_quat){ 0, 0, -HALF, HALF }) < 1e-4f);
	assert_true(jc_quat_angle(jc_skeleton_correction(skeleton, JC_BONE_LEFT_UPPER_LEG),
			    JC_QUAT_IDENTITY) < 1e-4f);
	jc_skeleton_destroy(skeleton);
}

/* A hundred times as large and facing -Z. */
static void accepts_turned_and_scaled_ancestors(void **)
{
	struct document document;
	struct jc_skeleton *skeleton;

	begin(&document);
	fprintf(document.stream,
		"{\"name\":\"Armature\",\"rotation\":[0,1,0,0],\"scale\":[100,100,100],"
		"\"children\":[1]}");
	document.count++;
	put_figure(&document, "", 1, ARMS_LEVEL);
	skeleton = read_document(&document, ALL_JOINTS);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 95.0f, 1e-3f);
	assert_true(jc_quat_angle(jc_skeleton_facing(skeleton), (struct jc_quat){ 0, 1, 0, 0 }) <
		    1e-4f);
	assert_true(jc_quat_angle(jc_skeleton_correction(skeleton, JC_BONE_LEFT_UPPER_ARM),
			    JC_QUAT_IDENTITY) < 1e-4f);
	jc_skeleton_destroy(skeleton);
}

/* The nodes let the left arm hang, the skin binds it horizontally. */
static void bind_pose_is_the_rest(void **)
{
	static const float matrices[] = {
		1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.2f, -1.4f, 0, 1, /* LeftArm */
		1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5f, -1.4f, 0, 1, /* LeftForeArm */
		1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.8f, -1.4f, 0, 1, /* LeftHand */
	};
	char *numbers = gltf_text_floats(matrices, 48);
	struct jc_skeleton *skeleton;
	struct document document;
	char *members;

	assert_true(asprintf(&members,
			    ",\"skins\":[{\"joints\":[5,6,15],\"inverseBindMatrices\":0},"
			    "{\"joints\":[1,2,3,4,7,8,9,10,11,12,13,14,16]}],"
			    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
			    "\"type\":\"MAT4\",\"count\":3}],%s",
			    numbers) > 0);
	begin(&document);
	put(&document, "Armature", 0, 0, 0, "1");
	put_figure(&document, "", 1, ARMS_DOWN);
	skeleton = read_document(&document, members);
	assert_vec3(rest_position(skeleton, JC_BONE_LEFT_HAND), 0.8f, 1.4f, 0.0f);
	assert_vec3(rest_position(skeleton, JC_BONE_RIGHT_HAND), -0.2f, 0.8f, 0.0f);
	assert_true(jc_quat_angle(jc_skeleton_correction(skeleton, JC_BONE_LEFT_UPPER_ARM),
			    JC_QUAT_IDENTITY) < 1e-4f);
	jc_skeleton_destroy(skeleton);
	free(members);
	free(numbers);
}

#define TWO_SKINS                                                                                  \
	",\"skins\":[{\"name\":\"second\",\"joints\":[17,18,19,20,21,22,23,24,25,26,27,28,29,30,"  \
	"31,32]},{\"name\":\"first\",\"joints\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]},"        \
	"{\"name\":\"hair\",\"joints\":[33]}]"

static void separates_figures_by_their_skins(void **)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;
	struct document document;

	begin(&document);
	put(&document, "Scene", 0, 0, 0, "1,17");
	put_figure(&document, "a_", 1, ARMS_LEVEL);
	put_figure(&document, "b_", 1 + FIGURE_NODES, 0);
	put(&document, "curl", 0, 0.1f, 0, "");
	end(&document, TWO_SKINS);
	assert_int_equal(read_text(document.text, 0, &skeleton, NULL, &diagnostic), JC_OK);
	assert_string_equal(jc_skeleton_name(skeleton), "second");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 17);
	jc_skeleton_destroy(skeleton);
	assert_int_equal(read_text(document.text, 1, &skeleton, NULL, &diagnostic), JC_OK);
	assert_string_equal(jc_skeleton_name(skeleton), "first");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	jc_skeleton_destroy(skeleton);
	assert_int_not_equal(read_text(document.text, 2, &skeleton, NULL, &diagnostic), JC_OK);
	assert_string_equal(diagnostic.what, "there is no humanoid 2: the file has 2");
	free(document.text);
}

static void without_a_skin_uses_names_only(void **)
{
	struct document document;
	struct jc_skeleton *skeleton;

	begin(&document);
	put(&document, "Scene", 0, 0, 0, "1");
	put_figure(&document, "", 1, ARMS_LEVEL);
	skeleton = read_document(&document, "");
	assert_string_equal(jc_skeleton_family(skeleton), "motionbuilder");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HEAD), 4);
	jc_skeleton_destroy(skeleton);
}

/* In a skin, and in a scene without one. */
static void rejects_an_animal_with_human_names(void **)
{
	static const char *const members[] = { ALL_JOINTS, "" };

	for (int m = 0; m < 2; m++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton = NULL;
		struct document document;

		begin(&document);
		put(&document, "Armature", 0, 0, 0, "1");
		put_figure(&document, "mixamorig:", 1, ON_FOUR_LEGS);
		end(&document, members[m]);
		assert_int_equal(read_text(document.text, 0, &skeleton, NULL, &diagnostic),
			JC_ERROR_NO_HUMANOID);
		assert_string_equal(diagnostic.what,
			"no humanoid: arms, legs and trunk are those of an animal");
		free(document.text);
	}
}

/* Scenes may show a human in any pose. */
static void recognises_a_human_on_hands_and_feet(void **)
{
	struct document document;
	struct jc_skeleton *skeleton;

	begin(&document);
	put(&document, "Scene", 0, 0, 0, "1");
	put_figure(&document, "mixamorig:", 1, ON_HANDS_AND_FEET);
	skeleton = read_document(&document, "");
	assert_string_equal(jc_skeleton_family(skeleton), "mixamo");
	jc_skeleton_destroy(skeleton);
}

/* Names alone show a bust with hands; the shape of the skin shows a dinosaur: short legs, a
 * tail, a trunk that leans. */
static void an_animal_in_a_skin_is_not_searched_again_by_names(void **)
{
	static const struct {
		const char *name;
		float place[3];
		const char *children;
	} nodes[] = {
		{ "Hips", { 0, 1, 0 }, "1,10,13,16" },
		{ "Spine", { 0, 0.45f, 0.9f }, "2,4,7" },
		{ "Neck", { 0, 0.1f, 0.2f }, "3" },
		{ "Head", { 0, 0.1f, 0.2f }, "" },
		{ "qa", { 0.1f, 0, 0 }, "5" },
		{ "qb", { 0, -0.3f, 0.05f }, "6" },
		{ "LeftHand", { 0, -0.3f, 0 }, "" },
		{ "qc", { -0.1f, 0, 0 }, "8" },
		{ "qd", { 0, -0.3f, 0.05f }, "9" },
		{ "RightHand", { 0, -0.3f, 0 }, "" },
		{ "qe", { 0.1f, 0, 0 }, "11" },
		{ "qf", { 0, -0.45f, 0.05f }, "12" },
		{ "qg", { 0, -0.45f, 0 }, "17" },
		{ "qh", { -0.1f, 0, 0 }, "14" },
		{ "qi", { 0, -0.45f, 0.05f }, "15" },
		{ "qj", { 0, -0.45f, 0 }, "18" },
		{ "Tail", { 0, 0, -0.5f }, "" },
		{ "qk", { 0, -0.05f, 0.1f }, "" },
		{ "ql", { 0, -0.05f, 0.1f }, "" },
	};
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;
	struct document document;

	begin(&document);
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		put(&document, nodes[i].name, nodes[i].place[0], nodes[i].place[1],
			nodes[i].place[2], nodes[i].children);
	}
	end(&document,
		",\"skins\":[{\"joints\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]}]");
	assert_int_equal(
		read_text(document.text, 0, &skeleton, NULL, &diagnostic), JC_ERROR_NO_HUMANOID);
	assert_string_equal(
		diagnostic.what, "no humanoid: arms, legs and trunk are those of an animal");
	free(document.text);
}

static void rejects_other_files_naming_missing_parts(void **)
{
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "{\"asset\":{\"version\":\"2.0\"}}",
			"no humanoid: a glTF file without any nodes" },
		{ "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"Hips\",\"children\":[1]}"
		  ","
		  "{\"name\":\"Spine\",\"children\":[2]},{\"name\":\"Head\"}],"
		  "\"skins\":[{\"joints\":[0,1,2]}]}",
			"no humanoid: 3 joints, and neither names nor structure show more of a "
			"body "
			"than 30 %; missing: both legs, both feet, both arms, both hands" },
		{ "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"Hips\"}],"
		  "\"extensions\":{\"VRMC_vrm_animation\":{}}}",
			"no humanoid: a VRM animation contains a motion but no figure" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton = NULL;

		assert_int_equal(read_text(cases[i].text, 0, &skeleton, NULL, &diagnostic),
			JC_ERROR_NO_HUMANOID);
		assert_string_equal(diagnostic.what, cases[i].what);
		assert_int_equal(
			read_text(cases[i].text, 0, &skeleton, NULL, NULL), JC_ERROR_NO_HUMANOID);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognises_joints_of_a_skin_by_name),
		cmocka_unit_test(corrects_an_i_pose),
		cmocka_unit_test(accepts_turned_and_scaled_ancestors),
		cmocka_unit_test(bind_pose_is_the_rest),
		cmocka_unit_test(separates_figures_by_their_skins),
		cmocka_unit_test(without_a_skin_uses_names_only),
		cmocka_unit_test(rejects_an_animal_with_human_names),
		cmocka_unit_test(recognises_a_human_on_hands_and_feet),
		cmocka_unit_test(an_animal_in_a_skin_is_not_searched_again_by_names),
		cmocka_unit_test(rejects_other_files_naming_missing_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
