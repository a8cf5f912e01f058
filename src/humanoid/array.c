/* Growth of arrays on the heap. */
#include "jointcast_private/array.h"

#include <stdlib.h>

#define LEAST 16

void *jc_array_grow(void *items, size_t *capacity, size_t needed, size_t maximum, size_t item_size)
{
	size_t larger = *capacity < LEAST / 2 ? LEAST : *capacity * 2;
	void *grown;

	if (needed <= *capacity && items) {
		return items;
	}
	if (needed > maximum) {
		return NULL;
	}
	larger = larger < needed ? needed : larger;
	larger = larger > maximum ? maximum : larger;
	grown = reallocarray(items, larger, item_size);
	if (grown) {
		*capacity = larger;
	}
	return grown;
}
