/* Keeps one exported space for each space that this origin serves. */
#include "cluster/origin/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "auth/auth_policy.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/guest/guest_desk.h"
#include "cluster/origin/exported_space.h"
#include "cluster/parts.h"
#include "cluster/report/peers.h"
#include "cluster/rivals.h"
#include "cluster/session/session_host.h"
#include "moderation/moderation.h"
#include "record/recordings.h"
#include "services.h"
#include "space/spaces.h"

#define SECOND       INT64_C(1000000000)
#define ANNOUNCES_NS INT64_C(500000000)
#define SWEEPS_MS    100
/* An origin whose announcements stop for that long is gone. */
#define RIVAL_NS INT64_C(1500000000)
/* An origin that has not heard its own announcements for that long hears no others either: NATS or
 * this process stalls. Less than RIVAL_NS - ANNOUNCES_NS, so that it knows before others seem to
 * be gone. */
#define DEAF_NS INT64_C(800000000)
/* A standby, and an origin that lost a space, listen for that long, before they take a space over:
 * others may connect again later. */
#define LISTENS_NS INT64_C(4000000000)

/* A space of the daemon: exported, or served by another origin. */
struct served {
	struct jc_exported_space *exported;    /* owned; NULL: another origin serves the space */
	struct jc_nats_subscription *requests; /* owned, as above */
	uint32_t id;
	char winner[JC_MAX_HOST_ID]; /* the other origin; "": none */
};

struct outlet {
	struct jc_outlet base;
	struct jc_nats_link *link; /* borrowed */
	bool has_lost;             /* a change may not have been sent */
};

struct jc_origin {
	const struct jc_cluster_context *context;
	const struct jc_services *services;
	struct jc_nats_link *link;
	struct jc_peers *peers;
	bool is_standby, has_left;
	uv_timer_t timer;
	struct outlet outlet;
	struct jc_export source;
	struct jc_nats_subscription *announcements; /* owned */
	struct jc_parts parts;                      /* of announcements */
	struct jc_origin_message message;           /* scratch */
	struct jc_rivals rivals;
	size_t count;
	struct served served[JC_MAX_SPACES];
	size_t seen_count; /* spaces of the daemon, when their list was last compared; */
	uint32_t seen_id;  /* and the id of the newest one */
	int64_t heard_ns;  /* the own announcement, last; */
	int64_t hears_ns;  /* without a gap since then */
	int64_t announces_ns;
	uint64_t frames, rejoins, refused; /* of exports that have ended */
};

static void publish(struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	jc_nats_link_publish(((struct outlet *)outlet)->link, subject, NULL, bytes, length);
}

static void publish_parts(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct outlet *own = (struct outlet *)outlet;

	int status = jc_nats_link_publish_parts(own->link, subject, bytes, length);

	/* An edge requests again what it has no answer to. */
	own->has_lost |= status != JC_OK && strncmp(subject, "jc.", 3) == 0;
}

static const struct jc_outlet_ops outlet_ops = { .publish = publish,
	.publish_parts = publish_parts };

static void announce(struct jc_origin *origin, bool is_leaving)
{
	struct jc_origin_message *message = &origin->message;
	json_t *object;
	char *text;

	strcpy(message->origin, origin->source.origin);
	strcpy(message->incarnation, origin->source.incarnation);
	message->is_leaving = is_leaving;
	message->count = 0;
	for (size_t i = 0; i < origin->count && !is_leaving; i++) {
		const struct jc_exported_space *exported = origin->served[i].exported;
		struct jc_origin_claim *claim = &message->claims[message->count];

		if (exported && exported->fanout) {
			strcpy(claim->space, exported->name);
			claim->epoch = exported->epoch;
			claim->revision = jc_space_revision(exported->fanout->space);
			message->count++;
		}
	}
	object = jc_origin_message_pack(message);
	text = object ? json_dumps(object, JSON_COMPACT) : NULL;
	if (text) {
		jc_nats_link_publish_parts(origin->link, JC_SUBJECT_ANNOUNCE, text, strlen(text));
	}
	free(text);
	json_decref(object);
}

