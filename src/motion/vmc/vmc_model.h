/* The avatar model of VMC: blend shapes have the names of VRM 0.x, expressions those of
 * VRM 1.0. Names that are no preset do not change. */
#ifndef JC_MOTION_VMC_MODEL_H
#define JC_MOTION_VMC_MODEL_H

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

#define JC_VMC_EXPRESSION "expression/" /* prefix of channel names */

const char *jc_vmc_model_expression(const char *vrm0); /* "JOY" or "Joy" -> "happy" */
const char *jc_vmc_model_blend_shape(const char *vrm1);

/* Positions of the bones in the T-pose, canonical axes, metres. Positions of bones that
 * the skeleton lacks do not change. Returns 0 or JC_ERROR_MEMORY. */
int jc_vmc_model_rest_positions(
	const struct jc_skeleton *skeleton, struct jc_vec3 out_positions[JC_BONE_COUNT]);

#endif
