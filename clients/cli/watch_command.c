/* jointcast watch: lists the bodies of a space and measures the packets that arrive, or prints
 * their poses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "error_report.h"
#include "jointcast/error.h"
#include "jointcast/packet.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/link.h"
#include "net/pose_client.h"
#include "net/subscribed_space.h"
#include "terminal_text.h"

static const char help[] =
	"usage: jointcast watch [URL] [OPTION]…\n"
	"\n"
	"Subscribes to a space of a daemon (default " JC_ENDPOINT_DEFAULT "), prints bodies that\n"
	"enter and leave and sources that wait, and prints every second until Ctrl-C, for each "
	"body\n"
	"\n"
	"  its id, its state (live; waiting before its first motion; stale when its source has\n"
	"  stopped) and its name\n"
	"  packets per second; none while it stands still\n"
	"  bytes of them per second\n"
	"  mean time from the capture of a pose to its arrival here, ms\n"
	"\n"
	"options:\n"
	"      --space NAME  the space; default: lobby\n"
	"      --json        print one line of JSON per second instead\n"
	"      --poses       print the poses instead: one line of JSON per body and frame, with "
	"the\n"
	"                    rotations and positions of the bones\n"
	"      --skeleton humanoid|own\n"
	"                    of --poses: the built-in skeleton for all bodies (default), or the\n"
	"                    skeleton of each body\n"
	"      --ticks N     ticks in a message, 1 or 2; 2: fewer bytes, one tick later; default: "
	"1\n"
	"      --ca FILE     PEM file of trusted certificates for wss://; default: the system's\n"
	"      --token-file FILE\n"
	"                    file with the token; default: the variable JOINTCAST_TOKEN\n"
	"      --reconnect SECONDS\n"
	"                    how long to try to connect again when the connection is lost; 0: "
	"end;\n"
	"                    default: 60\n"
	"  -h, --help        print this text\n";

#define BODIES_MAX JC_LIMIT_BUNDLE_PACKETS
#define NAME_BYTES 64
#define SECOND     INT64_C(1000000000)

struct options {
	const char *url, *space;
	struct jc_credentials credentials;
	double reconnect_s;
	bool json, poses, on_own_skeletons;
	size_t ticks;
};

static int read_skeleton(const struct jc_command *command, const char *name, void *field)
{
	(void)name;
	if (strcmp(optarg, "own") != 0 && strcmp(optarg, "humanoid") != 0) {
		return jc_command_misuse(command, "--skeleton is 'humanoid' or 'own'");
	}
	*(bool *)field = strcmp(optarg, "own") == 0;
	return JC_EXIT_DONE;
}

static const struct jc_option option_table[] = {
	JC_OPTION("space", TEXT, struct options, space),
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION("poses", FLAG, struct options, poses),
	JC_OPTION("skeleton", OTHER, struct options, on_own_skeletons, .read = read_skeleton),
	JC_OPTION("ticks", COUNT, struct options, ticks, .least = 1, .most = 2),
	JC_OPTION_CA(struct options, credentials),
	JC_OPTION_TOKEN_FILE(struct options, credentials),
	JC_OPTION_RECONNECT(struct options, reconnect_s),
	{ 0 },
};

struct watched {
	uint32_t id;
	char name[NAME_BYTES];
	const char *state;       /* "live", "stale" or "waiting" */
	uint64_t packets, bytes; /* since the last report, like the next field */
	double age_us;           /* sum over the packets */
};

struct watcher {
	const struct options *options;
	struct jc_link *link;
	bool is_terminal;
	size_t shown; /* lines on the terminal that the next report replaces */
	int64_t space;
	int tick_hz;
	double tick_us; /* server time of tick 0 */
	bool has_head;
	struct jc_bundle_head head; /* of the last bundle */
	int64_t reported_ns;
	uint64_t bundles, bytes;
	json_t *waiting; /* owned: the list of waiting sources; NULL: none */
	size_t count;
	struct watched bodies[BODIES_MAX];
};

static void erase(struct watcher *watcher)
{
	if (watcher->shown > 0) {
		printf("\033[%zuA\033[J", watcher->shown);
		watcher->shown = 0;
	}
}

