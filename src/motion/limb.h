/* What figure.c and limb.c share: the figure's bones by side. */
#ifndef JC_MOTION_LIMB_H
#define JC_MOTION_LIMB_H

#include "figure.h"

/* The bone of that side for an arm, leg or finger bone of the left. */
enum jc_bone jc_limb_bone(enum jc_bone left, enum jc_side side);

/* From the parent's joint to the bone's in the T-pose. */
struct jc_vec3 jc_figure_offset(enum jc_bone bone);

#endif
