/* Conversion of poses to nodes and back. Expected values are computed by hand, or by a
 * forward kinematics in canonical space without local rotations: D_b = D_parent N_b O_b. */
#include <math.h>

#include "figures.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define HALF 0.70710678f

static const struct jc_quat identity = { 0, 0, 0, 1 };
static const struct jc_quat x90 = { HALF, 0, 0, HALF };
static const struct jc_quat y90 = { 0, HALF, 0, HALF };
static const struct jc_quat y180 = { 0, 1, 0, 0 };

static struct jc_transform at(float x, float y, float z, struct jc_quat rotation)
{
	return (struct jc_transform){ { x, y, z }, rotation, { 1, 1, 1 } };
}

static void assert_vec3(struct jc_vec3 v, float x, float y, float z, float within)
{
	assert_float_equal(v.x, x, within);
	assert_float_equal(v.y, y, within);
	assert_float_equal(v.z, z, within);
}

static void assert_same_rotation(struct jc_quat a, struct jc_quat b, float within)
{
	assert_float_equal(jc_quat_angle(a, b), 0.0f, within);
}

/* R of every mapped bone from its N, as struct jc_skeleton_pose defines it. */
static struct jc_skeleton_pose fit(
	const struct jc_skeleton *skeleton, const struct jc_quat n[JC_BONE_COUNT])
{
	struct jc_skeleton_pose pose = { .hips_translation = { 0, 0, 0 } };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		pose.rotations[b] = JC_QUAT_IDENTITY;
		if (node >= 0) {
			struct jc_quat l = jc_skeleton_nodes(skeleton)[node].rest.rotation;
			struct jc_quat p = jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)b);
			struct jc_quat w = jc_skeleton_t_pose(skeleton, (enum jc_bone)b);

			w = jc_quat_multiply(jc_skeleton_offset(skeleton, (enum jc_bone)b), w);
			pose.rotations[b] = jc_quat_multiply(jc_quat_conjugate(l),
				jc_quat_multiply(jc_quat_conjugate(p), jc_quat_multiply(n[b], w)));
		}
	}
	return pose;
}

static void identity_pose_keeps_the_nodes_of_the_file(void **)
{
	uint32_t seed = 1;
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_skeleton_pose pose = { .hips_translation = { 0, 0, 0 } };
	struct jc_transform locals[FIGURE_NODES];

	figure_init_random(&figure, &seed);
	skeleton = figure_make(&figure);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = JC_QUAT_IDENTITY;
	}
	jc_skeleton_locals(skeleton, &pose, locals);
	for (size_t i = 0; i < figure.description.node_count; i++) {
		assert_same_rotation(locals[i].rotation, figure.nodes[i].rest.rotation, 1e-6f);
		assert_memory_equal(&locals[i].translation, &figure.nodes[i].rest.translation,
			sizeof(struct jc_vec3));
	}
	jc_skeleton_destroy(skeleton);
}

/* hips - turned node - spine. N turns the spine about +X in canonical space; in a parent
 * turned 90 degrees about +Y that axis is +Z. */
