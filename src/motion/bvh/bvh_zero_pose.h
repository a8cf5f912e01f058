/* The zero pose of a written BVH. A BVH does not say what its zero pose is, so
 * readers measure it, and it has to look like the T-pose that it is. */
#ifndef JC_MOTION_BVH_ZERO_POSE_H
#define JC_MOTION_BVH_ZERO_POSE_H

#include "t_pose_figure.h"

/* Stands a figure that leans or lies upright, lays arms along X and legs along
 * -Y, and turns other bones only where they point far from where a T-pose has
 * them; lengths stay. Then puts it on its lowest foot joint and measures
 * hips_height anew. */
void jc_bvh_zero_pose_lay(struct jc_t_pose_figure *t_pose);

#endif
