/* Compares the retargeter with forward kinematics in global rotations: a bone's node must have
 * the rotation D W for any rest pose of its file. */
#include <stdlib.h>

#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "reference.h"
#include "unit_test.h"

#define ROOT      0
#define MAX_NODES (1 + 2 * JC_BONE_COUNT)

/* A description of a made-up file, from which its nodes follow. */
struct file {
	bool random_rest;     /* every node turned at random */
	bool between;         /* a turned node between each two bones */
	bool a_pose;          /* arms hang by 40 degrees at rest */
	uint64_t missing;     /* bones it lacks */
	uint64_t detached;    /* bones whose node hangs one bone further up */
	struct matrix facing; /* of its model space */
	struct matrix root;   /* turn of the node above the hips */
	double root_scale;

	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[MAX_NODES];
	struct matrix rest[MAX_NODES];     /* world rotation at rest, file space */
	struct matrix t_pose[MAX_NODES];   /* and in the T-pose */
	struct vector position[MAX_NODES]; /* at rest, metres */
	enum jc_bone above[MAX_NODES];     /* the bone a node follows, or NONE */
};

static struct file file_plain(void)
{
	return (struct file){
		.facing = matrix_identity(),
		.root = matrix_identity(),
		.root_scale = 1.0,
	};
}

static bool is_left_arm(int bone)
{
	return (bone >= JC_BONE_LEFT_UPPER_ARM && bone <= JC_BONE_LEFT_HAND) ||
	       (bone >= JC_BONE_LEFT_THUMB_METACARPAL && bone <= JC_BONE_LEFT_LITTLE_DISTAL);
}

static bool is_right_arm(int bone)
{
	return (bone >= JC_BONE_RIGHT_UPPER_ARM && bone <= JC_BONE_RIGHT_HAND) ||
	       bone >= JC_BONE_RIGHT_THUMB_METACARPAL;
}

/* Canonical rotation from the T-pose to the file's rest. */
static struct matrix rest_turn(const struct file *file, int bone)
{
	if (file->a_pose && is_left_arm(bone)) {
		return matrix_about(0, 0, 1, -40);
	}
	if (file->a_pose && is_right_arm(bone)) {
		return matrix_about(0, 0, 1, 40);
	}
	return matrix_identity();
}

static int add_node(struct file *file, int parent, struct matrix world, struct vector position,
	enum jc_bone above)
{
	struct jc_skeleton_description *description = &file->description;
	int index = (int)description->node_count++;
	struct matrix parent_world = parent < 0 ? matrix_identity() : file->rest[parent];
	struct vector from = parent < 0 ? (struct vector){ { 0, 0, 0 } } : file->position[parent];
	double scale = parent < 0 ? 1.0 : file->root_scale;
	struct matrix inverse = matrix_transpose(parent_world);

	file->rest[index] = world;
	file->position[index] = position;
	file->above[index] = above;
	file->nodes[index] = (struct jc_skeleton_node){
		.name = "",
		.parent = parent,
		.rest = {
			.translation = vector_to(vector_scale(
				matrix_apply(inverse, vector_subtract(position, from)), 1.0 / scale)),
			.rotation = matrix_to_quat(matrix_multiply(inverse, world)),
			.scale = { 1.0f, 1.0f, 1.0f },
		},
	};
	return index;
}

/* Nearest bone above that the file has; a detached bone hangs one further up. */
static enum jc_bone mapped_parent(const struct file *file, enum jc_bone bone)
{
	int skip = (int)(file->detached >> bone & 1);

	do {
		bone = jc_bone_parent(bone);
	} while (bone != JC_BONE_NONE && ((file->missing >> bone & 1) || skip-- > 0));
	return bone;
}

/* Where the joint stands at rest: along the chain of the T-pose, each part
 * turned as the rest turns it. */
static struct vector rest_position(const struct file *file, enum jc_bone bone)
{
	enum jc_bone parent = jc_bone_parent(bone);
	struct vector offset;

	if (parent == JC_BONE_NONE) {
		return vector_from(jc_bone_rest_position(bone));
	}
	offset = vector_subtract(vector_from(jc_bone_rest_position(bone)),
		vector_from(jc_bone_rest_position(parent)));
	return vector_add(
		rest_position(file, parent), matrix_apply(rest_turn(file, (int)parent), offset));
}

static struct jc_skeleton *file_build(struct file *file)
{
	struct jc_skeleton *skeleton = NULL;
	struct jc_diagnostic diagnostic = { 0 };

