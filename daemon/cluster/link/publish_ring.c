/* Records of varying length in a ring. A record is contiguous: where it does not fit before the
 * end of the memory, a filler takes the rest. */
#include "cluster/link/publish_ring.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"

#define ALIGNMENT 16

/* Before each record. */
struct head {
	uint32_t size; /* with the head, a multiple of ALIGNMENT */
	uint32_t length;
	uint16_t subject, reply; /* bytes, with their NULs; subject 0: a filler */
};

static size_t round_up(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t length_of(const char *text)
{
	return text ? strlen(text) + 1 : 1;
}

static struct head head_at(const struct jc_publish_ring *ring, size_t at)
{
	struct head head;

	memcpy(&head, ring->bytes + at, sizeof(head));
	return head;
}

int jc_publish_ring_init(struct jc_publish_ring *ring, size_t size)
{
	*ring = (struct jc_publish_ring){ .bytes = malloc(size), .size = size };
	return ring->bytes ? JC_OK : JC_ERROR_MEMORY;
}

void jc_publish_ring_finish(struct jc_publish_ring *ring)
{
	free(ring->bytes);
	*ring = (struct jc_publish_ring){ 0 };
}

static void put_filler(struct jc_publish_ring *ring, size_t size)
{
	struct head head = { .size = (uint32_t)size };

	memcpy(ring->bytes + ring->end, &head, sizeof(head));
	ring->used += size;
	ring->end = 0;
}

int jc_publish_ring_add(
	struct jc_publish_ring *ring, const struct jc_publish_record *record, size_t most)
{
	struct head head = { .length = (uint32_t)record->length,
		.subject = (uint16_t)length_of(record->subject),
		.reply = (uint16_t)length_of(record->reply) };
	size_t size = round_up(sizeof(head) + head.subject + head.reply + record->length);
	size_t rest = ring->size - ring->end;
	size_t filler = size > rest ? rest : 0;

	if (ring->used == 0) {
		ring->first = ring->end = filler = 0;
	}
	if (record->length > ring->size || ring->used + filler + size > most ||
		ring->used + filler + size > ring->size) {
		return JC_ERROR_LIMIT;
	}
	if (filler > 0) {
		put_filler(ring, filler);
	}
	head.size = (uint32_t)size;

	uint8_t *at = ring->bytes + ring->end;

	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	memcpy(at, record->subject, head.subject);
	at += head.subject;
	memcpy(at, record->reply ? record->reply : "", head.reply);
	at += head.reply;
	if (record->length > 0) {
		memcpy(at, record->bytes, record->length);
	}
	ring->used += size;
	ring->end = (ring->end + size) % ring->size;
	return JC_OK;
}

/* The place of the oldest record that is no filler. */
static size_t first_of(const struct jc_publish_ring *ring)
{
	return head_at(ring, ring->first).subject == 0 ? 0 : ring->first;
}

bool jc_publish_ring_first(const struct jc_publish_ring *ring, struct jc_publish_record *out)
{
	if (ring->used == 0) {
		return false;
	}
	size_t at = first_of(ring);
	struct head head = head_at(ring, at);
	const uint8_t *text = ring->bytes + at + sizeof(head);

	out->subject = (const char *)text;
	out->reply = (const char *)text + head.subject;
	out->bytes = text + head.subject + head.reply;
	out->length = head.length;
	return true;
}

void jc_publish_ring_drop(struct jc_publish_ring *ring)
{
	size_t at = first_of(ring);
	size_t size = head_at(ring, at).size;

	if (at != ring->first) {
		ring->used -= head_at(ring, ring->first).size;
	}
	ring->used -= size;
	ring->first = (at + size) % ring->size;
}
