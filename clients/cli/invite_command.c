/* jointcast invite: creates, lists and revokes invitations of a daemon. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "error_report.h"
#include "net/daemon_request.h"
#include "qr_code.h"
#include "terminal_text.h"

#define TWO_HOURS 7200
#define LONGEST_S 31536000 /* a year, as in the daemon */

static const char help[] =
	"usage: jointcast invite [URL] --space SPACE [OPTION]…\n"
	"       jointcast invite [URL] --list [--space SPACE]\n"
	"       jointcast invite [URL] --revoke ID\n"
	"\n"
	"Creates a link with which guests enter a space of a daemon (default " JC_ENDPOINT_DEFAULT
	"),\n"
	"and prints it; on a terminal, also its QR code. A guest who opens the link gets a token\n"
	"of its own. Your token needs the role moderate or administer in the space, and what the\n"
	"invitation gives; the daemon needs keys and a state directory.\n"
	"\n"
	"options:\n"
	"      --space SPACE  the space\n"
	"      --role ROLE    what a guest may do: watch (default), or publish, which also "
	"watches\n"
	"      --for TIME     time until the invitation and its tokens expire: seconds, or a "
	"number\n"
	"                     with m, h or d; default 2h; not beyond the end of your token\n"
	"      --uses N       number of guests, 1 (default) to 1000\n"
	"      --note TEXT    a remark for the list\n"
	"      --pair         a code to type in place of a link: one guest, within two minutes\n"
	"      --page URL     address of the viewer for guests; default: URL\n"
	"      --qr, --no-qr  print the QR code of the link, or none\n"
	"      --list         list the invitations: id, role, uses, end, creator, space, note\n"
	"      --revoke ID    revoke an invitation and its tokens, and close their connections\n"
	"      --json         print the daemon's answer as JSON\n"
	"      --ca FILE      PEM file of trusted certificates for https://; default: the "
	"system's\n"
	"      --token-file FILE\n"
	"                     file that contains your token; default: the token in the\n"
	"                     environment variable JOINTCAST_TOKEN\n"
	"  -h, --help         print this text\n"
	"\n"
	"Everyone with the link has these rights: pass it on like a key.\n";

struct options {
	const char *url, *page;
	const char *space, *role, *note;
	const char *revoke; /* NULL: none */
	struct jc_credentials credentials;
	long long seconds;
	size_t uses; /* 0: one */
	bool pair, list, json, qr, no_qr;
};

static int read_role(const struct jc_command *command, const char *option, void *out_role)
{
	if (strcmp(optarg, "watch") != 0 && strcmp(optarg, "publish") != 0) {
		return jc_command_misuse(
			command, "--%s is watch or publish, not '%s'", option, optarg);
	}
	*(const char **)out_role = optarg;
	return JC_EXIT_DONE;
}

static int read_time(const struct jc_command *command, const char *option, void *out_seconds)
{
	if (!jc_command_parse_time(optarg, LONGEST_S, out_seconds)) {
		return jc_command_misuse(command,
			"--%s is a time such as 90, 15m, 8h or 30d, up to 365d, not '%s'", option,
			optarg);
	}
	return JC_EXIT_DONE;
}

static const struct jc_option option_table[] = {
	JC_OPTION("space", TEXT, struct options, space),
	JC_OPTION("role", OTHER, struct options, role, .read = read_role),
	JC_OPTION("for", OTHER, struct options, seconds, .read = read_time),
	JC_OPTION("uses", COUNT, struct options, uses, .least = 1, .most = 1000),
	JC_OPTION("note", TEXT, struct options, note),
	JC_OPTION("pair", FLAG, struct options, pair),
	JC_OPTION("page", TEXT, struct options, page),
	JC_OPTION("qr", FLAG, struct options, qr),
	JC_OPTION("no-qr", FLAG, struct options, no_qr),
	JC_OPTION("list", FLAG, struct options, list),
	JC_OPTION("revoke", TEXT, struct options, revoke),
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION_CA(struct options, credentials),
	JC_OPTION_TOKEN_FILE(struct options, credentials),
	{ 0 },
};

static int ask(const struct options *options, const char *about,
	struct jc_endpoint_request *request, char **out_answer, json_t **out_json)
{
	const struct jc_daemon_request to = { .command = &jc_command_invite,
		.url = options->url,
		.credentials = &options->credentials,
		.about = about };

	return jc_daemon_request_send(&to, request, out_answer, out_json);
}

/* The address of the viewer, which ends with a slash. NULL: a Unix socket has none, or out of
 * memory. The caller frees it. */
