/* Blend shapes by VRM 0.x's names, which VMC speaks, and expressions by VRM
 * 1.0's. Names that are no preset stay as they are. */
#ifndef JC_MOTION_VMC_MODEL_H
#define JC_MOTION_VMC_MODEL_H

#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"

#define JC_VMC_EXPRESSION "expression/" /* what names of channels begin with */

const char *jc_vmc_model_expression(const char *vrm0); /* "JOY" or "Joy" -> "happy" */
const char *jc_vmc_model_blend_shape(const char *vrm1);

/* Canonical axes, metres; positions of bones that it lacks are left alone.
 * Returns 0 or JC_ERROR_MEMORY. */
int jc_vmc_model_rest_positions(
	const struct jc_skeleton *skeleton, struct jc_vec3 out_positions[JC_BONE_COUNT]);

#endif
