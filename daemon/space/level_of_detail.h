/* The level of detail that a body needs in a view: from its distance, the field of view and
 * its priority. Pure functions. */
#ifndef JC_LEVEL_OF_DETAIL_H
#define JC_LEVEL_OF_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/types.h"
#include "space/stream_spec.h"

/* Views are evaluated this many times a second. */
#define JC_LEVEL_OF_DETAIL_HZ 8

/* A position to look from, and a direction. */
struct jc_viewpoint {
	struct jc_vec3 position;
	struct jc_vec3 direction; /* unit; zero: all around */
	float half_angle;         /* of the viewing cone, radians */
};

/* The state of one body in one view, which keeps the level steady. All zeros: initial. */
struct jc_level_of_detail {
	uint8_t level; /* 0 to JC_LEVELS - 1 */
	bool has_level;
	bool is_seen;
	uint32_t changed; /* tick of the last change of level */
	uint32_t enough;  /* last tick at which no coarser level sufficed */
	float importance; /* relative to other bodies of its priority */
};

/* Updates the level for a tick. Priority 1 and above: each step counts as a quarter of the
 * distance. Without viewpoints all bodies are near. A finer level applies at once, at most four
 * times a second; a coarser one after a second in which it sufficed. */
void jc_level_of_detail_update(struct jc_level_of_detail *detail,
	const struct jc_viewpoint *viewpoints, size_t count, struct jc_vec3 body, unsigned priority,
	uint32_t tick, uint32_t hz);

/* One body that shares a budget. */
struct jc_ration {
	uint8_t level; /* in: the finest useful level; out: the assigned level, JC_LEVELS: none */
	uint8_t priority;
	float importance;
	float costs[JC_LEVELS]; /* bytes a second */
};

/* Coarsens the least important bodies until all fit, and omits bodies if that is not enough.
 * Higher priorities are coarsened last. */
void jc_ration_fit(struct jc_ration *rations, size_t count, float budget);

#endif
