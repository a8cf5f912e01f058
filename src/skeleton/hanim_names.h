/* Names of H-Anim joints, of every version. */
#ifndef JC_SKELETON_HANIM_NAMES_H
#define JC_SKELETON_HANIM_NAMES_H

#include <stdbool.h>

#include "jointcast/humanoid.h"

struct jc_hanim_name {
	enum jc_bone bone;     /* that it always drives, or JC_BONE_NONE */
	enum jc_bone stand_in; /* that it drives where its own joint is missing */
	int vertebra;          /* as in jointcast/hanim.h, or -1 */
};

/* False, with nothing filled, for a name that is not H-Anim's. Case does not
 * matter: files disagree on humanoidRoot and l_thumb1 alike. */
bool jc_hanim_find_name(const char *name, struct jc_hanim_name *out_name);

#endif
