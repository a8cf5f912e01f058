/* Skeletons of H-Anim files. */
#ifndef JC_SKELETON_HANIM_H
#define JC_SKELETON_HANIM_H

#include "jointcast/hanim.h"

int jc_skeleton_read_hanim(const struct jc_scene *scene, size_t index,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
