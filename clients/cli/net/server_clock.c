/* Estimates the daemon's clock in the same way as the JavaScript client. */
#include "net/server_clock.h"

#include <assert.h>

#define DRIFT 10000 /* 100 ppm, as a divisor */

void jc_server_clock_add(
	struct jc_server_clock *clock, int64_t sent_ns, int64_t received_ns, int64_t server_us)
{
	if (received_ns < sent_ns) {
		return;
	}
	clock->exchanges[clock->count++ % JC_SERVER_CLOCK_EXCHANGES] =
		(struct jc_server_clock_exchange){
			.received_ns = received_ns,
			.round_trip_ns = received_ns - sent_ns,
			.offset_us = server_us - (sent_ns / 2 + received_ns / 2) / 1000,
		};
}

static int64_t doubt(const struct jc_server_clock_exchange *exchange, int64_t now_ns)
{
	return exchange->round_trip_ns / 2 + (now_ns - exchange->received_ns) / DRIFT;
}

int64_t jc_server_clock_at(const struct jc_server_clock *clock, int64_t now_ns)
{
	const struct jc_server_clock_exchange *best = &clock->exchanges[0];

	assert(clock->count > 0);
	for (size_t i = 1; i < JC_SERVER_CLOCK_EXCHANGES && i < clock->count; i++) {
		if (doubt(&clock->exchanges[i], now_ns) < doubt(best, now_ns)) {
			best = &clock->exchanges[i];
		}
	}
	return now_ns / 1000 + best->offset_us;
}
