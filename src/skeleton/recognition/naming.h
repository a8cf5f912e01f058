/* Finds bones by the names of their joints. */
#ifndef JC_SKELETON_NAMING_H
#define JC_SKELETON_NAMING_H

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* Matches the tree with all name families. `names` has the parsed names by joint. Sets
 * the confidence. The family is "" if no family finds a humanoid; the bones are then
 * those of the best attempt. */
void jc_naming_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match);

#endif
