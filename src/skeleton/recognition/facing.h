/* Finds which of a pair of legs is the left one. */
#ifndef JC_SKELETON_FACING_H
#define JC_SKELETON_FACING_H

#include "joint_name.h"
#include "limb_fit.h"

/* Both sides of a body found by structure, in any order. */
struct jc_limb_pairs {
	const struct jc_limb *legs[2];
	const struct jc_limb *arms[2];
	struct jc_vec3 up; /* from the legs to the arms */
};

/* Returns the direction from right to left across the body. Names decide; without them
 * feet point to the front, knees bend to the front and elbows to the back. If none of
 * this shows, *out_shown is false and the body is assumed to face +Z, or -Y if +Z is up.
 * names may be NULL. */
struct jc_vec3 jc_facing_left(const struct jc_branches *branches, const struct jc_joint_name *names,
	const struct jc_limb_pairs *pairs, bool *out_shown);

#endif
