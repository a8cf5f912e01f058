/* Makes skeletons of H-Anim files. */
#ifndef JC_SKELETON_HANIM_SKELETON_H
#define JC_SKELETON_HANIM_SKELETON_H

#include "hanim_scene.h"
#include "jointcast_private/hanim.h"

/* The map replaces the bones by name; may be NULL. */
int jc_hanim_skeleton_read(const struct jc_scene *scene, size_t index,
	const struct jc_bone_map *map, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Fills nodes, joints, segments and virtual transforms of one humanoid. Bones are set
 * later; the name of a joint is still its name field. */
int jc_hanim_collect(struct jc_hanim *hanim, const struct jc_scene *scene,
	const struct jc_hanim_scene_place *place, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

/* Fills hanim->corrections. Needs joints and bones. */
void jc_hanim_rest_correct(struct jc_hanim *hanim, struct jc_lint *lint);

#endif
