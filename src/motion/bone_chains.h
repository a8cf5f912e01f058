/* The part of a file's hierarchy that a motion needs: bones and what is above
 * them, so that a pose costs no more than the body has nodes. */
#ifndef JC_MOTION_BONE_CHAINS_H
#define JC_MOTION_BONE_CHAINS_H

#include "jointcast/skeleton.h"

/* Makes a skeleton of those nodes. out_places gets, for each of the
 * description's nodes, its index there or -1. At most JC_LIMIT_MOTION_NODES. */
int jc_bone_chains_create(const struct jc_skeleton_description *whole, int *out_places,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

#endif
