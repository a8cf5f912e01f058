/* BVH joints as a joint tree, the input of recognition and rest analysis. */
#ifndef JC_MOTION_BVH_TREE_H
#define JC_MOTION_BVH_TREE_H

#include "jointcast_private/bvh.h"
#include "jointcast_private/recognition.h"

struct jc_bvh_tree {
	struct jc_joint_tree
		tree;       /* joints by their index in the file, then a tip for every End Site */
	const char **names; /* owned, as are the other arrays; the strings belong to the BVH */
	int *parents;
	struct jc_vec3 *positions; /* file units and axes */
};

/* Fails only when memory is short. */
int jc_bvh_tree_init(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
void jc_bvh_tree_finish(struct jc_bvh_tree *tree);

/* Sets the positions: _rest to the zero pose (also the state after init), _pose to a
 * frame. */
void jc_bvh_tree_rest(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
int jc_bvh_tree_pose(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, size_t frame);

#endif
