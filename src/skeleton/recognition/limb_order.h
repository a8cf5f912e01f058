/* Decides by the order of joints which of those with a fitting name is the bone. */
#ifndef JC_SKELETON_LIMB_ORDER_H
#define JC_SKELETON_LIMB_ORDER_H

#include <stdbool.h>

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* The joint of the nearest mapped bone above a bone of the same arm or leg; -1 if there is
 * none. The first bone of a limb, and bones of trunk and head, have none. */
int jc_limb_order_above(const int *bones, enum jc_bone bone);

/* Whether a joint is below another one, at most the length of a limb away: hostile trees are
 * deep. */
bool jc_limb_order_is_below(const struct jc_joint_tree *tree, int joint, int above);

/* Whether the bone begins at a knee or an elbow. */
bool jc_limb_order_is_middle(enum jc_bone bone);

/* If a limb has several joints of one name after another, as trackers insert them, the bone
 * is the lowest one: it carries the next bone. A neck that carries both arms is a part of the
 * trunk and is removed. */
void jc_limb_order_settle(
	const struct jc_joint_tree *tree, const struct jc_joint_name *names, int *bones);

/* The joint that carries both legs, or -1. */
int jc_limb_order_hips(const struct jc_joint_tree *tree, const int *bones);

/* Removes bones at places where no humanoid has them, or on the joint of another bone; if
 * the conflict is with a bone above the hips, that one instead of the hips. */
void jc_limb_order_drop_misplaced(const struct jc_joint_tree *tree, int *bones);

#endif
