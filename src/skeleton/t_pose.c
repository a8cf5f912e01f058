/* Computes W, P and the hips height of a skeleton. World rotations are products along
 * chains of up to hundreds of nodes, and every frame depends on them, so they are
 * computed once in double precision. */
#include "t_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

struct rotation {
	double x, y, z, w;
};

static struct rotation widen(struct jc_quat q)
{
	return (struct rotation){ q.x, q.y, q.z, q.w };
}

static struct rotation multiply(struct rotation a, struct rotation b)
{
	return (struct rotation){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

static struct rotation conjugate(struct rotation q)
{
	return (struct rotation){ -q.x, -q.y, -q.z, q.w };
}

static struct jc_quat narrow(struct rotation q)
{
	double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

	return (struct jc_quat){ (float)(q.x / length), (float)(q.y / length),
		(float)(q.z / length), (float)(q.w / length) };
}

/* State of the analysis, by node. */
struct rest {
	enum jc_bone *bones;       /* the bone at the node or the nearest above it, or NONE */
	struct rotation *worlds;   /* at rest, model space */
	struct rotation *t_worlds; /* in the T-pose, model space */
	struct jc_transform *t_locals;
	struct jc_mat4 *t_matrices; /* world matrices in the T-pose */
};

static void rest_finish(struct rest *rest)
{
	free(rest->bones);
	free(rest->worlds);
	free(rest->t_worlds);
	free(rest->t_locals);
	free(rest->t_matrices);
}

static int rest_init(struct rest *rest, size_t count)
{
	*rest = (struct rest){
		.bones = calloc(count, sizeof(*rest->bones)),
		.worlds = calloc(count, sizeof(*rest->worlds)),
		.t_worlds = calloc(count, sizeof(*rest->t_worlds)),
		.t_locals = calloc(count, sizeof(*rest->t_locals)),
		.t_matrices = calloc(count, sizeof(*rest->t_matrices)),
	};
	if (!rest->bones || !rest->worlds || !rest->t_worlds || !rest->t_locals ||
		!rest->t_matrices) {
		rest_finish(rest);
		return JC_ERROR_MEMORY;
	}
	return JC_OK;
}

/* A node between two bones follows the bone above it, so K of that bone turns it too: T =
 * K(nearest bone) * rest world. */
static void turn_into_t_pose(const struct jc_skeleton *skeleton, struct rest *rest)
{
	for (size_t i = 0; i < skeleton->node_count; i++) {
		rest->bones[i] = JC_BONE_NONE;
		rest->t_locals[i] = skeleton->nodes[i].rest;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] >= 0) {
			rest->bones[skeleton->bones[b]] = (enum jc_bone)b;
		}
	}
	for (size_t i = 0; i < skeleton->node_count; i++) {
		int node = skeleton->order[i];
		int parent = skeleton->nodes[node].parent;
		struct rotation world = widen(skeleton->nodes[node].rest.rotation);
		enum jc_bone bone;

		if (parent >= 0) {
			world = multiply(rest->worlds[parent], world);
			if (rest->bones[node] == JC_BONE_NONE) {
				rest->bones[node] = rest->bones[parent];
			}
		}
		bone = rest->bones[node];
		rest->worlds[node] = world;
		rest->t_worlds[node] =
			bone == JC_BONE_NONE ? world
					     : multiply(widen(skeleton->corrections[bone]), world);
		rest->t_locals[node].rotation =
			narrow(parent < 0 ? rest->t_worlds[node]
					  : multiply(conjugate(rest->t_worlds[parent]),
						    rest->t_worlds[node]));
	}
	jc_skeleton_worlds(skeleton, rest->t_locals, rest->t_matrices);
}

static bool is_above(enum jc_bone ancestor, enum jc_bone bone)
{
	while (bone != JC_BONE_NONE && bone != ancestor) {
		bone = jc_bone_parent(bone);
	}
	return bone == ancestor;
}

static int relate_bones(
	struct jc_skeleton *skeleton, const struct rest *rest, struct jc_diagnostic *diagnostic)
{
	struct rotation to_canonical = conjugate(widen(skeleton->facing));

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = skeleton->bones[b];
		int parent;
		enum jc_bone above;

