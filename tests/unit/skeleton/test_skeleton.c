/* Valid and invalid descriptions of skeletons, and the values computed from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f

static struct jc_transform offset(float x, float y, float z)
{
	struct jc_transform t = JC_TRANSFORM_IDENTITY;

	t.translation = (struct jc_vec3){ x, y, z };
	return t;
}

static void map_new(struct figure *figure, enum jc_bone bone, int parent, struct jc_transform rest)
{
	figure->description.bones[bone] = figure_add(figure, jc_bone_name(bone), parent, rest);
}

static void builtin_figure_is_complete_and_normalized(void **)
{
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	assert_string_equal(jc_skeleton_name(skeleton), "humanoid");
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_BUILTIN);
	assert_int_equal(jc_skeleton_node_count(skeleton), JC_BONE_COUNT);
	assert_true(jc_skeleton_bone_mask(skeleton) == (UINT64_C(1) << JC_BONE_COUNT) - 1);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;
		struct jc_vec3 expected = jc_bone_rest_position(bone);
		struct jc_vec3 got = jc_mat4_translation(jc_skeleton_rest_worlds(skeleton)[b]);

		assert_int_equal(jc_skeleton_bone_node(skeleton, bone), b);
		assert_int_equal(jc_skeleton_mapped_parent(skeleton, bone), jc_bone_parent(bone));
		assert_float_equal(
			jc_quat_angle(jc_skeleton_t_pose(skeleton, bone), JC_QUAT_IDENTITY), 0.0f,
			0.0f);
		assert_float_equal(jc_vec3_length(jc_vec3_subtract(expected, got)), 0.0f, 1e-6f);
	}
	/* Hips at 0.96 m, toes at 0.015 m (proto/joints.json). */
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.945f, 1e-6f);
	jc_skeleton_destroy(skeleton);
	jc_skeleton_destroy(NULL);
}

static void accepts_any_missing_bone_but_not_all(void **)
{
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;
	struct figure figure;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		figure_init(&figure);
		map_new(&figure, (enum jc_bone)b, -1, offset(0, 1, 0));
		skeleton = figure_make(&figure);
		assert_true(jc_skeleton_bone_mask(skeleton) == UINT64_C(1) << b);
		assert_int_equal(
			jc_skeleton_mapped_parent(skeleton, (enum jc_bone)b), JC_BONE_NONE);
		jc_skeleton_destroy(skeleton);
	}
	figure_init(&figure);
	figure_add(&figure, "", -1, offset(0, 1, 0));
	assert_int_equal(jc_skeleton_create(&figure.description, &skeleton, &diagnostic),
		JC_ERROR_NO_HUMANOID);
	figure.description.node_count = 0;
	assert_int_equal(jc_skeleton_create(&figure.description, &skeleton, &diagnostic),
		JC_ERROR_NO_HUMANOID);
}

/* hips - spine - head; every case makes it invalid in one way. */
static void init_good(struct figure *figure)
{
	figure_init(figure);
	map_new(figure, JC_BONE_HIPS, -1, offset(0, 1, 0));
	map_new(figure, JC_BONE_SPINE, 0, offset(0, 0.2f, 0));
	map_new(figure, JC_BONE_HEAD, 1, offset(0, 0.4f, 0));
}

static void expect_refused(const struct figure *figure, int error, const char *where)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = (struct jc_skeleton *)&diagnostic;

	assert_int_equal(jc_skeleton_create(&figure->description, &skeleton, &diagnostic), error);
	assert_string_equal(diagnostic.where, where);
	assert_true(strlen(diagnostic.what) > 0);
	assert_ptr_equal(skeleton, &diagnostic); /* outputs are written on success only */
}

