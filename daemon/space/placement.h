/* Where bodies stand when no placement is given. */
#ifndef JC_PLACEMENT_H
#define JC_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/packet.h"
#include "maxima.h"

/* Room for one body. */
struct jc_spot {
	struct jc_placement placement;
	float radius;  /* metres of room */
	bool is_taken; /* cleared when the body leaves it */
};

/* Rows that face +Z. Each body gets as much room as it moves in; the first of a
 * row stands in its middle, the next where the row is shorter, and the ends
 * curve forward. A later body does not move others; it takes the smallest free gap that is
 * large enough. */
struct jc_arrangement {
	float left, right; /* how far the row reaches on either side, metres */
	float back;        /* how far it is set back */
	float depth;       /* of its deepest room */
	size_t spot_count;
	struct jc_spot spots[2 * JC_MAX_BODIES];
};

/* An empty one is all zeros. reach: how far the body goes from its spot; more
 * than 1.6 m is not kept free. At most JC_MAX_BODIES may be taken. */
struct jc_spot *jc_arrangement_take(struct jc_arrangement *arrangement, float reach);

/* The placement under which a body that begins displaced by `start` (metres,
 * only x and z count) and turned by start_yaw stands on the spot and looks
 * where it says. */
struct jc_placement jc_placement_compensate(
	struct jc_placement spot, struct jc_vec3 start, float start_yaw);

#endif
