/* Motions of H-Anim files: tracks that set the fields of joints, and the figure of these
 * joints. */
#ifndef JC_MOTION_HANIM_MOTION_H
#define JC_MOTION_HANIM_MOTION_H

#include "hanim_track.h"
#include "motion_private.h"

/* Takes ownership of the tracks, even on an error. JC_ERROR_NO_HUMANOID if they move no
 * bone and no ancestor of one.
 *
 * A translation is relative to the center of the joint. Some files give the position of
 * the root instead, as BVH does: then its lowest value is between 0.5 and 1.5 times the
 * height of the center, where a relative translation would make the figure float all the
 * time. Such values are read as positions, and the ground is where the lower foot mostly
 * is when it is low. */
int jc_hanim_motion_create(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const char *name, struct jc_hanim_tracks *tracks, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
