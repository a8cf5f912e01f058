/* XrTime has an epoch of its own, which changes when the runtime restarts: it is
 * mapped anew at every look. */
#ifndef JC_XR_CLOCK_H
#define JC_XR_CLOCK_H

#include <stdint.h>

/* The same instant on both clocks. */
struct jc_xr_clock {
	int64_t now_ns; /* CLOCK_MONOTONIC */
	int64_t xr;     /* XrTime */
};

/* When an XrTime is by CLOCK_MONOTONIC: never later than now, for nothing is captured
 * in the future, and never before 0, whatever number the runtime gave. */
int64_t jc_xr_clock_map(const struct jc_xr_clock *clock, int64_t xr);

#endif
