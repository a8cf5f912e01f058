/* Implements the ring of events. One thread writes each counter; release and acquire order the
 * slots with it. */
#include "source/openxr/xr_event.h"

#include <stddef.h>

struct jc_xr_event *jc_xr_event_ring_free(struct jc_xr_event_ring *ring)
{
	unsigned put = atomic_load_explicit(&ring->put, memory_order_relaxed);
	unsigned taken = atomic_load_explicit(&ring->taken, memory_order_acquire);

	return put - taken < JC_XR_RING_SLOTS ? &ring->slots[put % JC_XR_RING_SLOTS] : NULL;
}

void jc_xr_event_ring_put(struct jc_xr_event_ring *ring)
{
	unsigned put = atomic_load_explicit(&ring->put, memory_order_relaxed);

	atomic_store_explicit(&ring->put, put + 1, memory_order_release);
}

const struct jc_xr_event *jc_xr_event_ring_peek(struct jc_xr_event_ring *ring)
{
	unsigned taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
	unsigned put = atomic_load_explicit(&ring->put, memory_order_acquire);

	return put != taken ? &ring->slots[taken % JC_XR_RING_SLOTS] : NULL;
}

void jc_xr_event_ring_drop(struct jc_xr_event_ring *ring)
{
	unsigned taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);

	atomic_store_explicit(&ring->taken, taken + 1, memory_order_release);
}
