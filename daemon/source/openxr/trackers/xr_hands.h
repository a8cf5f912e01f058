/* XR_EXT_hand_tracking: 26 joints a hand, in the order and with the axes of the
 * WebXR draft. With XR_EXT_hand_tracking_data_source, joints that the runtime derives from a
 * controller count as estimated. */
#ifndef JC_XR_HANDS_H
#define JC_XR_HANDS_H

#include "source/openxr/trackers/xr_tracker.h"

struct jc_xr_tracked_hands {
	struct jc_xr_tracker base;
	XrHandTrackerEXT handles[JC_HANDS];
};

void jc_xr_tracked_hands_init(struct jc_xr_tracked_hands *hands);

#endif
