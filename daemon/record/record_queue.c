/* A linked list: adding does not copy entries, however many wait for a slow disk. */
#include "record/record_queue.h"

#include <stdlib.h>
#include <string.h>

#include "maxima.h"

void jc_record_queue_init(struct jc_record_queue *queue)
{
	*queue = (struct jc_record_queue){ .end = &queue->first };
}

bool jc_record_queue_put(
	struct jc_record_queue *queue, const struct jc_record_entry *head, const void *bytes)
{
	/* Each file repeats its first messages, which may use twice the room. */
	size_t room =
		head->role == JC_RECORD_ONCE ? JC_MAX_RECORD_BACKLOG : 2 * JC_MAX_RECORD_BACKLOG;
	struct jc_record_entry *entry = NULL;

	if (queue->bytes + head->length <= room) {
		entry = malloc(sizeof(*entry) + head->length);
	}
	if (!entry) {
		queue->lost += head->captures;
		return false;
	}
	*entry = *head;
	entry->next = NULL;
	memcpy(entry->bytes, bytes, head->length);
	queue->bytes += head->length;
	*queue->end = entry;
	queue->end = &entry->next;
	return true;
}

void jc_record_queue_move(struct jc_record_queue *from, struct jc_record_queue *to)
{
	*to = *from;
	if (!to->first) {
		to->end = &to->first;
	}
	jc_record_queue_init(from);
}

struct jc_record_entry *jc_record_queue_take(struct jc_record_queue *queue)
{
	struct jc_record_entry *entry = queue->first;

	if (entry) {
		queue->first = entry->next;
		queue->bytes -= entry->length;
	}
	if (!queue->first) {
		queue->end = &queue->first;
	}
	return entry;
}
