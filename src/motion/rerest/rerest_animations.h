/* Animations over a new rest. */
#ifndef JC_MOTION_REREST_ANIMATIONS_H
#define JC_MOTION_REREST_ANIMATIONS_H

#include "gltf/gltf_edit.h"
#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Gives every node, at every time, the world transform that the file's animations
 * gave it, in the new axes. A node that an animation leaves at a rest which is no
 * more gets a track of one key. moved says to which node the mesh of another was
 * moved, or -1, by node. relative: the file's tracks by bone name count from this
 * skeleton. */
int jc_rerest_animations(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, const int *moved, bool relative, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
