/* Finds bones by the shape of the tree alone. */
#ifndef JC_SKELETON_STRUCTURE_H
#define JC_SKELETON_STRUCTURE_H

#include "joint_name.h"
#include "jointcast_private/recognition.h"

/* Finds a body in a tree with positions, as recognition.h describes. Names, parsed by
 * joint, are only used to distinguish left and right. The family is "" if there is no
 * body. Fails only when memory is short. */
int jc_structure_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match);

#endif
