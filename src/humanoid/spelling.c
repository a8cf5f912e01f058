/* Measures how much two names differ, by dynamic programming over their first characters. */
#include "jointcast_private/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COMPARED 48 /* characters of a name */
#define LISTED   3
#define SHOWN    32 /* bytes of each name in the list */

static unsigned char lower(char c)
{
	return (unsigned char)tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964, without repeated edits of a substring). */
static size_t distance(const char *a, const char *b)
{
	size_t m = strnlen(a, COMPARED);
	size_t n = strnlen(b, COMPARED);
	size_t rows[3][COMPARED + 1]; /* of row i: rows[i % 3] */

	for (size_t j = 0; j <= n; j++) {
		rows[0][j] = j;
	}
	for (size_t i = 1; i <= m; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i - 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t replaced = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));

			row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1])) {
				row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
			}
		}
	}
	return rows[m % 3][n];
}

static const char *after_prefix(const char *name)
{
	const char *end = strpbrk(name, ":|");

	while (end && strpbrk(end + 1, ":|")) {
		end = strpbrk(end + 1, ":|");
	}
	return end && end[1] ? end + 1 : name;
}

static size_t difference(const char *wanted, const char *name)
{
	const char *bare = after_prefix(name);
	size_t whole = distance(wanted, name);

	return bare == name ? whole : least(whole, distance(after_prefix(wanted), bare));
}

void jc_spelling_list(
	const char *wanted, size_t count, const char *const *names, char *out_text, size_t size)
{
	size_t most = strnlen(wanted, COMPARED) / 3 > 2 ? strnlen(wanted, COMPARED) / 3 : 2;
	struct {
		size_t name, difference;
	} found[LISTED + 1];
	size_t kept = 0;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		size_t d = names[i][0] ? difference(wanted, names[i]) : most + 1;
		size_t at = kept;

		while (at > 0 && found[at - 1].difference > d) {
			found[at] = found[at - 1];
			at--;
		}
		if (d <= most) {
			found[at].name = i;
			found[at].difference = d;
			kept = kept < LISTED ? kept + 1 : LISTED;
		}
	}
	out_text[0] = '\0';
	for (size_t i = 0; i < kept && used < size; i++) {
		used += (size_t)snprintf(out_text + used, size - used, "%s'%.*s'", i ? ", " : "",
			SHOWN, names[found[i].name]);
	}
}
