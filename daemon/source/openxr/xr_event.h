/* Events from the OpenXR thread to the loop, and the bounded ring that carries them without
 * locks. */
#ifndef JC_XR_EVENT_H
#define JC_XR_EVENT_H

#include <stdatomic.h>

#include "jointcast/humanoid.h"
#include "source/openxr/face/xr_face.h"
#include "source/source.h"
#include "source/worn_trackers.h"

enum jc_xr_event_kind {
	JC_XR_FRAME,   /* a frame of the body */
	JC_XR_AXES,    /* the next frames have these axes and this T-pose */
	JC_XR_RESTART, /* the space moved, or the tracked person changed */
	JC_XR_STATE,
};

struct jc_xr_state {
	enum jc_source_condition condition;
	const char *reason; /* jc_source.reason */
	char detail[JC_SOURCE_DETAIL];
	/* Changes when operators should see it in the log; a hand that comes and goes changes
	 * only the detail. */
	uint32_t key;
	bool is_worn; /* body-worn trackers deliver */
	uint64_t losses;
};

struct jc_xr_event {
	enum jc_xr_event_kind kind;
	enum jc_profile profile;      /* for JC_XR_AXES */
	bool has_rest;                /* for JC_XR_AXES: `frame` is the runtime's T-pose */
	struct jc_worn_trackers worn; /* for JC_XR_FRAME */
	struct jc_face face;          /* for JC_XR_FRAME: the face at the time of `frame` */
	union {
		struct jc_body_frame frame; /* without joints: only the face is tracked */
		struct jc_xr_state state;
	};
};

#define JC_XR_RING_SLOTS 64u /* 0.7 s at 90 Hz; a power of two */

/* All zeros: empty. */
struct jc_xr_event_ring {
	atomic_uint put, taken; /* counters that wrap around */
	struct jc_xr_event slots[JC_XR_RING_SLOTS];
};

/* The slot to fill, or NULL if the ring is full; jc_xr_event_ring_put publishes it. For the
 * producer thread only. */
struct jc_xr_event *jc_xr_event_ring_free(struct jc_xr_event_ring *ring);
void jc_xr_event_ring_put(struct jc_xr_event_ring *ring);

/* The oldest event, or NULL; valid until jc_xr_event_ring_drop. For the consumer thread only. */
const struct jc_xr_event *jc_xr_event_ring_peek(struct jc_xr_event_ring *ring);
void jc_xr_event_ring_drop(struct jc_xr_event_ring *ring);

#endif
