/* Names of H-Anim joints, of every version. */
#ifndef JC_SKELETON_HANIM_NAMES_H
#define JC_SKELETON_HANIM_NAMES_H

#include <stdbool.h>

#include "jointcast/humanoid.h"

/* More than there are names, spellings of one joint counted once. */
#define JC_HANIM_NAME_COUNT 192

struct jc_hanim_name {
	int id;                /* below JC_HANIM_NAME_COUNT, one for each joint of the standard */
	enum jc_bone bone;     /* that it always drives, or JC_BONE_NONE */
	enum jc_bone stand_in; /* that it drives where its own joint is missing */
	int vertebra;          /* as in jointcast/hanim.h, or -1 */
};

/* False, with nothing filled, for a name that is not H-Anim's. Case does not
 * matter: files disagree on humanoidRoot and l_thumb1 alike. */
bool jc_hanim_names_find(const char *name, struct jc_hanim_name *out_name);

#endif
