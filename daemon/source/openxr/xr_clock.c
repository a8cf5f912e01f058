/* Saturating, for the numbers are the runtime's. */
#include "source/openxr/xr_clock.h"

int64_t jc_xr_clock_map(const struct jc_xr_clock *clock, int64_t xr)
{
	int64_t age;

	if (xr >= clock->xr) {
		return clock->now_ns;
	}
	if (__builtin_sub_overflow(clock->xr, xr, &age) || age > clock->now_ns) {
		return 0;
	}
	return clock->now_ns - age;
}