static struct watched *find(struct watcher *watcher, uint32_t id)
{
	for (size_t i = 0; i < watcher->count; i++) {
		if (watcher->bodies[i].id == id) {
			return &watcher->bodies[i];
		}
	}
	return NULL;
}

static void print_change(struct watcher *watcher, char sign, const struct watched *body)
{
	if (!watcher->options->json) {
		erase(watcher);
		printf("%c %4u ", sign, body->id);
		jc_terminal_write_quoted(stdout, body->name);
		putchar('\n');
	}
}

/* Adds or updates a body from a complete roster entry. */
static void update_body(struct watcher *watcher, const json_t *entry)
{
	const char *name = json_string_value(json_object_get(entry, "name"));
	const char *state = json_string_value(json_object_get(entry, "state"));
	uint32_t id = (uint32_t)json_integer_value(json_object_get(entry, "id"));
	struct watched *body = find(watcher, id);
	bool is_new = !body;

	if (is_new && watcher->count == BODIES_MAX) {
		return;
	}
	if (is_new) {
		body = &watcher->bodies[watcher->count++];
		*body = (struct watched){ .id = id };
	}
	snprintf(body->name, sizeof(body->name), "%s", name ? name : "");
	body->state = json_is_true(json_object_get(entry, "waiting")) ? "waiting"
		      : state && strcmp(state, "live") == 0           ? "live"
								      : "stale";
	if (is_new) {
		print_change(watcher, '+', body);
	}
}

static void drop(struct watcher *watcher, struct watched *body)
{
	print_change(watcher, '-', body);
	memmove(body, body + 1,
		(size_t)(watcher->bodies + --watcher->count - body) * sizeof(*body));
}

/* Applies a complete roster: a body that is missing has left. A new id of the space means that all
 * bodies have left. */
static void begin(struct watcher *watcher, const json_t *roster)
{
	const json_t *bodies = json_object_get(roster, "bodies");
	int64_t space = json_integer_value(json_object_get(roster, "id"));

	for (size_t i = watcher->count; i-- > 0;) {
		if (watcher->space != space ||
			!jc_subscribed_space_roster_has(bodies, watcher->bodies[i].id)) {
			drop(watcher, &watcher->bodies[i]);
		}
	}
	watcher->space = space;
	watcher->tick_hz = (int)json_integer_value(json_object_get(roster, "tickHz"));
	watcher->tick_us = json_number_value(json_object_get(roster, "tickTime"));
}

/* Prints the sources that wait, and why, when they or their reasons change. */
static void take_waiting(struct watcher *watcher, json_t *waiting)
{
	bool is_same = json_equal(waiting, watcher->waiting) ||
		       (json_array_size(waiting) == 0 && !watcher->waiting);

	if (is_same) {
		return;
	}
	json_decref(watcher->waiting);
	watcher->waiting = json_incref(waiting);
	for (size_t i = 0; i < json_array_size(waiting) && !watcher->options->json; i++) {
		const json_t *source = json_array_get(waiting, i);
		const char *reason = jc_terminal_text_of(source, "reason");

		erase(watcher);
		fputs("waiting for ", stdout);
		jc_terminal_write(stdout, jc_terminal_text_of(source, "source"));
		putchar(' ');
		jc_terminal_write_quoted(stdout, jc_terminal_text_of(source, "name"));
		fputs(*reason ? ": " : "", stdout);
		jc_terminal_write(stdout, reason);
		putchar('\n');
	}
}

static void take_roster(struct watcher *watcher, const json_t *roster)
{
	static const char *const lists[] = { "bodies", "joined", "changed" };
	const json_t *left = json_object_get(roster, "left");
	json_t *waiting = json_object_get(roster, "waiting");

	if (json_object_get(roster, "bodies")) {
		begin(watcher, roster);
	}
	for (size_t k = 0; k < json_array_size(left); k++) {
		json_int_t id = json_integer_value(json_array_get(left, k));
		struct watched *body = find(watcher, (uint32_t)id);

		if (body) {
			drop(watcher, body);
		}
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const json_t *list = json_object_get(roster, lists[i]);

		for (size_t k = 0; k < json_array_size(list); k++) {
			update_body(watcher, json_array_get(list, k));
		}
	}
	if (waiting || json_object_get(roster, "bodies")) {
		take_waiting(watcher, waiting);
	}
	fflush(stdout);
}

