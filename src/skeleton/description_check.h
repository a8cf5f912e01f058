/* Decides whether a description may become a skeleton. */
#ifndef JC_SKELETON_DESCRIPTION_CHECK_H
#define JC_SKELETON_DESCRIPTION_CHECK_H

#include "jointcast/skeleton.h"

/* Checks everything that does not need the hierarchy: counts, ranges, finite values,
 * lengths of names, and that no node has two bones. */
int jc_description_check(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic);

#endif