static void rejects_contradictions_naming_the_place(void **)
{
	struct figure figure;

	init_good(&figure);
	figure.description.bones[JC_BONE_CHEST] = 3;
	expect_refused(&figure, JC_ERROR_INVALID, "bones.chest");
	init_good(&figure);
	figure.description.bones[JC_BONE_CHEST] = 1;
	expect_refused(&figure, JC_ERROR_INVALID, "bones.chest");
	init_good(&figure);
	figure.description.bones[JC_BONE_HIPS] = 1; /* spine above the hips */
	figure.description.bones[JC_BONE_SPINE] = 0;
	expect_refused(&figure, JC_ERROR_INVALID, "bones.hips");
	init_good(&figure); /* a node that does not exist between head and spine */
	map_new(&figure, JC_BONE_LEFT_HAND, 1, offset(0, 0, 0));
	figure.nodes[2].parent = 3;
	expect_refused(&figure, JC_ERROR_INVALID, "bones.head");
	init_good(&figure);
	figure.nodes[0].parent = 2;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[0]");
	init_good(&figure);
	figure.nodes[1].parent = 3;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[1]");
	init_good(&figure);
	figure.nodes[1].parent = -2;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[1]");
}

static void rejects_invalid_transforms(void **)
{
	struct figure figure;

	init_good(&figure);
	figure.nodes[2].rest.translation.y = NAN;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[2]");
	init_good(&figure);
	figure.nodes[2].rest.translation.y = 2e6f;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[2]");
	init_good(&figure);
	figure.nodes[1].rest.scale.z = INFINITY;
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[1]");
	init_good(&figure);
	figure.nodes[0].rest.rotation = (struct jc_quat){ 0, 0, 0, 0 };
	expect_refused(&figure, JC_ERROR_INVALID, "nodes[0]");
	init_good(&figure);
	figure.description.facing.x = NAN;
	expect_refused(&figure, JC_ERROR_INVALID, "facing");
	init_good(&figure);
	figure.description.corrections[JC_BONE_HEAD].w = 3.0f;
	expect_refused(&figure, JC_ERROR_INVALID, "corrections.head");
	init_good(&figure); /* each is within the limits, their product is not */
	figure.nodes[0].rest.scale = (struct jc_vec3){ 1e6f, 1e6f, 1e6f };
	figure.nodes[1].rest.translation.y = 1e6f;
	expect_refused(&figure, JC_ERROR_LIMIT, "nodes[1]");
}

static void rejects_hips_below_a_node_of_zero_scale(void **)
{
	struct figure figure;

	figure_init(&figure);
	figure_add(&figure, "", -1, offset(0, 0, 0));
	figure.nodes[0].rest.scale = (struct jc_vec3){ 1, 0, 1 };
	map_new(&figure, JC_BONE_HIPS, 0, offset(0, 1, 0));
	expect_refused(&figure, JC_ERROR_INVALID, "bones.hips");
}

static void enforces_limits(void **)
{
	struct jc_skeleton_node *many = calloc(JC_LIMIT_NODES + 1u, sizeof(*many));
	struct jc_virtual_transform *virtuals =
		calloc(JC_LIMIT_VIRTUAL_TRANSFORMS + 1u, sizeof(*virtuals));
	const char *tags[JC_LIMIT_TAGS + 1];
	char name[JC_LIMIT_NAME_BYTES + 1] = "";
	struct figure figure;

	assert_non_null(many);
	assert_non_null(virtuals);
	for (size_t i = 0; i <= JC_LIMIT_NODES; i++) {
		many[i] = (struct jc_skeleton_node){ "", (int)i - 1, JC_TRANSFORM_IDENTITY };
	}
	init_good(&figure);
	figure.description.nodes = many;
	figure.description.node_count = JC_LIMIT_NODES + 1u;
	expect_refused(&figure, JC_ERROR_LIMIT, "nodes");
	figure.description.node_count = JC_LIMIT_DEPTH + 1u;
	expect_refused(&figure, JC_ERROR_LIMIT, "nodes[512]");

	memset(name, 'n', JC_LIMIT_NAME_BYTES);
	init_good(&figure);
	figure.nodes[1].name = name;
	expect_refused(&figure, JC_ERROR_LIMIT, "nodes[1].name");
	init_good(&figure);
	figure.description.name = name;
	expect_refused(&figure, JC_ERROR_LIMIT, "name");

	for (size_t i = 0; i <= JC_LIMIT_VIRTUAL_TRANSFORMS; i++) {
		virtuals[i] = (struct jc_virtual_transform){
			.name = "", .parent = -1, .offset = JC_TRANSFORM_IDENTITY, .tags = tags
		};
	}
	init_good(&figure);
	figure.description.virtual_transforms = virtuals;
	figure.description.virtual_transform_count = JC_LIMIT_VIRTUAL_TRANSFORMS + 1u;
	expect_refused(&figure, JC_ERROR_LIMIT, "virtualTransforms");
	figure.description.virtual_transform_count = 3;
	virtuals[2].tag_count = JC_LIMIT_TAGS + 1u;
	expect_refused(&figure, JC_ERROR_LIMIT, "virtualTransforms[2].tags");
	virtuals[2].tag_count = 0;
	virtuals[1].parent = 3;
	expect_refused(&figure, JC_ERROR_INVALID, "virtualTransforms[1].parent");
	free(virtuals);
	free(many);
}

