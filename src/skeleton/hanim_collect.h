/* Joints, segments and attachment points of one humanoid, as they hang. */
#ifndef JC_SKELETON_HANIM_COLLECT_H
#define JC_SKELETON_HANIM_COLLECT_H

#include "hanim_scene.h"

/* Fills nodes, joints, segments and virtual transforms. Bones and names that
 * need the whole figure are left for later: a joint's name is its name field. */
int jc_hanim_collect(struct jc_hanim *hanim, const struct jc_scene *scene,
	const struct jc_hanim_place *place, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