static void on_request(void *context, const struct jc_nats_message *message)
{
	if (message) {
		jc_exported_space_answer(context, message->reply, message->bytes, message->length,
			jc_clock_now_ns());
	}
}

/* The epoch of a claim on a space that opened at this time: its own. A lobby that no configuration
 * names yields to all others; that of a standby is there to be taken over. */
static uint64_t claim_epoch(
	const struct jc_origin *origin, const struct jc_fanout *fanout, uint64_t opened_us)
{
	return fanout->is_default && !origin->is_standby ? jc_origin_default_epoch(opened_us)
							 : opened_us;
}

/* That of the space; of one that is taken over it is that of the present time, as of a space that
 * opens now. */
static uint64_t epoch_of(
	const struct jc_origin *origin, const struct served *served, const struct jc_fanout *fanout)
{
	const struct jc_clock *clock = origin->source.clock;

	return claim_epoch(origin, fanout,
		served->winner[0]
			? (uint64_t)(clock->wall_us + (jc_clock_now_ns() - clock->epoch_ns) / 1000)
			: jc_space_options(fanout->space)->epoch);
}

static void on_timer(uv_timer_t *timer);

/* With the next turn of the loop. */
static void announce_soon(struct jc_origin *origin)
{
	origin->announces_ns = 0;
	uv_timer_start(&origin->timer, on_timer, 0, SWEEPS_MS);
}

static void begin(struct jc_origin *origin, struct served *served, struct jc_fanout *fanout)
{
	char subject[JC_MAX_NATS_SUBJECT];

	if (jc_exported_space_create(&origin->source, fanout, epoch_of(origin, served, fanout),
		    jc_clock_now_ns(), &served->exported) != JC_OK) {
		return; /* tried again at the next sweep */
	}
	jc_subject_of_space(served->exported->name, JC_SUBJECT_REQUESTS, subject);
	if (jc_nats_link_subscribe(origin->link, subject, on_request, served->exported,
		    &served->requests) != JC_OK) {
		jc_exported_space_destroy(served->exported);
		served->exported = NULL;
	} else {
		announce_soon(origin);
	}
	/* Edges open sessions as soon as they hear of the space. */
	jc_session_host_follow(origin->context->sessions);
	served->winner[0] = '\0';
}

static void end(struct jc_origin *origin, struct served *served)
{
	uint64_t frames = 0, rejoins = 0;

	if (served->exported) {
		jc_exported_space_count(served->exported, &frames, &rejoins);
		origin->frames += frames;
		origin->rejoins += rejoins;
		origin->refused += served->exported->refused;
	}
	jc_nats_subscription_end(served->requests);
	jc_exported_space_destroy(served->exported);
	served->requests = NULL;
	served->exported = NULL;
	origin->announces_ns = 0;
}

static struct served *find_served(struct jc_origin *origin, uint32_t id)
{
	for (size_t i = 0; i < origin->count; i++) {
		if (origin->served[i].id == id) {
			return &origin->served[i];
		}
	}
	return NULL;
}

/* Ends the exports of spaces that have closed. */
static void drop_closed(struct jc_origin *origin)
{
	for (size_t i = origin->count; i-- > 0;) {
		if (!jc_spaces_with_id(origin->services->spaces, origin->served[i].id)) {
			end(origin, &origin->served[i]);
			origin->served[i] = origin->served[--origin->count];
		}
	}
}

/* Spaces of rewinds and motions belong to one client: they stay here. */
static void follow_spaces(struct jc_origin *origin)
{
	const struct jc_spaces *spaces = origin->services->spaces;

	if (spaces->count == origin->seen_count && spaces->last_id == origin->seen_id) {
		return;
	}
	origin->seen_count = spaces->count;
	origin->seen_id = spaces->last_id;
	drop_closed(origin);
	for (size_t i = 0; i < spaces->count; i++) {
		const struct jc_fanout *fanout = spaces->fanouts[i];
		uint32_t id = jc_space_options(fanout->space)->id;

		if (!fanout->rewind_of[0] && !find_served(origin, id)) {
			origin->served[origin->count++] = (struct served){ .id = id };
		}
	}
}

