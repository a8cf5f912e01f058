/* What position channels of joints below the root mean. */
#ifndef JC_MOTION_BVH_POSITIONS_H
#define JC_MOTION_BVH_POSITIONS_H

#include "jointcast/bvh.h"

/* Makes every position channel replace its component of OFFSET. Some files (of
 * MotionBuilder, say) have it so, others (of Blender) add to OFFSET: there OFFSET
 * is added to the values. Which it is shows in the values of all joints below a
 * root, for bones keep their length: they add when they are nearer to zero than
 * to OFFSET. Roots always replace. Notes in lint, which may be NULL, when values
 * add. */
void jc_bvh_settle_positions(struct jc_bvh *bvh, struct jc_lint *lint);

#endif
