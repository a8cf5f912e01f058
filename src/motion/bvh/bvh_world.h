/* Unit, axes and floor of a BVH clip, measured because no file states them. */
#ifndef JC_MOTION_BVH_WORLD_H
#define JC_MOTION_BVH_WORLD_H

#include "bvh_evidence.h"
#include "jointcast/lint.h"
#include "jointcast_private/rest_pose.h"

struct jc_bvh_world {
	float metres_per_unit;
	float hips_height; /* of the T-pose above its lowest foot joint or sole, metres */
	/* Turns the world of the file to canonical axes; the body faces +Z in the first
	 * second. */
	struct jc_quat axes;
	float floor; /* height of the floor in canonical axes, metres; subtracted */
	/* Whether translations of the hips are in units of hips_height; else, in an own file, of
	 * the height over the lowest foot or toe joint, which is above the floor. */
	bool has_floor;
};

/* rest is that of the clip's tree. Adds its assumptions to lint, which may be NULL. */
int jc_bvh_world_measure(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	struct jc_bvh_world *out_world, struct jc_lint *lint);

#endif
