/* jointcast register: registers a skeleton with a daemon. The tool reads the file and sends only
 * the skeleton descriptor, so meshes stay local and files of any size can be used. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_report.h"
#include "files/loader.h"
#include "net/daemon_request.h"
#include "terminal_text.h"

#define NAME_BYTES 64 /* the daemon's limit, with the NUL */

static const char help[] =
	"usage: jointcast register FILE[#N] [URL] [OPTION]…\n"
	"       jointcast register --list [URL] [OPTION]…\n"
	"       jointcast register --remove NAME [URL] [OPTION]…\n"
	"\n"
	"Registers a skeleton with a daemon (default " JC_ENDPOINT_DEFAULT "), so that bodies can\n"
	"wear it, and prints its hash. Only the descriptor is sent, no mesh. A name belongs to\n"
	"the owner of the token. A name that exists already refers to the new skeleton from then\n"
	"on; bodies that wear the old skeleton keep it.\n"
	"\n"
	"options:\n"
	"      --name NAME    1 to 63 bytes; default: the name of the file without its ending\n"
	"      --bones FILE   bone map of FILE: lines BONE = JOINT instead of recognised names;\n"
	"                     see 'jointcast inspect --help'\n"
	"      --list         list the registered skeletons: hash, bytes, whether it is worn, "
	"name\n"
	"      --remove NAME  remove a skeleton\n"
	"      --json         print the daemon's answer as JSON\n"
	"      --ca FILE      PEM file of trusted certificates for https://; default: the "
	"system's\n"
	"      --token-file FILE\n"
	"                     file that contains the token; default: the token in the\n"
	"                     environment variable JOINTCAST_TOKEN\n"
	"  -h, --help         print this text\n"
	"\n"
	"exit status 0: done; 1: the file is not a skeleton, or the daemon refuses it, with the\n"
	"reason; 3: no connection to the daemon\n";

struct options {
	const char *file, *url;
	const char *name;   /* NULL: the name of the file */
	const char *bones;  /* the file of a bone map; NULL: none */
	const char *remove; /* NULL: none */
	struct jc_credentials credentials;
	bool list, json;
};

static const struct jc_option option_table[] = {
	JC_OPTION("name", TEXT, struct options, name),
	JC_OPTION("bones", TEXT, struct options, bones),
	JC_OPTION("list", FLAG, struct options, list),
	JC_OPTION("remove", TEXT, struct options, remove),
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION_CA(struct options, credentials),
	JC_OPTION_TOKEN_FILE(struct options, credentials),
	{ 0 },
};

/* The file name without its ending. A name that starts with its only dot is kept. */
static void name_after(const char *path, char out_name[NAME_BYTES])
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	snprintf(out_name, NAME_BYTES, "%.*s",
		dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

/* Returns /skeletons/NAME, percent-encoded (RFC 3986, 2.3), or NULL without memory. The caller
 * frees it. */
static char *path_of(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_~";
	static const char prefix[] = "/skeletons/";
	char *path = malloc(sizeof(prefix) + 3 * strlen(name));
	char *end = path ? stpcpy(path, prefix) : NULL;

	for (const char *c = name; path && *c; c++) {
		end += sprintf(
			end, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned)(unsigned char)*c);
	}
	return path;
}

static int ask(const struct options *options, const char *about,
	struct jc_endpoint_request *request, char **out_answer, json_t **out_json)
{
	const struct jc_daemon_request to = { .command = &jc_command_register,
		.url = options->url,
		.credentials = &options->credentials,
		.about = about };

	return jc_daemon_request_send(&to, request, out_answer, out_json);
}

/* Sends a request about the skeleton `name`. */
static int ask_of(const struct options *options, const char *name,
	struct jc_endpoint_request *request, char **out_answer, json_t **out_json)
{
	char *path = path_of(name);

	if (!path) {
		return jc_report(JC_EXIT_IO, name, "out of memory");
	}
	request->path = path;
	int result = ask(options, name, request, out_answer, out_json);

	free(path);
	return result;
}

