/* jointcast status: prints the state of a daemon, its spaces and its bodies. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_report.h"
#include "jointcast_private/json.h"
#include "net/credentials.h"
#include "net/endpoint.h"
#include "report/cluster_table.h"
#include "terminal_text.h"

static const char help[] =
	"usage: jointcast status [URL] [OPTION]…\n"
	"\n"
	"Prints the state of a daemon: its spaces and bodies, their sources, and problems of the\n"
	"sources. URL is the daemon's address for administration (jointcastd(8)), "
	"default\n" JC_ENDPOINT_ADMIN "; unix:/PATH for a Unix socket.\n"
	"\n"
	"  waiting  the source has not delivered yet\n"
	"  live     the body moves\n"
	"  stale    the source is connected, but delivers nothing new\n"
	"  lost     the source is not connected; the daemon tries again\n"
	"\n"
	"A source without a body in the space has - in place of an id.\n"
	"\n"
	"Times are from the capture of a pose to the write of its bundle, since the start of the\n"
	"daemon: half of all poses and 99 % of them took at most this time.\n"
	"\n"
	"With --cluster, a line for each process of the cluster of an origin or edge, in place of\n"
	"spaces and bodies. A process that showed a sign of life in the last minute and does not\n"
	"answer is silent. An edge adds age to motion: half of all frames since its start at most\n"
	"the first time, 99 % the second.\n"
	"\n"
	"options:\n"
	"      --cluster  print the processes of the cluster\n"
	"      --json     print the JSON that the daemon serves as /status, with --cluster as\n"
	"                 /status/cluster\n"
	"      --ca FILE  PEM file of trusted certificates for https://; default: the system's\n"
	"  -h, --help     print this text\n";

struct options {
	struct jc_credentials credentials;
	bool json, cluster;
};

static const struct jc_option option_table[] = {
	JC_OPTION("cluster", FLAG, struct options, cluster),
	JC_OPTION("json", FLAG, struct options, json),
	JC_OPTION_CA(struct options, credentials),
	{ 0 },
};

static long long count_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static void print_duration(double seconds)
{
	long long whole = (long long)seconds;

	if (whole >= 86400) {
		printf("%lld d %lld h", whole / 86400, whole / 3600 % 24);
	} else if (whole >= 3600) {
		printf("%lld h %lld min", whole / 3600, whole / 60 % 60);
	} else if (whole >= 60) {
		printf("%lld min %lld s", whole / 60, whole % 60);
	} else {
		printf("%lld s", whole);
	}
}

static void print_bytes(double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t unit = 0;

	while (bytes >= 1000.0 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1000.0;
		unit++;
	}
	printf("%.*f %s", unit > 0, bytes, units[unit]);
}

static void print_daemon(const json_t *status, const struct jc_endpoint *endpoint)
{
	const json_t *connections = json_object_get(status, "connections");
	const json_t *refusals = json_object_get(status, "refusals");
	const json_t *bytes = json_object_get(status, "bytes");
	const json_t *avatars = json_object_get(status, "avatars");
	const json_t *ticks = json_object_get(status, "ticks");

	fputs("jointcastd ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(status, "version"));
	printf(" at %s, up ", endpoint->is_file ? endpoint->host : endpoint->authority);
	print_duration(number_of(status, "uptime"));
	printf("\n  connections  %lld, %lld since the start, %lld refused\n",
		count_of(connections, "open"), count_of(connections, "total"),
		count_of(connections, "refused"));
	printf("  refused      %lld origins, %lld hosts, %lld tokens\n",
		count_of(refusals, "origins"), count_of(refusals, "hosts"),
		count_of(refusals, "tokens"));
	if (avatars) { /* an earlier daemon has none */
		printf("  avatars      %lld served, %lld uploaded (", count_of(avatars, "served"),
			count_of(avatars, "uploaded"));
		print_bytes((double)count_of(avatars, "bytes"));
		printf("), %lld uploads refused\n", count_of(avatars, "refused"));
	}
	fputs("  traffic      ", stdout);
	print_bytes((double)count_of(bytes, "sent"));
	fputs(" sent, ", stdout);
	print_bytes((double)count_of(bytes, "received"));
	printf(" received\n  ticks        %lld missed, 99 %% begin within %.3g ms\n",
		count_of(ticks, "missed"),
		number_of(json_object_get(ticks, "lateness"), "p99") * 1e3);
}

