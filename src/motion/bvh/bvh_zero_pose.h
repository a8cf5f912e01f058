/* The zero pose of a written BVH. The format does not name its zero pose, so readers
 * measure it; it must look like the T-pose that it is. */
#ifndef JC_MOTION_BVH_ZERO_POSE_H
#define JC_MOTION_BVH_ZERO_POSE_H

#include "t_pose_figure.h"

/* Turns a leaning or lying figure upright, puts arms along X and legs along -Y, and turns
 * other bones only if they are far from their T-pose direction. Lengths do not change.
 * Then sets the figure down. */
void jc_bvh_zero_pose_lay(struct jc_t_pose_figure *t_pose);

#endif
