/* Parses the command line twice: first options that are needed before the file is read, then
 * options that replace values of the file. */
#include "app/options.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "config/config_file.h"

const char jc_options_help[] =
	"usage: jointcastd [option]…\n"
	"\n"
	"Plays sources into spaces and sends their bodies to WebSocket subscribers;\n"
	"serves the viewer on the same port.\n"
	"\n"
	"  --listen ADDR:PORT    loopback address to listen on (127.0.0.1:9871);\n"
	"                        port 0 takes any free port\n"
	"  --admin ADDR:PORT     loopback address, or unix:PATH, for status and metrics;\n"
	"                        without it they are not served\n"
	"  --tls-listen ADDR:PORT  also listens with TLS; an address that is not loopback\n"
	"                        needs keys (auth in jointcastd.conf)\n"
	"  --proxy-listen ADDR:PORT  also listens for a proxy with TLS; needs keys as above\n"
	"  --certificate FILE    the certificate and its chain\n"
	"  --key FILE            its private key; both PEM, read again on SIGHUP\n"
	"  --dev-certificate     makes a development certificate in the state directory\n"
	"  --source URI          a body: file:PATH or demo:walk|wave|sit|idle, then options\n"
	"                        ?motion=N&bones=FILE&loop=0|1&mirror&twist=X&speed=X&\n"
	"                        space=NAME&name=NAME, where motion and bones are for file:\n"
	"                        only; replay:PATH, a whole recording, then options\n"
	"                        ?loop&speed=X&from=S&until=S&paused&prefix=TEXT&\n"
	"                        rename=OLD:NEW&space=NAME; or\n"
	"                        vmc:[ADDR:]PORT, a VMC program sends there (127.0.0.1),\n"
	"                        then options ?avatar=FILE[#N]&smooth[=HZ,BETA]&space=NAME&\n"
	"                        name=NAME&allow=remote; or\n"
	"                        osc-trackers:[[ADDR:]PORT], a program sends OSC trackers\n"
	"                        there (127.0.0.1:9010), then options ?height=METRES&\n"
	"                        tracker=N:ROLE&peer=ADDR&smooth[=HZ,BETA]&space=NAME&\n"
	"                        name=NAME&allow=remote; or mocopi:[ADDR:]PORT, a suit, then\n"
	"                        options ?peer=ADDR&allow=remote&smooth&space=NAME&name=NAME;\n"
	"                        or ifacialmocap:[ADDR:]PORT or facemotion3d:[ADDR:]PORT, the\n"
	"                        face of a phone, then options ?body=NAME&phone=ADDR&\n"
	"                        height=METRES and those of a suit; or openxr:, an OpenXR\n"
	"                        runtime, then options ?profile=auto|NAME&height=METRES&\n"
	"                        face=0|1&tracker=SERIAL:ROLE&smooth[=HZ,BETA]&\n"
	"                        space=NAME&name=NAME;\n"
	"                        may be repeated\n"
	"  --vmc-out ADDR:PORT   sends a body to a VMC program, then options\n"
	"                        ?space=NAME&body=NAME&hz=X&bones=normalized|original&\n"
	"                        allow=remote; may be repeated\n"
	"  --osc-out ADDR[:PORT] sends a body as OSC trackers, to VRChat for example (port\n"
	"                        9000), then options ?space=NAME&body=NAME&hz=X&\n"
	"                        trackers=ROLE,ROLE&allow=remote; may be repeated\n"
	"  --record FOLDER       records a space in that folder, then options ?space=NAME& and\n"
	"                        keys of 'recording' in jointcastd.conf; may be repeated\n"
	"  --skeleton FILE[#N]   the N-th humanoid of a file; bodies use these skeletons in\n"
	"                        turn; may be repeated (the built-in humanoid)\n"
	"  --state DIR           directory for state between runs: calibrations, skeletons\n"
	"  --web DIR             directory of the viewer\n"
	"  --origin ORIGIN       a site whose pages may connect, such as\n"
	"                        https://world.example.org; may be repeated\n"
	"  --edge URL            serves the spaces of origins, over the NATS server at\n"
	"                        nats://[USER:PASSWORD@]HOST[:PORT] or tls://…; several URLs\n"
	"                        are separated by commas\n"
	"  --nats-origin URL     offers its spaces to edges, over that NATS server\n"
	"  --config FILE         jointcastd.conf(5); other options replace its values\n"
	"  --check-config        only checks the configuration and the files that it names\n"
	"  --list-senders[=remote]\n"
	"                        listens for five seconds on the usual ports of motion\n"
	"                        capture programs and shows who sends what\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 done, 1 an input is unusable, 2 wrong use, 3 cannot listen.\n";

