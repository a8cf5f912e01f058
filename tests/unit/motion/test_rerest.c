/* Skeletons in the reference pose. tests/oracle/fixed_agrees.mjs checks meshes and
 * animations with three. */
#include <stdlib.h>

#include "../skeleton/figures.h"
#include "jointcast/rerest.h"
#include "jointcast/transform.h"
#include "jointcast_private/posture.h"
#include "unit_test.h"

static struct jc_skeleton *rerest(const struct jc_skeleton *skeleton)
{
	struct jc_skeleton *rerested = NULL;
	struct jc_lint lint = { 0 };

	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &rerested, &lint, NULL), JC_OK);
	for (size_t i = 0; i < lint.count; i++) {
		/* The built-in figure needs no other change. */
		assert_string_not_equal(lint.entries[i].code, "straightened");
		assert_string_not_equal(lint.entries[i].code, "turned");
	}
	return rerested;
}

/* Bones at the positions of the built-in figure, nodes turned and scaled at random, in a
 * file with its own facing; K is the remainder of a random rest. */
static void make_figure(struct figure *figure, uint32_t *seed)
{
	struct jc_mat4 worlds[FIGURE_NODES];
	struct jc_quat facing = jc_quat_from_axis_angle(
		(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 3.0f * figure_random(seed));
	float scale = 0.02f + 0.01f * figure_random(seed);

	figure_init(figure);
	worlds[0] = jc_mat4_compose((struct jc_transform){
		{ 0.0f, 0.0f, 0.0f }, figure_random_quat(seed), { scale, scale, scale } });
	jc_mat4_decompose(worlds[0], &figure->nodes[0].rest, NULL);
	figure_add(figure, "armature", -1, figure->nodes[0].rest);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone above = jc_bone_parent((enum jc_bone)b);
		int parent = above == JC_BONE_NONE ? 0 : figure->description.bones[above];
		struct jc_mat4 world = jc_mat4_compose((struct jc_transform){
			jc_quat_rotate(facing, jc_bone_rest_position((enum jc_bone)b)),
			figure_random_quat(seed), { scale, scale, scale } });
		struct jc_transform local;
		int node;

		jc_mat4_decompose(
			jc_mat4_multiply(jc_mat4_invert(worlds[parent]), world), &local, NULL);
		node = figure_add(figure, jc_bone_name((enum jc_bone)b), parent, local);
		worlds[node] = world;
		figure->description.bones[b] = node;
	}
	figure->description.facing = facing;
}

static void bones_keep_their_places_and_get_the_reference_axes(void **)
{
	uint32_t seed = 4;

	for (int i = 0; i < 10; i++) {
		struct figure figure;
		struct jc_skeleton *skeleton, *rerested;

		make_figure(&figure, &seed);
		skeleton = figure_make(&figure);
		rerested = rerest(skeleton);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			int node = jc_skeleton_bone_node(rerested, (enum jc_bone)b);
			struct jc_vec3 place =
				jc_mat4_translation(jc_skeleton_rest_worlds(rerested)[node]);
			struct jc_transform world;

			assert_int_equal(node, jc_skeleton_bone_node(skeleton, (enum jc_bone)b));
			assert_true(jc_vec3_length(jc_vec3_subtract(place,
					    jc_bone_rest_position((enum jc_bone)b))) < 2e-6f);
			assert_true(jc_mat4_decompose(
				jc_skeleton_rest_worlds(rerested)[node], &world, NULL));
			assert_true(jc_quat_angle(world.rotation,
					    jc_bone_reference_rotation((enum jc_bone)b)) < 1e-5f);
			assert_float_equal(world.scale.x, 1.0f, 1e-5f);
		}
		assert_float_equal(jc_skeleton_hips_height(rerested),
			jc_skeleton_hips_height(skeleton), 1e-5f);
		assert_float_equal(jc_skeleton_facing(rerested).w, 1.0f, 1e-6f);
		jc_skeleton_destroy(rerested);
		jc_skeleton_destroy(skeleton);
	}
}

