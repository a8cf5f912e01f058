/* Whether a tracker that says when it last knew something still does. Runtimes whose
 * source died go on claiming that all joints are tracked; only their time stands. */
#ifndef JC_XR_FRESHNESS_H
#define JC_XR_FRESHNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/openxr/xr_clock.h"

/* All zero begins it. */
struct jc_xr_freshness {
	int64_t xr;         /* the newest time that was told */
	int64_t changed_ns; /* when it was first told, CLOCK_MONOTONIC */
};

/* Takes what a tracker told; a time that is none, not after 0, counts as now. Returns
 * when it was captured and whether that is too old to be true. */
int64_t jc_xr_freshness_take(struct jc_xr_freshness *freshness, const struct jc_xr_clock *clock,
	int64_t xr, int64_t stale_ns, bool *out_stale);

#endif