/* Left-aligned in a column of that width, and two spaces. */
static void print_padded(const char *text, size_t width)
{
	size_t length = strlen(text);

	jc_terminal_write(stdout, text);
	printf("%*s  ", length < width ? (int)(width - length) : 0, "");
}

/* An origin or edge, and its connection to NATS. */
static void print_cluster(const json_t *cluster)
{
	const json_t *nats = json_object_get(cluster, "nats");
	const json_t *sent = json_object_get(nats, "sent");
	const json_t *received = json_object_get(nats, "received");
	const char *problem = jc_terminal_text_of(nats, "problem");
	const char *server = jc_terminal_text_of(nats, "server");

	if (!cluster) {
		return;
	}
	fputs("  ", stdout);
	print_padded(jc_terminal_text_of(cluster, "role"), 11);
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(cluster, "name"));
	fputs("\n  NATS         ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(nats, "state"));
	fputs(*server ? ", " : "", stdout);
	jc_terminal_write(stdout, server);
	fputs(*problem ? ": " : "", stdout);
	jc_terminal_write(stdout, problem);
	printf("; %lld reconnects; %lld messages, ", count_of(nats, "reconnects"),
		count_of(sent, "messages"));
	print_bytes((double)count_of(sent, "bytes"));
	printf(" sent; %lld, ", count_of(received, "messages"));
	print_bytes((double)count_of(received, "bytes"));
	printf(" received, %lld dropped\n",
		count_of(received, "dropped") + count_of(received, "droppedFrames"));
}

/* Prints the counters of a source that are not zero, and why it ignored the first message. */
/* Fault of the stream, and its senders. */
static void print_stream(const json_t *source)
{
	const char *fault = jc_terminal_text_of(source, "fault");
	const json_t *sender;
	size_t i;

	if (*fault) {
		fputs("        ", stdout);
		jc_terminal_write(stdout, fault);
		putchar('\n');
	}
	json_array_foreach(json_object_get(source, "senders"), i, sender)
	{
		fputs(i == 0 ? "        from " : ", ", stdout);
		jc_terminal_write(stdout, jc_terminal_text_of(sender, "name"));
		printf(" %.0f/s", number_of(sender, "perSecond"));
	}
	if (i > 0) {
		putchar('\n');
	}
}

static void print_faults(const json_t *source)
{
	static const struct {
		const char *key, *what;
	} faults[] = {
		{ "held", "implausible joints held" },
		{ "dropped", "dropped" },
		{ "refused", "damaged messages refused" },
		{ "ignored", "messages ignored" },
		{ "losses", "times lost" },
	};
	const char *reason = jc_terminal_text_of(source, "ignoredReason");
	bool any = false;

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		long long count = count_of(source, faults[i].key);

		if (count > 0) {
			printf("%s%lld %s", any ? ", " : "        ", count, faults[i].what);
			any = true;
		}
	}
	if (*reason) {
		fputs("; first ignored message: ", stdout);
		jc_terminal_write(stdout, reason);
	}
	if (any) {
		putchar('\n');
	}
	print_stream(source);
}

static void print_body(const json_t *body)
{
	const json_t *source = json_object_get(body, "source");
	const json_t *latency = json_object_get(source, "latency");

	if (json_object_get(body, "id")) {
		printf("  %4lld  ", count_of(body, "id"));
	} else {
		fputs("     -  ", stdout); /* it waits outside of the space */
	}
	print_padded(jc_terminal_text_of(source, "condition"), 8);
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(body, "name"));
	fputs("  ", stdout);
	const char *detail = jc_terminal_text_of(source, "detail");

	jc_terminal_write(stdout, jc_terminal_text_of(source, "kind"));
	if (*detail) { /* bodies of an edge have none */
		fputs(": ", stdout);
		jc_terminal_write(stdout, detail);
	}
	if (count_of(latency, "count") > 0) {
		printf("; %.3g ms, 99 %% %.3g ms", number_of(latency, "p50") * 1e3,
			number_of(latency, "p99") * 1e3);
	}
	putchar('\n');
	print_faults(source);
}

