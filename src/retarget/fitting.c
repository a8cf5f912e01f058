/* Plays a motion on a skeleton: motion -> pose -> skeleton pose -> nodes. */
#include "jointcast/fitting.h"

#include <stdlib.h>

#include "jointcast/transform.h"

/* A float quaternion product is off by a few 1e-7 radians. */
static const float moved_radians = 1.0e-6f;

/* q or -q, whichever is nearer to the one before. */
static struct jc_quat follow(struct jc_quat q, struct jc_quat before)
{
	float along = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;

	return along < 0.0f ? (struct jc_quat){ -q.x, -q.y, -q.z, -q.w } : q;
}

/* Computes everything that depends on the posed nodes. */
static void stand(struct jc_fitting *fitting)
{
	jc_skeleton_worlds(fitting->skeleton, fitting->locals, fitting->worlds);
	jc_virtual_transforms_evaluate(
		fitting->skeleton, fitting->worlds, fitting->virtual_transforms);
}

int jc_fitting_init(struct jc_fitting *fitting, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton, const struct jc_fitting_options *options)
{
	size_t nodes = jc_skeleton_node_count(skeleton);
	size_t virtual_transforms = jc_skeleton_virtual_transform_count(skeleton);
	float stride = 1.0f;

	*fitting = (struct jc_fitting){
		.motion = motion, .skeleton = skeleton, .limits = options->limits
	};
	jc_solver_init_motion(&fitting->solver, motion);
	fitting->solver.forearm_twist = options->forearm_twist;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		fitting->pose.rotations[bone] = JC_QUAT_IDENTITY;
	}
	/* One more than none, because calloc(0) may return NULL. */
	fitting->locals = calloc(nodes + 1, sizeof(*fitting->locals));
	fitting->before = calloc(nodes + 1, sizeof(*fitting->before));
	fitting->worlds = calloc(nodes + 1, sizeof(*fitting->worlds));
	fitting->virtual_transforms =
		calloc(virtual_transforms + 1, sizeof(*fitting->virtual_transforms));
	if (!fitting->locals || !fitting->before || !fitting->worlds ||
		!fitting->virtual_transforms ||
		jc_retargeter_create(skeleton, &fitting->retargeter) != JC_OK) {
		jc_fitting_finish(fitting);
		return JC_ERROR_MEMORY;
	}
	if (options->contacts && jc_contacts_create(jc_motion_skeleton(motion), skeleton,
					 &fitting->contacts) != JC_OK) {
		jc_fitting_finish(fitting);
		return JC_ERROR_MEMORY;
	}
	if (fitting->contacts) {
		stride = jc_contacts_stride(fitting->contacts);
	}
	jc_retargeter_scale_hips(
		fitting->retargeter, stride * options->horizontal, stride * options->vertical);
	fitting->moving_count = jc_motion_match_nodes(motion, skeleton, fitting->moving);
	for (size_t i = 0; i < nodes; i++) {
		fitting->locals[i] = jc_skeleton_nodes(skeleton)[i].rest;
	}
	stand(fitting);
	return JC_OK;
}

void jc_fitting_finish(struct jc_fitting *fitting)
{
	jc_retargeter_destroy(fitting->retargeter);
	jc_contacts_destroy(fitting->contacts);
	free(fitting->locals);
	free(fitting->before);
	free(fitting->worlds);
	free(fitting->virtual_transforms);
	*fitting = (struct jc_fitting){ 0 };
}

static void keep_limits(struct jc_fitting *fitting)
{
	fitting->past_limits = 0;
	fitting->clamped = 0;
	if (fitting->limits == JC_LIMITS_COUNTED) {
		fitting->past_limits =
			jc_skeleton_count_past_limits(fitting->skeleton, fitting->locals);
	} else if (fitting->limits == JC_LIMITS_KEPT) {
		fitting->clamped = jc_skeleton_clamp_to_limits(fitting->skeleton, fitting->locals);
		fitting->past_limits = fitting->clamped;
	}
}

