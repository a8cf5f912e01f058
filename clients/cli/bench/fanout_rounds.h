/* Settings and results of the fan-out benchmark, and their output. */
#ifndef JC_CLI_FANOUT_ROUNDS_H
#define JC_CLI_FANOUT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/processors.h"

#define JC_FANOUT_ROUNDS    25
#define JC_FANOUT_PEERS     4
#define JC_FANOUT_PROCESSES 16
#define JC_FANOUT_HZ        60.0 /* ticks per second of a daemon */

struct jc_fanout_bench {
	size_t subscribers, bodies, rounds;
	unsigned rate;
	double seconds, stalled;
	bool credit, own_skeletons, viewpoints, tls, json;
	size_t views;
	const char *program;
	size_t port; /* of servers that run already on this machine; 0: the benchmark starts one */
	size_t process_count;
	pid_t processes[JC_FANOUT_PROCESSES]; /* of those servers, whose cost counts */
	bool apart;                           /* those processes run on the processor of servers */
	struct jc_processors processors;
	const char *space;
	size_t peer_count;
	const char *peers[JC_FANOUT_PEERS]; /* programs */
};

struct jc_fanout_round {
	double us_per_delivery, floor_us_per_send;
	double peer_us_per_delivery[JC_FANOUT_PEERS];
	double cpu_share;     /* of one processor */
	double message_bytes; /* mean, without the frame head */
	double bytes_per_connection;
	double tls_us_per_delivery, tls_bytes_per_connection;
	double p50_ms, p99_ms;
	uint64_t deliveries, missed_ticks, lost, stale_most;
	double wake_ms_most;
};

/* Prints medians of the costs and latencies, sums of the failures, and the worst values after
 * stalling, as text or JSON. */
void jc_fanout_rounds_print(
	const struct jc_fanout_bench *bench, const struct jc_fanout_round *rounds);

#endif
