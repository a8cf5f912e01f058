/* Bones by the shape of the tree alone. */
#ifndef JC_SKELETON_STRUCTURE_H
#define JC_SKELETON_STRUCTURE_H

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* Finds what recognition.h says of structure in a tree with positions. Names,
 * parsed by joint, only tell left from right. The family is "" where there is no
 * body. Fails for want of memory only. */
int jc_structure_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match);

#endif