/* A standby that does not serve the space has no claim. */
static const struct jc_rival *find_winner(
	const struct jc_origin *origin, const struct served *served, const struct jc_fanout *fanout)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);
	uint64_t epoch = served->exported     ? served->exported->epoch
			 : origin->is_standby ? 0
					      : claim_epoch(origin, fanout, options->epoch);

	return jc_rivals_winner(&origin->rivals, options->name, epoch, origin->source.origin);
}

static void yield(struct jc_origin *origin, struct served *served, const char *space,
	const struct jc_rival *winner)
{
	if (strcmp(served->winner, winner->origin) != 0) {
		strcpy(served->winner, winner->origin);
		jc_log_write(origin->services->log,
			origin->is_standby ? JC_LOG_INFO : JC_LOG_WARNING,
			"origin '%s' serves space '%s': it is not exported from here",
			winner->origin, space);
	}
	if (served->exported) {
		end(origin, served);
	}
}

/* Whether silence of other origins means that they are gone. */
static bool hears(const struct jc_origin *origin, int64_t now_ns)
{
	return jc_nats_link_state(origin->link) == JC_NATS_CONNECTED &&
	       now_ns - origin->heard_ns < DEAF_NS && now_ns - origin->hears_ns >= LISTENS_NS;
}

static void hear_itself(struct jc_origin *origin, int64_t now_ns)
{
	if (now_ns - origin->heard_ns >= DEAF_NS) {
		origin->hears_ns = now_ns;
	}
	origin->heard_ns = now_ns;
}

/* Serves the spaces that no other origin has the better claim to. */
static void follow_rivals(struct jc_origin *origin, int64_t now_ns)
{
	if (hears(origin, now_ns)) {
		jc_rivals_expire(&origin->rivals, now_ns);
	}
	for (size_t i = 0; i < origin->count; i++) {
		struct served *served = &origin->served[i];
		struct jc_fanout *fanout = jc_spaces_with_id(origin->services->spaces, served->id);
		const struct jc_rival *winner = find_winner(origin, served, fanout);
		const char *space = jc_space_options(fanout->space)->name;

		if (winner) {
			yield(origin, served, space, winner);
		} else if (!served->exported && (!origin->is_standby || hears(origin, now_ns))) {
			if (served->winner[0]) {
				jc_log_write(origin->services->log, JC_LOG_WARNING,
					"origin '%s' is gone: space '%s' is exported from here",
					served->winner, space);
			}
			begin(origin, served, fanout);
		}
	}
}

/* After any change of spaces or rivals. Not from within a tick. */
static void follow(struct jc_origin *origin, int64_t now_ns)
{
	if (!origin->has_left) {
		follow_spaces(origin);
		follow_rivals(origin, now_ns);
	}
}

static void on_announcement(void *context, const struct jc_nats_message *message)
{
	struct jc_origin *origin = context;
	int64_t now_ns = jc_clock_now_ns();
	const char *bytes;
	size_t length;

	if (!message ||
		jc_parts_take(&origin->parts, message->bytes, message->length, now_ns, &bytes,
			&length) != JC_OK ||
		!bytes || jc_origin_message_read(bytes, length, &origin->message)) {
		return;
	}
	if (strcmp(origin->message.incarnation, origin->source.incarnation) == 0) {
		hear_itself(origin, now_ns);
	} else {
		jc_peers_hear_announcement(origin->peers, &origin->message, now_ns);
		jc_rivals_take(&origin->rivals, &origin->message, now_ns + RIVAL_NS);
		follow(origin, now_ns);
	}
}

/* Announcements tell edges of roster changes alone. */
static void tell_of_lost(struct jc_origin *origin)
{
	if (!origin->outlet.has_lost || jc_nats_link_state(origin->link) != JC_NATS_CONNECTED) {
		return;
	}
	origin->outlet.has_lost = false;
	for (size_t i = 0; i < origin->count; i++) {
		if (origin->served[i].exported) {
			jc_exported_space_lost(origin->served[i].exported);
		}
	}
}

