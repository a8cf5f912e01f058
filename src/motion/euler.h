/* Rotations as three angles, for file formats that store nothing else. */
#ifndef JC_MOTION_EULER_H
#define JC_MOTION_EULER_H

#include "jointcast/types.h"

struct jc_euler {
	double z, x, y; /* degrees; the rotation is Rz * Rx * Ry */
};

/* Returns the angles of q nearest to `before`, so that they do not jump between frames.
 * Where Z and Y turn about one axis, Y keeps its value. */
struct jc_euler jc_euler_from_quat(struct jc_quat q, struct jc_euler before);

#endif
