/* XR_FB_body_tracking, with XR_META_body_tracking_full_body, _calibration and _fidelity if
 * available: 84 or 70 joints, with hands. */
#ifndef JC_XR_BODY_META_H
#define JC_XR_BODY_META_H

#include "source/openxr/trackers/xr_tracker.h"
#include "source/openxr/xr_times.h"

struct jc_xr_body_meta {
	struct jc_xr_tracker base;
	XrBodyTrackerFB handle;
	uint32_t count;        /* joints: 84 or 70 */
	XrResult legs_refusal; /* the runtime's result for 84 joints if it refuses them, else 0 */
	struct jc_xr_freshness freshness;
	bool has_requested; /* the skeleton was requested */
	uint32_t skeleton;  /* skeletonChangedCount of that skeleton */
};

void jc_xr_body_meta_init(struct jc_xr_body_meta *body);

#endif
