/* jointcast calibrate: calibrates the trackers of a body in a daemon. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error_report.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/link.h"
#include "terminal_text.h"

static const char help[] =
	"usage: jointcast calibrate [URL] --body NAME --height H [--space S] [--pose t|i]\n"
	"                           [--countdown N]\n"
	"       jointcast calibrate [URL] --body NAME --undo [--space S]\n"
	"\n"
	"Calibrates the trackers of a body in the daemon at URL (default " JC_ENDPOINT_DEFAULT
	").\n"
	"The person counts down and stands still in the pose at the end: feet together and\n"
	"forward, looking straight ahead, arms level to the sides with palms down (t), or hanging\n"
	"with palms to the thighs (i). The daemon compares the trackers with a figure of that\n"
	"height, stores the result under the name of the body and uses it from then on.\n"
	"\n"
	"Bodies that are tracked as a whole need no calibration; motions and VMC have no "
	"trackers.\n"
	"\n"
	"options:\n"
	"      --body NAME    the body to calibrate\n"
	"      --space S      its space; default: lobby\n"
	"      --height H     height of the person, metres, 0.5 to 3\n"
	"      --pose t|i     the pose; default: t\n"
	"      --countdown N  seconds until the measurement, 0 to 60; default: 5\n"
	"      --undo         restore the state before the last calibration\n"
	"      --ca FILE      PEM file of trusted certificates for wss://; default: the system's\n"
	"      --token-file FILE\n"
	"                     file with the token; default: the variable JOINTCAST_TOKEN\n"
	"  -h, --help         print this text\n"
	"\n"
	"exit status 0: calibrated; 1: refused, with the reason; 3: no connection to the daemon\n";

/* A daemon announces changes of the roster at most 250 ms after they happen. */
#define ROSTER_WAIT_NS INT64_C(1000000000)

struct options {
	const char *body, *space, *pose;
	double height; /* 0: not given */
	size_t countdown;
	struct jc_credentials credentials;
	bool undo;
	bool is_requested; /* the calibrate message is sent */
	bool is_over;      /* the result has arrived */
};

static int read_pose(const struct jc_command *command, const char *name, void *out_pose)
{
	*(const char **)out_pose = optarg;
	return strcmp(optarg, "t") == 0 || strcmp(optarg, "i") == 0
		       ? JC_EXIT_DONE
		       : jc_command_misuse(
				 command, "--%s '%.80s' is neither t nor i", name, optarg);
}

static const struct jc_option option_table[] = {
	JC_OPTION("body", TEXT, struct options, body),
	JC_OPTION("space", TEXT, struct options, space),
	JC_OPTION("height", NUMBER, struct options, height, .least = 0.5, .most = 3.0),
	JC_OPTION("pose", OTHER, struct options, pose, .read = read_pose),
	JC_OPTION("countdown", COUNT, struct options, countdown, .most = 60.0),
	JC_OPTION("undo", FLAG, struct options, undo),
	JC_OPTION_CA(struct options, credentials),
	JC_OPTION_TOKEN_FILE(struct options, credentials),
	{ 0 },
};

static void give_up(struct jc_link *link, const char *name, const char *why)
{
	jc_link_end(link, jc_report(JC_EXIT_INPUT, name, "%s", why));
}

static void on_ready(void *context, struct jc_link *link)
{
	const struct options *options = context;

	jc_link_send_control(link, json_pack("{ss ss}", "type", "join", "space", options->space));
}

/* Returns how many bodies of a list have the name; *out_id is the id of the last one. */
static size_t find_body(const json_t *bodies, const char *name, json_int_t *out_id)
{
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(bodies); i++) {
		const json_t *body = json_array_get(bodies, i);

		if (strcmp(jc_terminal_text_of(body, "name"), name) == 0) {
			*out_id = json_integer_value(json_object_get(body, "id"));
			found++;
		}
	}
	return found;
}

