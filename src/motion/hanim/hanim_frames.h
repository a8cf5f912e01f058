/* HAnimMotion (ISO/IEC 19774-2, X3D 4.0): frames of channel values, as BVH has
 * them, for joints by name. */
#ifndef JC_MOTION_HANIM_FRAMES_H
#define JC_MOTION_HANIM_FRAMES_H

#include "hanim_track.h"

/* Appends the tracks of the joints that it names and the figure has, and sets
 * the duration. Angles are degrees, turned in the order of the channels.
 * channelsEnabled has one value a joint or one a channel. Of the frames those
 * from startFrame to endFrame count (all, where these say no range) in steps of
 * frameIncrement, backwards where it is negative, one by one where it is 0. */
int jc_hanim_frames_read(const struct jc_hanim *hanim, const struct jc_scene_node *motion,
	struct jc_hanim_tracks *tracks, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