static void turned_nodes_between_bones_do_not_change_the_pose(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_quat n[JC_BONE_COUNT] = { [JC_BONE_HIPS] = identity, [JC_BONE_SPINE] = x90 };
	struct jc_transform locals[3];
	struct jc_skeleton_pose pose;
	int spine;

	figure_init(&figure);
	figure.description.bones[JC_BONE_HIPS] = figure_add(&figure, "", -1, at(0, 1, 0, identity));
	figure_add(&figure, "", 0, at(0, 0.1f, 0, y90));
	spine = figure_add(&figure, "", 1, at(0, 0.1f, 0, identity));
	figure.description.bones[JC_BONE_SPINE] = spine;
	skeleton = figure_make(&figure);
	assert_same_rotation(jc_skeleton_parent_t_pose(skeleton, JC_BONE_SPINE), y90, 1e-6f);
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_SPINE), JC_BONE_HIPS);
	pose = fit(skeleton, n);
	jc_skeleton_locals(skeleton, &pose, locals);
	assert_same_rotation(locals[spine].rotation, (struct jc_quat){ 0, 0, HALF, HALF }, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* VRM 0.x: for a figure that faces -Z, (x, y, z, w) becomes (-x, y, -z, w). */
static void turns_a_figure_that_faces_minus_z(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_quat n[JC_BONE_COUNT] = { [JC_BONE_HIPS] = { 0.1f, 0.2f, 0.3f, 0.92736185f } };
	struct jc_transform locals[1];
	struct jc_skeleton_pose pose;

	figure_init(&figure);
	figure.description.facing = y180;
	figure.description.bones[JC_BONE_HIPS] = figure_add(&figure, "", -1, at(0, 1, 0, identity));
	skeleton = figure_make(&figure);
	pose = fit(skeleton, n);
	pose.hips_translation = (struct jc_vec3){ 1, 2, 3 };
	jc_skeleton_locals(skeleton, &pose, locals);
	assert_same_rotation(
		locals[0].rotation, (struct jc_quat){ -0.1f, 0.2f, -0.3f, 0.92736185f }, 1e-6f);
	assert_vec3(locals[0].translation, -1, 3, -3, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* The left arm rests 45 degrees below the T-pose and K raises it by that angle: a hand at
 * (1, -1) at rest is at (sqrt 2, 0) in the T-pose. */
static void corrections_bring_the_rest_into_the_t_pose(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_quat n[JC_BONE_COUNT];
	struct jc_quat raise = { 0, 0, 0.38268343f, 0.92387953f }; /* 45 degrees about +Z */
	struct jc_transform locals[2];
	struct jc_mat4 worlds[2];
	struct jc_skeleton_pose pose;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		n[b] = identity;
	}
	figure_init(&figure);
	figure.description.bones[JC_BONE_LEFT_UPPER_ARM] =
		figure_add(&figure, "", -1, at(0, 1, 0, identity));
	figure.description.bones[JC_BONE_LEFT_HAND] =
		figure_add(&figure, "", 0, at(1, -1, 0, identity));
	figure.description.corrections[JC_BONE_LEFT_UPPER_ARM] = raise;
	figure.description.corrections[JC_BONE_LEFT_HAND] = raise;
	skeleton = figure_make(&figure);
	assert_same_rotation(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM), raise, 1e-6f);
	assert_same_rotation(
		jc_skeleton_parent_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM), identity, 1e-6f);
	assert_same_rotation(jc_skeleton_parent_t_pose(skeleton, JC_BONE_LEFT_HAND), raise, 1e-6f);
	pose = fit(skeleton, n);
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	assert_vec3(jc_mat4_translation(worlds[1]), 1.41421356f, 1, 0, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* The style of Blender: centimetres and Z up below a node that scales by 0.01 and turns
 * -90 degrees about +X. One metre up is 100 along the local +Z. */
static void hips_move_by_metres_below_scaled_and_turned_parents(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_skeleton_pose pose = { .hips_translation = { 0, 1, 0 } };
	struct jc_transform root = at(5, 6, 7, (struct jc_quat){ -HALF, 0, 0, HALF });
	struct jc_transform locals[2];
	struct jc_pose back;

	root.scale = (struct jc_vec3){ 0.01f, 0.01f, 0.01f };
	figure_init(&figure);
	figure_add(&figure, "", -1, root);
	figure.description.bones[JC_BONE_HIPS] = figure_add(&figure, "", 0, at(0, 0, 90, identity));
	skeleton = figure_make(&figure);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = JC_QUAT_IDENTITY;
	}
	jc_skeleton_locals(skeleton, &pose, locals);
	assert_vec3(locals[1].translation, 0, 0, 190, 1e-4f);
	/* Hips at y = 6 + 0.9 above a floor at 0. */
	assert_float_equal(jc_skeleton_hips_height(skeleton), 6.9f, 1e-5f);
	jc_skeleton_normalize(skeleton, locals, &back);
	assert_vec3(back.hips_translation, 0, 1.0f / 6.9f, 0, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

static void worlds_follow_parents_in_any_order(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_mat4 worlds[3];
	struct jc_transform locals[3] = {
		at(0, 0, 1, identity), /* below 2 */
		at(1, 0, 0, y90),      /* root */
		at(0, 2, 0, x90),      /* below 1 */
	};

	figure_init(&figure);
	figure_add(&figure, "", 2, locals[0]);
	figure_add(&figure, "", -1, locals[1]);
	figure_add(&figure, "", 1, locals[2]);
	figure.description.bones[JC_BONE_HIPS] = 1;
	skeleton = figure_make(&figure);
	jc_skeleton_worlds(skeleton, locals, worlds);
	/* +Z turned by 90 degrees about +X is -Y, which the rotation about +Y does not
	 * change. */
	assert_vec3(jc_mat4_translation(worlds[0]), 1, 1, 0, 1e-6f);
	assert_vec3(jc_mat4_translation(worlds[2]), 1, 2, 0, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* Compares with canonical space: joint b turns by D_b from its T-pose, including its
 * offset, and its position relative to the parent is that of the T-pose, turned by
 * D_parent. F converts both to the model space of the file. */
static void check_against_canonical(const struct figure *figure, const struct jc_skeleton *skeleton,
	const struct jc_quat n[JC_BONE_COUNT], struct jc_vec3 hips, const struct jc_mat4 *worlds)
{
	const struct jc_skeleton_description *d = &figure->description;
	const struct jc_mat4 *rest = jc_skeleton_rest_worlds(skeleton);
	struct jc_quat deltas[JC_BONE_COUNT]; /* F D F^-1 */

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone above = jc_skeleton_mapped_parent(skeleton, (enum jc_bone)b);
		struct jc_quat own = jc_quat_multiply(n[b], d->offsets[b]);
		struct jc_quat turn = jc_quat_multiply(
			d->facing, jc_quat_multiply(own, jc_quat_conjugate(d->facing)));
		struct jc_vec3 expected, x, axis;
		int node = d->bones[b];
		float size;

		if (node < 0) {
			continue;
		}
		deltas[b] = above == JC_BONE_NONE ? turn : jc_quat_multiply(deltas[above], turn);
		if (above == JC_BONE_NONE) {
			expected = jc_mat4_translation(rest[node]);
		} else {
			struct jc_vec3 offset = jc_vec3_subtract(jc_mat4_translation(rest[node]),
				jc_mat4_translation(rest[d->bones[above]]));

			offset = jc_quat_rotate(
				jc_quat_multiply(deltas[above], d->corrections[above]), offset);
			expected =
				jc_vec3_add(jc_mat4_translation(worlds[d->bones[above]]), offset);
		}
		if (b == JC_BONE_HIPS) {
			expected = jc_vec3_add(expected, jc_quat_rotate(d->facing, hips));
		}
		size = 1.0f + jc_vec3_length(expected);
		assert_float_equal(jc_vec3_length(jc_vec3_subtract(
					   expected, jc_mat4_translation(worlds[node]))),
			0.0f, 2e-5f * size);
		/* The x axis of the node: at rest, corrected, turned. */
		x = (struct jc_vec3){ rest[node].m[0], rest[node].m[1], rest[node].m[2] };
		axis = (struct jc_vec3){ worlds[node].m[0], worlds[node].m[1], worlds[node].m[2] };
		x = jc_quat_rotate(jc_quat_multiply(deltas[b], d->corrections[b]), x);
		assert_float_equal(
			jc_vec3_length(jc_vec3_subtract(x, axis)), 0.0f, 2e-5f * jc_vec3_length(x));
	}
}

static void random_figures_match_canonical_forward_kinematics(void **)
{
	uint32_t seed = 20240607;

	for (int run = 0; run < 200; run++) {
		struct jc_quat n[JC_BONE_COUNT];
		struct jc_transform locals[FIGURE_NODES];
		struct jc_mat4 worlds[FIGURE_NODES];
		struct jc_skeleton_pose pose;
		struct jc_skeleton *skeleton;
		struct figure figure;

		figure_init_random(&figure, &seed);
		skeleton = figure_make(&figure);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			n[b] = figure_random_quat(&seed);
		}
		pose = fit(skeleton, n);
		pose.hips_translation = (struct jc_vec3){ figure_random(&seed),
			figure_random(&seed), figure_random(&seed) };
		jc_skeleton_locals(skeleton, &pose, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		check_against_canonical(&figure, skeleton, n, pose.hips_translation, worlds);
		jc_skeleton_destroy(skeleton);
	}
}

static void normalizing_is_the_inverse_of_posing(void **)
{
	uint32_t seed = 4711;

	for (int run = 0; run < 200; run++) {
		struct jc_quat n[JC_BONE_COUNT];
		struct jc_transform locals[FIGURE_NODES];
		struct jc_skeleton_pose pose;
		struct jc_skeleton *skeleton;
		struct jc_pose back;
		struct figure figure;
		float height;

		figure_init_random(&figure, &seed);
		skeleton = figure_make(&figure);
		height = jc_skeleton_hips_height(skeleton);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			n[b] = figure_random_quat(&seed);
		}
		pose = fit(skeleton, n);
		pose.hips_translation = jc_vec3_subtract(
			(struct jc_vec3){ height, -2.0f * height, 0.5f * height },
			jc_quat_displace(n[JC_BONE_HIPS], jc_skeleton_hips_point(skeleton)));
		jc_skeleton_locals(skeleton, &pose, locals);
		jc_skeleton_normalize(skeleton, locals, &back);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			bool mapped = figure.description.bones[b] >= 0;

			assert_int_equal(back.states[b], mapped ? JC_TRACKED : JC_ABSENT);
			assert_same_rotation(back.rotations[b], mapped ? n[b] : identity, 1e-5f);
		}
		if (figure.description.bones[JC_BONE_HIPS] >= 0) {
			float far = jc_vec3_length(jc_mat4_translation(jc_skeleton_rest_worlds(
				skeleton)[figure.description.bones[JC_BONE_HIPS]]));
			float within = 1e-5f * (1.0f + far / height);

			assert_vec3(back.hips_translation, 1.0f, -2.0f, 0.5f, within);
		} else {
			assert_vec3(back.hips_translation, 0, 0, 0, 0);
		}
		jc_skeleton_destroy(skeleton);
	}
}

/* The armature itself is animated: 90 degrees about +Y, and moved by +1 x. */
static void converts_relative_rotations_to_normalized_and_back(void **)
{
	uint32_t seed = 23;

	for (int round = 0; round < 50; round++) {
		struct jc_quat n[JC_BONE_COUNT], r[JC_BONE_COUNT], back[JC_BONE_COUNT];
		struct jc_skeleton_pose expected;
		struct jc_skeleton *skeleton;
		struct figure figure;

		figure_init_random(&figure, &seed);
		skeleton = figure_make(&figure);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			n[b] = figure_random_quat(&seed);
		}
		expected = fit(skeleton, n);
		jc_skeleton_relative(skeleton, n, r);
		jc_skeleton_normalized(skeleton, expected.rotations, back);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			bool mapped = jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0;

			assert_same_rotation(r[b], expected.rotations[b], 2e-6f);
			assert_same_rotation(back[b], mapped ? n[b] : identity, 2e-6f);
		}
		jc_skeleton_destroy(skeleton);
	}
}