	jc_skeleton_description_init(&file->description);
	file->description.format = JC_SKELETON_DESCRIPTOR;
	file->description.name = "made up";
	file->description.nodes = file->nodes;
	file->description.facing = matrix_to_quat(file->facing);
	add_node(file, -1, file->root, (struct vector){ { 0, 0, 0 } }, JC_BONE_NONE);
	file->nodes[ROOT].rest.scale = (struct jc_vec3){ (float)file->root_scale,
		(float)file->root_scale, (float)file->root_scale };
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = mapped_parent(file, (enum jc_bone)bone);
		int node = parent == JC_BONE_NONE ? ROOT : file->description.bones[parent];
		struct vector position =
			matrix_apply(file->facing, rest_position(file, (enum jc_bone)bone));
		struct matrix axes = file->random_rest ? random_rotation(180) : matrix_identity();
		struct matrix turn = matrix_multiply(file->facing,
			matrix_multiply(rest_turn(file, bone), matrix_transpose(file->facing)));

		if (file->missing >> bone & 1) {
			continue;
		}
		if (file->between) {
			node = add_node(file, node, random_rotation(180),
				vector_scale(vector_add(position, file->position[node]), 0.5),
				parent);
		}
		node = add_node(
			file, node, matrix_multiply(turn, axes), position, (enum jc_bone)bone);
		file->description.bones[bone] = node;
		file->description.corrections[bone] = matrix_to_quat(matrix_transpose(turn));
	}
	for (size_t i = 0; i < file->description.node_count; i++) {
		enum jc_bone bone = file->above[i];

		file->t_pose[i] =
			bone == JC_BONE_NONE
				? file->rest[i]
				: matrix_multiply(
					  matrix_from_quat(file->description.corrections[bone]),
					  file->rest[i]);
	}
	if (jc_skeleton_create(&file->description, &skeleton, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return skeleton;
}

static struct jc_pose random_pose(void)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.rotations[bone] = matrix_to_quat(random_rotation(bone == 0 ? 180 : 100));
		pose.states[bone] = JC_TRACKED;
	}
	pose.hips_translation = (struct jc_vec3){ (float)random_unit(), (float)random_unit(),
		(float)random_unit() };
	return pose;
}

/* D: the rotation of a bone since the T-pose, for any map. */
static struct matrix global_delta(const struct jc_pose *pose, enum jc_bone bone)
{
	struct matrix delta = matrix_identity();

	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		delta = matrix_multiply(matrix_from_quat(pose->rotations[bone]), delta);
	}
	return delta;
}

static struct matrix world_rotation(const struct jc_mat4 *world, double scale)
{
	struct matrix rotation;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			rotation.m[i][j] = (double)world->m[j * 4 + i] / scale;
		}
	}
	return rotation;
}

/* Every node of the posed file, rotation and place, against global deltas. */
static void check_pose(const struct file *file, const struct jc_skeleton *skeleton,
	const struct jc_mat4 *worlds, const struct jc_pose *pose)
{
	struct matrix back = matrix_transpose(file->facing);
	struct matrix rotation[MAX_NODES];
	struct vector position[MAX_NODES];
	double height = (double)jc_skeleton_hips_height(skeleton);

	for (size_t i = 0; i < file->description.node_count; i++) {
		int parent = file->nodes[i].parent;
		enum jc_bone bone = file->above[i];
		double scale = file->root_scale;
		struct vector at;

		rotation[i] = file->rest[i];
		position[i] = file->position[i];
		if (bone != JC_BONE_NONE) {
			rotation[i] = matrix_multiply(
				matrix_multiply(file->facing, global_delta(pose, bone)),
				matrix_multiply(back, file->t_pose[i]));
		}
		if (parent >= 0) {
			struct vector offset = vector_scale(
				vector_from(file->nodes[i].rest.translation), file->root_scale);

			position[i] = vector_add(
				position[parent], matrix_apply(rotation[parent], offset));
		}
		if (bone == JC_BONE_HIPS && (int)i == file->description.bones[JC_BONE_HIPS]) {
			position[i] = vector_add(position[i],
				matrix_apply(file->facing,
					vector_scale(vector_from(pose->hips_translation), height)));
		}
		at = (struct vector){ { (double)worlds[i].m[12], (double)worlds[i].m[13],
			(double)worlds[i].m[14] } };
		if (!(matrix_difference(world_rotation(&worlds[i], scale), rotation[i]) < 1e-5) ||
			!(vector_distance(at, position[i]) < 1e-5)) {
			fail_msg("node %zu, which follows '%s', is off by %g and %g m", i,
				bone == JC_BONE_NONE ? "none" : jc_bone_name(bone),
				matrix_difference(world_rotation(&worlds[i], scale), rotation[i]),
				vector_distance(at, position[i]));
		}
	}
}

