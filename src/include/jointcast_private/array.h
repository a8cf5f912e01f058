/* Growth of arrays on the heap. */
#ifndef JC_PRIVATE_ARRAY_H
#define JC_PRIVATE_ARRAY_H

#include <stddef.h>

/* Makes room for `needed` items of item_size bytes in the heap array `items`, which may be
 * NULL and has room for *capacity. The capacity at least doubles, up to `maximum`. Returns the
 * array, which may have moved, or NULL if needed exceeds maximum or memory is short: `items`
 * and *capacity are then unchanged. New items are not initialised. */
void *jc_array_grow(void *items, size_t *capacity, size_t needed, size_t maximum, size_t item_size);

#endif
