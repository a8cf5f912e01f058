/* Whether a description may become a skeleton. */
#ifndef JC_SKELETON_DESCRIPTION_CHECK_H
#define JC_SKELETON_DESCRIPTION_CHECK_H

#include "jointcast/skeleton.h"

/* Everything that can be said without walking the hierarchy: counts, ranges,
 * finite values, names of bearable length, no node under two bones. */
int jc_description_check(
	const struct jc_skeleton_description *description, struct jc_diagnostic *diagnostic);

#endif
