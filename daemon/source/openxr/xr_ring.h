/* From one thread to one other, bounded, without locks: who puts in never waits,
 * and what does not fit is not put in. */
#ifndef JC_XR_RING_H
#define JC_XR_RING_H

#include <stdatomic.h>

#include "source/openxr/xr_event.h"

#define JC_XR_RING_SLOTS 64u /* 0.7 s at 90 Hz; a power of two */

/* All zero is empty. */
struct jc_xr_ring {
	atomic_uint put, taken; /* counts, which wrap around */
	struct jc_xr_event slots[JC_XR_RING_SLOTS];
};

/* The slot to fill, or NULL when all are taken; jc_xr_ring_put makes it seen. Only the
 * thread that puts in may call these. */
struct jc_xr_event *jc_xr_ring_free(struct jc_xr_ring *ring);
void jc_xr_ring_put(struct jc_xr_ring *ring);

/* The oldest event, or NULL; it stays until jc_xr_ring_drop. Only the thread that takes
 * out may call these. */
const struct jc_xr_event *jc_xr_ring_peek(struct jc_xr_ring *ring);
void jc_xr_ring_drop(struct jc_xr_ring *ring);

#endif
