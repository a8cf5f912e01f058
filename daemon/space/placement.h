/* Where bodies stand when nothing else says so. */
#ifndef JC_PLACEMENT_H
#define JC_PLACEMENT_H

#include <stddef.h>

#include "jointcast/packet.h"

/* The i-th spot: rows of five, 1.5 m apart, each row shifted by half a gap
 * and set back from the one before, its ends curving forward; all face +Z. The
 * first body stands in the middle, the next to its left and right. Spots do not
 * depend on how many there are, so that nobody moves when somebody comes. */
struct jc_placement jc_placement_spot(size_t index);

/* The placement under which a body that begins displaced by `start` (metres,
 * only x and z count) and turned by start_yaw stands on the spot and looks
 * where it says. */
struct jc_placement jc_placement_compensate(
	struct jc_placement spot, struct jc_vec3 start, float start_yaw);

#endif
