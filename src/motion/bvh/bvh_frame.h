/* Frames of a BVH file as transforms, still in its own units and axes. */
#ifndef JC_MOTION_BVH_FRAME_H
#define JC_MOTION_BVH_FRAME_H

#include "jointcast_private/bvh.h"

/* The joint in its parent. A position channel replaces its component of OFFSET
 * (files that add the two would double the hips' height). */
struct jc_transform jc_bvh_frame_local(const struct jc_bvh *bvh, size_t frame, size_t joint);

/* Every joint in the file's world; out_worlds holds joint_count. */
void jc_bvh_frame_worlds(const struct jc_bvh *bvh, size_t frame, struct jc_transform *out_worlds);

/* Every joint with all channels at zero and OFFSETs alone: the zero pose. */
void jc_bvh_frame_zero_positions(const struct jc_bvh *bvh, struct jc_vec3 *out_positions);

/* Makes every position channel replace its component of OFFSET. Some files (of
 * MotionBuilder, say) have it so, others (of Blender) add to OFFSET: there OFFSET
 * is added to the values. Which it is shows in the values of all joints below a
 * root, for bones keep their length: they add when they are nearer to zero than
 * to OFFSET. Roots always replace. Notes in lint, which may be NULL, when values
 * add. */
void jc_bvh_frame_settle_positions(struct jc_bvh *bvh, struct jc_lint *lint);

#endif
