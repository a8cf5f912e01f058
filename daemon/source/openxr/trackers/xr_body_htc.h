/* XR_HTC_body_tracking: 26 joints; a body frame has all but the waist. */
#ifndef JC_XR_BODY_HTC_H
#define JC_XR_BODY_HTC_H

#include "source/openxr/trackers/xr_tracker.h"

struct jc_xr_body_htc {
	struct jc_xr_tracker base;
	XrBodyTrackerHTC handle;
	bool has_requested; /* the skeleton was requested */
	uint32_t skeleton;  /* skeletonGenerationId of that skeleton */
};

void jc_xr_body_htc_init(struct jc_xr_body_htc *body);

#endif
