/* XR_HTC_body_tracking: 26 joints, one of which, the waist, has no place in a body
 * frame. */
#ifndef JC_XR_BODY_HTC_H
#define JC_XR_BODY_HTC_H

#include "source/openxr/xr_tracker.h"

struct jc_xr_body_htc {
	struct jc_xr_tracker base;
	XrBodyTrackerHTC handle;
	bool has_asked;    /* for the skeleton, */
	uint32_t skeleton; /* which then had this skeletonGenerationId */
};

void jc_xr_body_htc_init(struct jc_xr_body_htc *body);

#endif
