/* Trackers are counted over a second, by what they told anew. */
#include "source/openxr/xr_pace.h"

#define SECOND_NS  INT64_C(1000000000)
#define FEW_FRAMES 62u /* a second: a tracker of 60 Hz, and what a second may catch more */

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