static char *page_of(const struct options *options)
{
	struct jc_endpoint endpoint;
	char *page = NULL;

	if (options->page) {
		size_t length = strlen(options->page);
		const char *slash = options->page[length - 1] == '/' ? "" : "/";

		return asprintf(&page, "%s%s", options->page, slash) < 0 ? NULL : page;
	}
	if (!jc_endpoint_parse(options->url, &endpoint) || endpoint.is_file) {
		return NULL;
	}
	/* Browsers leave out the usual port, and the link is shorter. */
	size_t host = strlen(endpoint.authority) - strlen(endpoint.port) - 1;
	bool is_usual = strcmp(endpoint.port, endpoint.is_secure ? "443" : "80") == 0;

	return asprintf(&page, "%s://%.*s/", endpoint.is_secure ? "https" : "http",
		       (int)(is_usual ? host : strlen(endpoint.authority)), endpoint.authority) < 0
		       ? NULL
		       : page;
}

static void print_end(const json_t *invitation)
{
	time_t end = (time_t)json_integer_value(json_object_get(invitation, "expires"));
	struct tm date;
	char text[32] = "?";

	if (gmtime_r(&end, &date)) {
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &date);
	}
	fputs(text, stdout);
}

static long long count_of(const json_t *object, const char *key)
{
	return (long long)json_integer_value(json_object_get(object, key));
}

/* Prints rights, end and id of the invitation. */
static void print_facts(const json_t *answer)
{
	long long uses = count_of(answer, "uses");

	jc_terminal_write(stdout, jc_terminal_text_of(answer, "role"));
	putchar(' ');
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(answer, "space"));
	printf(", %lld guest%s, until ", uses, uses == 1 ? "" : "s");
	print_end(answer);
	fputs("; end it: jointcast invite --revoke ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(answer, "id"));
	putchar('\n');
}

static int print_link(const struct options *options, const char *page, const json_t *answer)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	bool publishes = strcmp(jc_terminal_text_of(answer, "role"), "publish") == 0;
	char *link;

	if (asprintf(&link, "%s%s?space=%s#invite=%s", page, publishes ? "publish.html" : "",
		    jc_terminal_text_of(answer, "space"),
		    jc_terminal_text_of(answer, "invitation")) < 0) {
		return jc_report(JC_EXIT_IO, options->url, "out of memory");
	}
	jc_terminal_write(stdout, link);
	putchar('\n');
	int status = options->qr || (is_terminal && !options->no_qr)
			     ? jc_qr_code_print(stdout, link)
			     : JC_OK;

	explicit_bzero(link, strlen(link));
	free(link);
	if (is_terminal) {
		print_facts(answer);
	}
	return status == JC_OK ? JC_EXIT_DONE
			       : jc_report(JC_EXIT_IO, options->url, "no QR code: %s",
					 status == JC_ERROR_LIMIT ? "the link is too long"
								  : "out of memory");
}

static void print_code(const char *page, const json_t *answer)
{
	jc_terminal_write(stdout, jc_terminal_text_of(answer, "code"));
	putchar('\n');
	if (isatty(STDOUT_FILENO)) {
		fputs("to enter at ", stdout);
		jc_terminal_write(stdout, page);
		printf(" within %lld seconds\n", count_of(answer, "codeSeconds"));
		print_facts(answer);
	}
}

/* The body of the request. NULL: out of memory, or a text is not UTF-8. */
static char *pack_request(const struct options *options)
{
	json_t *body = json_pack("{ss ss sI si ss* so*}", "space", options->space, "role",
		options->role ? options->role : "watch", "expires",
		(json_int_t)(options->seconds ? options->seconds : TWO_HOURS), "uses",
		options->uses ? (int)options->uses : 1, "note", options->note, "pair",
		options->pair ? json_true() : NULL);
	char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;

	json_decref(body);
	return text;
}

static int create(const struct options *options)
{
	struct jc_endpoint_request request = { .method = "POST", .path = "/invitations" };
	char *body = pack_request(options);
	char *page = page_of(options);
	char *answer = NULL;
	json_t *json = NULL;
	int result = JC_EXIT_DONE;

	if (!body) {
		result = jc_command_misuse(&jc_command_invite, "--space or --note is not UTF-8");
	} else if (!page && !options->json) {
		result = jc_command_misuse(
			&jc_command_invite, "needs --page, the address of the viewer for guests");
	} else {
		request.body = body;
		request.length = strlen(body);
		result = ask(options, options->space, &request, &answer, &json);
	}
	if (result == JC_EXIT_DONE && options->json) {
		puts(answer);
	} else if (result == JC_EXIT_DONE && options->pair) {
		print_code(page, json);
	} else if (result == JC_EXIT_DONE) {
		result = print_link(options, page, json);
	}
	if (answer) {
		explicit_bzero(answer, strlen(answer));
	}
	json_decref(json);
	free(answer);
	free(page);
	free(body);
	return result;
}

