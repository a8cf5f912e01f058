/* Where the arms of an H-Anim figure branch off. */
#ifndef JC_SKELETON_HANIM_ARMS_H
#define JC_SKELETON_HANIM_ARMS_H

#include <stdbool.h>

#include "jointcast/lint.h"
#include "jointcast_private/hanim.h"

/* Whether a joint carries a shoulder or an upper arm. Neck and head must not. */
bool jc_hanim_arms_are_below(const struct jc_hanim *hanim, const struct jc_hanim_joint *joint);

/* Takes the bone of the head from a joint that carries arms, with a warning: the arms would turn
 * with the head. */
void jc_hanim_arms_free_head(struct jc_hanim *hanim, struct jc_lint *lint);

/* Warns of arms that are not below a vertebra: they do not follow when the trunk bends. */
void jc_hanim_arms_lint(const struct jc_hanim *hanim, struct jc_lint *lint);

#endif
