/* Which of a pair of legs is the left one. */
#ifndef JC_SKELETON_FACING_H
#define JC_SKELETON_FACING_H

#include "joint_name.h"
#include "limb_fit.h"

/* Both sides of a body as structure shows them, in no order. */
struct jc_limb_pairs {
	const struct jc_limb *legs[2];
	const struct jc_limb *arms[2];
	struct jc_vec3 up; /* from the legs to the arms */
};

/* From right to left across the body. Names say it, else feet point to the front,
 * knees bend there and elbows away from it; where none of this shows, *out_shown
 * is false and the body is taken to face +Z, or -Y where +Z is up. names may be
 * NULL. */
struct jc_vec3 jc_facing_left(const struct jc_branches *branches, const struct jc_joint_name *names,
	const struct jc_limb_pairs *pairs, bool *out_shown);

#endif