static void print_recording(const json_t *recording)
{
	if (!recording) {
		return;
	}
	fputs("  ", stdout);
	jc_terminal_write(stdout, jc_terminal_text_of(recording, "state"));
	fputs(" to ", stdout);
	jc_terminal_write_quoted(stdout, jc_terminal_text_of(recording, "file"));
	fputs(": ", stdout);
	print_duration(number_of(recording, "seconds"));
	fputs(", ", stdout);
	print_bytes((double)count_of(recording, "bytes"));
	printf(", %lld captures, %lld dropped\n", count_of(recording, "captures"),
		count_of(recording, "dropped"));
}

static void print_space(const json_t *space)
{
	const json_t *bodies = json_object_get(space, "bodies");
	const json_t *waiting = json_object_get(space, "waiting");
	long long subscribers = count_of(space, "subscribers");
	size_t count = json_array_size(bodies);

	putchar('\n');
	jc_terminal_write(stdout, jc_terminal_text_of(space, "name"));
	printf(": %zu %s, %lld %s, %lld bundles sent, %lld left out\n", count,
		count == 1 ? "body" : "bodies", subscribers,
		subscribers == 1 ? "subscriber" : "subscribers", count_of(space, "delivered"),
		count_of(space, "dropped"));
	print_recording(json_object_get(space, "recording"));
	for (size_t i = 0; i < count; i++) {
		print_body(json_array_get(bodies, i));
	}
	for (size_t i = 0; i < json_array_size(waiting); i++) {
		print_body(json_array_get(waiting, i));
	}
}

static void print_status(const json_t *status, const struct jc_endpoint *endpoint)
{
	const json_t *spaces = json_object_get(status, "spaces");

	print_daemon(status, endpoint);
	print_cluster(json_object_get(status, "cluster"));
	for (size_t i = 0; i < json_array_size(spaces); i++) {
		print_space(json_array_get(spaces, i));
	}
}

/* The caller frees *out_body. */
static int ask(const struct jc_endpoint *endpoint, const char *url, const struct options *options,
	char **out_body, size_t *out_length)
{
	static const char hint[] = " (jointcastd serves it at the address of --admin)";
	const struct jc_endpoint_request request = { .method = "GET",
		.path = options->cluster ? "/status/cluster" : "/status" };
	struct jc_diagnostic diagnostic = { 0 };
	char *body;
	int code;

	if (jc_endpoint_ask(endpoint, options->credentials.ca, &request, &code, &body, out_length,
		    &diagnostic) != JC_OK) {
		return jc_report(JC_EXIT_IO, url, "%s%s", diagnostic.what, hint);
	}
	if (code != 200) {
		body[strcspn(body, "\n")] = '\0';
		jc_report(JC_EXIT_IO, url, "answers %d: %.120s%s", code, body,
			code == 404 ? hint : "");
		free(body);
		return JC_EXIT_IO;
	}
	*out_body = body;
	return JC_EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_endpoint endpoint;
	struct options options = { 0 };
	json_t *status = NULL;
	size_t length;
	char *body = NULL;
	int result = jc_command_read(&jc_command_status, argc, argv, option_table, &options);

	if (result != JC_EXIT_DONE) {
		return result;
	}
	const char *url = optind < argc ? argv[optind] : JC_ENDPOINT_ADMIN;

	if (argc - optind > 1 || !jc_endpoint_parse(url, &endpoint)) {
		return jc_command_misuse(
			&jc_command_status, "takes at most one URL, such as " JC_ENDPOINT_ADMIN);
	}
	result = ask(&endpoint, url, &options, &body, &length);
	if (result != JC_EXIT_DONE) {
		return result;
	}
	int error = jc_json_parse(body, length, &status, &diagnostic);

	if (error != JC_OK) {
		result = jc_report_diagnostic(error, url, &diagnostic);
	} else if (options.json) {
		puts(body);
	} else if (options.cluster) {
		jc_cluster_table_print(status);
	} else {
		print_status(status, &endpoint);
	}
	json_decref(status);
	free(body);
	return result;
}

const struct jc_command jc_command_status = {
	.name = "status",
	.summary = "print the state of a daemon",
	.help = help,
	.run = run,
};
