/* The encoded packets of bodies whose captures are recorded completely, so that tests can
 * compare a replay with them byte for byte. */
#ifndef JC_RECORD_PACKETS_H
#define JC_RECORD_PACKETS_H

#include "record/record_queue.h"
#include "record/record_roster.h"
#include "space/space.h"

struct jc_record_packets;

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_record_packets_create(struct jc_record_packets **out_packets);
void jc_record_packets_destroy(struct jc_record_packets *packets); /* NULL is fine */

/* Call between sampling and encoding of a tick. Restarts the streams of bodies whose packets are
 * recorded from now on. */
void jc_record_packets_begin(struct jc_record_packets *packets,
	const struct jc_record_roster *roster, struct jc_space *space);

/* Captures were lost: no body is recorded completely any longer. */
void jc_record_packets_invalidate(struct jc_record_packets *packets);

/* Queues the encoded packets of the tick. */
void jc_record_packets_put(struct jc_record_packets *packets, const struct jc_space *space,
	uint32_t tick, int64_t time_us, struct jc_record_queue *queue);

#endif
