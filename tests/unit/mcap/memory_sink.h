/* A writer's bytes in memory. */
#ifndef JC_TEST_MEMORY_SINK_H
#define JC_TEST_MEMORY_SINK_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/mcap_writer.h"

struct memory_sink {
	uint8_t *bytes; /* the test's to free */
	size_t length;
};

static inline int memory_sink_write(void *context, const void *bytes, size_t length)
{
	struct memory_sink *memory = context;
	uint8_t *grown = realloc(memory->bytes, memory->length + length);

	if (!grown) {
		return JC_ERROR_MEMORY;
	}
	memcpy(grown + memory->length, bytes, length);
	memory->bytes = grown;
	memory->length += length;
	return JC_OK;
}

static inline struct jc_mcap_sink memory_sink(struct memory_sink *memory)
{
	return (struct jc_mcap_sink){ memory_sink_write, memory };
}

#endif
