/* Messages on their way to NATS, in memory that is allocated once: a tick publishes without
 * allocating. The caller serialises all calls. */
#ifndef JC_PUBLISH_RING_H
#define JC_PUBLISH_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_publish_ring {
	uint8_t *bytes; /* owned */
	size_t size;
	size_t first, end; /* of the oldest record, and where the next one is written */
	size_t used;
};

/* Borrowed from the ring until jc_publish_ring_drop. */
struct jc_publish_record {
	const char *subject, *reply; /* reply: "": none */
	const uint8_t *bytes;
	size_t length;
};

/* size: a multiple of 16. Returns 0 or JC_ERROR_MEMORY. */
int jc_publish_ring_init(struct jc_publish_ring *ring, size_t size);
void jc_publish_ring_finish(struct jc_publish_ring *ring);

/* Copies a message. reply may be NULL. At most `most` bytes of the ring are in use afterwards.
 * Returns 0 or JC_ERROR_LIMIT. */
int jc_publish_ring_add(
	struct jc_publish_ring *ring, const struct jc_publish_record *record, size_t most);

/* The oldest message. False: the ring is empty. */
bool jc_publish_ring_first(const struct jc_publish_ring *ring, struct jc_publish_record *out);

/* Removes the oldest message. */
void jc_publish_ring_drop(struct jc_publish_ring *ring);

#endif
