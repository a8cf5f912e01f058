/* The times of OpenXR: mapping XrTime to CLOCK_MONOTONIC, whether a tracker still delivers,
 * and how often the runtime is asked. */
#ifndef JC_XR_TIMES_H
#define JC_XR_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* XrTime has an epoch of its own, which changes when the runtime restarts: it is
 * mapped anew at every look. */

/* The same instant on both clocks. */
struct jc_xr_clock {
	int64_t now_ns; /* CLOCK_MONOTONIC */
	int64_t xr;     /* XrTime */
};

/* When an XrTime is by CLOCK_MONOTONIC: never later than now, for nothing is captured
 * in the future, and never before 0, whatever number the runtime gave. */
int64_t jc_xr_clock_map(const struct jc_xr_clock *clock, int64_t xr);

/* Whether a tracker that reports the time of its data still delivers. Runtimes whose
 * source died go on claiming that all joints are tracked; only their time stands. */

/* All zero begins it. */
struct jc_xr_freshness {
	int64_t xr;         /* the newest reported time */
	int64_t changed_ns; /* when it was first reported, CLOCK_MONOTONIC */
};

/* Takes a time that a tracker reported; an invalid one, not above 0, counts as now. Returns
 * when it was captured and whether that is too old to be true. */
int64_t jc_xr_freshness_take(struct jc_xr_freshness *freshness, const struct jc_xr_clock *clock,
	int64_t xr, int64_t stale_ns, bool *out_stale);

/* How often the runtime is asked: often while a person is tracked, seldom otherwise. */

#define JC_XR_FAST_NS INT64_C(11111111) /* 90 Hz */
#define JC_XR_SLOW_NS INT64_C(13888889) /* 72 Hz: the trackers give no more than 60 */
/* Nobody is tracked, and has not been for a second, */
#define JC_XR_IDLE_NS INT64_C(100000000)
#define JC_XR_OFF_NS  INT64_C(250000000) /* or the session does not run. */

/* All zero begins it. */
struct jc_xr_pace {
	int64_t tracked_ns; /* when a person was last tracked */
	int64_t began_ns;   /* of the second that is counted */
	unsigned frames;    /* new ones in it */
	bool is_slow;
};

/* After a look: whether anything new was seen. Returns the time to the next one. */
int64_t jc_xr_pace_next(
	struct jc_xr_pace *pace, int64_t now_ns, bool running, bool tracked, bool is_new);

#endif
