/* HAnimMotion (ISO/IEC 19774-2, X3D 4.0): frames of channel values for joints by name, as
 * in BVH. */
#ifndef JC_MOTION_HANIM_FRAMES_H
#define JC_MOTION_HANIM_FRAMES_H

#include "hanim_track.h"

/* Appends tracks for the named joints of the figure and sets the duration. Angles are
 * degrees and apply in the order of the channels. channelsEnabled has one value for each
 * joint or for each channel. Uses the frames from startFrame to endFrame (all, if these
 * give no range) in steps of frameIncrement; a negative step runs backwards, 0 is read as
 * 1. */
int jc_hanim_frames_read(const struct jc_hanim *hanim, const struct jc_scene_node *motion,
	struct jc_hanim_tracks *tracks, struct jc_lint *lint, struct jc_diagnostic *diagnostic);

#endif
