/* Metrics in Prometheus' text format 0.0.4: each family with all its samples. */
#include "http/metrics.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avatars/avatar_store.h"
#include "base/process.h"
#include "invitation/invitations.h"
#include "moderation/moderation.h"
#include "net/server.h"
#include "record/recordings.h"
#include "services.h"
#include "space/spaces.h"

#define SECONDS(ns) ((double)(ns)*1e-9)

/* Bounds of the printed buckets: 2^8 us to 2^24 us, which is 17 s. */
#define BUCKET_FIRST 8u
#define BUCKET_LAST  24u

/* Data that is read once: each family covers all spaces. */
struct scrape {
	FILE *out;
	const struct jc_server *server;
	const struct jc_services *services;
	const struct jc_spaces *spaces;
	struct jc_source_totals (*tallies)[JC_SOURCE_KINDS]; /* owned: of each space */
};

static void print_family(
	const struct scrape *scrape, const char *name, const char *type, const char *help)
{
	fprintf(scrape->out, "# HELP jointcast_%s %s\n# TYPE jointcast_%s %s\n", name, help, name,
		type);
}

static void print_number(const struct scrape *scrape, const char *name, const char *type,
	const char *help, double value)
{
	print_family(scrape, name, type, help);
	fprintf(scrape->out, "jointcast_%s %.9g\n", name, value);
}

static void print_count(
	const struct scrape *scrape, const char *name, const char *help, uint64_t value)
{
	print_family(scrape, name, "counter", help);
	fprintf(scrape->out, "jointcast_%s %" PRIu64 "\n", name, value);
}

/* labels: empty, or labels with a comma after the last. */
static void print_histogram(const struct scrape *scrape, const char *name, const char *labels,
	const struct jc_histogram *histogram)
{
	size_t length = strlen(labels);

	for (unsigned k = BUCKET_FIRST; k <= BUCKET_LAST; k++) {
		fprintf(scrape->out, "jointcast_%s_bucket{%sle=\"%.9g\"} %" PRIu64 "\n", name,
			labels, (double)(UINT64_C(1) << k) * 1e-6,
			jc_histogram_below(histogram, k));
	}
	fprintf(scrape->out, "jointcast_%s_bucket{%sle=\"+Inf\"} %" PRIu64 "\n", name, labels,
		histogram->count);

	const char *open = length ? "{" : "";
	const char *close = length ? "}" : "";
	int kept = length ? (int)length - 1 : 0;

	fprintf(scrape->out, "jointcast_%s_sum%s%.*s%s %.9g\n", name, open, kept, labels, close,
		SECONDS(histogram->sum_ns));
	fprintf(scrape->out, "jointcast_%s_count%s%.*s%s %" PRIu64 "\n", name, open, kept, labels,
		close, histogram->count);
}

static const char *space_name(const struct scrape *scrape, size_t space)
{
	return jc_space_options(scrape->spaces->fanouts[space]->space)->name;
}

static void print_refusals(const struct scrape *scrape, const struct jc_traffic *traffic)
{
	const struct {
		const char *reason;
		uint64_t count;
	} refusals[] = {
		{ "origin", traffic->refused_origins },
		{ "host", traffic->refused_hosts },
		{ "token", traffic->refused_tokens },
		{ "invitation", traffic->refused_redemptions },
	};

	print_family(scrape, "refusals_total", "counter",
		"Requests refused for their origin or host, invalid tokens, and failed redemptions "
		"of invitations.");
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		fprintf(scrape->out, "jointcast_refusals_total{reason=\"%s\"} %" PRIu64 "\n",
			refusals[i].reason, refusals[i].count);
	}
}

static void print_avatars(const struct scrape *scrape)
{
	struct jc_avatar_totals totals;

	jc_avatar_store_report(scrape->services->avatar_store, &totals);
	print_number(scrape, "avatars", "gauge", "Avatars that are served.", (double)totals.count);
	print_number(scrape, "avatars_uploaded", "gauge",
		"Avatars among them that clients have uploaded.", (double)totals.uploaded);
	print_number(scrape, "avatars_uploaded_bytes", "gauge", "Bytes of uploaded avatars.",
		(double)totals.bytes);
	print_count(scrape, "avatar_uploads_refused_total", "Uploads of avatars that were refused.",
		totals.refused);
}

