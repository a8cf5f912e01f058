/* What the zero pose of a BVH file is: which way it looks and how far each bone
 * stands from the T-pose. A BVH promises neither, so both are measured. */
#ifndef JC_MOTION_REST_POSE_H
#define JC_MOTION_REST_POSE_H

#include <stdbool.h>

#include "jointcast/bvh.h"
#include "jointcast/humanoid.h"

struct jc_rest_pose {
	/* Turns the zero pose to canonical axes: left +X, up +Y. */
	struct jc_quat orientation;
	bool is_measurable; /* false: no left or no up in it, orientation is a guess */
	bool is_square;     /* orientation is one of the 24 along the axes */
	/* K in canonical axes; identity for absent bones. */
	struct jc_quat corrections[JC_BONE_COUNT];
	/* Joints in the T-pose, canonical axes, file units, hips at the origin;
	 * owned. */
	struct jc_vec3 *t_positions;
};

/* bones are indices of joints or -1, hips mapped. */
int jc_rest_pose_init(struct jc_rest_pose *rest, const struct jc_bvh *bvh, const int *bones);
void jc_rest_pose_finish(struct jc_rest_pose *rest);

/* The nearest mapped bone at or above a joint, JC_BONE_NONE at the top. */
enum jc_bone jc_rest_pose_bone_at(const struct jc_bvh *bvh, const int *bones, int joint);

#endif
