/* jointcast token: makes a token, signed with a key that a daemon accepts, or a new key. */
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "error_report.h"
#include "jointcast_private/token_signature.h"
#include "new_key.h"

#define KEY_BYTES    16384
#define SECRET_BYTES 32 /* the minimum for HS256, as in the daemon */
#define NAMES        16u
#define NAME_BYTES   63u
#define LONGEST_S    315360000 /* ten years */

static const char help[] =
	"usage: jointcast token KEY --kid ID --sub NAME --space SPACE… [OPTION]…\n"
	"       jointcast token --new-key FILE [--algorithm NAME] [--kid ID]\n"
	"\n"
	"Prints a token (JWT) that gives NAME access to a daemon that accepts the key ID. KEY is\n"
	"a file with a secret for HS256, or with a private key in PEM; the daemon has the same\n"
	"secret, or the public key. The second form makes a key and prints the section of\n"
	"jointcastd.conf for it.\n"
	"\n"
	"options:\n"
	"      --new-key FILE     make the key FILE, readable by its owner only: a secret for\n"
	"                         HS256, or a private key; FILE.pub is then the public key for\n"
	"                         the daemon; neither file may exist\n"
	"      --kid ID           name of the key in jointcastd.conf; default for a new key: the\n"
	"                         name of FILE up to its first dot\n"
	"      --sub NAME         the person who receives the token\n"
	"      --space SPACE      a space it is valid for; '*': all spaces; at most 16 times\n"
	"      --role ROLE        a right it gives: watch (default), publish, record, moderate or\n"
	"                         administer; may be repeated\n"
	"      --body NAME        a body it may publish; '*': all bodies; at most 16 times\n"
	"      --for TIME         validity: seconds, or a number with m, h or d; default 1h\n"
	"      --algorithm NAME   HS256 (default), RS256 or ES256\n"
	"      --audience NAME    audience of the token (claim 'aud'); default: jointcast\n"
	"  -h, --help             print this text\n"
	"\n"
	"The token gives its holder the rights of NAME until it expires: keep it out of addresses\n"
	"and logs.\n";

struct request {
	const char *new_key; /* a file to make; NULL: make a token */
	const char *kid, *subject;
	const char *audience; /* NULL: "jointcast" */
	const char *algorithm;
	long long seconds;               /* 0: one hour */
	json_t *roles, *spaces, *bodies; /* owned; NULL: none given */
};

static int read_text(const struct jc_command *command, const char *option, void *out_text)
{
	if (!optarg[0] || strlen(optarg) > NAME_BYTES) {
		return jc_command_misuse(command, "--%s takes 1 to %u bytes", option, NAME_BYTES);
	}
	*(const char **)out_text = optarg;
	return JC_EXIT_DONE;
}

/* Appends optarg to a list of names. */
static int add_name(const struct jc_command *command, const char *option, void *names)
{
	json_t **list = names;
	const char *name = NULL;
	int status = read_text(command, option, &name);

	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (!*list) {
		*list = json_array();
	}
	if (json_array_size(*list) == NAMES) {
		return jc_command_misuse(command, "--%s: at most %u", option, NAMES);
	}
	json_t *text = json_string(name);

	if (!text) {
		return jc_command_misuse(command, "--%s is not UTF-8", option);
	}
	json_array_append_new(*list, text);
	return JC_EXIT_DONE;
}

static int add_role(const struct jc_command *command, const char *option, void *names)
{
	static const char *const roles[] = { "watch", "publish", "record", "moderate",
		"administer" };

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (strcmp(optarg, roles[i]) == 0) {
			return add_name(command, option, names);
		}
	}
	return jc_command_misuse(command,
		"--%s is watch, publish, record, moderate or administer, not '%s'", option, optarg);
}

static int read_time(const struct jc_command *command, const char *option, void *out_seconds)
{
	if (!jc_command_parse_time(optarg, LONGEST_S, out_seconds)) {
		return jc_command_misuse(command,
			"--%s is a time such as 90, 15m, 8h or 30d, up to 3650d, not '%s'", option,
			optarg);
	}
	return JC_EXIT_DONE;
}

static int read_algorithm(const struct jc_command *command, const char *option, void *out_algorithm)
{
	if (strcmp(optarg, "HS256") != 0 && strcmp(optarg, "RS256") != 0 &&
		strcmp(optarg, "ES256") != 0) {
		return jc_command_misuse(
			command, "--%s is HS256, RS256 or ES256, not '%s'", option, optarg);
	}
	*(const char **)out_algorithm = optarg;
	return JC_EXIT_DONE;
}

static const struct jc_option option_table[] = {
	JC_OPTION("new-key", TEXT, struct request, new_key),
	JC_OPTION("kid", OTHER, struct request, kid, .read = read_text),
	JC_OPTION("sub", OTHER, struct request, subject, .read = read_text),
	JC_OPTION("space", OTHER, struct request, spaces, .read = add_name),
	JC_OPTION("role", OTHER, struct request, roles, .read = add_role),
	JC_OPTION("body", OTHER, struct request, bodies, .read = add_name),
	JC_OPTION("for", OTHER, struct request, seconds, .read = read_time),
	JC_OPTION("algorithm", OTHER, struct request, algorithm, .read = read_algorithm),
	JC_OPTION("audience", OTHER, struct request, audience, .read = read_text),
	{ 0 },
};

