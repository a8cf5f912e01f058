/* Blend shapes by VRM 0.x's names, which VMC speaks, and expressions by VRM
 * 1.0's. Names that are no preset stay as they are. */
#ifndef JC_VMC_NAMES_H
#define JC_VMC_NAMES_H

#define JC_VMC_EXPRESSION "expression/" /* what names of channels begin with */

const char *jc_vmc_expression(const char *vrm0); /* "JOY" or "Joy" -> "happy" */
const char *jc_vmc_blend_shape(const char *vrm1);

#endif
