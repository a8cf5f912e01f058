/* Memory of one scene: many small values that are freed together. */
#ifndef JC_FORMAT_SCENE_MEMORY_H
#define JC_FORMAT_SCENE_MEMORY_H

#include <stddef.h>

struct jc_scene_memory;

struct jc_scene_memory *jc_scene_memory_create(void); /* NULL when out of memory */
void jc_scene_memory_destroy(struct jc_scene_memory *memory);

/* Zeroed and aligned for anything; NULL when out of memory or past
 * JC_LIMIT_SCENE_BYTES. */
void *jc_scene_memory_take(struct jc_scene_memory *memory, size_t size);

/* The unique copy of a text, so that equal names have equal pointers; NULL as above. */
const char *jc_scene_memory_name(struct jc_scene_memory *memory, const char *text, size_t length);

#endif
