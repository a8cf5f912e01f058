/* jointcast bench fanout: what it costs a daemon to send to many, beside what it
 * costs to send at all. Rounds of the two take turns, so that a busy moment of the
 * machine falls on both. */
#include "bench_fanout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "crowd.h"
#include "json_writer.h"
#include "number.h"
#include "served.h"
#include "status.h"

#define MOST_ROUNDS 25
#define MOST_PEERS  4
#define TICK_HZ     60.0

/* The head of a WebSocket frame, which the floor sends too. */
#define FRAME_HEAD(bytes) ((bytes) < 126 ? 2u : 4u)

struct fanout {
	size_t subscribers, bodies, rounds;
	unsigned rate;
	double seconds, stalled;
	bool credit, own_skeletons, json;
	size_t views;
	const char *program;
	size_t peer_count;
	const char *peers[MOST_PEERS]; /* programs */
};

struct round {
	double us_per_delivery, floor_us_per_send;
	double peer_us_per_delivery[MOST_PEERS];
	double cpu_share;     /* of one processor */
	double message_bytes; /* mean, without the frame's head */
	double bytes_per_connection;
	double p50_ms, p99_ms;
	uint64_t deliveries, missed_ticks, lost, stale_most;
	double wake_ms_most;
};

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
	{ "daemon", required_argument, NULL, OPTION_DAEMON },
	{ "peer", required_argument, NULL, OPTION_PEER },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int take_count(const char *option, size_t most, size_t *out_count)
{
	if (!jc_number_parse_count(optarg, most, out_count) || *out_count == 0) {
		return jc_command_misuse(&jc_command_bench,
			"--%s '%.80s' is no number from 1 to %zu", option, optarg, most);
	}
	return JC_EXIT_DONE;
}

static int take_number(const char *option, double least, double most, double *out_number)
{
	if (!jc_number_parse(optarg, out_number) || *out_number < least || *out_number > most) {
		return jc_command_misuse(&jc_command_bench,
			"--%s '%.80s' is no number from %g to %g", option, optarg, least, most);
	}
	return JC_EXIT_DONE;
}

static int take_hz(struct fanout *fanout)
{
	static const unsigned rates[] = { 1, 2, 4 };
	double hz;

	for (size_t i = 0; i < 3 && jc_number_parse(optarg, &hz); i++) {
		if (hz == TICK_HZ / rates[i]) {
			fanout->rate = rates[i];
			return JC_EXIT_DONE;
		}
	}
	return jc_command_misuse(&jc_command_bench, "--hz '%.80s' is not 60, 30 or 15", optarg);
}

