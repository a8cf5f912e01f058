/* jointcast bench fanout: measures what a daemon spends on sending to many subscribers, compared
 * with a process that only sends (the floor). The rounds alternate, so that other load on the
 * computer affects both. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/fanout_rounds.h"
#include "bench/load_client.h"
#include "bench/server_process.h"
#include "command.h"
#include "error_report.h"
#include "net/tls_client.h"

/* Bytes of the head of a WebSocket frame, which the floor sends too. */
#define FRAME_HEAD(bytes) ((bytes) < 126 ? 2u : 4u)

enum {
	OPTION_SUBSCRIBERS = 256,
	OPTION_BODIES,
	OPTION_HZ,
	OPTION_SECONDS,
	OPTION_STALLED,
	OPTION_ROUNDS,
	OPTION_CREDIT,
	OPTION_VIEWS,
	OPTION_OWN_SKELETONS,
	OPTION_VIEWPOINTS,
	OPTION_TLS,
	OPTION_DAEMON,
	OPTION_PEER,
	OPTION_JSON,
};

static const struct option long_options[] = {
	{ "subscribers", required_argument, NULL, OPTION_SUBSCRIBERS },
	{ "bodies", required_argument, NULL, OPTION_BODIES },
	{ "hz", required_argument, NULL, OPTION_HZ },
	{ "seconds", required_argument, NULL, OPTION_SECONDS },
	{ "stalled", required_argument, NULL, OPTION_STALLED },
	{ "rounds", required_argument, NULL, OPTION_ROUNDS },
	{ "credit", no_argument, NULL, OPTION_CREDIT },
	{ "views", required_argument, NULL, OPTION_VIEWS },
	{ "own-skeletons", no_argument, NULL, OPTION_OWN_SKELETONS },
	{ "viewpoints", no_argument, NULL, OPTION_VIEWPOINTS },
	{ "tls", no_argument, NULL, OPTION_TLS },
	{ "daemon", required_argument, NULL, OPTION_DAEMON },
	{ "peer", required_argument, NULL, OPTION_PEER },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int take_count(const char *option, size_t most, size_t *out_count)
{
	if (!jc_command_parse_count(optarg, most, out_count) || *out_count == 0) {
		return jc_command_misuse(&jc_command_bench,
			"--%s '%.80s' is not a number from 1 to %zu", option, optarg, most);
	}
	return JC_EXIT_DONE;
}

static int take_hz(struct jc_fanout_bench *fanout)
{
	static const unsigned rates[] = { 1, 2, 4 };
	double hz;

	for (size_t i = 0; i < 3 && jc_command_parse_number(optarg, &hz); i++) {
		if (hz == JC_FANOUT_HZ / rates[i]) {
			fanout->rate = rates[i];
			return JC_EXIT_DONE;
		}
	}
	return jc_command_misuse(&jc_command_bench, "--hz '%.80s' is not 60, 30 or 15", optarg);
}

static int take(int option, void *context)
{
	struct jc_fanout_bench *fanout = context;

	switch (option) {
	case OPTION_SUBSCRIBERS:
		return take_count("subscribers", JC_LOAD_CLIENT_MOST, &fanout->subscribers);
	case OPTION_BODIES:
		return take_count("bodies", 64, &fanout->bodies);
	case OPTION_ROUNDS:
		return take_count("rounds", JC_FANOUT_ROUNDS, &fanout->rounds);
	case OPTION_HZ:
		return take_hz(fanout);
	case OPTION_SECONDS:
		return jc_command_read_number(
			&jc_command_bench, "--seconds", 0.5, 86400.0, &fanout->seconds);
	case OPTION_STALLED:
		return jc_command_read_number(
			&jc_command_bench, "--stalled", 0.0, 0.9, &fanout->stalled);
	case OPTION_CREDIT:
		fanout->credit = true;
		return JC_EXIT_DONE;
	case OPTION_VIEWS:
		return take_count("views", JC_LOAD_CLIENT_VIEWS, &fanout->views);
	case OPTION_OWN_SKELETONS:
		fanout->own_skeletons = true;
		return JC_EXIT_DONE;
	case OPTION_VIEWPOINTS:
		fanout->viewpoints = true;
		return JC_EXIT_DONE;
	case OPTION_TLS:
		fanout->tls = true;
		return JC_EXIT_DONE;
	case OPTION_DAEMON:
		fanout->program = optarg;
		return JC_EXIT_DONE;
	case OPTION_PEER:
		if (fanout->peer_count == JC_FANOUT_PEERS) {
			return jc_command_misuse(
				&jc_command_bench, "at most %d peers", JC_FANOUT_PEERS);
		}
		fanout->peers[fanout->peer_count++] = optarg;
		return JC_EXIT_DONE;
	case OPTION_JSON:
		fanout->json = true;
		return JC_EXIT_DONE;
	default:
		return JC_EXIT_USAGE;
	}
}

/* jointcastd in the folder of this program, or else in PATH. */
static void find_daemon(char *path, size_t size)
{
	static const char name[] = "jointcastd";
	ssize_t length = readlink("/proc/self/exe", path, size - sizeof(name));
	char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;

	if (slash) {
		strcpy(slash + 1, name);
	}
	if (!slash || access(path, X_OK) != 0) {
		strcpy(path, name);
	}
}

/* Makes the load client trust the daemon's certificate. */
static int trust(const struct jc_server_process *server_process, SSL_CTX **out_tls)
{
	struct jc_diagnostic diagnostic = { 0 };
	char path[sizeof(server_process->state) + 32];

	snprintf(path, sizeof(path), "%s/dev-certificate.pem", server_process->state);
	return jc_tls_client_create(path, out_tls, &diagnostic) == JC_OK
		       ? JC_EXIT_DONE
		       : jc_report(JC_EXIT_IO, "bench fanout", "%s", diagnostic.what);
}

static int measure_daemon(
	const struct jc_fanout_bench *fanout, bool tls, struct jc_fanout_round *round)
{
	struct jc_load_client_options options = { .count = fanout->subscribers,
		.space = "lobby",
		.rate = fanout->rate,
		.credit = fanout->credit,
		.views = fanout->views,
		.own_skeletons = fanout->own_skeletons,
		.viewpoints = fanout->viewpoints,
		.stalled = (size_t)(fanout->stalled * (double)fanout->subscribers) };
	struct jc_load_client_figures *figures = calloc(1, sizeof(*figures));
	struct jc_server_process server_process = { 0 };
	struct jc_load_client *load_client = NULL;
	int status = figures ? jc_server_process_start_daemon(fanout->program, fanout->subscribers,
				       fanout->bodies, tls, &server_process)
			     : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");

	if (status == JC_EXIT_DONE && tls) {
		status = trust(&server_process, &options.tls);
	}
	if (status == JC_EXIT_DONE) {
		size_t before = jc_server_process_resident_bytes(&server_process);

		options.address = tls ? server_process.tls_address : server_process.address;
		status = jc_load_client_create(&options, &load_client);
		round->bytes_per_connection =
			((double)jc_server_process_resident_bytes(&server_process) -
				(double)before) /
			(double)fanout->subscribers;
	}
	if (status == JC_EXIT_DONE) {
		int64_t busy = jc_server_process_busy_ns(&server_process);

		status = jc_load_client_read(load_client, fanout->seconds, figures);
		busy = jc_server_process_busy_ns(&server_process) - busy;
		round->cpu_share = (double)busy / 1.0e9 / fanout->seconds;
		round->deliveries = figures->deliveries;
		round->lost = figures->lost;
		round->missed_ticks = figures->expected_ticks - figures->seen_ticks;
		round->stale_most = figures->stale_most;
		round->wake_ms_most = figures->wake_ms_most;
		round->p50_ms = jc_bench_latency_quantile(&figures->latency, 0.5);
		round->p99_ms = jc_bench_latency_quantile(&figures->latency, 0.99);
		if (figures->deliveries > 0) {
			round->us_per_delivery =
				(double)busy / 1000.0 / (double)figures->deliveries;
			round->message_bytes = (double)figures->bytes / (double)figures->deliveries;
		}
	}
	jc_load_client_destroy(load_client);
	SSL_CTX_free(options.tls);
	jc_server_process_stop(&server_process);
	free(figures);
	return status;
}

/* Repeats the measurement with TLS. */
static int measure_tls(const struct jc_fanout_bench *fanout, struct jc_fanout_round *round)
{
	struct jc_fanout_round tls = { 0 };
	int status = measure_daemon(fanout, true, &tls);

	round->tls_us_per_delivery = tls.us_per_delivery;
	round->tls_bytes_per_connection = tls.bytes_per_connection;
	round->missed_ticks += tls.missed_ticks;
	round->lost += tls.lost;
	return status;
}

/* Runs a load client that only counts bytes from a server process; ends both. */
static int measure_counted(const struct jc_fanout_bench *fanout,
	struct jc_server_process *server_process, const struct jc_load_client_options *options,
	double *out_us)
{
	struct jc_load_client_figures *figures = calloc(1, sizeof(*figures));
	struct jc_load_client *load_client = NULL;
	int status = figures ? jc_load_client_create(options, &load_client)
			     : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");

	if (status == JC_EXIT_DONE) {
		int64_t busy = jc_server_process_busy_ns(server_process);

		status = jc_load_client_read(load_client, fanout->seconds, figures);
		busy = jc_server_process_busy_ns(server_process) - busy;
		if (figures->deliveries > 0) {
			*out_us = (double)busy / 1000.0 / (double)figures->deliveries;
		}
	}
	jc_load_client_destroy(load_client);
	jc_server_process_stop(server_process);
	free(figures);
	return status;
}

/* The same bytes at the same rate to as many connections, sent with nothing but send(). */
static int measure_floor(const struct jc_fanout_bench *fanout, struct jc_fanout_round *round)
{
	size_t payload = (size_t)(round->message_bytes + 0.5);
	size_t bytes = payload + FRAME_HEAD(payload);
	struct jc_load_client_options options = {
		.count = fanout->subscribers, .space = "", .rate = 1, .message_bytes = bytes
	};
	struct jc_server_process server_process = { 0 };
	int status = jc_server_process_start_floor(
		fanout->subscribers, bytes, JC_FANOUT_HZ / fanout->rate, &server_process);

	options.address = server_process.address;
	return status == JC_EXIT_DONE ? measure_counted(fanout, &server_process, &options,
						&round->floor_us_per_send)
				      : status;
}

/* The same payload at the same rate to as many connections, sent by another WebSocket server. */
static int measure_peer(
	const struct jc_fanout_bench *fanout, size_t peer, struct jc_fanout_round *round)
{
	struct jc_load_client_options options = {
		.count = fanout->subscribers, .space = "", .rate = 1
	};
	struct jc_server_process server_process = { 0 };
	int status = jc_server_process_start_peer(fanout->peers[peer], fanout->subscribers,
		(size_t)(round->message_bytes + 0.5), JC_FANOUT_HZ / fanout->rate, &server_process);

	options.address = server_process.address;
	options.message_bytes = server_process.message_bytes;
	options.greeting = server_process.greeting;
	return status == JC_EXIT_DONE ? measure_counted(fanout, &server_process, &options,
						&round->peer_us_per_delivery[peer])
				      : status;
}

static int measure(const struct jc_fanout_bench *fanout, struct jc_fanout_round *round)
{
	int status = measure_daemon(fanout, false, round);

	if (status == JC_EXIT_DONE && fanout->tls) {
		status = measure_tls(fanout, round);
	}
	if (status == JC_EXIT_DONE) {
		status = measure_floor(fanout, round);
	}
	for (size_t i = 0; i < fanout->peer_count && status == JC_EXIT_DONE; i++) {
		status = measure_peer(fanout, i, round);
	}
	return status;
}

int jc_bench_fanout(int argc, char **argv)
{
	struct jc_fanout_bench fanout = {
		.subscribers = 100, .bodies = 1, .rounds = 3, .rate = 1, .views = 1, .seconds = 5.0
	};
	struct jc_fanout_round rounds[JC_FANOUT_ROUNDS] = { 0 };
	char program[4096];
	int status = jc_command_read(&jc_command_bench, argc, argv, long_options, take, &fanout);

	if (status != JC_EXIT_DONE) {
		return status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
	}
	if (optind < argc) {
		return jc_command_misuse(&jc_command_bench, "fanout takes no file");
	}
	if (!fanout.program) {
		find_daemon(program, sizeof(program));
		fanout.program = program;
	}
	jc_server_process_stay_away();
	for (size_t i = 0; i < fanout.rounds && status == JC_EXIT_DONE; i++) {
		status = measure(&fanout, &rounds[i]);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	jc_fanout_rounds_print(&fanout, rounds);
	return JC_EXIT_DONE;
}