static void retarget(struct jc_fitting *fitting, const struct jc_pose *pose, double seconds)
{
	struct jc_skeleton_pose *posed = &fitting->pose;

	jc_retargeter_fold(fitting->retargeter, pose, posed->rotations, posed->states,
		&posed->hips_translation);
	if (fitting->contacts) {
		jc_contacts_keep(fitting->contacts, pose, seconds, posed->rotations,
			&posed->hips_translation);
	}
	jc_retargeter_relate(fitting->retargeter, posed->rotations);
}

void jc_fitting_pose(struct jc_fitting *fitting, double t)
{
	size_t nodes = jc_skeleton_node_count(fitting->skeleton);
	struct jc_skeleton_pose before = fitting->pose;
	struct jc_pose pose;

	if (fitting->contacts && fitting->has_pose && t == fitting->t) {
		return; /* the state of contacts is that of this instant */
	}
	for (size_t i = 0; i < nodes; i++) {
		fitting->before[i] = fitting->locals[i].rotation;
	}
	jc_solver_sample(&fitting->solver, fitting->motion, t, &pose);
	retarget(fitting, &pose, t - fitting->t);
	fitting->t = t;
	fitting->has_pose = true;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		fitting->pose.rotations[b] =
			follow(fitting->pose.rotations[b], before.rotations[b]);
	}
	jc_skeleton_locals(fitting->skeleton, &fitting->pose, fitting->locals);
	jc_skeleton_split_spine(fitting->skeleton, fitting->locals);
	keep_limits(fitting);
	jc_motion_move_nodes(
		fitting->motion, t, fitting->moving, fitting->moving_count, fitting->locals);
	for (size_t i = 0; i < nodes; i++) {
		fitting->locals[i].rotation =
			follow(fitting->locals[i].rotation, fitting->before[i]);
	}
	stand(fitting);
}

static struct jc_quat rest_of(const struct jc_fitting *fitting, int node)
{
	return jc_skeleton_nodes(fitting->skeleton)[node].rest.rotation;
}

struct jc_quat jc_fitting_relative(const struct jc_fitting *fitting, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(fitting->skeleton, bone);

	return jc_quat_normalize(jc_quat_multiply(
		jc_quat_conjugate(rest_of(fitting, node)), fitting->locals[node].rotation));
}

struct jc_quat jc_fitting_normalized(const struct jc_fitting *fitting, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(fitting->skeleton, bone);
	struct jc_quat parent = jc_skeleton_parent_t_pose(fitting->skeleton, bone);
	struct jc_quat own = jc_quat_multiply(jc_skeleton_offset(fitting->skeleton, bone),
		jc_skeleton_t_pose(fitting->skeleton, bone));
	struct jc_quat whole =
		jc_quat_multiply(rest_of(fitting, node), fitting->pose.rotations[bone]);

	return jc_quat_normalize(
		jc_quat_multiply(jc_quat_multiply(parent, whole), jc_quat_conjugate(own)));
}

bool jc_fitting_node_moved(const struct jc_fitting *fitting, size_t node)
{
	return jc_quat_angle(fitting->locals[node].rotation,
		       jc_skeleton_nodes(fitting->skeleton)[node].rest.rotation) > moved_radians;
}

bool jc_fitting_world_rotation(
	const struct jc_fitting *fitting, int node, struct jc_quat *out_rotation)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(fitting->skeleton);
	struct jc_quat product = fitting->locals[node].rotation;
	struct jc_transform transform;

	if (!jc_mat4_decompose(fitting->worlds[node], &transform, NULL)) {
		return false;
	}
	for (int above = nodes[node].parent; above >= 0; above = nodes[above].parent) {
		product = jc_quat_multiply(fitting->locals[above].rotation, product);
	}
	*out_rotation = follow(transform.rotation, product);
	return true;
}
