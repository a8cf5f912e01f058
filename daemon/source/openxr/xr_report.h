/* How trackers do, in words for operators. */
#ifndef JC_XR_REPORT_H
#define JC_XR_REPORT_H

#include "source/openxr/xr_event.h"
#include "source/openxr/xr_tracker.h"

/* The state of a session that runs, from trackers best first: live when one of them
 * is; stale when a body tracker is, or when somebody was tracked before; else
 * waiting. Fills all but losses. */
void jc_xr_report(const struct jc_xr_tracker *const *trackers, size_t count, const char *runtime,
	bool was_live, struct jc_xr_state *out_state);

#endif
