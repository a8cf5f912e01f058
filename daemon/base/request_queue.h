/* Uploads of clients that are processed one at a time, in the order of their arrival, bounded by
 * what they cost. */
#ifndef JC_REQUEST_QUEUE_H
#define JC_REQUEST_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of a request, which its owner allocates. */
struct jc_queued {
	struct jc_queued *next;
	size_t cost;
	uint64_t connection; /* of jc_request_queue_take; 0: none */
};

struct jc_request_queue {
	struct jc_queued *first, **end; /* the first is being processed */
	size_t cost;                    /* of all */
};

void jc_request_queue_init(struct jc_request_queue *queue);

/* Whether a request of that cost, in bytes of memory, may wait, too. */
bool jc_request_queue_has_room(const struct jc_request_queue *queue, size_t cost);

/* Adds a request as the last. */
void jc_request_queue_add(struct jc_request_queue *queue, struct jc_queued *request);

/* Removes the first request, and returns it. */
struct jc_queued *jc_request_queue_shift(struct jc_request_queue *queue);

/* Removes the requests of a connection that are not being processed, 0: those of all
 * clients. Returns them as a list. */
struct jc_queued *jc_request_queue_take(struct jc_request_queue *queue, uint64_t connection);

#endif
