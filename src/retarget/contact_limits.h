/* Limits of the joints of limbs: the stage never goes past them farther than the motion does. */
#ifndef JC_RETARGET_CONTACT_LIMITS_H
#define JC_RETARGET_CONTACT_LIMITS_H

#include <stdbool.h>

#include "contact_figure.h"

struct jc_contact_limit {
	bool is_there;
	struct jc_quat before, after; /* R = before * N * after, in the axes of the limit */
	struct jc_vec3 lower, upper;  /* radians, components of the rotation vector */
};

struct jc_contact_limits {
	bool any;
	struct jc_contact_limit limbs[JC_SIDES][JC_LEG_BONES];
};

/* Of the legs, or of other limbs of three bones. */
void jc_contact_limits_init(struct jc_contact_limits *limits, const struct jc_skeleton *skeleton,
	const enum jc_bone bones[JC_SIDES][JC_LEG_BONES]);

/* Turns the rotations (N) of a limb, whose bones are these, back into its limits, or to the exact
 * ones where those are past them. Returns whether one was turned. */
bool jc_contact_limits_keep(const struct jc_contact_limits *limits, int side,
	const enum jc_bone bones[JC_LEG_BONES], const struct jc_quat exact[JC_LEG_BONES],
	struct jc_quat rotations[JC_BONE_COUNT]);

#endif
