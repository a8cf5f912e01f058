/* Two lists: all messages, and the frames among them. The share of a sender is a dynamic threshold
 * (Choudhury and Hahne, 1998): a multiple of the room that is free, so a flood of one leaves room
 * to the others, and an only sender can still use most of it. */
#include "cluster/link/message_queue.h"

#define SHARE 4 /* times the free room */

static void unlink_message(struct jc_message_queue *queue, struct jc_arrived_message *message)
{
	struct jc_arrived_message **before =
		message->previous ? &message->previous->next : &queue->first;
	struct jc_arrived_message **after = message->next ? &message->next->previous : &queue->last;

	*before = message->next;
	*after = message->previous;
	if (message->is_frame) {
		before = message->previous_frame ? &message->previous_frame->next_frame
						 : &queue->first_frame;
		after = message->next_frame ? &message->next_frame->previous_frame
					    : &queue->last_frame;
		*before = message->next_frame;
		*after = message->previous_frame;
	}
	queue->bytes -= message->bytes;
	queue->of_senders[message->sender] -= message->bytes;
}

static void append(struct jc_message_queue *queue, struct jc_arrived_message *message)
{
	message->next = message->next_frame = message->previous_frame = NULL;
	message->previous = queue->last;
	*(queue->last ? &queue->last->next : &queue->first) = message;
	queue->last = message;
	if (message->is_frame) {
		message->previous_frame = queue->last_frame;
		*(queue->last_frame ? &queue->last_frame->next_frame : &queue->first_frame) =
			message;
		queue->last_frame = message;
	}
	queue->bytes += message->bytes;
	queue->of_senders[message->sender] += message->bytes;
	queue->highest = queue->bytes > queue->highest ? queue->bytes : queue->highest;
}

uint8_t jc_message_sender(const char *edge)
{
	uint32_t hash = 2166136261u; /* Fowler, Noll and Vo */

	for (const char *c = edge; *c; c++) {
		hash = (hash ^ (uint8_t)*c) * 16777619u;
	}
	return (uint8_t)(1 + hash % UINT8_MAX);
}

static bool is_beyond_share(
	const struct jc_message_queue *queue, const struct jc_arrived_message *message)
{
	size_t used = queue->of_senders[message->sender] + message->bytes;

	return message->sender && used > SHARE * (queue->most - queue->bytes);
}

struct jc_arrived_message *jc_message_queue_add(
	struct jc_message_queue *queue, struct jc_arrived_message *message)
{
	struct jc_arrived_message *dropped = NULL;

	if (is_beyond_share(queue, message)) {
		queue->dropped_others++;
		message->next = NULL;
		return message;
	}
	while (!message->is_frame && queue->last_frame &&
		queue->most - queue->bytes < message->bytes) {
		struct jc_arrived_message *frame = queue->last_frame;

		unlink_message(queue, frame);
		frame->next = dropped;
		dropped = frame;
		queue->dropped_frames++;
	}
	if (queue->most - queue->bytes < message->bytes) {
		*(message->is_frame ? &queue->dropped_frames : &queue->dropped_others) += 1;
		message->next = dropped;
		return message;
	}
	append(queue, message);
	return dropped;
}

struct jc_arrived_message *jc_message_queue_shift(struct jc_message_queue *queue)
{
	struct jc_arrived_message *message = queue->first;

	if (message) {
		unlink_message(queue, message);
	}
	return message;
}