static void print_registered(
	const struct options *options, const json_t *answer, const struct jc_lint *lint)
{
	size_t warnings = 0;

	for (size_t i = 0; i < lint->count; i++) {
		warnings += lint->entries[i].severity == JC_WARNING;
	}
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(answer, "name"));
	fputs(" is ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(answer, "hash"));
	puts(json_is_true(json_object_get(answer, "stored"))
			? ", kept"
			: ", not kept: a restart of the daemon loses it");
	if (warnings > 0) {
		printf("  %zu warning%s: jointcast lint ", warnings, warnings == 1 ? "" : "s");
		jc_terminal_write(stdout, options->file);
		putchar('\n');
	}
}

/* Writes the skeleton of a file as a descriptor. The caller frees *out_text. */
static int describe(const struct options *options, char out_name[NAME_BYTES], char **out_text,
	struct jc_lint *lint)
{
	const char *file = options->file;
	struct jc_skeleton *skeleton = NULL;
	char *path = NULL;
	size_t index = 0;
	int result = jc_load_split(file, &path, &index);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	name_after(path, out_name);
	result = jc_load_skeleton(path, index, options->bones, &skeleton, lint);
	if (result == JC_EXIT_DONE && jc_skeleton_write_descriptor(skeleton, out_text) != JC_OK) {
		result = jc_report(JC_EXIT_IO, file, "out of memory");
	}
	jc_skeleton_destroy(skeleton);
	free(path);
	return result;
}

static int put(const struct options *options)
{
	struct jc_endpoint_request request = { .method = "PUT" };
	struct jc_lint lint = { 0 };
	char name[NAME_BYTES];
	char *descriptor = NULL;
	char *answer = NULL;
	json_t *json = NULL;
	int result = describe(options, name, &descriptor, &lint);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	request.body = descriptor;
	request.length = strlen(descriptor);
	result = ask_of(options, options->name ? options->name : name, &request, &answer, &json);
	if (result == JC_EXIT_DONE && !options->json) {
		print_registered(options, json, &lint);
	} else if (result == JC_EXIT_DONE) {
		puts(answer);
	}
	json_decref(json);
	free(answer);
	free(descriptor);
	return result;
}

static int remove_one(const struct options *options)
{
	struct jc_endpoint_request request = { .method = "DELETE" };
	char *answer = NULL;
	json_t *json = NULL;
	int result = ask_of(options, options->remove, &request, &answer, &json);

	if (result == JC_EXIT_DONE && options->json) {
		puts(answer);
	}
	json_decref(json);
	free(answer);
	return result;
}

static int list(const struct options *options)
{
	struct jc_endpoint_request request = { .method = "GET", .path = "/skeletons" };
	char *answer = NULL;
	json_t *json = NULL;
	int result = ask(options, options->url, &request, &answer, &json);
	const json_t *skeletons = json_object_get(json, "skeletons");

	if (result == JC_EXIT_DONE && options->json) {
		puts(answer);
	}
	for (size_t i = 0; !options->json && i < json_array_size(skeletons); i++) {
		const json_t *skeleton = json_array_get(skeletons, i);

		jc_terminal_write(stdout, jc_terminal_text_of(skeleton, "hash"));
		printf("  %6lld B  %s  ",
			(long long)json_integer_value(json_object_get(skeleton, "bytes")),
			json_is_true(json_object_get(skeleton, "worn")) ? "worn" : "    ");
		jc_terminal_write_quoted(stdout, jc_terminal_text_of(skeleton, "name"));
		putchar('\n');
	}
	json_decref(json);
	free(answer);
	return result;
}

static int run(int argc, char **argv)
{
	struct options options = { .url = JC_ENDPOINT_DEFAULT };
	int result = jc_command_read(&jc_command_register, argc, argv, option_table, &options);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	if (options.list + !!options.remove + !!options.name > 1) {
		return jc_command_misuse(
			&jc_command_register, "--name, --list and --remove exclude each other");
	}
	if (!options.list && !options.remove) {
		if (optind == argc) {
			return jc_command_misuse(&jc_command_register, "needs a FILE");
		}
		options.file = argv[optind++];
	}
	if (optind < argc) {
		options.url = argv[optind++];
	}
	if (optind < argc) {
		return jc_command_misuse(
			&jc_command_register, "unexpected argument '%.80s'", argv[optind]);
	}
	return options.list     ? list(&options)
	       : options.remove ? remove_one(&options)
				: put(&options);
}

const struct jc_command jc_command_register = {
	.name = "register",
	.summary = "register a skeleton with a daemon",
	.help = help,
	.run = run,
};