static void count_packet(
	struct watcher *watcher, const struct jc_packet_head *head, size_t bytes, int64_t server_us)
{
	struct watched *body = find(watcher, head->body);
	double tick_us = watcher->tick_us + watcher->head.tick * 1e6 / watcher->tick_hz;

	if (body) {
		body->packets++;
		body->bytes += bytes;
		body->age_us += (double)server_us - tick_us + head->capture_age_us;
	}
}

/* Returns JC_OK, or the error of a damaged bundle. */
static int count_bundle(
	struct watcher *watcher, const uint8_t *bytes, size_t length, int64_t server_us)
{
	int at = jc_bundle_read_head(
		bytes, length, watcher->has_head ? &watcher->head : NULL, &watcher->head);

	if (at < 0) {
		return at == JC_ERROR_UNSUPPORTED ? JC_OK : at; /* another kind or version */
	}
	watcher->has_head = true;
	watcher->bundles++;
	watcher->bytes += length;
	while ((size_t)at < length && watcher->head.space == watcher->space) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t payload_length;
		int used = jc_bundle_read_packet(
			bytes + at, length - (size_t)at, &head, &payload, &payload_length);

		if (used < 0) {
			return used;
		}
		count_packet(watcher, &head, (size_t)used, server_us);
		at += used;
	}
	return JC_OK;
}

static void on_motion(void *context, struct jc_link *link, const uint8_t *bytes, size_t length)
{
	struct watcher *watcher = context;
	int status =
		count_bundle(watcher, bytes, length, jc_link_server_us(link, jc_link_now_ns()));

	if (status != JC_OK) {
		jc_link_end(link, jc_report(JC_EXIT_INPUT, watcher->options->url,
					  "a bundle is damaged: %s", jc_error_name(status)));
	}
}

/* The number of bodies that fit on the terminal beside the heading and the line "and N more". */
static size_t count_shown(const struct watcher *watcher)
{
	struct winsize size;

	if (!watcher->is_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
		size.ws_row < 4 || watcher->count <= size.ws_row - 2u) {
		return watcher->count;
	}
	return size.ws_row - 3u;
}

/* Without wrapping, a long line is cut at the edge of the terminal, so that each printed line is
 * one line to erase. */
static void wrap(const struct watcher *watcher, bool on)
{
	if (watcher->is_terminal) {
		fputs(on ? "\033[?7h" : "\033[?7l", stdout);
	}
}

static void print_text(struct watcher *watcher, double seconds)
{
	size_t shown = count_shown(watcher);

	erase(watcher);
	wrap(watcher, false);
	printf("%zu %s, %.1f bundles/s, %.0f B/s\n", watcher->count,
		watcher->count == 1 ? "body" : "bodies", (double)watcher->bundles / seconds,
		(double)watcher->bytes / seconds);
	for (size_t i = 0; i < shown; i++) {
		const struct watched *body = &watcher->bodies[i];
		double packets = (double)body->packets;

		printf("  %4u  %-7s  %5.1f/s  %6.0f B/s  ", body->id, body->state,
			packets / seconds, (double)body->bytes / seconds);
		if (body->packets > 0) {
			printf("%6.1f ms  ", body->age_us / packets / 1000.0);
		} else {
			printf("%9s  ", "-");
		}
		jc_terminal_write_quoted(stdout, body->name);
		putchar('\n');
	}
	if (shown < watcher->count) {
		printf("  and %zu more\n", watcher->count - shown);
	}
	wrap(watcher, true);
	watcher->shown = watcher->is_terminal ? 1 + shown + (shown < watcher->count) : 0;
}

