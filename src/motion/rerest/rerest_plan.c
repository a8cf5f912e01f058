/* Plans the new rest: straightens the T-pose, then gives bones the axes of the reference
 * pose. Nodes below bones that are no bones (hair, props) keep their world transforms. */
#include "rerest_plan.h"

#include <math.h>
#include <stdlib.h>

#include "bone_axes.h"
#include "jointcast/transform.h"
#include "jointcast_private/posture.h"
#include "jointcast_private/virtual_placement.h"

#define DEGREES 57.29577951f

static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 ones = { 1.0f, 1.0f, 1.0f };

/* A figure turned or tilted by more is not meant to stand upright. */
static const float turn_tolerance = 15.0f / DEGREES;

static struct jc_mat4 rotation_matrix(struct jc_quat rotation)
{
	return jc_mat4_compose((struct jc_transform){ .rotation = rotation, .scale = ones });
}

static struct jc_vec3 bone_position(
	const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(skeleton, bone);

	return jc_quat_rotate(plan->turn, jc_mat4_translation(plan->before[node]));
}

/* Whether turning a bone moves another. */
static bool carries(const struct jc_skeleton *skeleton, enum jc_bone bone, enum jc_bone other)
{
	int node = jc_skeleton_bone_node(skeleton, other);

	while (node >= 0 && node != jc_skeleton_bone_node(skeleton, bone)) {
		node = jc_skeleton_nodes(skeleton)[node].parent;
	}
	return node >= 0;
}

/* Finds the rotation of a bone into its reference direction, canonical axes; returns its
 * angle. */
static float find_residual(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	enum jc_bone bone, struct jc_quat *out_residual)
{
	enum jc_bone target = jc_posture_target(skeleton, bone);
	struct jc_vec3 direction;

	*out_residual = JC_QUAT_IDENTITY;
	if (target == JC_BONE_NONE || !carries(skeleton, bone, target)) {
		return 0.0f;
	}
	direction = jc_vec3_subtract(
		bone_position(skeleton, plan, target), bone_position(skeleton, plan, bone));
	if (!(jc_vec3_length(direction) > 1e-5f)) {
		return 0.0f;
	}
	*out_residual = jc_posture_residual(bone, direction);
	return jc_quat_angle(*out_residual, JC_QUAT_IDENTITY);
}

/* Turns the world rotation of a node by a canonical rotation, relative to its parent. */
static void turn_node(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	struct jc_transform *locals, int node, struct jc_quat residual)
{
	int parent = jc_skeleton_nodes(skeleton)[node].parent;
	struct jc_quat in_model = jc_quat_multiply(
		jc_quat_conjugate(plan->turn), jc_quat_multiply(residual, plan->turn));
	struct jc_transform frame = JC_TRANSFORM_IDENTITY;

	if (parent >= 0) {
		jc_mat4_decompose(plan->before[parent], &frame, NULL);
	}
	locals[node].rotation =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(frame.rotation),
			jc_quat_multiply(in_model,
				jc_quat_multiply(frame.rotation, locals[node].rotation))));
}

/* Straightens bones in the order of their table, parents first; each starts from the
 * result of its ancestors. */
static void straighten(const struct jc_skeleton *skeleton, const struct jc_posture *posture,
	struct jc_rerest_plan *plan, struct jc_transform *locals, struct jc_lint *lint)
{
	enum jc_bone worst = JC_BONE_NONE;
	float most = 0.0f;
	size_t count = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		struct jc_quat residual;
		float angle;

		if (node < 0 || !posture->bones[b].has_direction) {
			continue;
		}
		angle = find_residual(skeleton, plan, (enum jc_bone)b, &residual);
		if (angle <= posture->bones[b].tolerance) {
			continue;
		}
		turn_node(skeleton, plan, locals, node, residual);
		jc_skeleton_worlds(skeleton, locals, plan->before);
		count++;
		if (angle > most) {
			most = angle;
			worst = (enum jc_bone)b;
		}
	}
	if (count) {
		jc_lint_add_at(lint, JC_NOTE, "straightened", worst,
			jc_skeleton_bone_node(skeleton, worst),
			"%zu bone%s straightened into the T-pose, %s by %.1f degrees", count,
			count == 1 ? " was" : "s were", jc_bone_name(worst),
			(double)(most * DEGREES));
	}
}

static void find_carriers(const struct jc_skeleton *skeleton, struct jc_rerest_plan *plan)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (size_t i = 0; i < plan->count; i++) {
		plan->bones[i] = JC_BONE_NONE;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			plan->bones[jc_skeleton_bone_node(skeleton, (enum jc_bone)b)] =
				(enum jc_bone)b;
		}
		for (int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
			node >= 0 && !plan->is_carrier[node]; node = nodes[node].parent) {
			plan->is_carrier[node] = true;
		}
	}
}

static void find_rotations(
	const struct jc_skeleton *skeleton, struct jc_rerest_goal goal, struct jc_rerest_plan *plan)
{
	struct jc_vec3 positions[JC_BONE_COUNT] = { 0 };

	for (int b = 0; b < JC_BONE_COUNT && goal.is_vrm0; b++) {
		plan->rotations[b] = JC_QUAT_IDENTITY;
	}
	if (goal.is_vrm0) {
		plan->is_vrm0 = true;
		plan->turn = jc_quat_multiply(jc_skeleton_facing(skeleton), plan->turn);
		return;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			positions[b] = bone_position(skeleton, plan, (enum jc_bone)b);
		}
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		plan->rotations[b] =
			jc_bone_axes_rotation(skeleton, goal.axes, (enum jc_bone)b, positions);
	}
}

