/* As in NTP (RFC 5905, clause 10), the sample with the least delay has the least error. */
#include "cluster/edge/origin_clock.h"

#define MOST_US (INT64_C(1) << 60) /* the sum of two such times does not overflow */

void jc_origin_clock_add(
	struct jc_origin_clock *clock, int64_t sent_us, int64_t origin_us, int64_t received_us)
{
	if (received_us < sent_us || origin_us < 0 || origin_us > MOST_US) {
		return;
	}
	clock->samples[clock->next] = (struct jc_clock_sample){ .received_us = received_us,
		.round_trip_us = received_us - sent_us,
		.ahead_us = sent_us + (received_us - sent_us) / 2 - origin_us };
	clock->next = (clock->next + 1) % JC_CLOCK_SAMPLES;
	clock->count += clock->count < JC_CLOCK_SAMPLES;
}

bool jc_origin_clock_ahead(
	const struct jc_origin_clock *clock, int64_t now_us, int64_t *out_ahead_us)
{
	const struct jc_clock_sample *best = NULL;

	for (size_t i = 0; i < clock->count; i++) {
		const struct jc_clock_sample *sample = &clock->samples[i];

		if (now_us - sample->received_us <= JC_CLOCK_LASTS_US &&
			(!best || sample->round_trip_us < best->round_trip_us)) {
			best = sample;
		}
	}
	if (!best && clock->count > 0) {
		best = &clock->samples[(clock->next + JC_CLOCK_SAMPLES - 1) % JC_CLOCK_SAMPLES];
	}
	if (best) {
		*out_ahead_us = best->ahead_us;
	}
	return best != NULL;
}