/* Feet at 0.1, one toe at -0.05, hips at 1. */
static void the_floor_is_the_lowest_foot_or_toe(void **)
{
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 1, 0));
	map_new(&figure, JC_BONE_LEFT_FOOT, 0, offset(0.1f, -0.9f, 0));
	map_new(&figure, JC_BONE_RIGHT_FOOT, 0, offset(-0.1f, -0.9f, 0));
	map_new(&figure, JC_BONE_RIGHT_TOES, 2, offset(0, -0.15f, 0.1f));
	skeleton = figure_make(&figure);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.05f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* The same feet on a ground that the format puts at -0.2: the hips are at 1. With the
 * ground at 1.5 the hips would be below it, so the toe at -0.05 is used again. */
static void given_floor_is_used_if_the_hips_are_above_it(void **)
{
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 1, 0));
	map_new(&figure, JC_BONE_LEFT_FOOT, 0, offset(0.1f, -0.9f, 0));
	map_new(&figure, JC_BONE_LEFT_TOES, 1, offset(0, -0.15f, 0.1f));
	figure.description.has_floor = true;
	figure.description.floor = -0.2f;
	skeleton = figure_make(&figure);
	assert_true(jc_skeleton_has_floor(skeleton));
	assert_float_equal(jc_skeleton_floor(skeleton), -0.2f, 0.0f);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.2f, 1e-6f);
	jc_skeleton_destroy(skeleton);

	figure.description.floor = 1.5f;
	skeleton = figure_make(&figure);
	assert_false(jc_skeleton_has_floor(skeleton));
	assert_float_equal(jc_skeleton_floor(skeleton), -0.05f, 1e-6f);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.05f, 1e-6f);
	jc_skeleton_destroy(skeleton);

	figure.description.floor = NAN;
	expect_refused(&figure, JC_ERROR_INVALID, "floor");
}

/* Hips at 0.4, hip joints at 0.9, feet at 0.1. */
static float height_of_low_hips(enum jc_skeleton_format format, bool has_floor)
{
	struct jc_skeleton *skeleton;
	struct figure figure;
	float height;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 0.4f, 0));
	map_new(&figure, JC_BONE_LEFT_UPPER_LEG, 0, offset(0.1f, 0.5f, 0));
	map_new(&figure, JC_BONE_RIGHT_UPPER_LEG, 0, offset(-0.1f, 0.5f, 0));
	map_new(&figure, JC_BONE_LEFT_FOOT, 1, offset(0, -0.8f, 0));
	map_new(&figure, JC_BONE_RIGHT_FOOT, 2, offset(0, -0.8f, 0));
	figure.description.format = format;
	figure.description.has_floor = has_floor;
	skeleton = figure_make(&figure);
	height = jc_skeleton_hips_height(skeleton);
	jc_skeleton_destroy(skeleton);
	return height;
}

static void hips_below_the_hip_joints_count_only_for_vrm(void **)
{
	assert_float_equal(height_of_low_hips(JC_SKELETON_GLTF, false), 0.8f, 1e-6f);
	assert_float_equal(height_of_low_hips(JC_SKELETON_HANIM, false), 0.8f, 1e-6f);
	assert_float_equal(height_of_low_hips(JC_SKELETON_BVH, true), 0.9f, 1e-6f);
	assert_float_equal(height_of_low_hips(JC_SKELETON_VRM1, true), 0.4f, 1e-6f);
	assert_float_equal(height_of_low_hips(JC_SKELETON_DESCRIPTOR, true), 0.4f, 1e-6f);
}