static void second_rerest_changes_nothing(void **)
{
	uint32_t seed = 9;
	struct figure figure;
	struct jc_skeleton *skeleton, *once, *twice;

	make_figure(&figure, &seed);
	skeleton = figure_make(&figure);
	once = rerest(skeleton);
	twice = rerest(once);
	for (size_t i = 0; i < jc_skeleton_node_count(once); i++) {
		struct jc_transform a = jc_skeleton_nodes(once)[i].rest;
		struct jc_transform b = jc_skeleton_nodes(twice)[i].rest;

		assert_true(jc_vec3_length(jc_vec3_subtract(a.translation, b.translation)) < 2e-6f);
		assert_true(jc_quat_angle(a.rotation, b.rotation) < 2e-6f);
	}
	jc_skeleton_destroy(twice);
	jc_skeleton_destroy(once);
	jc_skeleton_destroy(skeleton);
}

/* Nodes that are no bones keep their world transforms, turned with the figure. */
static void nodes_below_bones_keep_their_world_transforms(void **)
{
	uint32_t seed = 21;
	struct figure figure;
	struct jc_skeleton *skeleton, *rerested;
	struct jc_transform hat = { { 1.0f, 2.0f, 3.0f }, { 0.5f, 0.5f, 0.5f, 0.5f },
		{ 2.0f, 2.0f, 2.0f } };
	struct jc_mat4 before, after;
	int node;

	make_figure(&figure, &seed);
	node = figure_add(&figure, "hat", figure.description.bones[JC_BONE_HEAD], hat);
	skeleton = figure_make(&figure);
	rerested = rerest(skeleton);
	before = jc_mat4_multiply(
		jc_mat4_compose((struct jc_transform){
			.rotation = jc_quat_conjugate(jc_skeleton_facing(skeleton)),
			.scale = { 1.0f, 1.0f, 1.0f } }),
		jc_skeleton_rest_worlds(skeleton)[node]);
	after = jc_skeleton_rest_worlds(rerested)[node];
	for (int i = 0; i < 16; i++) {
		assert_float_equal(after.m[i], before.m[i], 3e-6f);
	}
	jc_skeleton_destroy(rerested);
	jc_skeleton_destroy(skeleton);
}

static void straightens_arms_that_are_off_the_t_pose(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton, *rerested = NULL;
	struct jc_lint lint = { 0 };
	struct jc_transform at = JC_TRANSFORM_IDENTITY;
	struct jc_posture posture;
	int hips, arm;

	figure_init(&figure);
	at.translation = (struct jc_vec3){ 0.0f, 1.0f, 0.0f };
	hips = figure_add(&figure, "hips", -1, at);
	at.translation = (struct jc_vec3){ 0.2f, 0.4f, 0.0f };
	arm = figure_add(&figure, "arm", hips, at);
	at.translation = (struct jc_vec3){ 0.18f, -0.24f, 0.0f }; /* 3 : 4, 53 degrees down */
	figure.description.bones[JC_BONE_LEFT_LOWER_ARM] = figure_add(&figure, "elbow", arm, at);
	figure.description.bones[JC_BONE_HIPS] = hips;
	figure.description.bones[JC_BONE_LEFT_UPPER_ARM] = arm;
	skeleton = figure_make(&figure);
	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &rerested, &lint, NULL), JC_OK);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "straightened");
	assert_int_equal(lint.entries[0].bone, JC_BONE_LEFT_UPPER_ARM);
	assert_int_equal(jc_posture_measure(rerested, &posture), JC_OK);
	assert_float_equal(posture.bones[JC_BONE_LEFT_UPPER_ARM].rest_angle, 0.0f, 1e-5f);
	assert_float_equal(posture.bones[JC_BONE_LEFT_UPPER_ARM].length, 0.3f, 1e-5f);
	jc_skeleton_destroy(rerested);
	jc_skeleton_destroy(skeleton);
}

static struct jc_vec3 joint(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return jc_mat4_translation(
		jc_skeleton_rest_worlds(skeleton)[jc_skeleton_bone_node(skeleton, bone)]);
}

/* "The bone node directs the +Y axis from the parent joint to the child joint." The roll about the
 * bone stays that of the reference pose; joints are where they were, in every pose. */
