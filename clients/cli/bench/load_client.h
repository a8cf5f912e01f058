/* Many subscribers in one thread: what a load of people looks like to a daemon, and
 * the receiving end of the floor that it is compared with. */
#ifndef JC_CLI_LOAD_CLIENT_H
#define JC_CLI_LOAD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <openssl/ssl.h>

#include "bench/bench_statistics.h"

#define JC_LOAD_CLIENT_MOST  16000u
#define JC_LOAD_CLIENT_VIEWS 4u

struct jc_load_client_options {
	struct sockaddr_storage address;
	SSL_CTX *tls;         /* see secure.h; borrowed; NULL: in the clear */
	size_t count;         /* subscribers, 1 to JC_LOAD_CLIENT_MOST */
	const char *space;    /* that all of them watch; borrowed */
	unsigned rate;        /* 1, 2 or 4: every so many ticks */
	bool credit;          /* they acknowledge, four times a second */
	size_t views;         /* 1 to JC_LOAD_CLIENT_VIEWS: of how many kinds theirs are */
	bool own_skeletons;   /* each has all bodies worn on a skeleton of its own */
	bool viewpoints;      /* each looks from elsewhere */
	size_t message_bytes; /* 0: they speak jointcast.v1; else they only count
			       * messages of this length, */
	const char *greeting; /* NULL: at once; else after a WebSocket's handshake and
			       * these words, which may be none; borrowed */
	size_t stalled;       /* the last so many stop reading for a while */
};

/* What was seen in the measured time. */
struct jc_load_client_figures {
	uint64_t deliveries; /* binary messages; of the floor, messages' worth of bytes */
	uint64_t bytes;      /* of their payload */
	uint64_t expected_ticks, seen_ticks; /* due, and got by anybody that read on */
	uint64_t lost;                       /* subscribers whose connection ended */
	struct jc_bench_latency latency;     /* from a tick's nominal time, who read on */
	/* Of those that stalled: most old messages (over 250 ms) after waking, and the
	 * longest from waking to the first that was not over 100 ms old. */
	uint64_t stale_most;
	double wake_ms_most;
};

struct jc_load_client;

/* Connects, and for jointcast.v1 greets, joins and subscribes, all before it returns.
 * Returns enum jc_exit after saying what failed. */
int jc_load_client_create(
	const struct jc_load_client_options *options, struct jc_load_client **out_load_client);
void jc_load_client_destroy(struct jc_load_client *load_client); /* NULL is fine */

/* Reads for so many seconds. */
int jc_load_client_read(struct jc_load_client *load_client, double seconds,
	struct jc_load_client_figures *out_figures);

#endif
