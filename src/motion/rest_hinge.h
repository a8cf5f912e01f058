/* Which way elbows and knees bend in a clip, for limbs whose rest tells where
 * they point but not how they are rolled. */
#ifndef JC_MOTION_REST_HINGE_H
#define JC_MOTION_REST_HINGE_H

#include "jointcast/bvh.h"
#include "jointcast/rest_pose.h"

/* What the clip shows: the axis is the mean over it. False when a limb bends too
 * little or in no one plane. bvh is borrowed. */
struct jc_rest_hinge jc_bvh_rest_hinge(const struct jc_bvh *bvh);

#endif
