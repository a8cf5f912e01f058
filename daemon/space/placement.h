/* Places for bodies without a given placement, and given placements as text. */
#ifndef JC_PLACEMENT_H
#define JC_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/packet.h"
#include "maxima.h"

/* Room for one body. */
struct jc_spot {
	struct jc_placement placement;
	float radius;  /* metres of room */
	bool is_taken; /* cleared when the body leaves */
};

/* Rows that face +Z. Each body gets room for its motion. The first body of a row is in its
 * middle, the next ones are added at the shorter side, and the ends curve forward. A new body never
 * moves others; it takes the smallest free gap that is large enough. */
struct jc_arrangement {
	float left, right; /* how far the row reaches on either side, metres */
	float back;        /* distance of the row behind the first one */
	float depth;       /* depth of its deepest room */
	size_t spot_count;
	struct jc_spot spots[2 * JC_MAX_BODIES];
};

/* All zeros: empty. reach: maximum distance of the body from its spot; at most 1.6 m are kept
 * free. At most JC_MAX_BODIES places may be in use. */
struct jc_spot *jc_arrangement_take(struct jc_arrangement *arrangement, float reach);

/* The placement that puts a body with the start displacement `start` (metres, only x and z
 * count) and heading start_yaw on its spot, in the direction of the spot. */
struct jc_placement jc_placement_compensate(
	struct jc_placement spot, struct jc_vec3 start, float start_yaw);

/* "X Y Z" in metres or "X Y Z YAW", YAW about +Y in degrees. Returns 0 or JC_ERROR_INVALID with
 * the diagnostic filled, which may be NULL. */
int jc_placement_parse(
	const char *text, struct jc_placement *out_placement, struct jc_diagnostic *diagnostic);

#endif
