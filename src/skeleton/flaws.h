/* What an artist should mend in a skeleton of any format. */
#ifndef JC_SKELETON_FLAWS_H
#define JC_SKELETON_FLAWS_H

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"

/* Appends what is wrong with an analysed skeleton; lint may be NULL. Fails for
 * want of memory only. */
int jc_flaws_list(const struct jc_skeleton *skeleton, struct jc_lint *lint);

/* The part of it that is about how the figure stands. */
int jc_flaws_list_rest(const struct jc_skeleton *skeleton, struct jc_lint *lint);

#endif
