/* How much of a body a set of bones is. */
#ifndef JC_SKELETON_COMPLETENESS_H
#define JC_SKELETON_COMPLETENESS_H

#include <stddef.h>

#include "jointcast_private/recognition.h"

/* Nothing found. */
void jc_completeness_clear(struct jc_recognition *recognition);

/* Sets bone_count and confidence by the bones, as if names had told them. */
void jc_completeness_count(struct jc_recognition *recognition);

/* Lists the parts of a body that are not there, "spine, both hands" say. */
void jc_completeness_list_missing(const int *bones, char *out_text, size_t size);

#endif
