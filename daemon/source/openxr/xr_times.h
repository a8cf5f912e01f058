/* The times of OpenXR: maps XrTime to CLOCK_MONOTONIC, finds stale trackers, and sets the
 * polling rate. */
#ifndef JC_XR_TIMES_H
#define JC_XR_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* XrTime has its own epoch, which changes when the runtime restarts: each poll maps it again. */

/* One instant on both clocks. */
struct jc_xr_clock {
	int64_t now_ns; /* CLOCK_MONOTONIC */
	int64_t xr;     /* XrTime */
};

/* Converts an XrTime to CLOCK_MONOTONIC, clamped to 0 … now. */
int64_t jc_xr_clock_map(const struct jc_xr_clock *clock, int64_t xr);

/* Detects stale trackers. A runtime whose source has failed may still report all joints as
 * tracked; only the reported time stands still. */

/* All zeros: initial. */
struct jc_xr_freshness {
	int64_t xr;         /* the newest reported time */
	int64_t changed_ns; /* CLOCK_MONOTONIC of its first report */
};

/* Takes a reported time; an invalid one (not above 0) counts as now. Returns the capture time
 * and whether the data is stale. */
int64_t jc_xr_freshness_take(struct jc_xr_freshness *freshness, const struct jc_xr_clock *clock,
	int64_t xr, int64_t stale_ns, bool *out_stale);

/* The polling rate: high while a person is tracked, else low. */

#define JC_XR_FAST_NS INT64_C(11111111) /* 90 Hz */
#define JC_XR_SLOW_NS INT64_C(13888889) /* 72 Hz, for trackers of 60 Hz */
/* No person was tracked for a second. */
#define JC_XR_IDLE_NS INT64_C(100000000)
#define JC_XR_OFF_NS  INT64_C(250000000) /* The session does not run. */

/* All zeros: initial. */
struct jc_xr_pace {
	int64_t tracked_ns; /* when a person was last tracked */
	int64_t began_ns;   /* start of the second in progress */
	unsigned frames;    /* new frames in this second */
	bool is_slow;
};

/* Call after each poll; is_new: it found a new frame. Returns the time to the next poll. */
int64_t jc_xr_pace_next(
	struct jc_xr_pace *pace, int64_t now_ns, bool running, bool tracked, bool is_new);

#endif
