/* Describes the state of trackers for operators. */
#ifndef JC_XR_REPORT_H
#define JC_XR_REPORT_H

#include "source/openxr/trackers/xr_tracker.h"
#include "source/openxr/xr_event.h"

/* Bytes at the end of a detail that are free for the remedies of the loop. */
#define JC_XR_DETAIL_RESERVE 160u

/* The state of a running session from its trackers, ordered best first: live if one with
 * joints is live; stale if a body tracker is stale, or a person was tracked before; else waiting.
 * Fills all members but losses. */
void jc_xr_report(const struct jc_xr_tracker *const *trackers, size_t count,
	const struct jc_xr_instance *instance, bool was_live, struct jc_xr_state *out_state);

#endif
