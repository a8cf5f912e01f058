/* The rest of a skinned glTF figure as its skins have it, which may not be how
 * its nodes happen to stand (EXT_skeleton_humanoid, "Animation remapping"). */
#ifndef JC_SKELETON_BIND_POSE_H
#define JC_SKELETON_BIND_POSE_H

#include "jointcast/gltf.h"
#include "jointcast/humanoid.h"

struct jc_bind_pose {
	size_t count;
	struct jc_transform *locals; /* owned, by node */
	bool *is_joint;              /* owned: whether a skin lists the node */
	bool *is_bound;              /* owned: whether locals come from a skin */
};

/* bindWorld = inverse(inverseBindMatrix) for joints, the parent's times the
 * node's own local for other nodes; locals follow from the worlds. bones (node
 * indices or -1) say which nodes matter to findings and which way the figure
 * stands: where the skins bake another space in (Z up, centimetres) the nodes
 * decide where their topmost joint is. Fails for want of memory only. */
int jc_bind_pose_init(struct jc_bind_pose *pose, const struct jc_gltf *gltf,
	const int bones[JC_BONE_COUNT], struct jc_lint *lint);
void jc_bind_pose_finish(struct jc_bind_pose *pose);

#endif