/* What edges state in place of this origin; a reload may change it. */
static void look_at_grants(struct jc_origin *origin)
{
	const struct jc_services *services = origin->services;

	origin->source.has_recordings =
		jc_recordings_settings(services->recordings)->folder[0] != '\0';
	origin->source.needs_token = !jc_auth_policy_is_open(services->auth_policy);
}

static void on_timer(uv_timer_t *timer)
{
	struct jc_origin *origin = timer->data;
	int64_t now_ns = jc_clock_now_ns();

	look_at_grants(origin);

	follow(origin, now_ns);
	for (size_t i = 0; i < origin->count; i++) {
		if (origin->served[i].exported) {
			jc_exported_space_sweep(origin->served[i].exported, now_ns);
		}
	}
	if (now_ns >= origin->announces_ns && !origin->has_left) {
		origin->announces_ns = now_ns + ANNOUNCES_NS;
		announce(origin, false);
		tell_of_lost(origin);
	}
}

static bool serves(void *context, const char *space)
{
	const struct jc_origin *origin = context;
	const struct jc_fanout *fanout = jc_spaces_find(origin->services->spaces, space);

	return fanout && jc_origin_serves(origin, jc_space_options(fanout->space)->id);
}

/* What guests need, at edges. */
static int open_desk(struct jc_origin *origin)
{
	const struct jc_services *services = origin->services;
	const struct jc_guest_desk_options options = { .outlet = &origin->outlet.base,
		.invitations = services->invitations,
		.auth_policy = services->auth_policy,
		.serves = serves,
		.context = origin };

	origin->source.invitations = services->invitations;
	origin->source.keyring = &services->auth_policy->keyring;
	origin->source.desk = jc_guest_desk_create(&options);
	return origin->source.desk ? JC_OK : JC_ERROR_MEMORY;
}

int jc_origin_create(
	const struct jc_cluster_context *context, bool is_standby, struct jc_origin **out_origin)
{
	struct jc_origin *origin = calloc(1, sizeof(*origin));
	int status;

	if (!origin) {
		return JC_ERROR_MEMORY;
	}
	origin->context = context;
	origin->services = context->services;
	origin->link = context->link;
	origin->peers = context->peers;
	origin->is_standby = is_standby;
	origin->outlet = (struct outlet){ .base = { .ops = &outlet_ops }, .link = context->link };
	origin->source.clock = &context->services->spaces->clock;
	origin->source.sanctions = jc_moderation_sanctions(context->services->moderation);
	origin->source.outlet = &origin->outlet.base;
	origin->source.avatars = context->services->avatars;
	look_at_grants(origin);
	snprintf(origin->source.origin, sizeof(origin->source.origin), "%s", context->name);
	snprintf(origin->source.incarnation, sizeof(origin->source.incarnation), "%s",
		context->incarnation);
	status = open_desk(origin);
	if (status == JC_OK) {
		status = jc_nats_link_subscribe(origin->link, JC_SUBJECT_ANNOUNCE, on_announcement,
			origin, &origin->announcements);
	}
	if (status != JC_OK) {
		jc_guest_desk_close(origin->source.desk);
		free(origin);
		return status;
	}
	uv_timer_init(context->services->loop, &origin->timer);
	origin->timer.data = origin;
	uv_timer_start(&origin->timer, on_timer, 0, SWEEPS_MS);
	*out_origin = origin;
	return JC_OK;
}

void jc_origin_connected(struct jc_origin *origin)
{
	if (origin) {
		origin->heard_ns = 0;
		origin->outlet.has_lost = true; /* the link drops what it had not sent */
		announce_soon(origin);
	}
}

void jc_origin_leave(struct jc_origin *origin)
{
	if (!origin || origin->has_left) {
		return;
	}
	origin->has_left = true;
	announce(origin, true);
	for (size_t i = 0; i < origin->count; i++) {
		end(origin, &origin->served[i]);
	}
	origin->count = 0;
}

static void on_timer_closed(uv_handle_t *timer)
{
	free(timer->data);
}

