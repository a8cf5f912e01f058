/* The T-pose of a skeleton: the transforms when every N is identity. */
#ifndef JC_SKELETON_T_POSE_H
#define JC_SKELETON_T_POSE_H

#include "skeleton_private.h"

/* Computes the fields that struct jc_skeleton marks as computed. Needs nodes, order,
 * bones, facing and corrections, and memory in rest_worlds. */
int jc_t_pose_analyse(struct jc_skeleton *skeleton, struct jc_diagnostic *diagnostic);

#endif
