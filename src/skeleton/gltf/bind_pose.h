/* The rest pose that the skins of a glTF figure define, which the transforms of its nodes
 * may differ from (EXT_skeleton_humanoid, "Animation remapping"). */
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

/* bindWorld = inverse(inverseBindMatrix) for joints; for other nodes the parent's times
 * the node's own local transform; locals follow from the worlds. bones (node indices or
 * -1) select the nodes for findings and give the orientation of the figure: where skins
 * bake another space (Z up, centimetres), the topmost joint has the transform of its
 * node. Fails only when memory is short. */
int jc_bind_pose_init(struct jc_bind_pose *pose, const struct jc_gltf *gltf,
	const int bones[JC_BONE_COUNT], struct jc_lint *lint);
void jc_bind_pose_finish(struct jc_bind_pose *pose);

#endif
