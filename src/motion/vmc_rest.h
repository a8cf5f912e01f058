/* Where an avatar's bones stand in its T-pose. */
#ifndef JC_VMC_REST_H
#define JC_VMC_REST_H

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

/* Canonical axes, metres; positions of bones that it lacks are left alone.
 * Returns 0 or JC_ERROR_MEMORY. */
int jc_vmc_rest_positions(
	const struct jc_skeleton *skeleton, struct jc_vec3 out_positions[JC_BONE_COUNT]);

#endif