		skeleton->mapped_parents[b] = JC_BONE_NONE;
		skeleton->t_pose[b] = JC_QUAT_IDENTITY;
		skeleton->parent_t_pose[b] = JC_QUAT_IDENTITY;
		if (node < 0) {
			continue;
		}
		parent = skeleton->nodes[node].parent;
		above = parent < 0 ? JC_BONE_NONE : rest->bones[parent];
		if (above != JC_BONE_NONE && !is_above(above, (enum jc_bone)b)) {
			char where[64];

			snprintf(where, sizeof(where), "bones.%s", jc_bone_name((enum jc_bone)b));
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, where,
				"node is below the node of '%s', which is not above it in a "
				"humanoid",
				jc_bone_name(above));
		}
		skeleton->bone_mask |= UINT64_C(1) << b;
		skeleton->mapped_parents[b] = above;
		skeleton->t_pose[b] = narrow(multiply(to_canonical, rest->t_worlds[node]));
		skeleton->parent_t_pose[b] = narrow(
			parent < 0 ? to_canonical : multiply(to_canonical, rest->t_worlds[parent]));
	}
	return JC_OK;
}

/* Converts a canonical displacement of the hips in metres to the frame of their parent,
 * which may be turned and scaled. No bone is above the hips, so that frame is constant. */
static int place_hips(struct jc_skeleton *skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_mat4 to_model = jc_mat4_compose((struct jc_transform){
		.rotation = skeleton->facing, .scale = { 1.0f, 1.0f, 1.0f } });
	int hips = skeleton->bones[JC_BONE_HIPS];
	int parent = hips < 0 ? -1 : skeleton->nodes[hips].parent;
	struct jc_mat4 frame;

	skeleton->hips_from_canonical = to_model;
	if (parent < 0) {
		return JC_OK;
	}
	frame = skeleton->rest_worlds[parent];
	frame.m[12] = frame.m[13] = frame.m[14] = 0.0f;
	skeleton->hips_from_canonical = jc_mat4_multiply(jc_mat4_invert(frame), to_model);
	if (!jc_mat4_is_finite(skeleton->hips_from_canonical)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "bones.hips",
			"the hips are below a node whose scale cannot be inverted");
	}
	return JC_OK;
}

static bool is_far(float coordinate)
{
	return !(fabsf(coordinate) <= JC_LIMIT_COORDINATE);
}

static int check_worlds(const struct jc_skeleton *skeleton, const struct rest *rest,
	struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < skeleton->node_count; i++) {
		struct jc_vec3 p = jc_mat4_translation(rest->t_matrices[i]);

		if (!jc_mat4_is_finite(skeleton->rest_worlds[i]) ||
			!jc_mat4_is_finite(rest->t_matrices[i]) || is_far(p.x) || is_far(p.y) ||
			is_far(p.z)) {
			char where[64];

			snprintf(where, sizeof(where), "nodes[%zu]", i);
			return jc_diagnose(
				diagnostic, JC_ERROR_LIMIT, where, "too far from the origin");
		}
	}
	return JC_OK;
}

static struct jc_vec3 t_position(
	const struct jc_skeleton *skeleton, const struct rest *rest, enum jc_bone bone)
{
	return jc_quat_rotate(jc_quat_conjugate(skeleton->facing),
		jc_mat4_translation(rest->t_matrices[skeleton->bones[bone]]));
}

static float bone_length(const struct jc_skeleton *skeleton, const struct rest *rest,
	enum jc_bone from, enum jc_bone to)
{
	if (skeleton->bones[from] < 0 || skeleton->bones[to] < 0) {
		return 0.0f;
	}
	return jc_vec3_length(
		jc_vec3_subtract(t_position(skeleton, rest, to), t_position(skeleton, rest, from)));
}

static float hips_level(const struct jc_skeleton *skeleton, const struct rest *rest)
{
	return t_position(skeleton, rest, JC_BONE_HIPS).y;
}

/* The middle of the hip joints from the hips, or zero if the hips are higher: the node of the hips
 * may lie anywhere in the pelvis, and in some figures below it. */
