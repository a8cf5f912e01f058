/* jointcast bench fanout: measures what a daemon spends on sending to many subscribers, compared
 * with a process that only sends (the floor). The rounds alternate, so that other load on the
 * computer affects both. */
#include "bench/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/fanout_rounds.h"
#include "bench/load_client.h"
#include "bench/processors.h"
#include "bench/server_process.h"
#include "command.h"
#include "error_report.h"
#include "net/tls_client.h"

/* Bytes of the head of a WebSocket frame, which the floor sends too. */
#define FRAME_HEAD(bytes) ((bytes) < 126 ? 2u : 4u)

static int read_hz(const struct jc_command *command, const char *name, void *out_rate)
{
	static const unsigned rates[] = { 1, 2, 4 };
	double hz;

	for (size_t i = 0; i < 3 && jc_command_parse_number(optarg, &hz); i++) {
		if (hz == JC_FANOUT_HZ / rates[i]) {
			*(unsigned *)out_rate = rates[i];
			return JC_EXIT_DONE;
		}
	}
	return jc_command_misuse(command, "--%s '%.80s' is not 60, 30 or 15", name, optarg);
}

static int add_peer(const struct jc_command *command, const char *name, void *out_fanout)
{
	struct jc_fanout_bench *fanout = out_fanout;

	(void)name;
	if (fanout->peer_count == JC_FANOUT_PEERS) {
		return jc_command_misuse(command, "at most %d peers", JC_FANOUT_PEERS);
	}
	fanout->peers[fanout->peer_count++] = optarg;
	return JC_EXIT_DONE;
}

static int add_process(const struct jc_command *command, const char *name, void *out_fanout)
{
	struct jc_fanout_bench *fanout = out_fanout;
	size_t process;

	if (fanout->process_count == JC_FANOUT_PROCESSES) {
		return jc_command_misuse(command, "at most %d processes", JC_FANOUT_PROCESSES);
	}
	if (!jc_command_parse_count(optarg, INT_MAX, &process) || process == 0) {
		return jc_command_misuse(
			command, "--%s '%.80s' is not the number of a process", name, optarg);
	}
	fanout->processes[fanout->process_count++] = (pid_t)process;
	return JC_EXIT_DONE;
}

static const struct jc_option option_table[] = {
	JC_OPTION("subscribers", COUNT, struct jc_fanout_bench, subscribers, .least = 1.0,
		.most = JC_LOAD_CLIENT_MOST),
	JC_OPTION("bodies", COUNT, struct jc_fanout_bench, bodies, .least = 1.0, .most = 64.0),
	JC_OPTION("hz", OTHER, struct jc_fanout_bench, rate, .read = read_hz),
	JC_OPTION(
		"seconds", NUMBER, struct jc_fanout_bench, seconds, .least = 0.5, .most = 86400.0),
	JC_OPTION("stalled", NUMBER, struct jc_fanout_bench, stalled, .most = 0.9),
	JC_OPTION("rounds", COUNT, struct jc_fanout_bench, rounds, .least = 1.0,
		.most = JC_FANOUT_ROUNDS),
	JC_OPTION("credit", FLAG, struct jc_fanout_bench, credit),
	JC_OPTION("views", COUNT, struct jc_fanout_bench, views, .least = 1.0,
		.most = JC_LOAD_CLIENT_VIEWS),
	JC_OPTION("own-skeletons", FLAG, struct jc_fanout_bench, own_skeletons),
	JC_OPTION("viewpoints", FLAG, struct jc_fanout_bench, viewpoints),
	JC_OPTION("tls", FLAG, struct jc_fanout_bench, tls),
	JC_OPTION("daemon", TEXT, struct jc_fanout_bench, program),
	JC_OPTION("port", COUNT, struct jc_fanout_bench, port, .least = 1.0, .most = 65535.0),
	{ .name = "process", .kind = JC_OPTION_OTHER, .read = add_process },
	JC_OPTION("apart", FLAG, struct jc_fanout_bench, apart),
	JC_OPTION("space", TEXT, struct jc_fanout_bench, space),
	{ .name = "peer", .kind = JC_OPTION_OTHER, .read = add_peer },
	JC_OPTION("json", FLAG, struct jc_fanout_bench, json),
	{ 0 },
};

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

