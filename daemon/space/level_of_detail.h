/* The level of detail that a body needs in a view: from its distance, the field of view and
 * its priority. Pure functions. */
#ifndef JC_LEVEL_OF_DETAIL_H
#define JC_LEVEL_OF_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/types.h"
#include "space/stream_spec.h"

/* Looks are taken so many times a second. */
#define JC_LEVEL_OF_DETAIL_HZ 8

/* A position to look from, and a direction. */
struct jc_viewpoint {
	struct jc_vec3 position;
	struct jc_vec3 direction; /* unit; zero: all around */
	float half_angle;         /* of the cone that is seen, radians */
};

/* The state of one body in one view, which keeps the level steady. All zeros: initial. */
struct jc_level_of_detail {
	uint8_t level; /* 0 to JC_LEVELS - 1 */
	bool is_met;
	bool is_seen;
	uint32_t changed; /* tick at which the level changed last, */
	uint32_t enough;  /* and at which no coarser one would have done */
	float importance; /* beside others of its priority */
};

/* Looks at a body at a tick. Priority 1 and above: it counts as four times as near,
 * each. Without viewpoints all are near. A finer level comes at once, but not more than
 * four times a second; a coarser one when it has been good enough for a second. */
void jc_level_of_detail_update(struct jc_level_of_detail *detail,
	const struct jc_viewpoint *viewpoints, size_t count, struct jc_vec3 body, unsigned priority,
	uint32_t tick, uint32_t hz);

/* One body that has to share a budget. */
struct jc_ration {
	uint8_t level; /* in: the best that is of use; out: what it gets, JC_LEVELS: nothing */
	uint8_t priority;
	float importance;
	float costs[JC_LEVELS]; /* bytes a second */
};

/* Takes detail from the least important until all fit, and leaves some out altogether
 * when that is not enough; priority first. */
void jc_ration_fit(struct jc_ration *rations, size_t count, float budget);

#endif
