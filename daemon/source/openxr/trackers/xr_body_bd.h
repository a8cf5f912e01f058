/* XR_BD_body_tracking (PICO): 24 joints, or 16 of a body without arms. */
#ifndef JC_XR_BODY_BD_H
#define JC_XR_BODY_BD_H

#include "source/openxr/trackers/xr_tracker.h"

struct jc_xr_body_bd {
	struct jc_xr_tracker base;
	XrBodyTrackerBD handle;
	uint32_t count; /* joints: 24 or 16 */
};

void jc_xr_body_bd_init(struct jc_xr_body_bd *body);

#endif