/* What this process starts next runs on the processor of servers. */
static void begin_server(const struct jc_fanout_bench *fanout)
{
	jc_processors_keep(getpid(), fanout->processors.first);
}

static void begin_client(const struct jc_fanout_bench *fanout)
{
	jc_processors_keep(getpid(), fanout->processors.last);
}

/* Starts the daemon, or uses the servers that run already. */
static int open_server(const struct jc_fanout_bench *fanout, bool tls,
	struct jc_server_process *out_server_process)
{
	if (fanout->port == 0) {
		begin_server(fanout);
		int status = jc_server_process_start_daemon(fanout->program, fanout->subscribers,
			fanout->bodies, tls, out_server_process);

		begin_client(fanout);
		return status;
	}
	begin_client(fanout);
	jc_server_process_use((unsigned)fanout->port, fanout->processes, fanout->process_count,
		out_server_process);
	return JC_EXIT_DONE;
}

static int measure_daemon(
	const struct jc_fanout_bench *fanout, bool tls, struct jc_fanout_round *round)
{
	struct jc_load_client_options options = { .count = fanout->subscribers,
		.space = fanout->space,
		.rate = fanout->rate,
		.credit = fanout->credit,
		.views = fanout->views,
		.own_skeletons = fanout->own_skeletons,
		.viewpoints = fanout->viewpoints,
		.stalled = (size_t)(fanout->stalled * (double)fanout->subscribers) };
	struct jc_load_client_figures *figures = calloc(1, sizeof(*figures));
	struct jc_server_process server_process = { 0 };
	struct jc_load_client *load_client = NULL;
	int status = figures ? open_server(fanout, tls, &server_process)
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

	begin_server(fanout);
	int status = jc_server_process_start_floor(
		fanout->subscribers, bytes, JC_FANOUT_HZ / fanout->rate, &server_process);

	begin_client(fanout);
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

	begin_server(fanout);
	int status = jc_server_process_start_peer(fanout->peers[peer], fanout->subscribers,
		(size_t)(round->message_bytes + 0.5), JC_FANOUT_HZ / fanout->rate, &server_process);

	begin_client(fanout);
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
	struct jc_fanout_bench fanout = { .subscribers = 100,
		.bodies = 1,
		.rounds = 3,
		.rate = 1,
		.views = 1,
		.seconds = 5.0,
		.space = "lobby",
		.processors = { .first = -1, .last = -1 } };
	struct jc_fanout_round rounds[JC_FANOUT_ROUNDS] = { 0 };
	char program[4096];
	int status = jc_command_read(&jc_command_bench, argc, argv, option_table, &fanout);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (optind < argc) {
		return jc_command_misuse(&jc_command_bench, "fanout takes no file");
	}
	if (fanout.port > 0 && (fanout.program || fanout.tls)) {
		return jc_command_misuse(&jc_command_bench,
			"--port is of servers that run already, in the clear: without --daemon and "
			"--tls");
	}
	if (fanout.port == 0 && fanout.process_count > 0) {
		return jc_command_misuse(&jc_command_bench, "--process needs --port");
	}
	if (!fanout.program) {
		find_daemon(program, sizeof(program));
		fanout.program = program;
	}
	if (fanout.apart && fanout.process_count == 0) {
		return jc_command_misuse(&jc_command_bench, "--apart needs --process");
	}
	if (fanout.port == 0 || fanout.apart) {
		jc_processors_find(&fanout.processors);
	}
	for (size_t i = 0; i < fanout.process_count; i++) {
		jc_processors_keep(fanout.processes[i], fanout.processors.first);
	}
	for (size_t i = 0; i < fanout.rounds && status == JC_EXIT_DONE; i++) {
		status = measure(&fanout, &rounds[i]);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	jc_fanout_rounds_print(&fanout, rounds);
	return JC_EXIT_DONE;
}
