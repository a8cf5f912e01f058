/* Messages that wait for a file: made on the loop, written on the thread pool. */
#ifndef JC_RECORD_QUEUE_H
#define JC_RECORD_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/recording.h"

/* How files keep a message. */
enum jc_record_role {
	JC_RECORD_ONCE,
	JC_RECORD_KEPT, /* every file to come begins with it: skeletons, */
	JC_RECORD_ANEW, /* as the first of these: those before are not kept any more, */
	JC_RECORD_LAST, /* or with the last of its topic: rosters, T-poses */
};

/* A message, its bytes behind it. */
struct jc_record_entry {
	struct jc_record_entry *next;
	enum jc_recording_topic topic;
	enum jc_record_role role;
	int64_t time_us;
	uint32_t captures; /* captures in it, counted when it is lost */
	uint32_t bodies;   /* of a roster: that it lists */
	uint32_t asset;    /* of a skeleton: its number */
	size_t length;
	uint8_t bytes[];
};

struct jc_record_queue {
	struct jc_record_entry *first, **end;
	size_t bytes;
	uint64_t lost; /* captures that found no room */
};

void jc_record_queue_init(struct jc_record_queue *queue);

/* Copies the bytes, of which head says the rest. What finds no room within
 * JC_MAX_RECORD_BACKLOG is lost, its captures are counted, and it returns false; of what
 * files begin with twice as much may wait. */
bool jc_record_queue_put(
	struct jc_record_queue *queue, const struct jc_record_entry *head, const void *bytes);

/* All that waits, and what was lost, goes from one to the other, which is empty. */
void jc_record_queue_move(struct jc_record_queue *from, struct jc_record_queue *to);

/* The first, the caller's to free, or NULL. */
struct jc_record_entry *jc_record_queue_take(struct jc_record_queue *queue);

#endif
