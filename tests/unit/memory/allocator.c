/* A block carries nothing: which ones are the wrapped code's stands in a table, for
 * others' may be freed by it, and its by others. */
#include "allocator.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>

#define SLOTS (1u << 18)

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_reallocarray(void *block, size_t count, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *block);

static struct {
	bool is_counting;
	size_t count, failing;
	size_t left;
	void *blocks[SLOTS]; /* open addressing */
} allocator;

static size_t slot_of(const void *block)
{
	return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 46);
}

static size_t find(const void *block)
{
	size_t i = slot_of(block);

	while (allocator.blocks[i] && allocator.blocks[i] != block) {
		i = (i + 1) % SLOTS;
	}
	return i;
}

static void *note(void *block)
{
	if (block && allocator.is_counting) {
		allocator.blocks[find(block)] = block;
		allocator.left++;
	}
	return block;
}

/* Those behind it move up, so that they are found without it. */
static void forget(const void *block)
{
	size_t hole = find(block);

	if (!block || !allocator.blocks[hole]) {
		return;
	}
	allocator.blocks[hole] = NULL;
	allocator.left--;
	for (size_t i = (hole + 1) % SLOTS; allocator.blocks[i]; i = (i + 1) % SLOTS) {
		void *moved = allocator.blocks[i];

		allocator.blocks[i] = NULL;
		allocator.blocks[find(moved)] = moved;
	}
}

static bool fails(void)
{
	return allocator.is_counting && ++allocator.count == allocator.failing;
}

void allocator_begin(size_t failing)
{
	allocator.is_counting = true;
	allocator.count = 0;
	allocator.failing = failing;
	allocator.left = 0;
	memset(allocator.blocks, 0, sizeof(allocator.blocks));
}

bool allocator_end(void)
{
	allocator.is_counting = false;
	return allocator.count >= allocator.failing;
}

size_t allocator_left(void)
{
	return allocator.left;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : note(__real_calloc(count, size));
}

/* The caller that returns the end of a block does not need it. */
void *__wrap_realloc(void *block, size_t size)
{
	bool grows = !block || malloc_usable_size(block) < size;

	if (grows && fails()) {
		return NULL;
	}
	forget(block);
	return note(__real_realloc(block, size));
}

void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
	return size > 0 && count > SIZE_MAX / size ? NULL : __wrap_realloc(block, count * size);
}

static char *copy_text(const char *text, size_t length)
{
	char *copy = __wrap_malloc(length + 1);

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

char *__wrap_strndup(const char *text, size_t size)
{
	return copy_text(text, strnlen(text, size));
}

char *__wrap_strdup(const char *text)
{
	return copy_text(text, strlen(text));
}

void __wrap_free(void *block)
{
	forget(block);
	__real_free(block);
}