static void print_entry(const json_t *entry)
{
	jc_terminal_write(stdout, jc_terminal_text_of(entry, "id"));
	printf("  %-7s  %lld/%lld  ",
		strcmp(jc_terminal_text_of(entry, "role"), "publish") == 0 ? "publish" : "watch",
		count_of(entry, "used"), count_of(entry, "uses"));
	if (json_is_true(json_object_get(entry, "revoked"))) {
		fputs("revoked             ", stdout);
	} else {
		print_end(entry);
	}
	fputs("  ", stdout);
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(entry, "by"));
	fputs("  ", stdout);
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(entry, "space"));
	fputs("  ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(entry, "note"));
	putchar('\n');
}

/* Whether the text can stand in the target of a request as it is (RFC 3986, 2.3). */
static bool is_plain(const char *text)
{
	return text[0] && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789-._~")];
}

/* A request whose path ends with `name`, which has no other characters than plain ones. */
static int ask_of(const struct options *options, const char *method, const char *prefix,
	const char *name, char **out_answer, json_t **out_json)
{
	struct jc_endpoint_request request = { .method = method };
	char *path;

	if (!is_plain(name)) {
		return jc_report(JC_EXIT_INPUT, name, "not a name of a daemon");
	}
	if (asprintf(&path, "%s%s", prefix, name) < 0) {
		return jc_report(JC_EXIT_IO, name, "out of memory");
	}
	request.path = path;
	int result = ask(options, name, &request, out_answer, out_json);

	free(path);
	return result;
}

static int list(const struct options *options)
{
	struct jc_endpoint_request all = { .method = "GET", .path = "/invitations" };
	char *answer = NULL;
	json_t *json = NULL;
	int result = options->space ? ask_of(options, "GET", "/invitations?space=", options->space,
					      &answer, &json)
				    : ask(options, options->url, &all, &answer, &json);
	const json_t *entries = json_object_get(json, "invitations");

	if (result == JC_EXIT_DONE && options->json) {
		puts(answer);
	}
	for (size_t i = 0; !options->json && i < json_array_size(entries); i++) {
		print_entry(json_array_get(entries, i));
	}
	json_decref(json);
	free(answer);
	return result;
}

static int revoke_one(const struct options *options)
{
	char *answer = NULL;
	json_t *json = NULL;
	int result = ask_of(options, "DELETE", "/invitations/", options->revoke, &answer, &json);

	if (result == JC_EXIT_DONE && options->json) {
		puts(answer);
	}
	json_decref(json);
	free(answer);
	return result;
}

/* A page has a scheme and no query, which the link adds. */
static bool is_page(const char *url)
{
	return (strncasecmp(url, "https://", 8) == 0 || strncasecmp(url, "http://", 7) == 0) &&
	       !strpbrk(url, "?#");
}

static int check(const struct options *options)
{
	bool creates = !options->list && !options->revoke;
	bool has_wish = options->role || options->seconds || options->uses || options->note ||
			options->pair || options->page || options->qr || options->no_qr;

	if ((options->list && options->revoke) || (!creates && has_wish) ||
		(options->revoke && options->space)) {
		return jc_command_misuse(&jc_command_invite,
			"--list, --revoke and the options of a new invitation exclude each other");
	}
	if (creates && !options->space) {
		return jc_command_misuse(&jc_command_invite, "needs --space");
	}
	if ((options->pair && (options->uses > 1 || options->qr)) ||
		(options->qr && options->no_qr)) {
		return jc_command_misuse(&jc_command_invite,
			options->pair ? "--pair is for one guest, and has no QR code"
				      : "--qr and --no-qr exclude each other");
	}
	if (options->page && !is_page(options->page)) {
		return jc_command_misuse(
			&jc_command_invite, "--page is an address such as https://room.example/");
	}
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options options = { .url = JC_ENDPOINT_DEFAULT };
	int result = jc_command_read(&jc_command_invite, argc, argv, option_table, &options);

	if (result == JC_EXIT_DONE) {
		result = check(&options);
	}
	if (result != JC_EXIT_DONE) {
		return result;
	}
	if (optind < argc) {
		options.url = argv[optind++];
	}
	if (optind < argc) {
		return jc_command_misuse(
			&jc_command_invite, "unexpected argument '%.80s'", argv[optind]);
	}
	return options.list     ? list(&options)
	       : options.revoke ? revoke_one(&options)
				: create(&options);
}

const struct jc_command jc_command_invite = {
	.name = "invite",
	.summary = "invite guests to a space of a daemon",
	.help = help,
	.run = run,
};
