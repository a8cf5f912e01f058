/* Acknowledgement credit (proto/SMALL-PACKETS.md, "Acknowledgement credit"): limits what is in
 * flight to one subscriber. Kernel buffers can hold seconds of stale motion; this bounds it for
 * clients that acknowledge. */
#ifndef JC_ACK_CREDIT_H
#define JC_ACK_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

struct jc_ack_credit {
	bool enabled; /* false: every tick may be sent */
	bool begun;
	uint32_t acked; /* the newest acknowledged tick */
	uint32_t sent;
	uint32_t sent_before;  /* newest tick of earlier epochs; 0: none */
	int64_t round_trip_us; /* 0: not measured yet */
	bool measured;
};

void jc_ack_credit_init(struct jc_ack_credit *credit, bool enabled);

/* Ticks begin again, because the space has a new epoch: acknowledgements of the earlier one may
 * still arrive. */
void jc_ack_credit_restart(struct jc_ack_credit *credit);

/* Whether this tick may be sent. Ticks only grow, but for a restart. */
bool jc_ack_credit_allows(const struct jc_ack_credit *credit, uint32_t hz, uint32_t tick);
void jc_ack_credit_sent(struct jc_ack_credit *credit, uint32_t tick);

/* Records that the peer has received the tick, which was due age_us ago. Returns false if it was
 * never sent, in this or an earlier epoch. */
bool jc_ack_credit_acknowledge(struct jc_ack_credit *credit, uint32_t tick, int64_t age_us);

#endif
