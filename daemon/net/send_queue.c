/* Queues control messages. A text for several sessions of an address counts once for this
 * address. */
#include "net/send_queue.h"

#include <stdlib.h>

#include "jointcast/error.h"
#include "maxima.h"

struct jc_queued_message {
	struct jc_queued_message *next;
	struct jc_shared_text *text; /* held */
	bool is_own;
};

void jc_send_queue_init(struct jc_send_queue *queue, struct jc_queued *queued, size_t *total)
{
	*queue = (struct jc_send_queue){ .queued = queued, .total = total };
	queue->end = &queue->first;
}

void jc_send_queue_finish(struct jc_send_queue *queue)
{
	while (queue->first) {
		jc_send_queue_shift(queue);
	}
}

static size_t bytes_of(const struct jc_queued *queued)
{
	return queued->own_bytes + queued->texts.bytes;
}

/* False where the text is too much for the client, its address or the server. */
static bool has_room(const struct jc_send_queue *queue, size_t length, bool is_own)
{
	return queue->length < JC_MAX_QUEUED_MESSAGES &&
	       length <= JC_MAX_QUEUED_BYTES - queue->bytes &&
	       (!is_own || length <= JC_MAX_QUEUED_OWN_BYTES - queue->own_bytes) &&
	       *queue->total <= JC_MAX_QUEUED_BYTES_OF_ALL;
}

/* Counts the text for its address. */
static bool charge(struct jc_send_queue *queue, struct jc_shared_text *text, bool is_own)
{
	struct jc_queued *queued = queue->queued;
	size_t before = bytes_of(queued);
	size_t room = before < JC_MAX_QUEUED_BYTES_OF_ADDRESS
			      ? JC_MAX_QUEUED_BYTES_OF_ADDRESS - before
			      : 0;
	bool fits = is_own ? text->length <= room
			   : jc_held_texts_add(&queued->texts, text, queued->texts.bytes + room);

	if (fits && is_own) {
		queued->own_bytes += text->length;
	}
	*queue->total += bytes_of(queued) - before;
	return fits;
}

int jc_send_queue_put(struct jc_send_queue *queue, struct jc_shared_text *text, bool is_own)
{
	struct jc_queued_message *message;

	if (!has_room(queue, text->length, is_own)) {
		return JC_ERROR_LIMIT;
	}
	message = malloc(sizeof(*message));
	if (!message) {
		return JC_ERROR_MEMORY;
	}
	if (!charge(queue, text, is_own)) {
		free(message);
		return JC_ERROR_LIMIT;
	}
	*message =
		(struct jc_queued_message){ .text = jc_shared_text_hold(text), .is_own = is_own };
	*queue->end = message;
	queue->end = &message->next;
	queue->length++;
	queue->bytes += text->length;
	queue->own_bytes += is_own ? text->length : 0;
	return JC_OK;
}

struct jc_shared_text *jc_send_queue_first(const struct jc_send_queue *queue)
{
	return queue->first ? queue->first->text : NULL;
}

void jc_send_queue_shift(struct jc_send_queue *queue)
{
	struct jc_queued_message *message = queue->first;
	struct jc_queued *queued = queue->queued;
	size_t length = message->text->length, before = bytes_of(queued);

	queue->first = message->next;
	if (!queue->first) {
		queue->end = &queue->first;
	}
	queue->length--;
	queue->bytes -= length;
	queue->written = 0;
	if (message->is_own) {
		queue->own_bytes -= length;
		queued->own_bytes -= length;
	} else {
		jc_held_texts_remove(&queued->texts, message->text);
	}
	*queue->total -= before - bytes_of(queued);
	jc_shared_text_drop(message->text);
	free(message);
}