static void without_feet_the_floor_is_at_zero(void **)
{
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 0.8f, 0));
	skeleton = figure_make(&figure);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.8f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* Hips at the origin of a figure that lies on its back: no height, but legs. */
static void without_a_height_uses_leg_length_else_one(void **)
{
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 0, 0));
	skeleton = figure_make(&figure);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.0f, 0.0f);
	jc_skeleton_destroy(skeleton);

	map_new(&figure, JC_BONE_LEFT_UPPER_LEG, 0, offset(0.1f, 0, 0));
	map_new(&figure, JC_BONE_LEFT_LOWER_LEG, 1, offset(0, 0, 0.4f));
	map_new(&figure, JC_BONE_LEFT_FOOT, 2, offset(0, 0, 0.3f));
	skeleton = figure_make(&figure);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.7f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* The leg rests forward; K turns it down by 90 degrees about +X, in a model space that
 * faces -Z, where forward is -Z. */
static void height_is_measured_in_the_t_pose(void **)
{
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 0.5f, 0));
	map_new(&figure, JC_BONE_LEFT_UPPER_LEG, 0, offset(0, 0, 0));
	map_new(&figure, JC_BONE_LEFT_FOOT, 1, offset(0, 0, -0.9f));
	figure.description.facing = (struct jc_quat){ 0, 1, 0, 0 };
	figure.description.corrections[JC_BONE_LEFT_UPPER_LEG] =
		(struct jc_quat){ -HALF, 0, 0, HALF }; /* -Z to -Y */
	skeleton = figure_make(&figure);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.9f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* W and P in canonical space: F^-1 K W_rest, and the parent of a root is the file. */
static void t_pose_rotations_are_canonical(void **)
{
	const struct jc_quat z90 = { 0, 0, HALF, HALF };
	const struct jc_quat x90 = { HALF, 0, 0, HALF };
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 1, 0));
	figure.nodes[0].rest.rotation = z90;
	figure.description.facing = x90; /* Z up: canonical +Y is +Z */
	skeleton = figure_make(&figure);
	assert_float_equal(jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_HIPS),
				   jc_quat_multiply(jc_quat_conjugate(x90), z90)),
		0.0f, 1e-6f);
	assert_float_equal(jc_quat_angle(jc_skeleton_parent_t_pose(skeleton, JC_BONE_HIPS),
				   jc_quat_conjugate(x90)),
		0.0f, 1e-6f);
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_JAW), JC_QUAT_IDENTITY), 0.0f,
		0.0f);
	jc_skeleton_destroy(skeleton);
}

static void copies_names_and_makes_them_utf8(void **)
{
	char name[] = "H\xc3\xbc"
		      "fte";
	char latin[] = "H\xfc"
		       "fte";
	struct jc_skeleton *skeleton;
	struct figure figure;

	figure_init(&figure);
	map_new(&figure, JC_BONE_HIPS, -1, offset(0, 1, 0));
	figure.nodes[0].name = name;
	figure.description.name = latin;
	skeleton = figure_make(&figure);
	memset(name, 'x', 3);
	assert_string_equal(jc_skeleton_nodes(skeleton)[0].name, "H\xc3\xbc"
								 "fte");
	assert_string_equal(jc_skeleton_name(skeleton), "H?fte");
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builtin_figure_is_complete_and_normalized),
		cmocka_unit_test(accepts_any_missing_bone_but_not_all),
		cmocka_unit_test(rejects_contradictions_naming_the_place),
		cmocka_unit_test(rejects_invalid_transforms),
		cmocka_unit_test(rejects_hips_below_a_node_of_zero_scale),
		cmocka_unit_test(enforces_limits),
		cmocka_unit_test(the_floor_is_the_lowest_foot_or_toe),
		cmocka_unit_test(given_floor_is_used_if_the_hips_are_above_it),
		cmocka_unit_test(hips_below_the_hip_joints_count_only_for_vrm),
		cmocka_unit_test(without_feet_the_floor_is_at_zero),
		cmocka_unit_test(without_a_height_uses_leg_length_else_one),
		cmocka_unit_test(height_is_measured_in_the_t_pose),
		cmocka_unit_test(t_pose_rotations_are_canonical),
		cmocka_unit_test(copies_names_and_makes_them_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
