/* Computes edit distances with one row of the table in memory. */
#include "config/nearest.h"

#include <string.h>

#define LONGEST 63

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t edits(const char *a, const char *b)
{
	size_t row[LONGEST + 1];
	size_t length = strlen(b);

	for (size_t j = 0; j <= length; j++) {
		row[j] = j;
	}
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

const char *jc_nearest(const char *text, const char *const *words, size_t count)
{
	size_t allowed = strlen(text) / 3 + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!words[i] || strlen(words[i]) > LONGEST) {
			continue;
		}
		size_t distance = edits(text, words[i]);

		if (distance <= allowed) {
			nearest = words[i];
			allowed = distance - (distance > 0);
		}
	}
	return nearest;
}
