/* What somebody who mistyped a word meant. */
#ifndef JC_NEAREST_H
#define JC_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The word with the least edits (Levenshtein 1966) from `text`, NULL where all
 * are farther than a third of its length and one. Entries may be NULL. */
const char *jc_nearest(const char *text, const char *const *words, size_t count);

bool jc_is_among(const char *text, const char *const *words, size_t count);

#endif
