/* How often the runtime is asked: often enough for motion while somebody moves, and
 * seldom while nobody does. */
#ifndef JC_XR_PACE_H
#define JC_XR_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define JC_XR_FAST_NS INT64_C(11111111) /* 90 Hz */
#define JC_XR_SLOW_NS INT64_C(13888889) /* 72 Hz: the trackers give no more than 60 */
/* Nobody is tracked, and has not been for a second, */
#define JC_XR_IDLE_NS INT64_C(100000000)
#define JC_XR_OFF_NS  INT64_C(250000000) /* or the session does not run. */

/* All zero begins it. */
struct jc_xr_pace {
	int64_t tracked_ns; /* when somebody last was */
	int64_t began_ns;   /* of the second that is counted */
	unsigned frames;    /* new ones in it */
	bool is_slow;
};

/* After a look: whether anything new was seen. Returns the time to the next one. */
int64_t jc_xr_pace_next(
	struct jc_xr_pace *pace, int64_t now_ns, bool running, bool tracked, bool is_new);

#endif
