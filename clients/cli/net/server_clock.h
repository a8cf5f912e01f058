/* What a daemon's clock says, from pings: the exchange with the shortest round trip
 * has the least to hide, and an old one is as doubtful as clocks drift. */
#ifndef JC_CLI_SERVER_CLOCK_H
#define JC_CLI_SERVER_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JC_SERVER_CLOCK_EXCHANGES 16

struct jc_server_clock {
	size_t count; /* exchanges so far */
	struct jc_server_clock_exchange {
		int64_t received_ns;
		int64_t round_trip_ns;
		int64_t offset_us; /* server time less ours */
	} exchanges[JC_SERVER_CLOCK_EXCHANGES];
};

/* A ping that was sent and answered at these times of ours, and when it was answered
 * by the server's. */
void jc_server_clock_add(
	struct jc_server_clock *clock, int64_t sent_ns, int64_t received_ns, int64_t server_us);

/* Server time at a time of ours; only after an exchange. */
int64_t jc_server_clock_at(const struct jc_server_clock *clock, int64_t now_ns);

#endif
