/* Converts frames of a BVH file to transforms in the units and axes of the file. */
#ifndef JC_MOTION_BVH_FRAME_H
#define JC_MOTION_BVH_FRAME_H

#include "jointcast_private/bvh.h"

/* Transform of a joint in its parent. A position channel replaces its component of
 * OFFSET; adding both would double the height of the hips. */
struct jc_transform jc_bvh_frame_local(const struct jc_bvh *bvh, size_t frame, size_t joint);

/* World transforms of all joints; out_worlds has room for joint_count. */
void jc_bvh_frame_worlds(const struct jc_bvh *bvh, size_t frame, struct jc_transform *out_worlds);

/* The zero pose: positions of all joints with all channels at zero. */
void jc_bvh_frame_zero_positions(const struct jc_bvh *bvh, struct jc_vec3 *out_positions);

/* Makes every position channel replace its component of OFFSET. Some programs
 * (MotionBuilder) write channels that replace OFFSET, others (Blender) write channels
 * that are added to it; for these, this function adds OFFSET to the values. It decides by
 * the values of all joints below a root: bones keep their length, so the channels are
 * relative if the values are nearer to zero than to OFFSET. Read the wrong way, a figure
 * collapses or doubles its size. Channels of roots always replace. OFFSET of a joint that has
 * none (all joints of the zero pose lie at one point) becomes the mean of its channels. Adds a
 * note to lint (may be NULL) for each change. */
void jc_bvh_frame_resolve_positions(struct jc_bvh *bvh, struct jc_lint *lint);

#endif
