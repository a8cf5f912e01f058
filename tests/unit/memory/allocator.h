/* The allocator of a program that is linked with --wrap: refuses one allocation of the wrapped
 * code, and lists memory that was not freed. */
#ifndef JC_TEST_ALLOCATOR_H
#define JC_TEST_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

/* From here on the n-th allocation fails, counted from 1; 0: none does. */
void allocator_begin(size_t failing);

/* Ends that; whether there was an n-th. */
bool allocator_end(void);

/* Blocks that were allocated since allocator_begin and are there still. */
size_t allocator_left(void);

#endif