static void child_axes_lead_exactly_to_the_child_joint(void **)
{
	static const enum jc_bone pairs[][2] = {
		{ JC_BONE_HIPS, JC_BONE_SPINE },
		{ JC_BONE_NECK, JC_BONE_HEAD },
		{ JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES },
		{ JC_BONE_RIGHT_HAND, JC_BONE_RIGHT_MIDDLE_PROXIMAL },
		{ JC_BONE_RIGHT_LOWER_LEG, JC_BONE_RIGHT_FOOT },
		{ JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_INDEX_INTERMEDIATE },
	};
	struct jc_quat normalized[JC_BONE_COUNT];
	struct jc_skeleton *skeleton, *figures[2];
	struct jc_mat4 worlds[2][FIGURE_NODES];
	struct jc_posture posture;
	uint32_t seed = 5;
	struct figure figure;

	make_figure(&figure, &seed);
	skeleton = figure_make(&figure);
	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &figures[0], NULL, NULL),
		JC_OK);
	assert_int_equal(
		jc_rerest_skeleton(skeleton, JC_BONE_AXES_CHILD, &figures[1], NULL, NULL), JC_OK);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct jc_vec3 way = jc_vec3_subtract(
			joint(figures[1], pairs[i][1]), joint(figures[1], pairs[i][0]));
		struct jc_vec3 along = jc_quat_rotate(jc_skeleton_t_pose(figures[1], pairs[i][0]),
			(struct jc_vec3){ 0.0f, 1.0f, 0.0f });

		assert_true(jc_vec3_angle(along, way) < 1e-4f);
	}
	assert_int_equal(jc_posture_measure(figures[1], &posture), JC_OK);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		normalized[b] = figure_random_quat(&seed);
		assert_true(posture.bones[b].axis_angle < 1e-4f);
		assert_true(posture.bones[b].roll_angle < 1e-4f);
	}
	/* A bone without a child to point at keeps the axes of the reference. */
	assert_true(jc_quat_angle(jc_skeleton_t_pose(figures[1], JC_BONE_HEAD),
			    jc_bone_reference_rotation(JC_BONE_HEAD)) < 1e-5f);
	for (int i = 0; i < 2; i++) {
		struct jc_skeleton_pose pose = { .hips_translation = { 0.1f, 0.2f, 0.3f } };
		struct jc_transform locals[FIGURE_NODES];

		jc_skeleton_relative(figures[i], normalized, pose.rotations);
		jc_skeleton_locals(figures[i], &pose, locals);
		jc_skeleton_worlds(figures[i], locals, worlds[i]);
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		assert_true(jc_vec3_length(jc_vec3_subtract(jc_mat4_translation(worlds[0][node]),
				    jc_mat4_translation(worlds[1][node]))) < 1e-5f);
	}
	jc_skeleton_destroy(figures[0]);
	jc_skeleton_destroy(figures[1]);
	jc_skeleton_destroy(skeleton);
}

static void figure_of_another_format_is_written_as_gltf_and_reads_back(void **)
{
	struct jc_skeleton *skeleton, *again;
	struct jc_lint lint = { 0 };
	struct jc_written file;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	for (int is_binary = 0; is_binary < 2; is_binary++) {
		assert_int_equal(jc_rerest_gltf(skeleton, JC_BONE_AXES_ANATOMIC, NULL, 0, is_binary,
					 &file, NULL, NULL),
			JC_OK);
		assert_int_equal(
			jc_skeleton_read(file.bytes, file.length, 0, NULL, &again, &lint, NULL),
			JC_OK);
		assert_int_equal(jc_skeleton_format(again), JC_SKELETON_EXT);
		assert_int_equal(jc_skeleton_bone_mask(again), jc_skeleton_bone_mask(skeleton));
		for (size_t i = 0; i < lint.count; i++) {
			assert_int_equal(lint.entries[i].severity, JC_NOTE);
		}
		jc_skeleton_destroy(again);
		free(file.bytes);
	}
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_keep_their_places_and_get_the_reference_axes),
		cmocka_unit_test(second_rerest_changes_nothing),
		cmocka_unit_test(nodes_below_bones_keep_their_world_transforms),
		cmocka_unit_test(straightens_arms_that_are_off_the_t_pose),
		cmocka_unit_test(child_axes_lead_exactly_to_the_child_joint),
		cmocka_unit_test(figure_of_another_format_is_written_as_gltf_and_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
