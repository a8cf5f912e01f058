/* Measures how much of a body a set of bones covers. */
#ifndef JC_SKELETON_COMPLETENESS_H
#define JC_SKELETON_COMPLETENESS_H

#include <stddef.h>

#include "jointcast_private/recognition.h"

/* Sets an empty result. */
void jc_completeness_clear(struct jc_recognition *recognition);

void jc_completeness_count_bones(struct jc_recognition *recognition); /* sets bone_count */

/* Sets bone_count and confidence from the bones, with the confidence of names. */
void jc_completeness_count(struct jc_recognition *recognition);

/* Lists the missing parts of a body, for example "spine, both hands". */
void jc_completeness_list_missing(const int *bones, char *out_text, size_t size);

#endif
