/* Converts animations to a new rest. */
#ifndef JC_MOTION_REREST_ANIMATIONS_H
#define JC_MOTION_REREST_ANIMATIONS_H

#include "gltf/gltf_edit.h"
#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Gives every node at every time the world transform that the animations of the file gave
 * it, in the new axes. A node that an animation leaves at its old rest gets a track of
 * one key. moved: by node, the node to which its mesh was moved, or -1. relative: tracks
 * by bone name are relative to this skeleton. */
int jc_rerest_animations(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, const int *moved, bool relative, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
