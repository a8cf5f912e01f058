/* Unit, axes and floor of a BVH clip, measured because no file states them. */
#ifndef JC_MOTION_BVH_WORLD_H
#define JC_MOTION_BVH_WORLD_H

#include "bvh_tree.h"
#include "jointcast/lint.h"
#include "jointcast_private/bvh.h"
#include "jointcast_private/rest_pose.h"

struct jc_bvh_world {
	float metres_per_unit;
	float hips_height; /* of the T-pose above its lowest foot joint, metres */
	/* Turns the world of the file to canonical axes; the body faces +Z in the first
	 * second. */
	struct jc_quat axes;
	float floor; /* height of the floor in canonical axes, metres; subtracted */
};

/* A clip, its joints in the reference pose, and the bones among them; all borrowed. */
struct jc_bvh_clip {
	const struct jc_bvh *bvh;
	const struct jc_bvh_tree *tree;
	const int *bones;
};

/* rest is that of the clip's tree. Adds its assumptions to lint, which may be NULL. */
int jc_bvh_world_measure(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	struct jc_bvh_world *out_world, struct jc_lint *lint);

/* Up of the hips where the reference pose does not stand, and hinge axes of elbows and knees,
 * averaged over the clip. A rest pose in which all bones
 * of a limb lie on one line (as in LAFAN1) does not show the roll of the limb; the bend
 * of its hinge does. Measuring fails when a limb bends too little or not in one plane.
 * clip is borrowed. */
struct jc_rest_evidence jc_bvh_world_evidence(const struct jc_bvh_clip *clip);

#endif
