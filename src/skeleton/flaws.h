/* What an artist should mend in a skeleton of any format. */
#ifndef JC_SKELETON_FLAWS_H
#define JC_SKELETON_FLAWS_H

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"

/* Appends what is wrong with an analysed skeleton; lint may be NULL. */
void jc_flaws_list(const struct jc_skeleton *skeleton, struct jc_lint *lint);

#endif
