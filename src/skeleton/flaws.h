/* What an artist should mend in how a figure stands. */
#ifndef JC_SKELETON_FLAWS_H
#define JC_SKELETON_FLAWS_H

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"

/* The part of jc_skeleton_lint that is about how the figure stands. */
int jc_flaws_list_rest(const struct jc_skeleton *skeleton, struct jc_lint *lint);

#endif