static void print_figure(
	void *context, const char *name, const char *type, const char *help, double value)
{
	fprintf(((const struct scrape *)context)->out,
		"# HELP jointcast_%s %s\n# TYPE jointcast_%s %s\njointcast_%s %.15g\n", name, help,
		name, type, name, value);
}

static void print_cluster(struct scrape *scrape)
{
	const struct jc_services *services = scrape->services;

	if (!services->cluster) {
		return;
	}
	const struct jc_histogram *added = services->cluster_ops->added(services->cluster);

	services->cluster_ops->measure(services->cluster, print_figure, scrape);
	if (added) {
		print_family(scrape, "edge_added_seconds", "histogram",
			"Age that NATS and this edge add: from the sending of a frame at its "
			"origin "
			"to the last write of its bundles.");
		print_histogram(scrape, "edge_added_seconds", "", added);
	}
}

static void print_daemon(const struct scrape *scrape, int64_t now_ns)
{
	const struct jc_server *server = scrape->server;
	const struct jc_traffic *traffic = &server->traffic;

	print_family(scrape, "build_info", "gauge", "Version of the daemon.");
	fprintf(scrape->out, "jointcast_build_info{version=\"%s\"} 1\n", scrape->services->version);
	print_number(scrape, "uptime_seconds", "gauge", "Seconds since the start.",
		SECONDS(now_ns - scrape->spaces->clock.epoch_ns));
	print_number(scrape, "connections", "gauge", "Open connections.",
		(double)server->connection_count);
	print_count(scrape, "connections_total", "Accepted connections.", traffic->connections);
	print_count(scrape, "connections_refused_total",
		"Connections refused because a limit was reached.", traffic->refused);
	print_refusals(scrape, traffic);
	print_count(scrape, "received_bytes_total", "Bytes received on WebSockets.",
		traffic->received_bytes);
	print_count(scrape, "sent_bytes_total", "Bytes of messages sent on WebSockets.",
		traffic->sent_bytes);
	print_count(scrape, "control_waits_total",
		"Times that control messages waited because their client exceeded its processor "
		"time.",
		server->turns.waited);
	print_number(scrape, "control_queued_bytes", "gauge",
		"Bytes of control messages that wait in send queues.",
		(double)server->queued_bytes);
	print_count(scrape, "ticks_missed_total", "Ticks skipped for lack of time.",
		scrape->spaces->missed);
	print_number(scrape, "sanctions_failing", "gauge",
		"1 while the newest sanctions cannot be written to disk.",
		jc_moderation_problem(scrape->services->moderation) ? 1.0 : 0.0);
	print_number(scrape, "invitations_failing", "gauge",
		"1 while the newest invitations cannot be written to disk.",
		scrape->services->invitations &&
				jc_invitations_problem(scrape->services->invitations)
			? 1.0
			: 0.0);
	print_family(scrape, "tick_lateness_seconds", "histogram",
		"Delay between the due time of a tick and its begin.");
	print_histogram(scrape, "tick_lateness_seconds", "", &scrape->spaces->lateness);
}

/* One number of each space. */
static void print_per_space(const struct scrape *scrape, const char *name, const char *type,
	const char *help, uint64_t (*value)(const struct jc_fanout *fanout))
{
	print_family(scrape, name, type, help);
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		fprintf(scrape->out, "jointcast_%s{space=\"%s\"} %" PRIu64 "\n", name,
			space_name(scrape, i), value(scrape->spaces->fanouts[i]));
	}
}

static uint64_t subscribers(const struct jc_fanout *fanout)
{
	return jc_fanout_subscribers(fanout);
}

static uint64_t streams(const struct jc_fanout *fanout)
{
	return jc_space_stream_count(fanout->space);
}

static uint64_t rate(const struct jc_fanout *fanout)
{
	return jc_space_options(fanout->space)->hz;
}

static uint64_t delivered(const struct jc_fanout *fanout)
{
	return fanout->delivered;
}

static uint64_t pairs(const struct jc_fanout *fanout)
{
	return fanout->pairs;
}

static uint64_t skipped(const struct jc_fanout *fanout)
{
	return fanout->skipped;
}

