/* From the I-pose of H-Anim to the T-pose. */
#ifndef JC_SKELETON_HANIM_REST_H
#define JC_SKELETON_HANIM_REST_H

#include "jointcast/hanim.h"

/* Fills hanim->corrections from joints and bones, which must be set. */
void jc_hanim_correct_rest(struct jc_hanim *hanim, struct jc_lint *lint);

#endif
