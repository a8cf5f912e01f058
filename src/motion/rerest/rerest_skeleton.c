/* Makes a new skeleton from a re-rest plan, with virtual transforms, limits and offsets. */
#include "jointcast/rerest.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "rerest_plan.h"

/* Offsets are canonical, so they turn with a figure that is turned. */
static struct jc_quat turn_offset(
	const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan, enum jc_bone bone)
{
	struct jc_quat turn = jc_quat_multiply(plan->turn, jc_skeleton_facing(skeleton));

	return jc_quat_normalize(jc_quat_multiply(turn,
		jc_quat_multiply(jc_skeleton_offset(skeleton, bone), jc_quat_conjugate(turn))));
}

static int describe(const struct jc_skeleton *skeleton, const struct jc_rerest_plan *plan,
	struct jc_skeleton_node *nodes, struct jc_virtual_transform *virtuals,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;

	jc_skeleton_description_init(&description);
	description.name = jc_skeleton_name(skeleton);
	description.node_count = plan->count;
	description.nodes = nodes;
	description.has_floor = jc_skeleton_has_floor(skeleton) && !plan->is_turned;
	description.floor = jc_skeleton_floor(skeleton);
	description.virtual_transform_count = jc_skeleton_virtual_transform_count(skeleton);
	description.virtual_transforms = virtuals;
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

int jc_rerest_skeleton(const struct jc_skeleton *skeleton, struct jc_skeleton **out_skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t virtual_count = jc_skeleton_virtual_transform_count(skeleton);
	struct jc_virtual_transform *virtuals = calloc(virtual_count + 1, sizeof(*virtuals));
	struct jc_skeleton_node *nodes =
		calloc(jc_skeleton_node_count(skeleton) + 1, sizeof(*nodes));
	struct jc_rerest_plan plan;
	int error;

	if (!virtuals || !nodes) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	} else {
		error = jc_rerest_plan_init(&plan, skeleton, lint, diagnostic);
	}
	if (!error) {
		error = describe(skeleton, &plan, nodes, virtuals, out_skeleton, diagnostic);
		jc_rerest_plan_finish(&plan);
	}
	free(virtuals);
	free(nodes);
	return error;
}
