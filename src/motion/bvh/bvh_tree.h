/* The joints of a BVH file as recognition and rest analysis look at them. */
#ifndef JC_MOTION_BVH_TREE_H
#define JC_MOTION_BVH_TREE_H

#include "jointcast_private/bvh.h"
#include "jointcast_private/recognition.h"

struct jc_bvh_tree {
	struct jc_joint_tree tree; /* joints by the file's indices, then a tip for every End Site */
	const char **names;        /* owned, as are the other arrays; the names are the file's */
	int *parents;
	struct jc_vec3 *positions; /* file units and axes */
};

/* Fails for want of memory only. */
int jc_bvh_tree_init(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
void jc_bvh_tree_finish(struct jc_bvh_tree *tree);

/* Stands the joints in the zero pose, as they are at first, or as a frame has
 * them. */
void jc_bvh_tree_rest(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
int jc_bvh_tree_pose(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, size_t frame);

#endif
