/* Reduces a hierarchy to the bones and their ancestors, so that the cost of a pose
 * follows the size of the body and not of the file. */
#ifndef JC_MOTION_BONE_CHAINS_H
#define JC_MOTION_BONE_CHAINS_H

#include "jointcast/skeleton.h"

/* Makes a skeleton of these nodes, at most JC_LIMIT_MOTION_NODES. out_places: for each
 * node of the description its new index, or -1. */
int jc_bone_chains_create(const struct jc_skeleton_description *whole, int *out_places,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

#endif