static void apply(const struct jc_skeleton *skeleton, const struct jc_pose *pose,
	struct jc_skeleton_pose *out_pose)
{
	struct jc_retargeter *retargeter = NULL;

	assert_int_equal(jc_retargeter_create(skeleton, &retargeter), JC_OK);
	jc_retargeter_apply(retargeter, pose, out_pose);
	jc_retargeter_destroy(retargeter);
}

/* The two ways to N of a skeleton's bones. */
static void check_folded(const struct jc_skeleton *skeleton, const struct jc_pose *pose,
	const struct jc_skeleton_pose *posed)
{
	struct jc_quat normalized[JC_BONE_COUNT], rotations[JC_BONE_COUNT];
	uint8_t states[JC_BONE_COUNT];
	struct jc_vec3 hips;
	struct jc_retargeter *retargeter = NULL;

	jc_skeleton_normalized(skeleton, posed->rotations, normalized);
	assert_int_equal(jc_retargeter_create(skeleton, &retargeter), JC_OK);
	jc_retargeter_fold(retargeter, pose, rotations, states, &hips);
	jc_retargeter_destroy(retargeter);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_true(jc_quat_angle(rotations[bone], normalized[bone]) < 1e-5f);
	}
	assert_memory_equal(states, posed->states, sizeof(states));
	assert_memory_equal(&hips, &posed->hips_translation, sizeof(hips));
}

/* A pose that was folded, and taken back, is folded to the same again. */
static void check_unfolded(const struct jc_skeleton *skeleton, const struct jc_pose *pose)
{
	struct jc_quat rotations[2][JC_BONE_COUNT];
	uint8_t states[2][JC_BONE_COUNT];
	struct jc_vec3 hips[2];
	struct jc_retargeter *retargeter;
	struct jc_pose back;

	assert_int_equal(jc_retargeter_create(skeleton, &retargeter), JC_OK);
	jc_retargeter_fold(retargeter, pose, rotations[0], states[0], &hips[0]);
	jc_retargeter_unfold(retargeter, rotations[0], states[0], hips[0], &back);
	jc_retargeter_fold(retargeter, &back, rotations[1], states[1], &hips[1]);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_true(jc_quat_angle(rotations[0][bone], rotations[1][bone]) < 1e-5f);
	}
	assert_memory_equal(states[0], states[1], sizeof(states[0]));
	assert_true(jc_vec3_length(jc_vec3_subtract(hips[0], hips[1])) < 1e-5f);
	jc_retargeter_destroy(retargeter);
}

