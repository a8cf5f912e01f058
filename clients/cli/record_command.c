/* jointcast record: records a space of a daemon into a local file, or controls the daemon's own
 * recording. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
	"channels of all bodies with consent, the roster and the skeletons. Of other bodies it\n"
	"records only that they were present.\n"
	"\n"
	"The file is called FILE.mcap.part until it is complete. After a crash, repair this file\n"
	"with 'jointcast recover'.\n"
	"\n"
	"The second form controls the recording that the daemon itself makes in its own folder,\n"
	"and prints its state.\n"
	"\n"
	"options:\n"
	"  -o, --output FILE  the recording to write\n"
	"      --start        start the daemon's recording\n"
	"      --stop         stop it\n"
	"      --mark TEXT    add a marker to it\n"
	"      --state        print its state\n"
	"      --name NAME    start of the daemon's file names; default: the name of the space\n"
	"      --raw          also record body frames, for bodies with consent, if the daemon\n"
	"                     allows it\n"
	"      --space NAME   the space; default: lobby\n"
	"      --ca FILE      PEM file of trusted certificates for wss://; default: the system's\n"
	"      --token-file FILE\n"
	"                     file with the token; default: the variable JOINTCAST_TOKEN\n"
	"  -h, --help         print this text\n"
	"\n"
	"exit status 0: ended by Ctrl-C, or the daemon has done what was requested; 3: the\n"
	"daemon ended, and FILE is complete up to that time, or the disk is full, and\n"
	"FILE.mcap.part needs recovery\n";

struct request {
	const char *action; /* "start", "stop", "marker" or "state", see PROTOCOL.md */
	const char *name;   /* start of the file names, for "start"; NULL: the name of the space */
	const char *label;  /* of "marker" */
	bool raw;           /* for "start": record body frames too */
};

struct options {
	const char *url, *space, *out;
	struct request request; /* without an action the tool itself records */
	struct jc_credentials credentials;
};

enum {
	OPTION_SPACE = 256,
	OPTION_START,
	OPTION_STOP,
	OPTION_MARK,
	OPTION_STATE,
	OPTION_NAME,
	OPTION_RAW,
};

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "space", required_argument, NULL, OPTION_SPACE },
	{ "start", no_argument, NULL, OPTION_START },
	{ "stop", no_argument, NULL, OPTION_STOP },
	{ "mark", required_argument, NULL, OPTION_MARK },
	{ "state", no_argument, NULL, OPTION_STATE },
	{ "name", required_argument, NULL, OPTION_NAME },
	{ "raw", no_argument, NULL, OPTION_RAW },
	JC_CREDENTIALS_OPTION_CA,
	JC_CREDENTIALS_OPTION_TOKEN_FILE,
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
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

static int take_option(int option, void *context)
{
	struct options *options = context;

	switch (option) {
	case 'o':
		options->out = optarg;
		return JC_EXIT_DONE;
	case OPTION_SPACE:
		options->space = optarg;
		return JC_EXIT_DONE;
	case OPTION_START:
		return take_action(&options->request, "start");
	case OPTION_STOP:
		return take_action(&options->request, "stop");
	case OPTION_MARK:
		options->request.label = optarg;
		return take_action(&options->request, "marker");
	case OPTION_STATE:
		return take_action(&options->request, "state");
	case OPTION_NAME:
		options->request.name = optarg;
		return JC_EXIT_DONE;
	case OPTION_RAW:
		options->request.raw = true;
		return JC_EXIT_DONE;
	default:
		return jc_credentials_read_option(&options->credentials, option) ? JC_EXIT_DONE
										 : JC_EXIT_USAGE;
	}
}

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

	return jc_link_run(url, credentials, &ops, &sender);
}

static int run(int argc, char **argv)
{
	struct options options = { .url = JC_ENDPOINT_DEFAULT, .space = "lobby" };
	int status = jc_command_read(
		&jc_command_record, argc, argv, long_options, take_option, &options);

	if (status != JC_EXIT_DONE) {
		return status == JC_OPTION_DONE ? JC_EXIT_DONE : status;
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
	const struct jc_recording_client_options record_space = { options.url, options.space,
		options.out, &options.credentials };

	return jc_recording_client_record(&record_space);
}

const struct jc_command jc_command_record = {
	.name = "record",
	.summary = "record a space of a daemon, or control the daemon's recording",
	.help = help,
	.run = run,
};
