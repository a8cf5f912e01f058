/* Finds fingers by the fan that they form. */
#ifndef JC_SKELETON_HAND_FAN_H
#define JC_SKELETON_HAND_FAN_H

#include "branches.h"

/* Maps the fingers at a hand joint of the left or right side. Maps nothing if the thumb
 * cannot be identified or the number of fingers does not fit a hand. */
void jc_hand_fan_map(const struct jc_branches *branches, int hand, bool is_right, int *bones);

/* Adds the fingers of both hands that names do not show, if the fan agrees with all fingers
 * that are mapped. The tree has positions. Fails only when memory is short. */
int jc_hand_fan_complete(const struct jc_joint_tree *tree, int *bones);

#endif
