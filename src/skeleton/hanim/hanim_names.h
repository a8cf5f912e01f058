/* Names of H-Anim joints in all versions. */
#ifndef JC_SKELETON_HANIM_NAMES_H
#define JC_SKELETON_HANIM_NAMES_H

#include <stdbool.h>

#include "jointcast/humanoid.h"

/* More than the number of joints; spellings of one joint count once. */
#define JC_HANIM_NAME_COUNT 192

struct jc_hanim_name {
	int id;                /* below JC_HANIM_NAME_COUNT, one for each joint of the standard */
	enum jc_bone bone;     /* the bone of this joint, or JC_BONE_NONE */
	enum jc_bone stand_in; /* the bone of this joint if the bone's own joint is missing */
	int vertebra;          /* as in jointcast_private/hanim.h, or -1 */
};

/* False for a name that is not H-Anim's; then nothing is written. Ignores case, because
 * files write humanoidRoot and l_thumb1 in different ways. */
bool jc_hanim_names_find(const char *name, struct jc_hanim_name *out_name);

/* The name of a vertebra, from 0 to JC_HANIM_VERTEBRA_COUNT - 1 by rising order. */
const char *jc_hanim_names_vertebra(int vertebra);

#endif
