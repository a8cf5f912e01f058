/* Assigns the bones of an H-Anim figure by a bone map. */
#ifndef JC_SKELETON_HANIM_BONE_MAP_H
#define JC_SKELETON_HANIM_BONE_MAP_H

#include "jointcast/bone_map.h"
#include "jointcast_private/hanim.h"

/* Call it while the joints still have the names of the file. A joint without a name field has its
 * DEF as its name. Errors as of jc_bone_map_match. */
int jc_hanim_bone_map_apply(
	struct jc_hanim *hanim, const struct jc_bone_map *map, struct jc_diagnostic *diagnostic);

#endif
