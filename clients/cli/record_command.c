/* jointcast record: records a space of a daemon into a local file, or controls the daemon's own
 * recording. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "error_report.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "net/link.h"
#include "net/recording_client.h"
#include "terminal_text.h"

static const char help[] =
	"usage: jointcast record [URL] -o FILE.mcap [OPTION]…\n"
	"       jointcast record [URL] --start|--stop|--mark TEXT|--state [OPTION]…\n"
	"\n"
	"Records a space of a daemon (default " JC_ENDPOINT_DEFAULT ") until Ctrl-C: poses and\n"
	"channels of all bodies with consent, the roster, the skeletons, and a scene for\n"
	"Foxglove. Of other bodies it records only that they were present.\n"
	"\n"
	"The file is called FILE.mcap.part until it is complete. After a crash, repair this file\n"
	"with 'jointcast recover'.\n"
	"\n"
	"The second form controls the recording that the daemon itself makes in its own folder,\n"
	"and prints its state.\n"
	"\n"
	"options:\n"
	"  -o, --output FILE  the recording to write; -: standard output, to a pipe or a file\n"
	"      --start        start the daemon's recording\n"
	"      --stop         stop it\n"
	"      --mark TEXT    add a marker to it\n"
	"      --state        print its state\n"
	"      --name NAME    start of the daemon's file names; default: the name of the space\n"
	"      --raw          also record body frames, for bodies with consent, if the daemon\n"
	"                     allows it\n"
	"      --space NAME   the space; default: lobby\n"
	"      --ticks N      ticks in a message of the daemon, 1 or 2; 2: fewer bytes; default: "
	"1\n"
	"      --ca FILE      PEM file of trusted certificates for wss://; default: the system's\n"
	"      --token-file FILE\n"
	"                     file with the token; default: the variable JOINTCAST_TOKEN\n"
	"      --reconnect SECONDS\n"
	"                     of the first form: how long to try to connect again, to the same\n"
	"                     file, when the connection is lost; 0: end; default: 60\n"
	"  -h, --help         print this text\n"
	"\n"
	"exit status 0: ended by Ctrl-C, or the daemon has done what was requested; 3: the\n"
	"connection ended, and FILE is complete up to that time, or the disk is full, and\n"
	"FILE.mcap.part needs recovery\n";

struct request {
	const char *action; /* "start", "stop", "marker" or "state", see MODULES.md */
	const char *name;   /* start of the file names, for "start"; NULL: the name of the space */
	const char *label;  /* of "marker" */
	bool raw;           /* for "start": record body frames too */
};

struct options {
	const char *url, *space, *out;
	double reconnect_s;
	size_t ticks;
	struct request request; /* without an action the tool itself records */
	struct jc_credentials credentials;
};

static int take_action(struct request *request, const char *action)
{
	if (request->action) {
		return jc_command_misuse(
			&jc_command_record, "takes one of --start, --stop, --mark and --state");
	}
	request->action = action;
	return JC_EXIT_DONE;
}

static int read_action(const struct jc_command *command, const char *name, void *out_request)
{
	(void)command;
	return take_action(out_request, name);
}

static int read_mark(const struct jc_command *command, const char *name, void *out_request)
{
	struct request *request = out_request;

	(void)command;
	(void)name;
	request->label = optarg;
	return take_action(request, "marker");
}

static const struct jc_option option_table[] = {
	JC_OPTION("output", TEXT, struct options, out, .letter = 'o'),
	JC_OPTION("space", TEXT, struct options, space),
	JC_OPTION("start", ACTION, struct options, request, .read = read_action),
	JC_OPTION("stop", ACTION, struct options, request, .read = read_action),
	JC_OPTION("mark", OTHER, struct options, request, .read = read_mark),
	JC_OPTION("state", ACTION, struct options, request, .read = read_action),
	JC_OPTION("name", TEXT, struct options, request.name),
	JC_OPTION("raw", FLAG, struct options, request.raw),
	JC_OPTION_RECONNECT(struct options, reconnect_s),
	JC_OPTION("ticks", COUNT, struct options, ticks, .least = 1, .most = 2),
	JC_OPTION_CA(struct options, credentials),
	JC_OPTION_TOKEN_FILE(struct options, credentials),
	{ 0 },
};

struct sender {
	const char *space;
	const struct request *request;
};

static void on_ready(void *context, struct jc_link *link)
{
	const struct sender *sender = context;
	const struct request *request = sender->request;
	bool starts = strcmp(request->action, "start") == 0;

	jc_link_send_control(
		link, json_pack("{ss ss ss ss* ss* ss*}", "type", "record", "space", sender->space,
			      "action", request->action, "name", request->name, "label",
			      request->label, "kind", starts && request->raw ? "raw" : NULL));
}

static long long number(const json_t *message, const char *key)
{
	return (long long)json_integer_value(json_object_get(message, key));
}

static void print_state(const json_t *recording)
{
	const char *state = json_string_value(json_object_get(recording, "state"));
	const char *file = json_string_value(json_object_get(recording, "file"));

	jc_terminal_write(stdout, state ? state : "");
	if (file) {
		fputs(" ", stdout);
		jc_terminal_write(stdout, file);
	}
	if (state && strcmp(state, "stopped") != 0) {
		printf(": %lld captures, %lld bytes, %lld dropped", number(recording, "captures"),
			number(recording, "bytes"), number(recording, "dropped"));
	}
	putchar('\n');
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));

	(void)context;
	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (strcmp(type, "recording") == 0) {
		print_state(message);
		jc_link_end(link, JC_EXIT_DONE);
	}
}

static int send_request(const char *url, const struct jc_credentials *credentials,
	const char *space, const struct request *request)
{
	static const struct jc_link_ops ops = { .ready = on_ready, .message = on_message };
	struct sender sender = { space, request };

	return jc_link_run(
		&(struct jc_link_options){ .url = url, .credentials = credentials }, &ops, &sender);
}

static int run(int argc, char **argv)
{
	struct options options = { .url = JC_ENDPOINT_DEFAULT,
		.space = "lobby",
		.reconnect_s = JC_LINK_RECONNECT_SECONDS,
		.ticks = 1 };
	int status = jc_command_read(&jc_command_record, argc, argv, option_table, &options);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (argc - optind > 1 || !options.out == !options.request.action) {
		return jc_command_misuse(&jc_command_record,
			"takes at most one URL, and either -o FILE or one of "
			"--start, --stop, --mark, --state");
	}
	if ((options.request.name || options.request.raw) &&
		(options.out || strcmp(options.request.action, "start") != 0)) {
		return jc_command_misuse(&jc_command_record, "--name and --raw need --start");
	}
	options.url = argc > optind ? argv[optind] : options.url;
	if (!options.out) {
		return send_request(
			options.url, &options.credentials, options.space, &options.request);
	}
	if (strcmp(options.out, JC_RECORDING_CLIENT_PIPE) == 0 && isatty(STDOUT_FILENO)) {
		return jc_command_misuse(&jc_command_record,
			"-o - writes binary data, and standard output is a terminal");
	}
	const struct jc_recording_client_options record_space = { options.url, options.space,
		options.out, options.ticks, &options.credentials, options.reconnect_s };

	return jc_recording_client_record(&record_space);
}

const struct jc_command jc_command_record = {
	.name = "record",
	.summary = "record a space of a daemon, or control the daemon's recording",
	.help = help,
	.run = run,
};
