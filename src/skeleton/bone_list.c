/* A list for people: what does not fit is hinted at. */
#include "bone_list.h"

#include <stdio.h>
#include <string.h>

void jc_bone_list_add(struct jc_bone_list *list, enum jc_bone bone)
{
	const char *name = jc_bone_name(bone);
	const char *separator = list->used ? ", " : "";
	size_t left = sizeof(list->text) - list->used;

	if (list->count++ == 0) {
		list->first = bone;
	}
	if (strlen(name) + sizeof(", , ...") <= left) {
		list->used +=
			(size_t)snprintf(list->text + list->used, left, "%s%s", separator, name);
	} else if (list->used && list->text[list->used - 1] != '.') {
		list->used += (size_t)snprintf(list->text + list->used, left, ", ...");
	}
}
