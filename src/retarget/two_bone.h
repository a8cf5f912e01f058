/* Two-bone inverse kinematics with a hinge, by the law of cosines. */
#ifndef JC_RETARGET_TWO_BONE_H
#define JC_RETARGET_TWO_BONE_H

#include "jointcast/types.h"

/* The joint in the middle: `pole` is the side of the line from root to end to which
 * it lies. Out of reach it lies on the line, at the share of the upper bone.
 * *out_pole is the pole made perpendicular to the line, unit. */
struct jc_vec3 jc_two_bone_middle(struct jc_vec3 root, struct jc_vec3 end, float upper, float lower,
	struct jc_vec3 pole, struct jc_vec3 *out_pole);

/* The rotation that takes two directions of the T-pose, the bone's and the hinge's,
 * to where they are now; the bone's exactly. */
struct jc_quat jc_two_bone_turn(struct jc_vec3 rest_along, struct jc_vec3 rest_hinge,
	struct jc_vec3 along, struct jc_vec3 hinge);

/* v without what it has along a unit axis. */
struct jc_vec3 jc_two_bone_across(struct jc_vec3 v, struct jc_vec3 axis);

#endif