static void print_spaces(const struct scrape *scrape)
{
	print_per_space(
		scrape, "subscribers", "gauge", "Subscribers receiving bundles.", subscribers);
	print_per_space(scrape, "streams", "gauge",
		"Streams: bodies on skeletons at levels of detail, each encoded once a tick.",
		streams);
	print_per_space(scrape, "tick_rate_hertz", "gauge", "Ticks per second.", rate);
	print_per_space(scrape, "bundles_delivered_total", "counter", "Bundles sent.", delivered);
	print_per_space(scrape, "bundle_pairs_total", "counter",
		"Messages with the bundles of two ticks, which bundles_delivered_total counts "
		"twice.",
		pairs);
	print_per_space(scrape, "bundles_dropped_total", "counter",
		"Bundles skipped because their subscriber was slow.", skipped);
	print_family(scrape, "fanout_seconds", "histogram",
		"Time from the begin of a space's tick to the last write of its bundles.");
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		char labels[JC_MAX_SPACE_NAME + 16];

		snprintf(labels, sizeof(labels), "space=\"%s\",", space_name(scrape, i));
		print_histogram(
			scrape, "fanout_seconds", labels, &scrape->spaces->fanouts[i]->spent);
	}
}

/* One number of each recording. */
static void print_per_recording(const struct scrape *scrape, const char *name, const char *type,
	const char *help, uint64_t (*value)(const struct jc_recorder_state *state))
{
	print_family(scrape, name, type, help);
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		const struct jc_recorder *recorder = jc_recordings_find(
			scrape->services->recordings, scrape->spaces->fanouts[i]->space);
		struct jc_recorder_state state;

		if (recorder) {
			jc_recorder_report(recorder, &state);
			fprintf(scrape->out, "jointcast_%s{space=\"%s\"} %" PRIu64 "\n", name,
				space_name(scrape, i), value(&state));
		}
	}
}

static uint64_t is_failing(const struct jc_recorder_state *state)
{
	return state->is_failing;
}

static uint64_t bytes_written(const struct jc_recorder_state *state)
{
	return state->bytes;
}

static uint64_t captures(const struct jc_recorder_state *state)
{
	return state->captures;
}

static uint64_t dropped(const struct jc_recorder_state *state)
{
	return state->dropped;
}

static void print_recordings(const struct scrape *scrape)
{
	print_per_recording(scrape, "recording_failing", "gauge",
		"1 while the recording of a space cannot be written.", is_failing);
	print_per_recording(scrape, "recording_bytes_total", "counter",
		"Bytes written by the recording of a space.", bytes_written);
	print_per_recording(
		scrape, "recording_captures_total", "counter", "Captures written.", captures);
	print_per_recording(scrape, "recording_dropped_total", "counter",
		"Captures dropped because the disk failed or was too slow.", dropped);
}

static void print_bodies(const struct scrape *scrape)
{
	print_family(scrape, "bodies", "gauge", "Bodies by the condition of their source.");
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		for (size_t k = 0; k < JC_SOURCE_KINDS && scrape->tallies[i][k].kind; k++) {
			for (int c = JC_SOURCE_WAITING; c <= JC_SOURCE_LOST; c++) {
				fprintf(scrape->out,
					"jointcast_bodies{space=\"%s\",source=\"%s\","
					"condition=\"%s\"} %zu\n",
					space_name(scrape, i), scrape->tallies[i][k].kind,
					jc_source_condition_name((enum jc_source_condition)c),
					scrape->tallies[i][k].bodies[c]);
			}
		}
	}
}

/* One counter of each kind of source in each space, by its offset in a tally. */
static void print_per_kind(
	const struct scrape *scrape, const char *name, const char *help, size_t offset)
{
	print_family(scrape, name, "counter", help);
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		for (size_t k = 0; k < JC_SOURCE_KINDS && scrape->tallies[i][k].kind; k++) {
			const struct jc_source_totals *tally = &scrape->tallies[i][k];

			fprintf(scrape->out,
				"jointcast_%s{space=\"%s\",source=\"%s\"} %" PRIu64 "\n", name,
				space_name(scrape, i), tally->kind,
				*(const uint64_t *)((const char *)tally + offset));
		}
	}
}

