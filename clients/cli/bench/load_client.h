/* The load client: many subscribers in one thread. It also receives what the floor sends. */
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
	SSL_CTX *tls;         /* see tls_client.h; borrowed; NULL: without TLS */
	size_t count;         /* subscribers, 1 to JC_LOAD_CLIENT_MOST */
	const char *space;    /* the space that all watch; borrowed */
	unsigned rate;        /* 1, 2 or 4: one bundle in that many ticks */
	bool credit;          /* send `ack`, as clients with credit do */
	size_t views;         /* 1 to JC_LOAD_CLIENT_VIEWS: number of different views */
	bool own_skeletons;   /* each subscriber requests all bodies on a skeleton of its own */
	bool viewpoints;      /* each subscriber has another viewpoint */
	size_t message_bytes; /* 0: speak jointcast.v1; otherwise only count messages of this length
			       */
	const char *greeting; /* NULL: receive at once; otherwise after a WebSocket handshake and
				 this message, which may be empty; borrowed */
	size_t stalled; /* this number of subscribers, the last ones, stop reading for a while */
};

/* Results of the measured time. */
struct jc_load_client_figures {
	uint64_t deliveries; /* binary messages; of a floor or a peer, bytes divided by the message
				length */
	uint64_t bytes;      /* of their payload */
	uint64_t expected_ticks,
		seen_ticks; /* ticks that were due, and ticks that any subscriber received */
	uint64_t lost;      /* subscribers whose connection ended */
	struct jc_bench_latency
		latency; /* after the nominal time of the tick, of subscribers that did not stall */
	/* After a stall: the most bundles older than 250 ms, and the longest time until the first
	 * bundle younger than 100 ms. */
	uint64_t stale_most;
	double wake_ms_most;
};

struct jc_load_client;

/* Connects and, for jointcast.v1, greets, joins and subscribes before it returns. Reports errors
 * and returns enum jc_exit. */
int jc_load_client_create(
	const struct jc_load_client_options *options, struct jc_load_client **out_load_client);
void jc_load_client_destroy(struct jc_load_client *load_client); /* NULL is fine */

/* Reads for that time. */
int jc_load_client_read(struct jc_load_client *load_client, double seconds,
	struct jc_load_client_figures *out_figures);

#endif