static int take(int option, void *context)
{
	struct fanout *fanout = context;

	switch (option) {
	case OPTION_SUBSCRIBERS:
		return take_count("subscribers", JC_CROWD_MOST, &fanout->subscribers);
	case OPTION_BODIES:
		return take_count("bodies", 64, &fanout->bodies);
	case OPTION_ROUNDS:
		return take_count("rounds", MOST_ROUNDS, &fanout->rounds);
	case OPTION_HZ:
		return take_hz(fanout);
	case OPTION_SECONDS:
		return take_number("seconds", 0.5, 86400.0, &fanout->seconds);
	case OPTION_STALLED:
		return take_number("stalled", 0.0, 0.9, &fanout->stalled);
	case OPTION_CREDIT:
		fanout->credit = true;
		return JC_EXIT_DONE;
	case OPTION_VIEWS:
		return take_count("views", JC_CROWD_VIEWS, &fanout->views);
	case OPTION_OWN_SKELETONS:
		fanout->own_skeletons = true;
		return JC_EXIT_DONE;
	case OPTION_DAEMON:
		fanout->program = optarg;
		return JC_EXIT_DONE;
	case OPTION_PEER:
		if (fanout->peer_count == MOST_PEERS) {
			return jc_command_misuse(&jc_command_bench, "at most %d peers", MOST_PEERS);
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

/* Beside this program where there is one, else whichever is found. */
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

static int measure_daemon(const struct fanout *fanout, struct round *round)
{
	struct jc_crowd_options options = { .count = fanout->subscribers,
		.space = "lobby",
		.rate = fanout->rate,
		.credit = fanout->credit,
		.views = fanout->views,
		.own_skeletons = fanout->own_skeletons,
		.stalled = (size_t)(fanout->stalled * (double)fanout->subscribers) };
	struct jc_crowd_figures *figures = calloc(1, sizeof(*figures));
	struct jc_served served = { 0 };
	struct jc_crowd *crowd = NULL;
	int status = figures ? jc_served_start_daemon(fanout->program, fanout->subscribers,
				       fanout->bodies, &served)
			     : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");

	if (status == JC_EXIT_DONE) {
		size_t before = jc_served_resident_bytes(&served);

		options.address = served.address;
		status = jc_crowd_create(&options, &crowd);
		round->bytes_per_connection =
			((double)jc_served_resident_bytes(&served) - (double)before) /
			(double)fanout->subscribers;
	}
	if (status == JC_EXIT_DONE) {
		int64_t busy = jc_served_busy_ns(&served);

		status = jc_crowd_read(crowd, fanout->seconds, figures);
		busy = jc_served_busy_ns(&served) - busy;
		round->cpu_share = (double)busy / 1.0e9 / fanout->seconds;
		round->deliveries = figures->deliveries;
		round->lost = figures->lost;
		round->missed_ticks = figures->expected_ticks - figures->seen_ticks;
		round->stale_most = figures->stale_most;
		round->wake_ms_most = figures->wake_ms_most;
		round->p50_ms = jc_latency_quantile(&figures->latency, 0.5);
		round->p99_ms = jc_latency_quantile(&figures->latency, 0.99);
		if (figures->deliveries > 0) {
			round->us_per_delivery =
				(double)busy / 1000.0 / (double)figures->deliveries;
			round->message_bytes = (double)figures->bytes / (double)figures->deliveries;
		}
	}
	jc_crowd_destroy(crowd);
	jc_served_stop(&served);
	free(figures);
	return status;
}

/* A crowd that only counts what comes, at whatever serves it; ends both. */
static int measure_counted(const struct fanout *fanout, struct jc_served *served,
	const struct jc_crowd_options *options, double *out_us)
{
	struct jc_crowd_figures *figures = calloc(1, sizeof(*figures));
	struct jc_crowd *crowd = NULL;
	int status = figures ? jc_crowd_create(options, &crowd)
			     : jc_report(JC_EXIT_IO, "bench fanout", "out of memory");

	if (status == JC_EXIT_DONE) {
		int64_t busy = jc_served_busy_ns(served);

		status = jc_crowd_read(crowd, fanout->seconds, figures);
		busy = jc_served_busy_ns(served) - busy;
		if (figures->deliveries > 0) {
			*out_us = (double)busy / 1000.0 / (double)figures->deliveries;
		}
	}
	jc_crowd_destroy(crowd);
	jc_served_stop(served);
	free(figures);
	return status;
}

/* The same bytes at the same rate to as many, with nothing but send(). */
static int measure_floor(const struct fanout *fanout, struct round *round)
{
	size_t payload = (size_t)(round->message_bytes + 0.5);
	size_t bytes = payload + FRAME_HEAD(payload);
	struct jc_crowd_options options = {
		.count = fanout->subscribers, .space = "", .rate = 1, .message_bytes = bytes
	};
	struct jc_served served = { 0 };
	int status =
		jc_served_start_floor(fanout->subscribers, bytes, TICK_HZ / fanout->rate, &served);

	options.address = served.address;
	return status == JC_EXIT_DONE
		       ? measure_counted(fanout, &served, &options, &round->floor_us_per_send)
		       : status;
}

/* The same payload at the same rate to as many by another server of WebSockets. */
static int measure_peer(const struct fanout *fanout, size_t peer, struct round *round)
{
	struct jc_crowd_options options = { .count = fanout->subscribers, .space = "", .rate = 1 };
	struct jc_served served = { 0 };
	int status = jc_served_start_peer(fanout->peers[peer], fanout->subscribers,
		(size_t)(round->message_bytes + 0.5), TICK_HZ / fanout->rate, &served);

	options.address = served.address;
	options.message_bytes = served.message_bytes;
	options.greeting = served.greeting;
	return status == JC_EXIT_DONE ? measure_counted(fanout, &served, &options,
						&round->peer_us_per_delivery[peer])
				      : status;
}

static int measure(const struct fanout *fanout, struct round *round)
{
	int status = measure_daemon(fanout, round);

	if (status == JC_EXIT_DONE) {
		status = measure_floor(fanout, round);
	}
	for (size_t i = 0; i < fanout->peer_count && status == JC_EXIT_DONE; i++) {
		status = measure_peer(fanout, i, round);
	}
	return status;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of one member of all rounds. */
static double median(const struct round *rounds, size_t count, size_t offset)
{
	double values[MOST_ROUNDS];

	for (size_t i = 0; i < count; i++) {
		memcpy(&values[i], (const char *)&rounds[i] + offset, sizeof(values[i]));
	}
	qsort(values, count, sizeof(values[0]), compare);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2.0;
}

#define MEDIAN(member) median(rounds, count, offsetof(struct round, member))

/* Medians of what is measured, sums of what must not happen, the worst of what
 * came of stalling. */
static struct round summarise(const struct round *rounds, size_t count)
{
	struct round all = { .us_per_delivery = MEDIAN(us_per_delivery),
		.floor_us_per_send = MEDIAN(floor_us_per_send),
		.cpu_share = MEDIAN(cpu_share),
		.message_bytes = MEDIAN(message_bytes),
		.bytes_per_connection = MEDIAN(bytes_per_connection),
		.p50_ms = MEDIAN(p50_ms),
		.p99_ms = MEDIAN(p99_ms) };

	for (size_t i = 0; i < MOST_PEERS; i++) {
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

static double ratio(const struct round *round)
{
	return round->floor_us_per_send > 0.0 ? round->us_per_delivery / round->floor_us_per_send
					      : 0.0;
}

/* Of a peer: the program without its folder. */
static const char *name_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

static void print_json(const struct fanout *fanout, const struct round *all)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stdout);
	jc_json_begin_object(&json, NULL);
	jc_json_write_integer(&json, "subscribers", (long long)fanout->subscribers);
	jc_json_write_integer(&json, "bodies", (long long)fanout->bodies);
	jc_json_write_integer(&json, "views", (long long)fanout->views);
	jc_json_write_bool(&json, "own_skeletons", fanout->own_skeletons);
	jc_json_write_double(&json, "hz", TICK_HZ / fanout->rate);
	jc_json_write_double(&json, "seconds", fanout->seconds);
	jc_json_write_integer(&json, "rounds", (long long)fanout->rounds);
	jc_json_write_double(&json, "cpu_us_per_delivery", all->us_per_delivery);
	jc_json_write_double(&json, "floor_us_per_send", all->floor_us_per_send);
	jc_json_write_double(&json, "ratio", ratio(all));
	jc_json_write_double(&json, "cpu_share", all->cpu_share);
	jc_json_write_double(&json, "message_bytes", all->message_bytes);
	jc_json_write_double(&json, "memory_bytes_per_connection", all->bytes_per_connection);
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

static void print_text(const struct fanout *fanout, const struct round *all)
{
	printf("%zu subscribers, %zu bodies, %g a second, %zu rounds of %g s\n",
		fanout->subscribers, fanout->bodies, TICK_HZ / fanout->rate, fanout->rounds,
		fanout->seconds);
	printf("  processor     %.2f us a delivery, %.2f us a bare send, %.2f times that; "
	       "%.0f %% of one\n",
		all->us_per_delivery, all->floor_us_per_send, ratio(all), all->cpu_share * 100.0);
	for (size_t i = 0; i < fanout->peer_count; i++) {
		printf("  %-13s %.2f us a delivery\n", name_of(fanout->peers[i]),
			all->peer_us_per_delivery[i]);
	}
	printf("  message       %.1f bytes\n", all->message_bytes);
	printf("  memory        %.2f kB a connection\n", all->bytes_per_connection / 1000.0);
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

int jc_bench_fanout(int argc, char **argv)
{
	struct fanout fanout = {
		.subscribers = 100, .bodies = 1, .rounds = 3, .rate = 1, .views = 1, .seconds = 5.0
	};
	struct round rounds[MOST_ROUNDS] = { 0 };
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
	jc_served_stay_away();
	for (size_t i = 0; i < fanout.rounds && status == JC_EXIT_DONE; i++) {
		status = measure(&fanout, &rounds[i]);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	struct round all = summarise(rounds, fanout.rounds);

	if (fanout.json) {
		print_json(&fanout, &all);
	} else {
		print_text(&fanout, &all);
	}
	return JC_EXIT_DONE;
}
