/* What the thread of OpenXR tells the loop. */
#ifndef JC_XR_EVENT_H
#define JC_XR_EVENT_H

#include "jointcast/humanoid.h"
#include "source/source.h"

enum jc_xr_event_kind {
	JC_XR_FRAME,   /* a frame of the body */
	JC_XR_AXES,    /* the frames to come have these axes and this rest */
	JC_XR_RESTART, /* the space moved, or somebody else is tracked */
	JC_XR_STATE,
};

struct jc_xr_state {
	enum jc_source_condition condition;
	char detail[JC_SOURCE_DETAIL];
	/* Changes where operators should read of it; a hand that comes and goes
	 * changes the detail alone. */
	uint32_t key;
	bool is_worn; /* trackers deliver that somebody strapped on */
	uint64_t losses;
};

struct jc_xr_event {
	enum jc_xr_event_kind kind;
	enum jc_profile profile; /* of JC_XR_AXES */
	bool has_rest;           /* likewise: `frame` is the runtime's own T-pose */
	union {
		struct jc_body_frame frame;
		struct jc_xr_state state;
	};
};

#endif
