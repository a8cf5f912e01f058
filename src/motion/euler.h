/* Rotations as three angles, for formats that know nothing else. */
#ifndef JC_MOTION_EULER_H
#define JC_MOTION_EULER_H

#include "jointcast/types.h"

struct jc_euler {
	double z, x, y; /* degrees; the rotation is Rz * Rx * Ry */
};

/* Of the triples that mean q the one nearest to `before`, so that angles do not
 * jump from frame to frame; where Z and Y share an axis, Y stays as it was. */
struct jc_euler jc_euler_from_quat(struct jc_quat q, struct jc_euler before);

#endif