static struct jc_vec3 find_pelvis(const struct jc_skeleton *skeleton, const struct rest *rest)
{
	struct jc_vec3 legs, pelvis = { 0.0f, 0.0f, 0.0f };

	if (skeleton->bones[JC_BONE_HIPS] >= 0 && skeleton->bones[JC_BONE_LEFT_UPPER_LEG] >= 0 &&
		skeleton->bones[JC_BONE_RIGHT_UPPER_LEG] >= 0) {
		legs = jc_vec3_lerp(t_position(skeleton, rest, JC_BONE_LEFT_UPPER_LEG),
			t_position(skeleton, rest, JC_BONE_RIGHT_UPPER_LEG), 0.5f);
		legs = jc_vec3_subtract(legs, t_position(skeleton, rest, JC_BONE_HIPS));
		pelvis = legs.y > 0.0f ? legs : pelvis;
	}
	return pelvis;
}

static float lowest_foot(const struct jc_skeleton *skeleton, const struct rest *rest)
{
	static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES,
		JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_TOES };
	float lowest = INFINITY;

	for (size_t i = 0; i < sizeof(feet) / sizeof(*feet); i++) {
		if (skeleton->bones[feet[i]] >= 0) {
			lowest = fminf(lowest, t_position(skeleton, rest, feet[i]).y);
		}
	}
	return isfinite(lowest) ? lowest : 0.0f;
}

static float leg_length(const struct jc_skeleton *skeleton, const struct rest *rest)
{
	float left = bone_length(skeleton, rest, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG) +
		     bone_length(skeleton, rest, JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT);
	float right =
		bone_length(skeleton, rest, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG) +
		bone_length(skeleton, rest, JC_BONE_RIGHT_LOWER_LEG, JC_BONE_RIGHT_FOOT);

	return fmaxf(left, right);
}

/* VRM moves the hips in units of their own height over its floor. In BVH and H-Anim, the hips may
 * be anywhere in the pelvis. */
static bool hips_are_the_unit(const struct jc_skeleton *skeleton)
{
	return skeleton->has_floor && skeleton->format != JC_SKELETON_BVH &&
	       skeleton->format != JC_SKELETON_HANIM;
}

/* Sets floor, hips_height and hips_point. Less than a tenth of a millimetre is not a valid
 * height. */
static void measure_heights(struct jc_skeleton *skeleton, const struct rest *rest)
{
	const float least = 1e-4f;
	bool has_hips = skeleton->bones[JC_BONE_HIPS] >= 0;
	struct jc_vec3 pelvis = find_pelvis(skeleton, rest);
	float level = has_hips ? hips_level(skeleton, rest) : 0.0f;
	float leg = leg_length(skeleton, rest);

	if (!hips_are_the_unit(skeleton)) {
		skeleton->hips_point = pelvis;
	}
	if (has_hips && !(level + skeleton->hips_point.y - skeleton->floor > least)) {
		skeleton->has_floor = false;
	}
	if (!skeleton->has_floor) {
		skeleton->floor = lowest_foot(skeleton, rest);
		level += pelvis.y - skeleton->hips_point.y;
	}
	level += skeleton->hips_point.y - skeleton->floor;
	if (has_hips && level > least) {
		skeleton->hips_height = level;
	} else {
		skeleton->hips_height = leg > least ? leg : 1.0f;
	}
}

int jc_t_pose_analyse(struct jc_skeleton *skeleton, struct jc_diagnostic *diagnostic)
{
	struct rest rest;
	int error;

	if (rest_init(&rest, skeleton->node_count)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < skeleton->node_count; i++) {
		rest.t_locals[i] = skeleton->nodes[i].rest;
	}
	jc_skeleton_worlds(skeleton, rest.t_locals, skeleton->rest_worlds);
	turn_into_t_pose(skeleton, &rest);
	error = check_worlds(skeleton, &rest, diagnostic);
	if (!error) {
		error = relate_bones(skeleton, &rest, diagnostic);
	}
	if (!error) {
		error = place_hips(skeleton, diagnostic);
	}
	if (!error) {
		measure_heights(skeleton, &rest);
	}
	rest_finish(&rest);
	return error;
}