void jc_origin_destroy(struct jc_origin *origin)
{
	if (!origin) {
		return;
	}
	jc_origin_leave(origin);
	jc_nats_subscription_end(origin->announcements);
	jc_parts_finish(&origin->parts);
	jc_rivals_finish(&origin->rivals);
	jc_guest_desk_close(origin->source.desk);
	uv_close((uv_handle_t *)&origin->timer, on_timer_closed);
}

bool jc_origin_serves(const struct jc_origin *origin, uint32_t space)
{
	for (size_t i = 0; i < origin->count; i++) {
		if (origin->served[i].id == space) {
			return origin->served[i].exported != NULL;
		}
	}
	return false;
}

static json_t *pack_served(const struct served *served)
{
	const struct jc_exported_space *exported = served->exported;
	uint64_t frames = 0, rejoins = 0;

	jc_exported_space_count(exported, &frames, &rejoins);
	return json_pack("{ss ss sI sI sI sI sI sI}", "space", exported->name, "state", "exported",
		"edges", (json_int_t)exported->interest.edge_count, "watched",
		(json_int_t)jc_interest_watched(&exported->interest), "views",
		(json_int_t)exported->view_count, "frames", (json_int_t)frames, "rejoins",
		(json_int_t)rejoins, "refused", (json_int_t)exported->refused);
}

json_t *jc_origin_status(const struct jc_origin *origin)
{
	json_t *list = origin ? json_array() : NULL;

	for (size_t i = 0; origin && i < origin->count; i++) {
		const struct served *served = &origin->served[i];
		const struct jc_fanout *fanout =
			jc_spaces_with_id(origin->services->spaces, served->id);

		if (served->exported && served->exported->fanout) {
			json_array_append_new(list, pack_served(served));
		} else if (fanout) {
			json_array_append_new(list,
				json_pack("{ss ss ss*}", "space",
					jc_space_options(fanout->space)->name, "state", "yielded",
					"origin", served->winner[0] ? served->winner : NULL));
		}
	}
	return list;
}

void jc_origin_count(const struct jc_origin *origin, struct jc_origin_counts *out_counts)
{
	*out_counts = (struct jc_origin_counts){
		.frames = origin->frames, .rejoins = origin->rejoins, .refused = origin->refused
	};
	for (size_t i = 0; i < origin->count; i++) {
		const struct jc_exported_space *exported = origin->served[i].exported;
		uint64_t frames, rejoins;

		if (exported) {
			jc_exported_space_count(exported, &frames, &rejoins);
			out_counts->spaces++;
			out_counts->edges += exported->interest.edge_count;
			out_counts->views += exported->view_count;
			out_counts->frames += frames;
			out_counts->rejoins += rejoins;
			out_counts->refused += exported->refused;
		}
	}
}

void jc_origin_name_edges(const struct jc_origin *origin, struct jc_peers *peers)
{
	for (size_t i = 0; i < origin->count; i++) {
		const struct jc_exported_space *exported = origin->served[i].exported;

		for (size_t k = 0; exported && k < exported->interest.edge_count; k++) {
			const struct jc_interested_edge *edge = &exported->interest.edges[k];

			jc_peers_hear(peers, edge->name, JC_ROLE_EDGE,
				edge->expires_ns - JC_MAX_INTEREST_SECONDS * SECOND);
		}
	}
}

void jc_origin_measure(const struct jc_origin *origin, jc_on_figure *on_figure, void *context)
{
	struct jc_origin_counts counts;

	if (!origin) {
		return;
	}
	jc_origin_count(origin, &counts);
	on_figure(context, "origin_spaces", "gauge", "Spaces that this origin serves to edges.",
		(double)counts.spaces);
	on_figure(context, "origin_interested_edges", "gauge",
		"Edges with interest, once for each space.", (double)counts.edges);
	on_figure(context, "origin_exported_views", "gauge", "Views that edges want.",
		(double)counts.views);
	on_figure(context, "origin_frames_total", "counter", "Frames published.",
		(double)counts.frames);
	on_figure(context, "origin_rejoins_total", "counter", "Rejoin bundles made for edges.",
		(double)counts.rejoins);
	on_figure(context, "origin_refused_requests_total", "counter",
		"Requests of edges beyond the limits, which have no answer.",
		(double)counts.refused);
}
