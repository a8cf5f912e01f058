/* Received messages on their way to the loop, bounded in bytes. A full queue drops frames first,
 * the newest before the older ones: the next tick replaces them. No edge fills the queue alone. The
 * caller serialises all calls. */
#ifndef JC_MESSAGE_QUEUE_H
#define JC_MESSAGE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields before `next` are the caller's. */
struct jc_arrived_message {
	uint64_t subscription;
	void *message;
	int64_t arrived_ns;
	size_t bytes; /* that it counts in the queue */
	bool is_frame;
	uint8_t sender; /* of an edge or a host, as from jc_message_sender; 0: of an origin */
	/* In the order of arrival, and among the frames. */
	struct jc_arrived_message *next, *previous;
	struct jc_arrived_message *next_frame, *previous_frame;
};

/* Entries are borrowed. All zeros and `most`: empty. */
struct jc_message_queue {
	size_t most, bytes, highest; /* highest: the most bytes that were in it */
	struct jc_arrived_message *first, *last;
	struct jc_arrived_message *first_frame, *last_frame;
	size_t of_senders[256]; /* bytes */
	uint64_t dropped_frames, dropped_others;
};

/* The place of an edge among the senders; two edges rarely share one. */
uint8_t jc_message_sender(const char *edge);

/* Adds an entry as the last. Returns the entries that are dropped for it, itself among them where
 * it does not fit, linked by `next`: the caller frees them. */
struct jc_arrived_message *jc_message_queue_add(
	struct jc_message_queue *queue, struct jc_arrived_message *message);

/* Removes the first entry. NULL: the queue is empty. */
struct jc_arrived_message *jc_message_queue_shift(struct jc_message_queue *queue);

#endif
