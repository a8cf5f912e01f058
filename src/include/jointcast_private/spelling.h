/* Finds names that are spelt nearly like another one, for messages about unknown names. */
#ifndef JC_PRIVATE_SPELLING_H
#define JC_PRIVATE_SPELLING_H

#include <stddef.h>

/* Writes up to three of the names that are most like `wanted`, the nearest first: "'A', 'B'", or ""
 * if none is alike. The measure is the number of characters that are inserted, deleted, replaced or
 * exchanged with their neighbour (optimal string alignment), without regard to case and to a prefix
 * of the name up to ':' or '|'; at most a third of the characters of `wanted`, at least 2, may
 * differ. Empty names never fit. */
void jc_spelling_list(
	const char *wanted, size_t count, const char *const *names, char *out_text, size_t size);

#endif