static void check_file(struct file file, unsigned seed)
{
	struct jc_skeleton *skeleton;
	struct jc_transform locals[MAX_NODES];
	struct jc_mat4 worlds[MAX_NODES];

	random_start(seed);
	skeleton = file_build(&file);
	for (int i = 0; i < 20; i++) {
		struct jc_pose pose = random_pose();
		struct jc_skeleton_pose posed;

		apply(skeleton, &pose, &posed);
		jc_skeleton_locals(skeleton, &posed, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		check_pose(&file, skeleton, worlds, &pose);
		check_folded(skeleton, &pose, &posed);
		check_unfolded(skeleton, &pose);
	}
	jc_skeleton_destroy(skeleton);
}

static void plain_rest_reaches_global_rotations(void **)
{
	check_file(file_plain(), 1);
}

static void random_rest_rotations_do_not_matter(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	check_file(file, 2);
}

static void rotated_nodes_between_bones_do_not_matter(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.between = true;
	check_file(file, 3);
}

static void rotations_of_missing_bones_are_added_to_the_bones_below(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.between = true;
	file.missing = (uint64_t)1 << JC_BONE_SPINE | (uint64_t)1 << JC_BONE_CHEST |
		       (uint64_t)1 << JC_BONE_UPPER_CHEST | (uint64_t)1 << JC_BONE_NECK |
		       (uint64_t)1 << JC_BONE_LEFT_SHOULDER | (uint64_t)1 << JC_BONE_LEFT_TOES |
		       (uint64_t)1 << JC_BONE_RIGHT_INDEX_INTERMEDIATE;
	check_file(file, 4);
}

static void bone_on_another_branch_includes_the_bones_it_skips(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.between = true;
	file.detached = (uint64_t)1 << JC_BONE_LEFT_SHOULDER | (uint64_t)1 << JC_BONE_HEAD |
			(uint64_t)1 << JC_BONE_LEFT_LOWER_LEG;
	check_file(file, 14);
	file.missing = (uint64_t)1 << JC_BONE_UPPER_CHEST | (uint64_t)1 << JC_BONE_SPINE;
	check_file(file, 15);
}

static void turns_a_figure_that_faces_minus_z(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.facing = matrix_about(0, 1, 0, 180);
	check_file(file, 5);
}

static void turns_a_figure_with_z_up(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.between = true;
	file.facing = matrix_about(1, 0, 0, 90);
	check_file(file, 6);
}

static void corrects_a_posed_rest(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.between = true;
	file.a_pose = true;
	check_file(file, 7);
}

static void moves_hips_below_turned_and_scaled_parents(void **)
{
	struct file file = file_plain();

	file.random_rest = true;
	file.root = matrix_about(1, 0, 0, -90);
	file.root_scale = 0.01;
	file.facing = matrix_about(0, 1, 0, 180);
	check_file(file, 8);
}

static void assert_quat(struct jc_quat q, float x, float y, float z, float w)
{
	struct matrix expected = matrix_from_quat((struct jc_quat){ x, y, z, w });

	if (!(matrix_difference(matrix_from_quat(q), expected) < 1e-6)) {
		fail_msg("(%g %g %g %g) instead of (%g %g %g %g)", (double)q.x, (double)q.y,
			(double)q.z, (double)q.w, (double)x, (double)y, (double)z, (double)w);
	}
}

/* A hierarchy in which node i is under node i - 1. */
static struct jc_skeleton *make_chain(
	size_t count, const enum jc_bone *bones, const struct jc_transform *rests)
{
	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[8];
	struct jc_skeleton *skeleton = NULL;

	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_DESCRIPTOR;
	description.name = "chain";
	description.node_count = count;
	description.nodes = nodes;
	for (size_t i = 0; i < count; i++) {
		nodes[i] = (struct jc_skeleton_node){ "", (int)i - 1, rests[i] };
		if (bones[i] != JC_BONE_NONE) {
			description.bones[bones[i]] = (int)i;
		}
	}
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	return skeleton;
}

#define H 0.70710678f /* sine of 45 degrees */

/* The lower arm's node has +Y along the bone and +X as the axis of the elbow:
 * turned by -90 degrees about Z. A bent left elbow is -90 degrees about the
 * vertical in canonical axes, and by hand +90 degrees about that node's X. */
static void elbow_bends_about_the_axis_of_its_node(void **)
{
	static const enum jc_bone bones[] = { JC_BONE_HIPS, JC_BONE_LEFT_UPPER_ARM,
		JC_BONE_LEFT_LOWER_ARM };
	const struct jc_transform rests[] = {
		{ { 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0.2f, 0.4f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0.3f, 0, 0 }, { 0, 0, -H, H }, { 1, 1, 1 } },
	};
	struct jc_skeleton *skeleton = make_chain(3, bones, rests);
	struct jc_skeleton_pose posed;
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_LEFT_LOWER_ARM] = (struct jc_quat){ 0, -H, 0, H };
	pose.states[JC_BONE_LEFT_LOWER_ARM] = JC_TRACKED;
	apply(skeleton, &pose, &posed);
	assert_quat(posed.rotations[JC_BONE_LEFT_LOWER_ARM], H, 0, 0, H);
	assert_quat(posed.rotations[JC_BONE_LEFT_UPPER_ARM], 0, 0, 0, 1);
	jc_skeleton_destroy(skeleton);
}

/* Under a node turned by 90 degrees about X, a turn about the vertical is a
 * turn about that node's -Z (Rx(-90) takes Y to -Z); the head's own node stands
 * as that one does. */
static void node_between_two_bones_does_not_matter(void **)
{
	static const enum jc_bone bones[] = { JC_BONE_HIPS, JC_BONE_NONE, JC_BONE_HEAD };
	const struct jc_transform rests[] = {
		{ { 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0, 0.3f, 0 }, { H, 0, 0, H }, { 1, 1, 1 } },
		{ { 0, 0, -0.3f }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
	};
	struct jc_skeleton *skeleton = make_chain(3, bones, rests);
	struct jc_skeleton_pose posed;
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HEAD] = (struct jc_quat){ 0, H, 0, H };
	apply(skeleton, &pose, &posed);
	assert_quat(posed.rotations[JC_BONE_HEAD], 0, 0, -H, H);
	jc_skeleton_destroy(skeleton);
}

