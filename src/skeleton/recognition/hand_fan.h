/* Fingers by the fan they make. */
#ifndef JC_SKELETON_HAND_FAN_H
#define JC_SKELETON_HAND_FAN_H

#include "branches.h"

/* Maps the fingers that leave a hand's joint, of the left or the right side.
 * Where it cannot be told which is the thumb, or how many there are makes no
 * hand, nothing is mapped. */
void jc_hand_fan_map(const struct jc_branches *branches, int hand, bool is_right, int *bones);

#endif
