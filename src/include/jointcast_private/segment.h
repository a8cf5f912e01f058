/* Segments of a body in other coordinates. */
#ifndef JC_PRIVATE_SEGMENT_H
#define JC_PRIVATE_SEGMENT_H

#include "jointcast/skeleton.h"

/* Converts the center of mass c to M c and the moments of inertia I to A I A^T, with A the linear
 * part of M: exact for rotations, translations and even scales. */
void jc_skeleton_segment_transform(
	struct jc_skeleton_segment *segment, const struct jc_mat4 *matrix);

/* Whether all values are finite and within the limits of descriptors. */
bool jc_skeleton_segment_is_valid(const struct jc_skeleton_segment *segment);

#endif
