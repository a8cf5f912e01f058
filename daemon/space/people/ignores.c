/* Sorts the pairs for fast lookup, which happens for every body of every subscriber. */
#include "space/people/ignores.h"
#include "jointcast/error.h"
#include "jointcast_private/array.h"

#include <stdlib.h>
#include <string.h>

void jc_ignores_finish(struct jc_ignores *ignores)
{
	free(ignores->list);
	*ignores = (struct jc_ignores){ .list = NULL };
}

static struct jc_ignore pair(uint64_t a, uint64_t b, void *by)
{
	return (struct jc_ignore){ .low = a < b ? a : b, .high = a < b ? b : a, .by = by };
}

static int compare(const struct jc_ignore *a, const struct jc_ignore *b)
{
	if (a->low != b->low) {
		return a->low < b->low ? -1 : 1;
	}
	if (a->high != b->high) {
		return a->high < b->high ? -1 : 1;
	}
	return ((uintptr_t)a->by > (uintptr_t)b->by) - ((uintptr_t)a->by < (uintptr_t)b->by);
}

/* The index of the pair, or the index at which it would be inserted. */
static size_t find(const struct jc_ignores *ignores, const struct jc_ignore *ignore)
{
	size_t low = 0, high = ignores->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&ignores->list[middle], ignore) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

bool jc_ignores_add(struct jc_ignores *ignores, uint64_t a, uint64_t b, void *by)
{
	struct jc_ignore ignore = pair(a, b, by);
	size_t at = find(ignores, &ignore);

	if ((at < ignores->count && compare(&ignores->list[at], &ignore) == 0) ||
		!jc_array_grow(&ignores->list, &ignores->capacity, ignores->count + 1, SIZE_MAX,
			sizeof(ignore))) {
		return false;
	}
	memmove(&ignores->list[at + 1], &ignores->list[at], (ignores->count - at) * sizeof(ignore));
	ignores->list[at] = ignore;
	ignores->count++;
	return true;
}

bool jc_ignores_remove(struct jc_ignores *ignores, uint64_t a, uint64_t b, void *by)
{
	struct jc_ignore ignore = pair(a, b, by);
	size_t at = find(ignores, &ignore);

	if (at == ignores->count || compare(&ignores->list[at], &ignore) != 0) {
		return false;
	}
	ignores->count--;
	memmove(&ignores->list[at], &ignores->list[at + 1], (ignores->count - at) * sizeof(ignore));
	return true;
}

bool jc_ignores_forget(struct jc_ignores *ignores, const void *by)
{
	size_t kept = 0;

	for (size_t i = 0; i < ignores->count; i++) {
		if (ignores->list[i].by != by) {
			ignores->list[kept++] = ignores->list[i];
		}
	}
	bool found = kept < ignores->count;

	ignores->count = kept;
	return found;
}

static int compare_entries(const void *a, const void *b)
{
	return compare(a, b);
}

/* Sorts the pairs, and removes those that stand twice and those of a party with itself. */
static void settle(struct jc_ignores *ignores)
{
	size_t kept = 0;

	qsort(ignores->list, ignores->count, sizeof(ignores->list[0]), compare_entries);
	for (size_t i = 0; i < ignores->count; i++) {
		const struct jc_ignore *ignore = &ignores->list[i];

		if (ignore->low != ignore->high &&
			(kept == 0 || compare(&ignores->list[kept - 1], ignore) != 0)) {
			ignores->list[kept++] = *ignore;
		}
	}
	ignores->count = kept;
}

/* Whether the pairs of `by` are these. */
static bool has_exactly(const struct jc_ignores *ignores, void *by,
	const struct jc_party_pair pairs[], size_t count)
{
	size_t own = 0;

	for (size_t i = 0; i < ignores->count; i++) {
		own += ignores->list[i].by == by;
	}
	for (size_t i = 0; i < count && own == count; i++) {
		struct jc_ignore ignore = pair(pairs[i].low, pairs[i].high, by);
		size_t at = find(ignores, &ignore);

		if (at == ignores->count || compare(&ignores->list[at], &ignore) != 0) {
			return false;
		}
	}
	return own == count;
}

int jc_ignores_replace(
	struct jc_ignores *ignores, void *by, const struct jc_party_pair pairs[], size_t count)
{
	if (has_exactly(ignores, by, pairs, count)) {
		return 0;
	}
	if (!jc_array_grow(&ignores->list, &ignores->capacity, ignores->count + count, SIZE_MAX,
		    sizeof(ignores->list[0]))) {
		return JC_ERROR_MEMORY;
	}
	jc_ignores_forget(ignores, by);
	for (size_t i = 0; i < count; i++) {
		ignores->list[ignores->count++] = pair(pairs[i].low, pairs[i].high, by);
	}
	if (ignores->count > 0) {
		settle(ignores);
	}
	return 1;
}

void jc_ignores_rename(struct jc_ignores *ignores, uint64_t from, uint64_t to)
{
	bool found = false;

	for (size_t i = 0; i < ignores->count; i++) {
		struct jc_ignore *ignore = &ignores->list[i];

		if (ignore->low == from || ignore->high == from) {
			*ignore = pair(
				to, ignore->low == from ? ignore->high : ignore->low, ignore->by);
			found = true;
		}
	}
	if (found) {
		settle(ignores);
	}
}

bool jc_ignores_between(const struct jc_ignores *ignores, uint64_t a, uint64_t b)
{
	struct jc_ignore ignore = pair(a, b, NULL);
	size_t at = find(ignores, &ignore);

	return at < ignores->count && ignores->list[at].low == ignore.low &&
	       ignores->list[at].high == ignore.high;
}
