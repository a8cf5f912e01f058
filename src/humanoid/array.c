/* Growth of arrays on the heap. */
#include "jointcast_private/array.h"

#include <stdlib.h>
#include <string.h>

#define LEAST 16

bool jc_array_grow(void *array, size_t *capacity, size_t needed, size_t maximum, size_t item_size)
{
	size_t larger = *capacity < LEAST / 2 ? LEAST : *capacity * 2;
	void *items;

	memcpy(&items, array, sizeof(items)); /* a pointer to items of any type */
	if (needed <= *capacity && items) {
		return true;
	}
	if (needed > maximum) {
		return false;
	}
	larger = larger < needed ? needed : larger;
	larger = larger > maximum ? maximum : larger;
	items = reallocarray(items, larger, item_size);
	if (items) {
		memcpy(array, &items, sizeof(items));
		*capacity = larger;
	}
	return items != NULL;
}