enum {
	OPTION_CONFIG = 256,
	OPTION_CHECK_CONFIG,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_LIST_SENDERS,
	OPTION_RECORD,
	OPTION_EDGE,
	OPTION_NATS_ORIGIN,
	OPTION_ADD,
	OPTION_SET = OPTION_ADD + 4,
};

/* The keys of the configuration that an option adds to or sets; a value set to a list is added to
 * it. */
static const char *const added[] = { "source.uri", "vmc_out.target", "skeleton.file",
	"osc_out.target" };
static const char *const set[] = { "server.listen", "admin.listen", "tls.listen", "proxy.listen",
	"tls.certificate", "tls.key", "tls.development", "server.state", "server.web",
	"server.origins" };

static const struct option long_options[] = {
	{ "source", required_argument, NULL, OPTION_ADD },
	{ "vmc-out", required_argument, NULL, OPTION_ADD + 1 },
	{ "skeleton", required_argument, NULL, OPTION_ADD + 2 },
	{ "osc-out", required_argument, NULL, OPTION_ADD + 3 },
	{ "listen", required_argument, NULL, OPTION_SET },
	{ "admin", required_argument, NULL, OPTION_SET + 1 },
	{ "tls-listen", required_argument, NULL, OPTION_SET + 2 },
	{ "proxy-listen", required_argument, NULL, OPTION_SET + 3 },
	{ "certificate", required_argument, NULL, OPTION_SET + 4 },
	{ "key", required_argument, NULL, OPTION_SET + 5 },
	{ "dev-certificate", no_argument, NULL, OPTION_SET + 6 },
	{ "state", required_argument, NULL, OPTION_SET + 7 },
	{ "web", required_argument, NULL, OPTION_SET + 8 },
	{ "origin", required_argument, NULL, OPTION_SET + 9 },
	{ "record", required_argument, NULL, OPTION_RECORD },
	{ "edge", required_argument, NULL, OPTION_EDGE },
	{ "nats-origin", required_argument, NULL, OPTION_NATS_ORIGIN },
	{ "config", required_argument, NULL, OPTION_CONFIG },
	{ "check-config", no_argument, NULL, OPTION_CHECK_CONFIG },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ "list-senders", optional_argument, NULL, OPTION_LIST_SENDERS },
	{ NULL, 0, NULL, 0 },
};

/* Called for each option. */
typedef int on_option(
	int option, const char *value, void *context, struct jc_diagnostic *diagnostic);

static int walk(
	int argc, char **argv, on_option *take, void *context, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	opterr = 0;
	optind = 0; /* GNU: start again */
	while (status == JC_OK) {
		int at = optind ? optind : 1;
		int option = getopt_long(argc, argv, "+:", long_options, NULL);

		if (option == -1) {
			break;
		}
		if (option == '?' || option == ':') {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				option == '?' ? "no such option: '%s'" : "'%s' needs a value",
				argv[at]);
		}
		status = take(option, optarg, context, diagnostic);
	}
	if (status == JC_OK && optind < argc) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "not an option: '%s'", argv[optind]);
	}
	return status;
}