/* The new world rotation of a node: the reference rotation for a bone; a node between
 * bones follows; a node above all bones has identity. */
static struct jc_quat carrier_rotation(
	const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan, int node)
{
	struct jc_transform world = JC_TRANSFORM_IDENTITY;

	if (plan->bones[node] != JC_BONE_NONE) {
		return plan->rotations[plan->bones[node]];
	}
	for (int above = node; above >= 0; above = jc_skeleton_nodes(skeleton)[above].parent) {
		if (plan->bones[above] != JC_BONE_NONE) {
			jc_mat4_decompose(plan->before[node], &world, NULL);
			return jc_quat_normalize(jc_quat_multiply(plan->turn, world.rotation));
		}
	}
	return JC_QUAT_IDENTITY;
}

static int place_nodes(const struct jc_skeleton *skeleton, struct jc_rerest_plan *plan,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	struct jc_mat4 turn = rotation_matrix(plan->turn);
	struct jc_mat4 back = rotation_matrix(jc_quat_conjugate(plan->turn));

	for (size_t i = 0; i < plan->count; i++) {
		plan->after[i] = jc_mat4_multiply(turn, plan->before[i]);
		if (plan->is_carrier[i]) {
			plan->after[i] = jc_mat4_compose((struct jc_transform){
				.translation = jc_mat4_translation(plan->after[i]),
				.rotation = carrier_rotation(skeleton, plan, (int)i),
				.scale = ones,
			});
		}
		plan->change[i] = jc_mat4_multiply(
			jc_mat4_invert(plan->before[i]), jc_mat4_multiply(back, plan->after[i]));
		/* Joints do not move by construction; the rest is rounding. */
		plan->change[i].m[12] = plan->change[i].m[13] = plan->change[i].m[14] = 0.0f;
		if (plan->is_carrier[i] && !jc_mat4_is_finite(plan->change[i])) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, nodes[i].name,
				"cannot be re-rested: a node of its bones is scaled to nothing");
		}
	}
	for (size_t i = 0; i < plan->count; i++) {
		struct jc_mat4 local = plan->after[i];

		plan->above[i] = nodes[i].parent >= 0 ? plan->change[nodes[i].parent] : back;
		if (nodes[i].parent >= 0) {
			local = jc_mat4_multiply(
				jc_mat4_invert(plan->after[nodes[i].parent]), local);
		}
		plan->locals[i] = nodes[i].rest;
		jc_mat4_decompose(local, &plan->locals[i], NULL);
	}
	return JC_OK;
}

/* Turns a figure that does not stand as its format demands. */
static void set_upright(struct jc_rerest_plan *plan, const struct jc_posture *posture,
	struct jc_rerest_goal goal, struct jc_lint *lint)
{
	struct jc_quat turn = posture->orientation;

	if (!posture->has_facing || posture->is_swapped ||
		(fabsf(posture->turn) <= turn_tolerance && posture->tilt <= turn_tolerance)) {
		return;
	}
	if (posture->tilt <= turn_tolerance) {
		turn = jc_quat_from_axis_angle(up, posture->turn);
	}
	plan->is_turned = true;
	plan->turn = jc_quat_multiply(jc_quat_conjugate(turn), plan->turn);
	jc_lint_add(lint, JC_NOTE, "turned",
		"the figure was turned by %.1f degrees to stand upright and face %s",
		(double)(jc_quat_angle(turn, JC_QUAT_IDENTITY) * DEGREES),
		goal.is_vrm0 ? "-Z" : "+Z");
}

int jc_rerest_plan_init(struct jc_rerest_plan *plan, const struct jc_skeleton *skeleton,
	struct jc_rerest_goal goal, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count + 1, sizeof(*locals));
	struct jc_posture posture;
	int error;

	*plan = (struct jc_rerest_plan){
		.count = count,
		.bones = calloc(count + 1, sizeof(*plan->bones)),
		.is_carrier = calloc(count + 1, sizeof(*plan->is_carrier)),
		.before = calloc(count + 1, sizeof(*plan->before)),
		.after = calloc(count + 1, sizeof(*plan->after)),
		.change = calloc(count + 1, sizeof(*plan->change)),
		.above = calloc(count + 1, sizeof(*plan->above)),
		.locals = calloc(count + 1, sizeof(*plan->locals)),
		.turn = jc_quat_conjugate(jc_skeleton_facing(skeleton)),
	};
	if (!locals || !plan->bones || !plan->is_carrier || !plan->before || !plan->after ||
		!plan->change || !plan->above || !plan->locals ||
		jc_posture_measure(skeleton, &posture)) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	set_upright(plan, &posture, goal, lint);
	find_carriers(skeleton, plan);
	jc_posture_t_pose(skeleton, locals);
	jc_skeleton_worlds(skeleton, locals, plan->before);
	straighten(skeleton, &posture, plan, locals, lint);
	find_rotations(skeleton, goal, plan);
	error = place_nodes(skeleton, plan, diagnostic);
out:
	free(locals);
	if (error) {
		jc_rerest_plan_finish(plan);
	}
	return error;
}

void jc_rerest_plan_finish(struct jc_rerest_plan *plan)
{
	free(plan->bones);
	free(plan->is_carrier);
	free(plan->before);
	free(plan->after);
	free(plan->change);
	free(plan->above);
	free(plan->locals);
}

void jc_rerest_plan_virtual(const struct jc_rerest_plan *plan, struct jc_virtual_transform *virtual)
{
	bool has_parent = virtual->parent >= 0;

	jc_virtual_transform_carry(virtual, plan->turn,
		has_parent ? &plan->before[virtual->parent] : NULL,
		has_parent ? &plan->after[virtual->parent] : NULL);
}
