/* What lies between the limbs: hips, spine, chest, neck. Which joint is which
 * follows from where it stands, not from its name. */
#ifndef JC_SKELETON_TRUNK_H
#define JC_SKELETON_TRUNK_H

#include "jointcast_private/recognition.h"

/* Steps up from joint to ancestor: 0 for itself, -1 when it is not above. */
int jc_trunk_steps_up(const struct jc_joint_tree *tree, int joint, int ancestor);
int jc_trunk_climb(const struct jc_joint_tree *tree, int joint, int steps);
int jc_trunk_common_ancestor(const struct jc_joint_tree *tree, int a, int b); /* or -1 */

/* Moves the hips up to the joint that carries both legs and the trunk, if that is
 * near, then maps spine, chest and upperChest, and a neck that is not mapped
 * yet. Limbs and head are mapped as far as they are known. */
void jc_trunk_map(const struct jc_joint_tree *tree, int *bones);

#endif
