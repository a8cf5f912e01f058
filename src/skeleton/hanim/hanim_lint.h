/* Reports fields and routes of joints that do not follow H-Anim. */
#ifndef JC_SKELETON_HANIM_LINT_H
#define JC_SKELETON_HANIM_LINT_H

#include "jointcast_private/hanim.h"

/* "hanim-not-neutral": fields of joints without their default value. "hanim-not-portable": routes
 * into fields of joints other than rotation and the translation of the root. One finding for each
 * field, however many joints it concerns. lint may be NULL. JC_OK or JC_ERROR_MEMORY. */
int jc_hanim_lint(const struct jc_hanim *hanim, const struct jc_scene *scene, struct jc_lint *lint);

#endif
