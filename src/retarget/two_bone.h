/* Two-bone inverse kinematics with a hinge, by the law of cosines. */
#ifndef JC_RETARGET_TWO_BONE_H
#define JC_RETARGET_TWO_BONE_H

#include "jointcast/types.h"

/* Position of the middle joint; `pole` points from the line between root and end to its side.
 * Out of reach it is on the line, at the share of the upper bone. out_pole is the unit pole
 * perpendicular to the line. */
struct jc_vec3 jc_two_bone_middle(struct jc_vec3 root, struct jc_vec3 end, float upper, float lower,
	struct jc_vec3 pole, struct jc_vec3 *out_pole);

/* The rotation from two directions of the T-pose, bone and hinge, to the current ones; exact for
 * the bone. */
struct jc_quat jc_two_bone_turn(struct jc_vec3 rest_along, struct jc_vec3 rest_hinge,
	struct jc_vec3 along, struct jc_vec3 hinge);

/* The part of v that is perpendicular to a unit axis. */
struct jc_vec3 jc_two_bone_across(struct jc_vec3 v, struct jc_vec3 axis);

#endif
