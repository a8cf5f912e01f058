/* The round trip is the minimum of recent acknowledgements, which rises slowly: late ones
 * measure the client's timer or a stall, not the network. */
#include "space/ack_credit.h"

#include "maxima.h"

void jc_ack_credit_init(struct jc_ack_credit *credit, bool enabled)
{
	*credit = (struct jc_ack_credit){ .enabled = enabled };
}

void jc_ack_credit_restart(struct jc_ack_credit *credit)
{
	uint32_t before = credit->sent > credit->sent_before ? credit->sent : credit->sent_before;

	*credit = (struct jc_ack_credit){ .enabled = credit->enabled, .sent_before = before };
}

bool jc_ack_credit_allows(const struct jc_ack_credit *credit, uint32_t hz, uint32_t tick)
{
	if (!credit->enabled) {
		return true;
	}
	if (!credit->begun || credit->acked == credit->sent) {
		return true; /* no tick is in flight */
	}
	int64_t flight_us = (int64_t)((uint64_t)(tick - credit->acked - 1) * 1000000 / hz);

	return flight_us < JC_CREDIT_US + credit->round_trip_us;
}

void jc_ack_credit_sent(struct jc_ack_credit *credit, uint32_t tick)
{
	/* The flight of this tick begins now, because no other is in flight. */
	if (!credit->begun || credit->acked == credit->sent) {
		credit->acked = tick - 1;
	}
	credit->sent = tick;
	credit->begun = true;
}

bool jc_ack_credit_acknowledge(struct jc_ack_credit *credit, uint32_t tick, int64_t age_us)
{
	if (!credit->begun) {
		return true; /* an acknowledgement for an earlier subscription */
	}
	if (tick > credit->sent) {
		return tick <= credit->sent_before;
	}
	if (tick <= credit->acked) {
		return true; /* late or repeated */
	}
	credit->acked = tick;

	int64_t sample = age_us < 0 ? 0 : age_us;

	if (!credit->measured || sample < credit->round_trip_us) {
		credit->round_trip_us = sample;
	} else {
		credit->round_trip_us += (sample - credit->round_trip_us) / 16;
	}
	if (credit->round_trip_us > JC_MAX_ROUND_TRIP_US) {
		credit->round_trip_us = JC_MAX_ROUND_TRIP_US;
	}
	credit->measured = true;
	return true;
}