/* One histogram of each kind of source in each space, by its offset in a tally. */
static void print_times_per_kind(
	const struct scrape *scrape, const char *name, const char *help, size_t offset)
{
	print_family(scrape, name, "histogram", help);
	for (size_t i = 0; i < scrape->spaces->count; i++) {
		for (size_t k = 0; k < JC_SOURCE_KINDS && scrape->tallies[i][k].kind; k++) {
			char labels[JC_MAX_SPACE_NAME + 64];

			snprintf(labels, sizeof(labels), "space=\"%s\",source=\"%s\",",
				space_name(scrape, i), scrape->tallies[i][k].kind);
			print_histogram(scrape, name, labels,
				(const void *)((const char *)&scrape->tallies[i][k] + offset));
		}
	}
}

static void print_sources(const struct scrape *scrape)
{
	print_per_kind(scrape, "source_frames_total", "Frames accepted by sources.",
		offsetof(struct jc_source_totals, frames));
	print_per_kind(scrape, "source_joints_held_total",
		"Implausible joints held at their last position.",
		offsetof(struct jc_source_totals, held));
	print_per_kind(scrape, "source_joints_dropped_total", "Implausible joints dropped.",
		offsetof(struct jc_source_totals, dropped));
	print_per_kind(scrape, "source_refused_total", "Invalid packets and messages to sources.",
		offsetof(struct jc_source_totals, refused));
	print_per_kind(scrape, "source_ignored_total",
		"Well-formed messages that sources cannot use.",
		offsetof(struct jc_source_totals, ignored));
	print_per_kind(scrape, "source_losses_total", "Times that a source lost its sender.",
		offsetof(struct jc_source_totals, losses));
	print_times_per_kind(scrape, "ingest_to_send_seconds",
		"Time from the capture of a pose to the write of its bundle.",
		offsetof(struct jc_source_totals, latency));
	print_times_per_kind(scrape, "staleness_seconds",
		"Age of the newest pose of a live body at each tick.",
		offsetof(struct jc_source_totals, age));
}

/* Figures of the process under the names that all Prometheus clients use. */
static void print_process(const struct scrape *scrape)
{
	struct jc_process_use use;

	if (jc_process_read(&use) != JC_OK) {
		return;
	}
	const struct {
		const char *name, *type, *help;
		double value;
	} figures[] = {
		{ "cpu_seconds_total", "counter", "User and system processor time in seconds.",
			use.cpu_seconds },
		{ "resident_memory_bytes", "gauge", "Resident memory in bytes.",
			(double)use.resident_bytes },
		{ "virtual_memory_bytes", "gauge", "Address space in bytes.",
			(double)use.virtual_bytes },
		{ "open_fds", "gauge", "Open file descriptors.", (double)use.open_files },
		{ "max_fds", "gauge", "Limit of open file descriptors.", (double)use.max_files },
		{ "start_time_seconds", "gauge", "Unix time of the start in seconds.",
			scrape->services->started_s },
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		fprintf(scrape->out, "# HELP process_%s %s\n# TYPE process_%s %s\n",
			figures[i].name, figures[i].help, figures[i].name, figures[i].type);
		fprintf(scrape->out, "process_%s %.17g\n", figures[i].name, figures[i].value);
	}
}

char *jc_metrics_text(
	const struct jc_services *services, const struct jc_server *server, int64_t now_ns)
{
	char *text = NULL;
	size_t length;
	struct scrape scrape = {
		.server = server, .services = services, .spaces = services->spaces
	};

	scrape.tallies = calloc(scrape.spaces->count, sizeof(*scrape.tallies));
	scrape.out = scrape.tallies ? open_memstream(&text, &length) : NULL;
	if (!scrape.out) {
		free(scrape.tallies);
		return NULL;
	}
	for (size_t i = 0; i < scrape.spaces->count; i++) {
		jc_space_tally(scrape.spaces->fanouts[i]->space, scrape.tallies[i]);
	}
	print_daemon(&scrape, now_ns);
	print_avatars(&scrape);
	print_cluster(&scrape);
	print_spaces(&scrape);
	print_recordings(&scrape);
	print_bodies(&scrape);
	print_sources(&scrape);
	print_process(&scrape);
	free(scrape.tallies);
	if (fclose(scrape.out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