/* EXT_skeleton_humanoid, "Animation remapping": R = W^-1 N W. */
static void conforming_skeleton_gets_the_formula_of_the_extension(void **)
{
	struct file file = file_plain();
	struct jc_skeleton_pose posed;
	struct jc_skeleton *skeleton;
	struct jc_pose pose;

	random_start(9);
	file.random_rest = true;
	skeleton = file_build(&file);
	pose = random_pose();
	apply(skeleton, &pose, &posed);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct matrix w = file.rest[file.description.bones[bone]];
		struct matrix expected = matrix_multiply(matrix_transpose(w),
			matrix_multiply(matrix_from_quat(pose.rotations[bone]), w));

		assert_true(matrix_difference(matrix_from_quat(posed.rotations[bone]), expected) <
			    1e-5);
	}
	jc_skeleton_destroy(skeleton);
}

static void hips_move_in_units_of_their_height(void **)
{
	struct jc_skeleton *skeleton = NULL;
	struct jc_skeleton_pose posed;
	struct jc_pose pose;

	assert_int_equal(jc_skeleton_create_builtin(&skeleton), JC_OK);
	jc_pose_init(&pose);
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	pose.hips_translation = (struct jc_vec3){ 1.0f, -0.5f, 2.0f };
	apply(skeleton, &pose, &posed);
	/* Hips at 0.96 m, toes, the lowest joint, at 0.015 m. */
	assert_float_equal(posed.hips_translation.x, 0.945f, 1e-6f);
	assert_float_equal(posed.hips_translation.y, -0.4725f, 1e-6f);
	assert_float_equal(posed.hips_translation.z, 1.89f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

static void without_hips_the_spine_rotates_and_nothing_moves(void **)
{
	static const enum jc_bone bones[] = { JC_BONE_SPINE, JC_BONE_HEAD };
	const struct jc_transform rests[] = {
		{ { 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0, 0.5f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
	};
	struct jc_skeleton *skeleton = make_chain(2, bones, rests);
	struct jc_skeleton_pose posed;
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.rotations[JC_BONE_HIPS] = (struct jc_quat){ 0, H, 0, H };
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	pose.hips_translation = (struct jc_vec3){ 1.0f, 1.0f, 1.0f };
	apply(skeleton, &pose, &posed);
	assert_quat(posed.rotations[JC_BONE_SPINE], 0, H, 0, H);
	assert_quat(posed.rotations[JC_BONE_HEAD], 0, 0, 0, 1);
	assert_quat(posed.rotations[JC_BONE_HIPS], 0, 0, 0, 1);
	assert_int_equal(posed.states[JC_BONE_HIPS], JC_ABSENT);
	assert_true(posed.hips_translation.x == 0.0f && posed.hips_translation.y == 0.0f &&
		    posed.hips_translation.z == 0.0f);
	jc_skeleton_destroy(skeleton);
}

static void combined_bone_has_the_lowest_state_of_its_present_parts(void **)
{
	static const struct {
		enum jc_state chest, upper, neck, expected;
	} cases[] = {
		{ JC_TRACKED, JC_TRACKED, JC_TRACKED, JC_TRACKED },
		{ JC_TRACKED, JC_ESTIMATED, JC_TRACKED, JC_ESTIMATED },
		{ JC_ESTIMATED, JC_ABSENT, JC_TRACKED, JC_ESTIMATED },
		{ JC_TRACKED, JC_ABSENT, JC_ABSENT, JC_TRACKED },
		{ JC_ABSENT, JC_ABSENT, JC_TRACKED, JC_TRACKED },
		{ JC_ABSENT, JC_ABSENT, JC_ABSENT, JC_ABSENT },
	};
	static const enum jc_bone bones[] = { JC_BONE_HIPS, JC_BONE_SPINE, JC_BONE_NECK };
	const struct jc_transform rests[] = {
		{ { 0, 1, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0, 0.1f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
		{ { 0, 0.4f, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } },
	};
	struct jc_skeleton *skeleton = make_chain(3, bones, rests);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_skeleton_pose posed;
		struct jc_pose pose;

		jc_pose_init(&pose);
		pose.states[JC_BONE_CHEST] = (uint8_t)cases[i].chest;
		pose.states[JC_BONE_UPPER_CHEST] = (uint8_t)cases[i].upper;
		pose.states[JC_BONE_NECK] = (uint8_t)cases[i].neck;
		apply(skeleton, &pose, &posed);
		assert_int_equal(posed.states[JC_BONE_NECK], cases[i].expected);
		assert_int_equal(posed.states[JC_BONE_SPINE], JC_ABSENT);
	}
	jc_skeleton_destroy(skeleton);
}

static void destroy_accepts_null(void **)
{
	jc_retargeter_destroy(NULL);
}

/* A shoulder along +X whose node rests turned by 90 degrees about +Y, an arm half
 * a metre on. The offset, -90 about Z, lays both down: +X to -Y. A motion of 90
 * about +Y then turns -Y not at all; the other way round the arm would have gone to
 * -Z and stayed there. A motion of 90 about +X takes -Y to -Z. */
static void offsets_turn_a_bone_before_its_motion(void **)
{
	static const struct {
		struct jc_quat motion;
		struct jc_vec3 arm;
	} cases[] = {
		{ { 0, 0, 0, 1 }, { 0, 0.5f, 0 } },
		{ { 0, 0.70710678f, 0, 0.70710678f }, { 0, 0.5f, 0 } },
		{ { 0.70710678f, 0, 0, 0.70710678f }, { 0, 1, -0.5f } },
	};
	struct jc_skeleton_node nodes[3] = {
		{ "hips", -1, JC_TRANSFORM_IDENTITY },
		{ "shoulder", 0, JC_TRANSFORM_IDENTITY },
		{ "arm", 1, JC_TRANSFORM_IDENTITY },
	};
	struct jc_skeleton_description description;
	struct jc_skeleton *skeleton;

	nodes[0].rest.translation.y = 1.0f;
	nodes[1].rest.rotation = (struct jc_quat){ 0, 0.70710678f, 0, 0.70710678f };
	nodes[2].rest.translation.z = 0.5f; /* +X after that turn */
	jc_skeleton_description_init(&description);
	description.node_count = 3;
	description.nodes = nodes;
	description.bones[JC_BONE_HIPS] = 0;
	description.bones[JC_BONE_LEFT_SHOULDER] = 1;
	description.bones[JC_BONE_LEFT_UPPER_ARM] = 2;
	description.offsets[JC_BONE_LEFT_SHOULDER] =
		(struct jc_quat){ 0, 0, -0.70710678f, 0.70710678f };
	assert_int_equal(jc_skeleton_create(&description, &skeleton, NULL), JC_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_transform locals[3];
		struct jc_mat4 worlds[3];
		struct jc_skeleton_pose posed;
		struct jc_pose pose;

		jc_pose_init(&pose);
		pose.rotations[JC_BONE_LEFT_SHOULDER] = cases[i].motion;
		apply(skeleton, &pose, &posed);
		jc_skeleton_locals(skeleton, &posed, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		assert_true(vector_distance(vector_from(jc_mat4_translation(worlds[2])),
				    vector_from(cases[i].arm)) < 1e-6);
	}
	jc_skeleton_destroy(skeleton);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_rest_reaches_global_rotations),
		cmocka_unit_test(random_rest_rotations_do_not_matter),
		cmocka_unit_test(rotated_nodes_between_bones_do_not_matter),
		cmocka_unit_test(rotations_of_missing_bones_are_added_to_the_bones_below),
		cmocka_unit_test(bone_on_another_branch_includes_the_bones_it_skips),
		cmocka_unit_test(turns_a_figure_that_faces_minus_z),
		cmocka_unit_test(turns_a_figure_with_z_up),
		cmocka_unit_test(corrects_a_posed_rest),
		cmocka_unit_test(moves_hips_below_turned_and_scaled_parents),
		cmocka_unit_test(elbow_bends_about_the_axis_of_its_node),
		cmocka_unit_test(node_between_two_bones_does_not_matter),
		cmocka_unit_test(conforming_skeleton_gets_the_formula_of_the_extension),
		cmocka_unit_test(hips_move_in_units_of_their_height),
		cmocka_unit_test(without_hips_the_spine_rotates_and_nothing_moves),
		cmocka_unit_test(combined_bone_has_the_lowest_state_of_its_present_parts),
		cmocka_unit_test(destroy_accepts_null),
		cmocka_unit_test(offsets_turn_a_bone_before_its_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
