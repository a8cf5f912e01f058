/* Assigns the bones of an H-Anim figure whose joints have the names of another convention. */
#ifndef JC_SKELETON_HANIM_RECOGNITION_H
#define JC_SKELETON_HANIM_RECOGNITION_H

#include "jointcast/lint.h"
#include "jointcast_private/hanim.h"

/* Assigns bones by name families, such as those of BVH files, with a warning. JC_ERROR_NO_HUMANOID
 * without a family, JC_ERROR_MEMORY. */
int jc_hanim_recognition_apply(struct jc_hanim *hanim, struct jc_lint *lint);

#endif
