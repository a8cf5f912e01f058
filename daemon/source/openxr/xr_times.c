/* Maps the times of OpenXR. Arithmetic saturates, because the runtime may report any number. */
#include "source/openxr/xr_times.h"

#define SECOND_NS  INT64_C(1000000000)
#define FEW_FRAMES 62u /* frames per second of a 60 Hz tracker, with a margin */

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

/* Data is stale if its reported time is old, or has not changed for too long. */
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

/* Counts the new frames of each second. */
int64_t jc_xr_pace_next(
	struct jc_xr_pace *pace, int64_t now_ns, bool running, bool tracked, bool is_new)
{
	if (!running) {
		return JC_XR_OFF_NS;
	}
	if (tracked) {
		pace->tracked_ns = now_ns;
	} else if (now_ns - pace->tracked_ns > SECOND_NS) {
		*pace = (struct jc_xr_pace){ 0 };
		return JC_XR_IDLE_NS;
	}
	pace->frames += is_new;
	if (pace->began_ns == 0) {
		pace->began_ns = now_ns;
	} else if (now_ns - pace->began_ns >= SECOND_NS) {
		pace->is_slow = pace->frames <= FEW_FRAMES;
		pace->began_ns = now_ns;
		pace->frames = 0;
	}
	return pace->is_slow ? JC_XR_SLOW_NS : JC_XR_FAST_NS;
}
