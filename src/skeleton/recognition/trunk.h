/* Maps hips, spine, chest and neck between the limbs, by position and not by name. */
#ifndef JC_SKELETON_TRUNK_H
#define JC_SKELETON_TRUNK_H

#include "jointcast_private/recognition.h"

/* Steps up from joint to ancestor: 0 for itself, -1 if it is not an ancestor. */
int jc_trunk_steps_up(const struct jc_joint_tree *tree, int joint, int ancestor);
int jc_trunk_common_ancestor(const struct jc_joint_tree *tree, int a, int b); /* or -1 */

/* Moves the hips up to the joint that carries both legs and the trunk, if it is near,
 * then maps spine, chest and upperChest, and the neck if it is not mapped. Uses the limbs
 * and the head that are mapped already. */
void jc_trunk_map(const struct jc_joint_tree *tree, int *bones);

#endif
