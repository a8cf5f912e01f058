/* Bones named in one line of text. */
#ifndef JC_SKELETON_BONE_LIST_H
#define JC_SKELETON_BONE_LIST_H

#include <stddef.h>

#include "jointcast/humanoid.h"

/* Start from { .count = 0 }. */
struct jc_bone_list {
	size_t count;       /* of all that were added */
	enum jc_bone first; /* of them */
	size_t used;
	char text[140]; /* as many names as fit, then "..." */
};

void jc_bone_list_add(struct jc_bone_list *list, enum jc_bone bone);

#endif
