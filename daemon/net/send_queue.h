/* The control messages that wait for the socket of one session. Their size is limited for
 * the session, for its address and for all sessions together. */
#ifndef JC_SEND_QUEUE_H
#define JC_SEND_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shared_text.h"
#include "net/held_texts.h"

/* The sizes of the queues of one address. All zeros: empty. */
struct jc_queued {
	size_t own_bytes;           /* of texts for one session each */
	struct jc_held_texts texts; /* texts for several sessions */
};

struct jc_queued_message;

struct jc_send_queue {
	struct jc_queued_message *first, **end;
	size_t length, bytes, own_bytes;
	size_t written;           /* bytes of the first one's frame that the socket has */
	struct jc_queued *queued; /* borrowed: of the address */
	size_t *total;            /* borrowed: bytes that wait, of all addresses */
};

void jc_send_queue_init(struct jc_send_queue *queue, struct jc_queued *queued, size_t *total);
void jc_send_queue_finish(struct jc_send_queue *queue);

/* Holds the text; is_own: no other session gets it. Returns 0; JC_ERROR_LIMIT where too
 * much waits; or JC_ERROR_MEMORY. */
int jc_send_queue_put(struct jc_send_queue *queue, struct jc_shared_text *text, bool is_own);

/* The first text, which stays the queue's; NULL: the queue is empty. */
struct jc_shared_text *jc_send_queue_first(const struct jc_send_queue *queue);

/* The first text leaves. */
void jc_send_queue_shift(struct jc_send_queue *queue);

#endif
