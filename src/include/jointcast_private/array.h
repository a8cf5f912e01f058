/* Growth of arrays on the heap. */
#ifndef JC_PRIVATE_ARRAY_H
#define JC_PRIVATE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `needed` items of item_size bytes in a heap array. `array` is the address of the
 * pointer to its first item, which may be NULL; the array has room for *capacity items and may
 * move. The capacity at least doubles, up to `maximum`. False if needed exceeds maximum or memory
 * is short: the array and *capacity are then unchanged. New items are not initialised. */
bool jc_array_grow(void *array, size_t *capacity, size_t needed, size_t maximum, size_t item_size);

#endif
