/* Messages that wait for a file: made on the loop, written on the thread pool. */
#ifndef JC_RECORD_QUEUE_H
#define JC_RECORD_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/recording.h"

/* How often files repeat a message. */
enum jc_record_role {
	JC_RECORD_ONCE,
	JC_RECORD_KEPT, /* repeated in each file: a skeleton */
	JC_RECORD_ANEW, /* like KEPT, and replaces all earlier ones */
	JC_RECORD_LAST, /* each file repeats the last of its topic: rosters, T-poses */
};

/* A message, followed by its bytes. */
struct jc_record_entry {
	struct jc_record_entry *next;
	enum jc_recording_topic topic;
	enum jc_record_role role;
	int64_t time_us;
	uint32_t captures; /* captures in it, counted when it is lost */
	uint32_t bodies;   /* number of bodies in a roster */
	uint64_t entered;  /* number of bodies in this roster and all before it */
	uint32_t asset;    /* number of a skeleton asset */
	size_t length;
	uint8_t bytes[];
};

struct jc_record_queue {
	struct jc_record_entry *first, **end;
	size_t bytes;
	uint64_t lost; /* captures that found no room */
};

void jc_record_queue_init(struct jc_record_queue *queue);

/* Appends a message with the fields of head; copies the bytes. If more than
 * JC_MAX_RECORD_BACKLOG would wait (twice as much for messages that files repeat), the message is
 * lost, its captures are counted, and the result is false. */
bool jc_record_queue_put(
	struct jc_record_queue *queue, const struct jc_record_entry *head, const void *bytes);

/* Moves all messages and the lost count to an empty queue. */
void jc_record_queue_move(struct jc_record_queue *from, struct jc_record_queue *to);

/* Removes the first message, which the caller frees. NULL: the queue is empty. */
struct jc_record_entry *jc_record_queue_take(struct jc_record_queue *queue);

#endif
