/* Arena of memory chunks, with each name stored once. Names are kept in the balanced tree of glibc:
 * an attacker could choose names that collide in a hash table. */
#include "scene_memory.h"

#include <search.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"

#define CHUNK_BYTES ((size_t)64 << 10)

struct chunk {
	struct chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

struct name {
	size_t length;
	const char *text;
};

struct jc_scene_memory {
	struct chunk *chunks; /* the first is the one in use */
	size_t total;
	void *names; /* tree of struct name */
};

struct jc_scene_memory *jc_scene_memory_create(void)
{
	return calloc(1, sizeof(struct jc_scene_memory));
}

static void keep(void *name)
{
	(void)name; /* in the arena */
}

void jc_scene_memory_destroy(struct jc_scene_memory *memory)
{
	if (!memory) {
		return;
	}
	tdestroy(memory->names, keep);
	while (memory->chunks) {
		struct chunk *next = memory->chunks->next;

		free(memory->chunks);
		memory->chunks = next;
	}
	free(memory);
}

static struct chunk *add_chunk(struct jc_scene_memory *memory, size_t size)
{
	struct chunk *chunk;

	if (size > JC_LIMIT_SCENE_BYTES - memory->total) {
		return NULL;
	}
	chunk = calloc(1, sizeof(*chunk) + size);
	if (!chunk) {
		return NULL;
	}
	chunk->size = size;
	memory->total += size;
	return chunk;
}

void *jc_scene_memory_take(struct jc_scene_memory *memory, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct chunk *chunk = memory->chunks;
	void *bytes;

	if (size > JC_LIMIT_SCENE_BYTES) {
		return NULL;
	}
	size = (size + align - 1) / align * align;
	if (!chunk || size > chunk->size - chunk->used) {
		chunk = add_chunk(memory, size > CHUNK_BYTES ? size : CHUNK_BYTES);
		if (!chunk) {
			return NULL;
		}
		if (memory->chunks && size > CHUNK_BYTES) {
			/* A large value gets its own; the one in use stays so. */
			chunk->next = memory->chunks->next;
			memory->chunks->next = chunk;
		} else {
			chunk->next = memory->chunks;
			memory->chunks = chunk;
		}
	}
	bytes = chunk->bytes + chunk->used;
	chunk->used += size;
	return bytes;
}

static int compare_names(const void *left, const void *right)
{
	const struct name *a = left;
	const struct name *b = right;

	if (a->length != b->length) {
		return a->length < b->length ? -1 : 1;
	}
	return memcmp(a->text, b->text, a->length);
}

const char *jc_scene_memory_name(struct jc_scene_memory *memory, const char *text, size_t length)
{
	struct name wanted = { length, text };
	void *found = tfind(&wanted, &memory->names, compare_names);
	struct name *name;
	char *copy;

	if (found) {
		return (*(struct name **)found)->text;
	}
	name = jc_scene_memory_take(memory, sizeof(*name));
	copy = jc_scene_memory_take(memory, length + 1);
	if (!name || !copy) {
		return NULL;
	}
	memcpy(copy, text, length);
	*name = (struct name){ length, copy };
	return tsearch(name, &memory->names, compare_names) ? copy : NULL;
}