struct first_look {
	struct jc_options *options;
	enum jc_options_result result;
	int role; /* OPTION_EDGE, OPTION_NATS_ORIGIN, or 0: neither was given */
};

/* Handles options that are needed before the file is read. */
static int look(int option, const char *value, void *context, struct jc_diagnostic *diagnostic)
{
	struct first_look *first = context;

	switch (option) {
	case OPTION_CONFIG:
		first->options->config_path = value;
		break;
	case OPTION_CHECK_CONFIG:
		first->options->check = true;
		break;
	case OPTION_HELP:
	case OPTION_VERSION:
		if (first->result == JC_OPTIONS_RUN) {
			first->result =
				option == OPTION_HELP ? JC_OPTIONS_HELP : JC_OPTIONS_VERSION;
		}
		break;
	case OPTION_LIST_SENDERS:
		if (value && strcmp(value, "remote") != 0) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"--list-senders: the value is remote, not '%s'", value);
		}
		first->options->lists_remote = value != NULL;
		if (first->result == JC_OPTIONS_RUN) {
			first->result = JC_OPTIONS_LIST_SENDERS;
		}
		break;
	case OPTION_EDGE:
	case OPTION_NATS_ORIGIN:
		if (first->role && first->role != option) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"--edge and --nats-origin: a daemon is one or the other");
		}
		first->role = option;
		return jc_config_check_value("cluster.nats", value, diagnostic);
	default:
		if (option >= OPTION_SET && value) {
			return jc_config_check_value(set[option - OPTION_SET], value, diagnostic);
		}
		break;
	}
	return JC_OK;
}

enum jc_options_result jc_options_parse(
	int argc, char **argv, struct jc_options *out_options, struct jc_diagnostic *diagnostic)
{
	struct first_look first = { .options = out_options, .result = JC_OPTIONS_RUN };

	*out_options = (struct jc_options){ .argc = argc, .argv = argv };
	return walk(argc, argv, look, &first, diagnostic) == JC_OK ? first.result
								   : JC_OPTIONS_WRONG;
}

static int set_role(struct jc_config *config, const char *role, const char *urls,
	struct jc_diagnostic *diagnostic)
{
	int status = jc_config_set(config, "cluster.nats", urls, diagnostic);

	return status == JC_OK ? jc_config_set(config, "cluster.role", role, diagnostic) : status;
}

static int apply(int option, const char *value, void *context, struct jc_diagnostic *diagnostic)
{
	struct jc_config *config = context;

	if (option >= OPTION_SET) {
		return jc_config_set(
			config, set[option - OPTION_SET], value ? value : "true", diagnostic);
	}
	if (option >= OPTION_ADD) {
		return jc_config_add(config, added[option - OPTION_ADD], value, diagnostic);
	}
	if (option == OPTION_EDGE || option == OPTION_NATS_ORIGIN) {
		return set_role(
			config, option == OPTION_EDGE ? "edge" : "origin", value, diagnostic);
	}
	return option == OPTION_RECORD ? jc_config_add_text(&config->records, JC_MAX_RECORDERS,
						 "--record options", value, diagnostic)
				       : JC_OK; /* look() has handled it */
}

int jc_options_configure(const struct jc_options *options, const char *web_root,
	struct jc_config *out_config, struct jc_diagnostic *diagnostic)
{
	struct jc_config config = { 0 };
	int status = jc_config_init(&config, web_root, diagnostic);

	if (status == JC_OK && options->config_path) {
		status = jc_config_file_read(&config, options->config_path, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_config_read_environment(&config, diagnostic);
	}
	if (status == JC_OK) {
		status = walk(options->argc, options->argv, apply, &config, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_config_check(&config, diagnostic);
	}
	if (status != JC_OK) {
		jc_config_finish(&config);
		return status;
	}
	jc_config_offer_skeletons(&config);
	*out_config = config;
	return JC_OK;
}
