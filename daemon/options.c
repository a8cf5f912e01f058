/* getopt_long and the values behind it. */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"

const char jc_options_help[] =
	"usage: jointcastd [option]…\n"
	"\n"
	"Plays sources into spaces and casts them to WebSocket subscribers; serves the\n"
	"viewer on the same port.\n"
	"\n"
	"  --listen ADDR:PORT    loopback address to listen on (127.0.0.1:9871);\n"
	"                        port 0 takes any that is free\n"
	"  --source URI          a body: file:PATH or demo:walk|wave|sit|idle, then options\n"
	"                        ?loop=0|1&mirror&twist=X&speed=X&space=NAME&name=NAME; or\n"
	"                        vmc:[ADDR:]PORT, what a VMC program sends there (127.0.0.1),\n"
	"                        then options ?avatar=FILE[#N]&space=NAME&name=NAME&\n"
	"                        allow=remote; may be repeated\n"
	"  --vmc-out ADDR:PORT   sends a body to a VMC program, then options\n"
	"                        ?space=NAME&body=NAME&hz=X&bones=normalized|original&\n"
	"                        allow=remote; may be repeated\n"
	"  --skeleton FILE[#N]   the N-th humanoid of a file is worn by the bodies in turn;\n"
	"                        may be repeated (the built-in humanoid)\n"
	"  --web DIR             directory of the viewer\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 done, 1 an input is unusable, 2 wrong use, 3 cannot listen.\n";

int jc_options_parse_address(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage address;

	if (!jc_address_parse(text, &address)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not an address: 127.0.0.1:9871 or [::1]:9871", text);
	}
	if (!jc_address_is_loopback(&address)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"'%s' is not a loopback address, and without authentication no other "
			"is listened on",
			text);
	}
	*out_address = address;
	return JC_OK;
}

int jc_options_parse_skeleton(const char *text, struct jc_skeleton_option *out_skeleton)
{
	struct jc_skeleton_option skeleton = { .path = strdup(text) };

	if (!skeleton.path) {
		return JC_ERROR_MEMORY;
	}
	char *hash = strrchr(skeleton.path, '#');
	size_t digits = hash ? strspn(hash + 1, "0123456789") : 0;

	if (digits > 0 && digits < 7 && hash[1 + digits] == '\0') {
		skeleton.index = (size_t)strtoul(hash + 1, NULL, 10);
		*hash = '\0';
	}
	*out_skeleton = skeleton;
	return JC_OK;
}

enum {
	OPTION_LISTEN = 256,
	OPTION_SOURCE,
	OPTION_VMC_OUT,
	OPTION_SKELETON,
	OPTION_WEB,
	OPTION_HELP,
	OPTION_VERSION
};

static const struct option long_options[] = {
	{ "listen", required_argument, NULL, OPTION_LISTEN },
	{ "source", required_argument, NULL, OPTION_SOURCE },
	{ "vmc-out", required_argument, NULL, OPTION_VMC_OUT },
	{ "skeleton", required_argument, NULL, OPTION_SKELETON },
	{ "web", required_argument, NULL, OPTION_WEB },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* A value of an option that takes one. */
static int take(
	int option, const char *value, struct jc_options *options, struct jc_diagnostic *diagnostic)
{
	switch (option) {
	case OPTION_LISTEN:
		return jc_options_parse_address(value, &options->listen, diagnostic);
	case OPTION_SOURCE:
		if (options->source_count == JC_MAX_SOURCES) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %u sources",
				JC_MAX_SOURCES);
		}
		options->sources[options->source_count++] = value;
		return JC_OK;
	case OPTION_VMC_OUT:
		if (options->sink_count == JC_MAX_SINKS) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"more than %u times --vmc-out", JC_MAX_SINKS);
		}
		options->sinks[options->sink_count++] = value;
		return JC_OK;
	case OPTION_SKELETON:
		if (options->skeleton_count == JC_MAX_SKELETONS) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"more than %u skeletons", JC_MAX_SKELETONS);
		}
		if (jc_options_parse_skeleton(
			    value, &options->skeletons[options->skeleton_count])) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
		options->skeleton_count++;
		return JC_OK;
	default:
		options->web_root = value;
		return JC_OK;
	}
}

enum jc_options_result jc_options_parse(int argc, char **argv, const char *web_root,
	struct jc_options *out_options, struct jc_diagnostic *diagnostic)
{
	*out_options = (struct jc_options){ .web_root = web_root };
	jc_options_parse_address("127.0.0.1:9871", &out_options->listen, NULL);
	opterr = 0;
	optind = 0; /* GNU: start afresh */
	for (;;) {
		int at = optind ? optind : 1;
		int option = getopt_long(argc, argv, "+:", long_options, NULL);

		if (option == -1) {
			break;
		}
		if (option == OPTION_HELP) {
			return JC_OPTIONS_HELP;
		}
		if (option == OPTION_VERSION) {
			return JC_OPTIONS_VERSION;
		}
		if (option == '?' || option == ':') {
			jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				option == '?' ? "no such option: '%s'" : "'%s' needs a value",
				argv[at]);
			return JC_OPTIONS_WRONG;
		}
		if (take(option, optarg, out_options, diagnostic) != JC_OK) {
			return JC_OPTIONS_WRONG;
		}
	}
	if (optind < argc) {
		jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "not an option: '%s'", argv[optind]);
		return JC_OPTIONS_WRONG;
	}
	return JC_OPTIONS_RUN;
}

void jc_options_finish(struct jc_options *options)
{
	for (size_t i = 0; i < options->skeleton_count; i++) {
		free(options->skeletons[i].path);
	}
	options->skeleton_count = 0;
}
