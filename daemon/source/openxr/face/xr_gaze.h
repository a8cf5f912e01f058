/* The gaze of XR_EXT_eye_gaze_interaction: one direction for both eyes. */
#ifndef JC_XR_GAZE_H
#define JC_XR_GAZE_H

#include "source/openxr/face/xr_face.h"

void jc_xr_gaze_init(struct jc_xr_face_tracker *gaze);

/* Converts the orientation of a gaze in the view space (-Z ahead, +X right) to the channel
 * "lookAt", clamped to what an eye can reach: 52 degrees sideways, 36 up, 55 down, the mean of
 * healthy adults plus a standard deviation (Lee et al., Eye 33, 2019: "Differences in eye movement
 * range based on age and gaze direction"). */
struct jc_quat jc_xr_gaze_look(struct jc_quat in_view);

#endif
