/* Relates the T-pose of a skeleton to the rest of its figure. */
#include "hanim_placement.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/posture.h"

int jc_hanim_placement_init(struct jc_hanim_placement *placement)
{
	size_t count = jc_skeleton_node_count(placement->skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));

	placement->worlds = calloc(count, sizeof(*placement->worlds));
	if (!locals || !placement->worlds) {
		free(locals);
		jc_hanim_placement_finish(placement);
		return JC_ERROR_MEMORY;
	}
	jc_posture_t_pose(placement->skeleton, locals);
	jc_skeleton_worlds(placement->skeleton, locals, placement->worlds);
	free(locals);
	return JC_OK;
}

void jc_hanim_placement_finish(struct jc_hanim_placement *placement)
{
	free(placement->worlds);
	placement->worlds = NULL;
}

int jc_hanim_placement_joint(const struct jc_hanim_placement *placement, int node)
{
	while (node >= 0 && placement->places[node] < 0) {
		node = jc_skeleton_nodes(placement->skeleton)[node].parent;
	}
	return node;
}

/* The correction of the bone that carries a node. */
static struct jc_quat find_correction(const struct jc_hanim_placement *placement, int node)
{
	for (; node >= 0; node = jc_skeleton_nodes(placement->skeleton)[node].parent) {
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			if (jc_skeleton_bone_node(placement->skeleton, (enum jc_bone)b) == node) {
				return placement->corrections[b];
			}
		}
	}
	return JC_QUAT_IDENTITY;
}

struct jc_mat4 jc_hanim_placement_matrix(const struct jc_hanim_placement *placement, int joint)
{
	struct jc_quat turn = jc_quat_conjugate(jc_quat_multiply(
		jc_skeleton_facing(placement->skeleton), find_correction(placement, joint)));
	struct jc_vec3 shift = placement->shift;

	if (joint >= 0) {
		shift = jc_vec3_scale(
			jc_quat_rotate(turn, jc_mat4_translation(placement->worlds[joint])), -1.0f);
	}
	return jc_mat4_compose((struct jc_transform){
		.translation = shift, .rotation = turn, .scale = { 1.0f, 1.0f, 1.0f } });
}
