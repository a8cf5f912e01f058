/* Summarises the rounds of the fan-out benchmark. Medians reduce the effect of other load on the
 * computer. */
#include "bench/fanout_rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_statistics.h"
#include "report/json_writer.h"

/* The median of one member over all rounds. */
static double median(const struct jc_fanout_round *rounds, size_t count, size_t offset)
{
	double values[JC_FANOUT_ROUNDS];

	for (size_t i = 0; i < count; i++) {
		memcpy(&values[i], (const char *)&rounds[i] + offset, sizeof(values[i]));
	}
	return jc_bench_median(values, count);
}

#define MEDIAN(member) median(rounds, count, offsetof(struct jc_fanout_round, member))

static struct jc_fanout_round summarise(const struct jc_fanout_round *rounds, size_t count)
{
	struct jc_fanout_round all = { .us_per_delivery = MEDIAN(us_per_delivery),
		.floor_us_per_send = MEDIAN(floor_us_per_send),
		.cpu_share = MEDIAN(cpu_share),
		.message_bytes = MEDIAN(message_bytes),
		.bytes_per_connection = MEDIAN(bytes_per_connection),
		.tls_us_per_delivery = MEDIAN(tls_us_per_delivery),
		.tls_bytes_per_connection = MEDIAN(tls_bytes_per_connection),
		.p50_ms = MEDIAN(p50_ms),
		.p99_ms = MEDIAN(p99_ms) };

	for (size_t i = 0; i < JC_FANOUT_PEERS; i++) {
		all.peer_us_per_delivery[i] = MEDIAN(peer_us_per_delivery[i]);
	}
	for (size_t i = 0; i < count; i++) {
		all.deliveries += rounds[i].deliveries;
		all.missed_ticks += rounds[i].missed_ticks;
		all.lost += rounds[i].lost;
		if (rounds[i].stale_most > all.stale_most) {
			all.stale_most = rounds[i].stale_most;
		}
		if (rounds[i].wake_ms_most > all.wake_ms_most) {
			all.wake_ms_most = rounds[i].wake_ms_most;
		}
	}
	return all;
}

static double ratio(const struct jc_fanout_round *round)
{
	return round->floor_us_per_send > 0.0 ? round->us_per_delivery / round->floor_us_per_send
					      : 0.0;
}

/* The cost with TLS divided by the cost without. */
static double tls_ratio(const struct jc_fanout_round *round)
{
	return round->us_per_delivery > 0.0 ? round->tls_us_per_delivery / round->us_per_delivery
					    : 0.0;
}

/* The name of a peer: its program without the folder. */
static const char *name_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

/* Whether the processes that send are known. */
static bool has_cost(const struct jc_fanout_bench *fanout)
{
	return fanout->port == 0 || fanout->process_count > 0;
}

static void print_json(const struct jc_fanout_bench *fanout, const struct jc_fanout_round *all)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stdout);
	jc_json_begin_object(&json, NULL);
	jc_json_write_integer(&json, "subscribers", (long long)fanout->subscribers);
	jc_json_write_integer(&json, "bodies", (long long)fanout->bodies);
	jc_json_write_integer(&json, "views", (long long)fanout->views);
	jc_json_write_bool(&json, "own_skeletons", fanout->own_skeletons);
	jc_json_write_bool(&json, "viewpoints", fanout->viewpoints);
	jc_json_write_double(&json, "hz", JC_FANOUT_HZ / fanout->rate);
	jc_json_write_double(&json, "seconds", fanout->seconds);
	jc_json_write_integer(&json, "rounds", (long long)fanout->rounds);
	jc_json_write_double(&json, "floor_us_per_send", all->floor_us_per_send);
	if (has_cost(fanout)) {
		jc_json_write_double(&json, "cpu_us_per_delivery", all->us_per_delivery);
		jc_json_write_double(&json, "ratio", ratio(all));
		jc_json_write_double(&json, "cpu_share", all->cpu_share);
		jc_json_write_double(
			&json, "memory_bytes_per_connection", all->bytes_per_connection);
	}
	jc_json_write_double(&json, "message_bytes", all->message_bytes);
	if (fanout->tls) {
		jc_json_write_double(&json, "tls_cpu_us_per_delivery", all->tls_us_per_delivery);
		jc_json_write_double(&json, "tls_ratio", tls_ratio(all));
		jc_json_write_double(
			&json, "tls_memory_bytes_per_connection", all->tls_bytes_per_connection);
	}
	jc_json_write_double(&json, "p50_ms", all->p50_ms);
	jc_json_write_double(&json, "p99_ms", all->p99_ms);
	jc_json_write_integer(&json, "deliveries", (long long)all->deliveries);
	jc_json_write_integer(&json, "missed_ticks", (long long)all->missed_ticks);
	jc_json_write_integer(&json, "disconnected", (long long)all->lost);
	if (fanout->stalled > 0.0) {
		jc_json_write_integer(&json, "stale_frames_most", (long long)all->stale_most);
		jc_json_write_double(&json, "current_after_ms_most", all->wake_ms_most);
	}
	if (fanout->peer_count > 0) {
		jc_json_begin_object(&json, "peers");
		for (size_t i = 0; i < fanout->peer_count; i++) {
			jc_json_write_double(
				&json, name_of(fanout->peers[i]), all->peer_us_per_delivery[i]);
		}
		jc_json_end_object(&json);
	}
	jc_json_end_object(&json);
	putchar('\n');
}

static void print_text(const struct jc_fanout_bench *fanout, const struct jc_fanout_round *all)
{
	printf("%zu subscribers, %zu bodies, %g a second, %zu rounds of %g s\n",
		fanout->subscribers, fanout->bodies, JC_FANOUT_HZ / fanout->rate, fanout->rounds,
		fanout->seconds);
	if (has_cost(fanout)) {
		printf("  processor     %.2f us a delivery, %.2f us a bare send, %.2f times that; "
		       "%.0f %% of one\n",
			all->us_per_delivery, all->floor_us_per_send, ratio(all),
			all->cpu_share * 100.0);
	}
	if (fanout->tls) {
		printf("  through TLS   %.2f us a delivery, %.2f times that in the clear; %.2f kB "
		       "a "
		       "connection\n",
			all->tls_us_per_delivery, tls_ratio(all),
			all->tls_bytes_per_connection / 1000.0);
	}
	for (size_t i = 0; i < fanout->peer_count; i++) {
		printf("  %-13s %.2f us a delivery\n", name_of(fanout->peers[i]),
			all->peer_us_per_delivery[i]);
	}
	printf("  message       %.1f bytes\n", all->message_bytes);
	if (has_cost(fanout)) {
		printf("  memory        %.2f kB a connection\n",
			all->bytes_per_connection / 1000.0);
	}
	printf("  latency       %.2f ms half, %.2f ms 99 %%\n", all->p50_ms, all->p99_ms);
	printf("  deliveries    %llu; %llu ticks missed, %llu disconnected\n",
		(unsigned long long)all->deliveries, (unsigned long long)all->missed_ticks,
		(unsigned long long)all->lost);
	if (fanout->stalled > 0.0) {
		printf("  stalled       %.0f %%: at most %llu old frames after waking, current "
		       "after %.0f ms\n",
			fanout->stalled * 100.0, (unsigned long long)all->stale_most,
			all->wake_ms_most);
	}
}

void jc_fanout_rounds_print(
	const struct jc_fanout_bench *bench, const struct jc_fanout_round *rounds)
{
	struct jc_fanout_round all = summarise(rounds, bench->rounds);

	if (bench->json) {
		print_json(bench, &all);
	} else {
		print_text(bench, &all);
	}
}
