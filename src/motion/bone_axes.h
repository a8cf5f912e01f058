/* Rotations of bones at rest in written skeletons. */
#ifndef JC_MOTION_BONE_AXES_H
#define JC_MOTION_BONE_AXES_H

#include "jointcast/skeleton.h"
#include "jointcast/write.h"

/* World rotation of a bone's node in the reference pose, canonical. positions are the joints in the
 * T-pose, by bone, canonical. */
struct jc_quat jc_bone_axes_rotation(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	enum jc_bone bone, const struct jc_vec3 positions[JC_BONE_COUNT]);

#endif
