/* The concrete motion behind H-Anim files: tracks that set the fields of
 * joints, and the figure that those joints make. */
#ifndef JC_MOTION_HANIM_MOTION_H
#define JC_MOTION_HANIM_MOTION_H

#include "hanim_track.h"
#include "motion_private.h"

/* Takes the tracks, whatever comes of it. JC_ERROR_NO_HUMANOID where they move
 * no bone, nor what is above one.
 *
 * A translation is a way from the center. Files have been seen to give the root's
 * place instead, as BVH has it: the lowest of its values then lies between half
 * and one and a half of the center's height, where a way would have the figure
 * hover for all its time. Such values are taken for places, and the ground for
 * where the lower foot mostly is when it is low. */
int jc_hanim_motion_create(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const char *name, struct jc_hanim_tracks *tracks, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
