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
	struct jc_quat *rotations; /* of the joints in the world; identity in the zero pose */
};

/* Fails only when memory is short. */
int jc_bvh_tree_init(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
void jc_bvh_tree_finish(struct jc_bvh_tree *tree);

/* Sets positions and rotations: _rest to the zero pose (also the state after init), _pose to a
 * frame, which can fail with JC_ERROR_MEMORY. */
void jc_bvh_tree_rest(struct jc_bvh_tree *tree, const struct jc_bvh *bvh);
int jc_bvh_tree_pose(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, size_t frame);

/* Whether the trunk is above the legs, without legs not along the arms, or there is no trunk; and
 * whether the figure also stands in a T-pose with straight limbs. */
bool jc_bvh_tree_stands(const struct jc_bvh_tree *tree, const int *bones);
bool jc_bvh_tree_is_t_pose(const struct jc_bvh_tree *tree, const int *bones);

#endif
