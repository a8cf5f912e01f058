/* Two lists: all messages, and the frames among them. */
#include "cluster/link/message_queue.h"

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
	queue->highest = queue->bytes > queue->highest ? queue->bytes : queue->highest;
}

struct jc_arrived_message *jc_message_queue_add(
	struct jc_message_queue *queue, struct jc_arrived_message *message)
{
	struct jc_arrived_message *dropped = NULL;

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