static bool has(const json_t *list, const char *text)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0) {
			return true;
		}
	}
	return false;
}

/* The value of a claim: "*" if the list contains it, else the list. */
static json_t *claim_of(const json_t *list)
{
	return has(list, "*") ? json_string("*") : json_copy((json_t *)list);
}

static char *pack_claims(const struct request *request)
{
	json_int_t now = (json_int_t)time(NULL);
	json_int_t end = now + (json_int_t)(request->seconds ? request->seconds : 3600);
	json_t *claims = json_pack("{ss ss sI sI so so*}", "sub", request->subject, "aud",
		request->audience ? request->audience : "jointcast", "iat", now, "exp", end,
		"spaces", claim_of(request->spaces), "bodies",
		request->bodies ? claim_of(request->bodies) : NULL);

	if (request->roles) {
		json_object_set(claims, "roles", request->roles);
	}
	char *text = claims ? json_dumps(claims, JSON_COMPACT) : NULL;

	json_decref(claims);
	return text;
}

static int read_key(
	const char *path, const char *algorithm, char key[KEY_BYTES + 1], size_t *out_length)
{
	FILE *file = fopen(path, "re");

	if (!file) {
		return jc_report(JC_EXIT_IO, path, "cannot be read: %s", strerror(errno));
	}
	size_t length = fread(key, 1, KEY_BYTES + 1, file);
	bool failed = ferror(file) != 0;

	fclose(file);
	if (failed) {
		return jc_report(JC_EXIT_IO, path, "cannot be read");
	}
	if (length > KEY_BYTES) {
		return jc_report(
			JC_EXIT_INPUT, path, "is not a key: more than %d bytes", KEY_BYTES);
	}
	key[length] = '\0';
	if (strcmp(algorithm, "HS256") == 0 && strstr(key, "-----BEGIN ")) {
		return jc_report(JC_EXIT_INPUT, path,
			"is a key in PEM, not a secret: add --algorithm ES256 or RS256");
	}
	if (strcmp(algorithm, "HS256") == 0 && length < SECRET_BYTES) {
		return jc_report(JC_EXIT_INPUT, path, "HS256 needs a secret of %d bytes or more",
			SECRET_BYTES);
	}
	*out_length = length;
	return JC_EXIT_DONE;
}

static int sign(const struct request *request, const char *path, const char *key, size_t length)
{
	char *claims = pack_claims(request);
	char *token = claims ? jc_token_signature_make(
				       claims, request->kid, request->algorithm, key, length)
			     : NULL;

	free(claims);
	if (!token) {
		return jc_report(JC_EXIT_INPUT, path, "this key cannot sign tokens with %s%s",
			request->algorithm,
			strcmp(request->algorithm, "HS256") == 0
				? ""
				: ": a private key in PEM is needed");
	}
	puts(token);
	explicit_bzero(token, strlen(token));
	free(token);
	return JC_EXIT_DONE;
}

/* A new key serves all tokens, so options of a single token are refused. */
static int check_key_request(const struct request *request, int argc)
{
	if (!request->new_key[0] || optind != argc || request->subject || request->audience ||
		request->seconds || request->roles || request->spaces || request->bodies) {
		return jc_command_misuse(&jc_command_token,
			"--new-key takes a file, --algorithm and --kid, and nothing else");
	}
	return JC_EXIT_DONE;
}

static int check_token_request(const struct request *request, int argc)
{
	if (optind + 1 != argc) {
		return jc_command_misuse(&jc_command_token, "needs the file of a key");
	}
	if (!request->kid || !request->subject || !request->spaces) {
		return jc_command_misuse(&jc_command_token, "needs %s",
			!request->kid       ? "--kid"
			: !request->subject ? "--sub"
					    : "--space");
	}
	if (has(request->roles, "publish") && !request->bodies) {
		return jc_command_misuse(
			&jc_command_token, "--role publish needs --body, '*' for any");
	}
	return JC_EXIT_DONE;
}

static int make_token(const struct request *request, int argc, char **argv)
{
	char key[KEY_BYTES + 1];
	size_t length = 0;
	int status = check_token_request(request, argc);

	if (status == JC_EXIT_DONE) {
		status = read_key(argv[optind], request->algorithm, key, &length);
	}
	if (status == JC_EXIT_DONE) {
		status = sign(request, argv[optind], key, length);
	}
	explicit_bzero(key, sizeof(key));
	return status;
}

static int make_key(const struct request *request, int argc)
{
	int status = check_key_request(request, argc);

	return status == JC_EXIT_DONE
		       ? jc_new_key(request->new_key, request->algorithm, request->kid)
		       : status;
}

static int run(int argc, char **argv)
{
	struct request request = { .algorithm = "HS256" };
	int status = jc_command_read(&jc_command_token, argc, argv, option_table, &request);

	if (status == JC_EXIT_DONE) {
		status = request.new_key ? make_key(&request, argc)
					 : make_token(&request, argc, argv);
	}
	json_decref(request.roles);
	json_decref(request.spaces);
	json_decref(request.bodies);
	return status;
}

const struct jc_command jc_command_token = {
	.name = "token",
	.summary = "make a token for a daemon, or a key",
	.help = help,
	.run = run,
};
