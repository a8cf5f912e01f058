/* Bones by the names of their joints. */
#ifndef JC_SKELETON_NAMING_H
#define JC_SKELETON_NAMING_H

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* Finds what the name families make of the tree, whose names are parsed in
 * `names`, by joint. Confidence is set; the family is "" where none names a
 * humanoid, and the bones are then the nearest miss. */
void jc_naming_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match);

#endif