static void nodes_above_the_hips_move_the_hips(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_transform locals[2];
	struct jc_pose pose;

	figure_init(&figure);
	figure_add(&figure, "", -1, at(0, 0, 0, identity));
	figure.description.bones[JC_BONE_HIPS] = figure_add(&figure, "", 0, at(0, 2, 1, identity));
	skeleton = figure_make(&figure);
	locals[0] = at(1, 0, 0, y90);
	locals[1] = figure.nodes[1].rest;
	jc_skeleton_normalize(skeleton, locals, &pose);
	assert_same_rotation(pose.rotations[JC_BONE_HIPS], y90, 1e-6f);
	/* (0, 2, 1) turns to (1, 2, 0) and moves to (2, 2, 0): a translation of (2, 0,
	 * -1), and the hips are 2 m high. */
	assert_vec3(pose.hips_translation, 1, 0, -0.5f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

/* A shoulder on the chest beside the upper chest does not turn with the upper chest, but
 * its N is relative to it, as for all bones. */
static void bones_that_skip_a_mapped_parent_are_normalized_by_the_bone_tree(void **)
{
	struct figure figure;
	struct jc_skeleton *skeleton;
	struct jc_transform locals[3];
	struct jc_pose pose;

	figure_init(&figure);
	figure.description.bones[JC_BONE_CHEST] =
		figure_add(&figure, "", -1, at(0, 1, 0, identity));
	figure.description.bones[JC_BONE_UPPER_CHEST] =
		figure_add(&figure, "", 0, at(0, 1, 0, identity));
	figure.description.bones[JC_BONE_LEFT_SHOULDER] =
		figure_add(&figure, "", 0, at(1, 1, 0, identity));
	skeleton = figure_make(&figure);
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_LEFT_SHOULDER), JC_BONE_CHEST);
	for (int i = 0; i < 3; i++) {
		locals[i] = figure.nodes[i].rest;
	}
	locals[1].rotation = x90;
	jc_skeleton_normalize(skeleton, locals, &pose);
	assert_same_rotation(pose.rotations[JC_BONE_UPPER_CHEST], x90, 1e-6f);
	assert_same_rotation(pose.rotations[JC_BONE_LEFT_SHOULDER],
		(struct jc_quat){ -HALF, 0, 0, HALF }, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_pose_keeps_the_nodes_of_the_file),
		cmocka_unit_test(turned_nodes_between_bones_do_not_change_the_pose),
		cmocka_unit_test(turns_a_figure_that_faces_minus_z),
		cmocka_unit_test(corrections_bring_the_rest_into_the_t_pose),
		cmocka_unit_test(hips_move_by_metres_below_scaled_and_turned_parents),
		cmocka_unit_test(worlds_follow_parents_in_any_order),
		cmocka_unit_test(random_figures_match_canonical_forward_kinematics),
		cmocka_unit_test(normalizing_is_the_inverse_of_posing),
		cmocka_unit_test(converts_relative_rotations_to_normalized_and_back),
		cmocka_unit_test(nodes_above_the_hips_move_the_hips),
		cmocka_unit_test(bones_that_skip_a_mapped_parent_are_normalized_by_the_bone_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
