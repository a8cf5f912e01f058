/* Where a BVH clip takes place: unit, axes and floor of its world, measured
 * because no file states them. */
#ifndef JC_MOTION_BVH_WORLD_H
#define JC_MOTION_BVH_WORLD_H

#include "jointcast/lint.h"
#include "jointcast_private/bvh.h"
#include "jointcast_private/rest_pose.h"

struct jc_bvh_world {
	float metres_per_unit;
	float hips_height; /* of the T-pose over its lowest foot joint, metres */
	/* Turns the file's world to canonical axes, the body facing +Z in the
	 * first second. */
	struct jc_quat axes;
	float floor; /* where the floor lies in canonical axes, metres; taken off */
};

/* Assumptions are noted in lint, which may be NULL. */
int jc_bvh_world_measure(const struct jc_bvh *bvh, const int *bones,
	const struct jc_rest_pose *rest, struct jc_bvh_world *out_world, struct jc_lint *lint);

/* What the clip shows: the axis is the mean over it. False when a limb bends too
 * little or in no one plane. bvh is borrowed. */
struct jc_rest_hinge jc_bvh_world_hinge(const struct jc_bvh *bvh);

#endif
