/* The T-pose of a skeleton: what stands where when every N is identity. */
#ifndef JC_SKELETON_T_POSE_H
#define JC_SKELETON_T_POSE_H

#include "skeleton_private.h"

/* Fills what struct jc_skeleton says is worked out. nodes, order, bones, facing
 * and corrections must be set and rest_worlds allocated. */
int jc_t_pose_analyse(struct jc_skeleton *skeleton, struct jc_diagnostic *diagnostic);

#endif
