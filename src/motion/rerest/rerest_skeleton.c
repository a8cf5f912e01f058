/* Makes a new skeleton from a re-rest plan, with virtual transforms, limits and offsets. */
#include "jointcast/rerest.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/segment.h"
#include "rerest_plan.h"
#include "write_losses.h"

/* Rests that differ by more are different, in radians. */
#define SAME_REST 1e-3f

/* Offsets are canonical, so they turn with a figure that is turned. */
static struct jc_quat turn_offset(
	const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan, enum jc_bone bone)
{
	struct jc_quat turn = jc_quat_multiply(plan->turn, jc_skeleton_facing(skeleton));

	return jc_quat_normalize(jc_quat_multiply(turn,
		jc_quat_multiply(jc_skeleton_offset(skeleton, bone), jc_quat_conjugate(turn))));
}

/* Lists with an entry for each of the skeleton's. */
struct lists {
	struct jc_skeleton_node *nodes;
	struct jc_virtual_transform *virtuals;
	struct jc_joint_limit *limits;
	struct jc_skeleton_segment *segments;
};

static int lists_init(struct lists *lists, const struct jc_skeleton *skeleton)
{
	*lists = (struct lists){
		.nodes = calloc(jc_skeleton_node_count(skeleton) + 1, sizeof(*lists->nodes)),
		.virtuals = calloc(jc_skeleton_virtual_transform_count(skeleton) + 1,
			sizeof(*lists->virtuals)),
		.limits = calloc(jc_skeleton_limit_count(skeleton) + 1, sizeof(*lists->limits)),
		.segments =
			calloc(jc_skeleton_segment_count(skeleton) + 1, sizeof(*lists->segments)),
	};
	return lists->nodes && lists->virtuals && lists->limits && lists->segments
		       ? JC_OK
		       : JC_ERROR_MEMORY;
}

static void lists_finish(struct lists *lists)
{
	free(lists->nodes);
	free(lists->virtuals);
	free(lists->limits);
	free(lists->segments);
}

static struct jc_quat rotation_of(struct jc_mat4 matrix)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	jc_mat4_decompose(matrix, &transform, NULL);
	return transform.rotation;
}

/* Rotation from the old rest of a node to the T-pose, model space. */
static struct jc_quat find_turn(
	const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan, int node)
{
	return node < 0 ? JC_QUAT_IDENTITY
			: jc_quat_multiply(rotation_of(plan->before[node]),
				  jc_quat_conjugate(
					  rotation_of(jc_skeleton_rest_worlds(skeleton)[node])));
}

/* A limit is an interval about the rest: it stays only where the joint rests relative to its
 * parent as before. */
static size_t keep_limits(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	struct jc_joint_limit *out_limits, struct jc_lint *lint)
{
	const struct jc_joint_limit *limits = jc_skeleton_limits(skeleton);
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	struct jc_write_losses_names lost = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < jc_skeleton_limit_count(skeleton); i++) {
		int node = limits[i].node;

		if (!limits[i].is_unlimited &&
			jc_quat_angle(find_turn(skeleton, plan, node),
				find_turn(skeleton, plan, nodes[node].parent)) > SAME_REST) {
			jc_write_losses_add_name(&lost, nodes[node].name);
			continue;
		}
		out_limits[count] = limits[i];
		out_limits[count++].orientation = jc_quat_normalize(jc_quat_multiply(
			jc_quat_conjugate(rotation_of(plan->change[node])), limits[i].orientation));
	}
	jc_write_losses_report_names(
		&lost, "limits-lost", "limits of joints with another rest not kept", lint);
	return count;
}

static void keep_segments(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	struct jc_skeleton_segment *out_segments)
{
	for (size_t i = 0; i < jc_skeleton_segment_count(skeleton); i++) {
		struct jc_mat4 back;

		out_segments[i] = jc_skeleton_segments(skeleton)[i];
		back = jc_mat4_invert(plan->change[out_segments[i].node]);
		jc_skeleton_segment_transform(&out_segments[i], &back);
	}
}

static int describe(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	struct lists *lists, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_node *nodes = lists->nodes;
	struct jc_virtual_transform *virtuals = lists->virtuals;
	struct jc_skeleton_description description;

	jc_skeleton_description_init(&description);
	description.name = jc_skeleton_name(skeleton);
	description.node_count = plan->count;
	description.nodes = nodes;
	description.has_floor = jc_skeleton_has_floor(skeleton) && !plan->is_turned;
	description.floor = jc_skeleton_floor(skeleton);
	description.virtual_transform_count = jc_skeleton_virtual_transform_count(skeleton);
	description.virtual_transforms = virtuals;
	description.limit_count = keep_limits(skeleton, plan, lists->limits, lint);
	description.limits = lists->limits;
	description.segment_count = jc_skeleton_segment_count(skeleton);
	description.segments = lists->segments;
	keep_segments(skeleton, plan, lists->segments);
	for (size_t i = 0; i < plan->count; i++) {
		nodes[i] = jc_skeleton_nodes(skeleton)[i];
		nodes[i].rest = plan->locals[i];
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		description.bones[b] = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		description.offsets[b] = turn_offset(skeleton, plan, (enum jc_bone)b);
	}
	for (size_t i = 0; i < description.virtual_transform_count; i++) {
		virtuals[i] = jc_skeleton_virtual_transforms(skeleton)[i];
		jc_rerest_plan_virtual(plan, &virtuals[i]);
	}
	return jc_skeleton_create(&description, out_skeleton, diagnostic);
}

int jc_rerest_skeleton(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct lists lists;
	struct jc_rerest_plan plan;
	int error = lists_init(&lists, skeleton);

	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
	} else {
		error = jc_rerest_plan_init(
			&plan, skeleton, (struct jc_rerest_goal){ .axes = axes }, lint, diagnostic);
	}
	if (!error) {
		error = describe(skeleton, &plan, &lists, out_skeleton, lint, diagnostic);
		jc_rerest_plan_finish(&plan);
	}
	if (!error) {
		jc_write_losses_report_info(skeleton, lint);
	}
	lists_finish(&lists);
	return error;
}
