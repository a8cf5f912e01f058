/* Copies BVH joints into a joint tree; an End Site becomes a tip below its joint. */
#include "bvh_tree.h"

#include <stdlib.h>

#include "bvh_frame.h"
#include "jointcast/transform.h"

void jc_bvh_tree_rest(struct jc_bvh_tree *tree, const struct jc_bvh *bvh)
{
	jc_bvh_frame_zero_positions(bvh, tree->positions);
	for (size_t i = bvh->joint_count; i < tree->tree.count; i++) {
		int joint = tree->parents[i];

		tree->positions[i] = jc_vec3_add(tree->positions[joint], bvh->joints[joint].end);
	}
}

int jc_bvh_tree_init(struct jc_bvh_tree *tree, const struct jc_bvh *bvh)
{
	size_t most = 2 * bvh->joint_count;
	size_t count = bvh->joint_count;

	*tree = (struct jc_bvh_tree){
		.names = calloc(most, sizeof(*tree->names)),
		.parents = calloc(most, sizeof(*tree->parents)),
		.positions = calloc(most, sizeof(*tree->positions)),
	};
	if (!tree->names || !tree->parents || !tree->positions) {
		jc_bvh_tree_finish(tree);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];

		tree->names[i] = joint->name;
		tree->parents[i] = joint->parent;
		if (joint->has_end) {
			tree->names[count] = "";
			tree->parents[count++] = (int)i;
		}
	}
	tree->tree = (struct jc_joint_tree){
		.count = count,
		.joint_count = bvh->joint_count,
		.names = tree->names,
		.parents = tree->parents,
		.positions = tree->positions,
	};
	jc_bvh_tree_rest(tree, bvh);
	return JC_OK;
}

void jc_bvh_tree_finish(struct jc_bvh_tree *tree)
{
	free(tree->names);
	free(tree->parents);
	free(tree->positions);
}

int jc_bvh_tree_pose(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, size_t frame)
{
	struct jc_transform *worlds = calloc(bvh->joint_count, sizeof(*worlds));

	if (!worlds) {
		return JC_ERROR_MEMORY;
	}
	jc_bvh_frame_worlds(bvh, frame, worlds);
	for (size_t i = 0; i < tree->tree.count; i++) {
		const struct jc_transform *above;

		if (i < bvh->joint_count) {
			tree->positions[i] = worlds[i].translation;
			continue;
		}
		above = &worlds[tree->parents[i]];
		tree->positions[i] = jc_vec3_add(above->translation,
			jc_quat_rotate(above->rotation, bvh->joints[tree->parents[i]].end));
	}
	free(worlds);
	return JC_OK;
}