static void print_json(struct watcher *watcher, double seconds)
{
	json_t *bodies = json_array();

	for (size_t i = 0; i < watcher->count; i++) {
		const struct watched *body = &watcher->bodies[i];
		double packets = (double)body->packets;

		json_array_append_new(bodies,
			json_pack("{sI ss ss sf sf so}", "id", (json_int_t)body->id, "name",
				body->name, "state", body->state, "packetsPerSecond",
				packets / seconds, "bytesPerSecond", (double)body->bytes / seconds,
				"ageMs",
				body->packets > 0 ? json_real(body->age_us / packets / 1000.0)
						  : json_null()));
	}
	json_t *report = json_pack("{sI ss si sf sf so so}", "time",
		(json_int_t)jc_link_server_us(watcher->link, watcher->reported_ns), "space",
		watcher->options->space, "tickHz", watcher->tick_hz, "bundlesPerSecond",
		(double)watcher->bundles / seconds, "bytesPerSecond",
		(double)watcher->bytes / seconds, "bodies", bodies, "waiting",
		watcher->waiting ? json_incref(watcher->waiting) : json_array());

	json_dumpf(report, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(report);
}

static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	struct watcher *watcher = context;
	double seconds = (double)(now_ns - watcher->reported_ns) * 1e-9;

	watcher->reported_ns = now_ns;
	(watcher->options->json ? print_json : print_text)(watcher, seconds);
	watcher->bundles = watcher->bytes = 0;
	for (size_t i = 0; i < watcher->count; i++) {
		watcher->bodies[i].packets = watcher->bodies[i].bytes = 0;
		watcher->bodies[i].age_us = 0.0;
	}
	if (fflush(stdout) != 0) {
		jc_link_end(
			link, JC_EXIT_IO); /* standard output is closed; main reports the error */
	}
	jc_link_wake(link, now_ns + SECOND);
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct watcher *watcher = context;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (strcmp(type, "roster") == 0) {
		take_roster(watcher, message);
		if (watcher->reported_ns == 0 && watcher->tick_hz > 0) {
			watcher->reported_ns = jc_link_now_ns();
			jc_link_wake(link, watcher->reported_ns + SECOND);
		}
	}
}

static void on_ready(void *context, struct jc_link *link)
{
	struct watcher *watcher = context;
	const char *space = watcher->options->space;

	watcher->link = link;
	jc_link_send_control(link, json_pack("{ss ss}", "type", "join", "space", space));
	jc_link_send_control(link, json_pack("{ss ss sI}", "type", "subscribe", "space", space,
					   "ticks", (json_int_t)watcher->options->ticks));
}

/* The next roster is that of another space: ids of bodies may mean others. */
static void on_lost(void *context, struct jc_link *link)
{
	struct watcher *watcher = context;

	(void)link;
	watcher->space = -1;
	watcher->has_head = false;
	watcher->reported_ns = 0;
	watcher->shown = 0;
	watcher->bundles = watcher->bytes = 0;
}

static const struct jc_link_ops watcher_ops = {
	.lost = on_lost,
	.ready = on_ready,
	.message = on_message,
	.motion = on_motion,
	.timer = on_timer,
};

static int watch(const struct options *options)
{
	struct watcher *watcher = calloc(1, sizeof(*watcher));
	int status;

	if (!watcher) {
		return jc_report(JC_EXIT_IO, options->url, "out of memory");
	}
	watcher->options = options;
	watcher->is_terminal = isatty(STDOUT_FILENO);
	status = jc_link_run(&(struct jc_link_options){ options->url, &options->credentials,
				     options->reconnect_s },
		&watcher_ops, watcher);
	json_decref(watcher->waiting);
	free(watcher);
	return status;
}

static int print_poses(const struct options *options)
{
	struct jc_pose_client_options poses = {
		.url = options->url,
		.space = options->space,
		.on_own_skeletons = options->on_own_skeletons,
		.ticks = options->ticks,
		.credentials = &options->credentials,
		.reconnect_s = options->reconnect_s,
	};

	return jc_pose_client_run(&poses);
}

static int run(int argc, char **argv)
{
	struct options options = { .url = JC_ENDPOINT_DEFAULT,
		.space = "lobby",
		.reconnect_s = JC_LINK_RECONNECT_SECONDS,
		.ticks = 1 };
	int status = jc_command_read(&jc_command_watch, argc, argv, option_table, &options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind > 1) {
		return jc_command_misuse(&jc_command_watch, "takes one URL");
	}
	if (options.json && options.poses) {
		return jc_command_misuse(
			&jc_command_watch, "--json and --poses exclude each other");
	}
	options.url = argc > optind ? argv[optind] : options.url;
	return options.poses ? print_poses(&options) : watch(&options);
}

const struct jc_command jc_command_watch = {
	.name = "watch",
	.summary = "list the bodies of a space and their packets, or print poses",
	.help = help,
	.run = run,
};
