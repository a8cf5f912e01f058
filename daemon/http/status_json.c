/* Composes the status from the live state; nothing is stored for it. */
#include "http/status_json.h"

#include <jansson.h>
#include <string.h>

#include "avatars/avatar_store.h"
#include "jointcast_private/osc.h"
#include "jointcast_private/text.h"
#include "net/server.h"
#include "record/recordings.h"
#include "services.h"
#include "space/spaces.h"

#define SECONDS(ns) ((double)(ns)*1e-9)

static json_t *pack_times(const struct jc_histogram *histogram)
{
	return json_pack("{sI sf sf}", "count", (json_int_t)histogram->count, "p50",
		SECONDS(jc_histogram_quantile(histogram, 0.50)), "p99",
		SECONDS(jc_histogram_quantile(histogram, 0.99)));
}

/* The addresses of messages that are not used; NULL: none. */
static json_t *pack_unused(const struct jc_osc_names *unused)
{
	json_t *names = unused && unused->count > 0 ? json_array() : NULL;

	for (size_t i = 0; names && i < unused->count; i++) {
		char name[JC_LIMIT_OSC_NAME_BYTES];

		memcpy(name, unused->list[i], sizeof(name));
		jc_utf8_repair(name);
		json_array_append_new(names, json_string(name));
	}
	return names;
}

static json_t *pack_senders(const struct jc_source_status *status)
{
	json_t *senders = status->sender_count > 0 ? json_array() : NULL;

	for (size_t i = 0; i < status->sender_count; i++) {
		const struct jc_source_sender *sender = &status->senders[i];

		json_array_append_new(senders,
			json_pack("{ss sI sf}", "name", sender->name, "packets",
				(json_int_t)sender->packets, "perSecond", (double)sender->rate));
	}
	return senders;
}

static json_t *pack_source(const struct jc_body *body)
{
	struct jc_source_status status = { 0 };

	body->source->ops->status(body->source, &status);
	return json_pack("{ss ss ss ss* sI sI sI sI sI ss* so* so* sI so}", "kind", status.kind,
		"condition", jc_source_condition_name(status.condition), "detail", status.detail,
		"fault", status.fault, "frames", (json_int_t)status.frames, "held",
		(json_int_t)status.held, "dropped", (json_int_t)status.dropped, "refused",
		(json_int_t)status.refused, "ignored", (json_int_t)status.ignored, "ignoredReason",
		status.ignored_reason[0] ? status.ignored_reason : NULL, "ignoredAddresses",
		pack_unused(status.unused), "senders", pack_senders(&status), "losses",
		(json_int_t)status.losses, "latency", pack_times(&body->latency));
}

static json_t *pack_bodies(const struct jc_space *space)
{
	json_t *bodies = json_array();

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		json_array_append_new(
			bodies, json_pack("{sI ss ss so}", "id", (json_int_t)body->id, "name",
					body->name, "state", body->live ? "live" : "stale",
					"source", pack_source(body)));
	}
	return bodies;
}

/* The bodies that wait for their sources. */
static json_t *pack_waiting(const struct jc_space *space)
{
	json_t *waiting = json_array();

	for (size_t i = 0; i < jc_space_waiting_count(space); i++) {
		const struct jc_body *body = jc_space_waiting(space, i);

		json_array_append_new(waiting,
			json_pack("{ss so}", "name", body->name, "source", pack_source(body)));
	}
	return waiting;
}

/* NULL: the space is not recorded. */
static json_t *pack_recording(
	const struct jc_recordings *recordings, const struct jc_space *space, int64_t now_ns)
{
	const struct jc_recorder *recorder = jc_recordings_find(recordings, space);
	struct jc_recorder_state state;

	if (!recorder) {
		return NULL;
	}
	jc_recorder_report(recorder, &state);
	const char *file = strrchr(state.path, '/');

	return json_pack("{ss ss sf sI sI sI}", "state", state.is_failing ? "failing" : "recording",
		"file", file ? file + 1 : "", "seconds", SECONDS(now_ns - state.begin_ns), "bytes",
		(json_int_t)state.bytes, "captures", (json_int_t)state.captures, "dropped",
		(json_int_t)state.dropped);
}

static json_t *pack_spaces(const struct jc_services *services, int64_t now_ns)
{
	const struct jc_spaces *spaces = services->spaces;
	json_t *packed = json_array();

	for (size_t i = 0; i < spaces->count; i++) {
		const struct jc_fanout *fanout = spaces->fanouts[i];

		json_array_append_new(
			packed, json_pack("{ss si sI sI sI sI sI so so* so so}", "name",
					jc_space_options(fanout->space)->name, "hz",
					(int)jc_space_options(fanout->space)->hz, "missed",
					(json_int_t)fanout->missed, "subscribers",
					(json_int_t)jc_fanout_subscribers(fanout), "streams",
					(json_int_t)jc_space_stream_count(fanout->space),
					"delivered", (json_int_t)fanout->delivered, "dropped",
					(json_int_t)fanout->skipped, "fanout",
					pack_times(&fanout->spent), "recording",
					pack_recording(services->recordings, fanout->space, now_ns),
					"bodies", pack_bodies(fanout->space), "waiting",
					pack_waiting(fanout->space)));
	}
	return packed;
}

static json_t *pack_avatars(const struct jc_services *services)
{
	struct jc_avatar_totals totals;

	jc_avatar_store_report(services->avatar_store, &totals);
	return json_pack("{sI sI sI sI}", "served", (json_int_t)totals.count, "uploaded",
		(json_int_t)totals.uploaded, "bytes", (json_int_t)totals.bytes, "refused",
		(json_int_t)totals.refused);
}

static json_t *pack_status(
	const struct jc_services *services, const struct jc_server *server, int64_t now_ns)
{
	const struct jc_spaces *spaces = services->spaces;
	const struct jc_traffic *traffic = &server->traffic;

	return json_pack("{ss sf s{sI so} s{sI sI sI} s{sI sI sI} s{sI sI} so so}", "version",
		services->version, "uptime", SECONDS(now_ns - spaces->clock.epoch_ns), "ticks",
		"missed", (json_int_t)spaces->missed, "lateness", pack_times(&spaces->lateness),
		"connections", "open", (json_int_t)server->connection_count, "total",
		(json_int_t)traffic->connections, "refused", (json_int_t)traffic->refused,
		"refusals", "origins", (json_int_t)traffic->refused_origins, "hosts",
		(json_int_t)traffic->refused_hosts, "tokens", (json_int_t)traffic->refused_tokens,
		"bytes", "received", (json_int_t)traffic->received_bytes, "sent",
		(json_int_t)traffic->sent_bytes, "avatars", pack_avatars(services), "spaces",
		pack_spaces(services, now_ns));
}

char *jc_status_json(
	const struct jc_services *services, const struct jc_server *server, int64_t now_ns)
{
	json_t *status = pack_status(services, server, now_ns);

	if (status && services->cluster) {
		json_object_set_new(
			status, "cluster", services->cluster_ops->status(services->cluster));
	}
	char *text = status ? json_dumps(status, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

	json_decref(status);
	return text;
}
