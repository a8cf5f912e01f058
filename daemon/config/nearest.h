/* Finds the word that a mistyped word resembles most. */
#ifndef JC_NEAREST_H
#define JC_NEAREST_H

#include <stddef.h>

/* Returns the word with the fewest edits (Levenshtein 1966) from `text`; NULL if each word
 * needs more edits than a third of the length of `text`, plus one. Words may be NULL. */
const char *jc_nearest(const char *text, const char *const *words, size_t count);

#endif
