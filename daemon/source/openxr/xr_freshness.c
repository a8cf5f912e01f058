/* Old by its own time, or the same for too long by ours. */
#include "source/openxr/xr_freshness.h"

int64_t jc_xr_freshness_take(struct jc_xr_freshness *freshness, const struct jc_xr_clock *clock,
	int64_t xr, int64_t stale_ns, bool *out_stale)
{
	if (xr <= 0) {
		*out_stale = false;
		return clock->now_ns;
	}
	if (xr != freshness->xr) {
		freshness->xr = xr;
		freshness->changed_ns = clock->now_ns;
	}
	int64_t captured_ns = jc_xr_clock_map(clock, xr);

	*out_stale = clock->now_ns - captured_ns > stale_ns ||
		     clock->now_ns - freshness->changed_ns > stale_ns;
	return captured_ns;
}
