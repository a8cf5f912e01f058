/* When a lost connection is made again: at random times below a bound that doubles, so that the
 * clients of a server that ends do not return at the same time, and for a limited time. */
#ifndef JC_CLI_RECONNECTION_H
#define JC_CLI_RECONNECTION_H

#include <stdbool.h>
#include <stdint.h>

struct jc_reconnection {
	int64_t most_ns;   /* how long it is tried; 0: not at all */
	int64_t return_ns; /* delay that the server has named for the next attempt; below 0: none */
	int64_t lost_ns;   /* when the connection was lost; 0: it has not been lost lately */
	int64_t opened_ns; /* when the connection was made, last */
	unsigned attempts; /* that failed since then */
};

/* seconds: how long it is tried; 0: not at all. */
void jc_reconnection_init(struct jc_reconnection *reconnection, double seconds);

/* The connection serves. */
void jc_reconnection_opened(struct jc_reconnection *reconnection, int64_t now_ns);

/* The connection is lost, or an attempt has failed: returns the delay until the next attempt, or
 * -1 when the time is over. random is from 0 to 1. Only a connection that lasted 10 seconds begins
 * a new time: a server that ends each connection soon is not tried forever. */
int64_t jc_reconnection_delay(struct jc_reconnection *reconnection, int64_t now_ns, double random);

#endif
