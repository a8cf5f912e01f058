/* Estimates the daemon's clock from pings. A short round trip bounds the error of an exchange; the
 * error grows with the age of the exchange, because clocks drift. */
#ifndef JC_CLI_SERVER_CLOCK_H
#define JC_CLI_SERVER_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define JC_SERVER_CLOCK_EXCHANGES 16

struct jc_server_clock {
	size_t count; /* exchanges so far */
	struct jc_server_clock_exchange {
		int64_t received_ns;
		int64_t round_trip_ns;
		int64_t offset_us; /* server time minus our time */
	} exchanges[JC_SERVER_CLOCK_EXCHANGES];
};

/* Adds an exchange: our times of the ping and of its answer, and the server time of the answer. */
void jc_server_clock_add(
	struct jc_server_clock *clock, int64_t sent_ns, int64_t received_ns, int64_t server_us);

/* Server time in microseconds at our time; needs at least one exchange. */
int64_t jc_server_clock_at(const struct jc_server_clock *clock, int64_t now_ns);

#endif
