/* Which way elbows and knees bend in a clip, for limbs whose rest tells where
 * they point but not how they are rolled. */
#ifndef JC_MOTION_REST_HINGE_H
#define JC_MOTION_REST_HINGE_H

#include <stdbool.h>

#include "jointcast/bvh.h"

/* The axis about which the limb upper-lower-end bends, mean over the clip, in
 * the axes of the zero pose: upper direction x lower direction. False when it
 * bends too little or in no one plane. */
bool jc_rest_hinge_measure(const struct jc_bvh *bvh, const struct jc_vec3 *zero_positions,
	int upper, int lower, int end, struct jc_vec3 *out_axis);

#endif