static json_t *pack_request(const struct options *options, json_int_t id)
{
	if (options->undo) {
		return json_pack("{ss ss sI sb}", "type", "calibrate", "space", options->space,
			"body", id, "undo", 1);
	}
	return json_pack("{ss ss sI ss sf sI}", "type", "calibrate", "space", options->space,
		"body", id, "pose", options->pose, "height", options->height, "countdown",
		(json_int_t)options->countdown);
}

/* A body that entered a moment ago is not in the first roster, but in one of the next changes. */
static void on_roster(struct options *options, struct jc_link *link, const json_t *roster)
{
	static const char *const lists[] = { "bodies", "joined", "changed" };
	json_int_t id = 0;
	size_t found = 0;

	if (options->is_requested) {
		return;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		found += find_body(json_object_get(roster, lists[i]), options->body, &id);
	}
	if (found == 1) {
		options->is_requested = true;
		jc_link_send_control(link, pack_request(options, id));
	} else if (found > 1) {
		give_up(link, options->body, "several bodies have that name in this space");
	} else if (json_object_get(roster, "bodies")) {
		jc_link_wake(link, jc_link_now_ns() + ROSTER_WAIT_NS);
	}
}

static void on_timer(void *context, struct jc_link *link, int64_t now_ns)
{
	const struct options *options = context;

	(void)now_ns;
	if (!options->is_requested) {
		give_up(link, options->body, "no body has that name in this space");
	}
}

static void print_count(const struct options *options, json_int_t left)
{
	if (left > 0) {
		printf("%2lld  stand in the %s-pose\n", (long long)left,
			options->pose[0] == 't' ? "T" : "I");
	} else {
		puts("    stand still");
	}
	fflush(stdout);
}

static void on_calibration(struct options *options, struct jc_link *link, const json_t *message)
{
	const char *state = jc_terminal_text_of(message, "state");

	if (strcmp(state, "counting") == 0) {
		print_count(options, json_integer_value(json_object_get(message, "left")));
	} else if (strcmp(state, "refused") == 0) {
		give_up(link, options->body, jc_terminal_text_of(message, "reason"));
	} else if (!options->is_over) {
		printf("%s, %s\n", strcmp(state, "done") == 0 ? "calibrated" : "undone",
			json_is_true(json_object_get(message, "stored"))
				? "kept"
				: "not kept: a restart of the daemon loses it");
		options->is_over = true;
		jc_link_end(link, JC_EXIT_DONE);
	}
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	struct options *options = context;
	const char *type = jc_terminal_text_of(message, "type");

	if (strcmp(type, "roster") == 0) {
		on_roster(options, link, message);
	} else if (strcmp(type, "calibration") == 0) {
		on_calibration(options, link, message);
	} else if (strcmp(type, "error") == 0) {
		give_up(link, options->is_requested ? options->body : options->space,
			jc_terminal_text_of(message, "message"));
	}
}

static const struct jc_link_ops ops = {
	.ready = on_ready,
	.message = on_message,
	.timer = on_timer,
};

static int run(int argc, char **argv)
{
	struct options options = { .space = "lobby", .pose = "t", .countdown = 5 };
	struct jc_endpoint endpoint;
	int result = jc_command_read(&jc_command_calibrate, argc, argv, option_table, &options);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	const char *url = optind < argc ? argv[optind] : JC_ENDPOINT_DEFAULT;

	if (argc - optind > 1 || !jc_endpoint_parse(url, &endpoint)) {
		return jc_command_misuse(&jc_command_calibrate,
			"takes at most one URL, such as " JC_ENDPOINT_DEFAULT);
	}
	if (!options.body) {
		return jc_command_misuse(&jc_command_calibrate, "needs --body");
	}
	if (!options.undo && options.height == 0.0) {
		return jc_command_misuse(&jc_command_calibrate, "needs --height or --undo");
	}
	return jc_link_run(
		&(struct jc_link_options){ .url = url, .credentials = &options.credentials }, &ops,
		&options);
}

const struct jc_command jc_command_calibrate = {
	.name = "calibrate",
	.summary = "calibrate the trackers of a body",
	.help = help,
	.run = run,
};
