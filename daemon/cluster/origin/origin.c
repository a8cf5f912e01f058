/* Keeps one exported space for each space that this origin serves. */
#include "cluster/origin/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "cluster/guest/guest_desk.h"
#include "cluster/origin/origin_private.h"
#include "cluster/report/peers.h"
#include "cluster/session/session_host.h"
#include "control/client.h"
#include "moderation/moderation.h"
#include "record/recordings.h"
#include "services.h"
#include "space/spaces.h"

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
	const char *edge = message ? jc_subject_edge(message->subject) : NULL;

	if (edge) {
		jc_exported_space_answer(context, edge, message->reply, message->bytes,
			message->length, jc_clock_now_ns());
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
 * opens now. A default keeps its own: find_winner compares it, and with a later time the space
 * would lose as soon as it is exported, and begin again. */
static uint64_t epoch_of(const struct jc_origin *origin, const struct jc_served_space *served,
	const struct jc_fanout *fanout)
{
	const struct jc_clock *clock = origin->source.clock;

	return claim_epoch(origin, fanout,
		served->winner[0] && !(fanout->is_default && !origin->is_standby)
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

static void begin(
	struct jc_origin *origin, struct jc_served_space *served, struct jc_fanout *fanout)
{
	char subject[JC_MAX_NATS_SUBJECT];

	if (jc_exported_space_create(&origin->source, fanout, epoch_of(origin, served, fanout),
		    &served->exported) != JC_OK) {
		return; /* tried again at the next sweep */
	}
	jc_subject_of_edge(
		served->exported->name, JC_SUBJECT_REQUESTS, JC_SUBJECT_ANY_EDGE, subject);
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

static void on_removed(struct jc_moderation_observer *observer, const struct jc_fanout *fanout,
	const char *who, const char *text, bool spares_administrators)
{
	struct jc_origin *origin = (struct jc_origin *)observer;

	for (size_t i = 0; i < origin->count; i++) {
		struct jc_exported_space *exported = origin->served[i].exported;

		if (exported && exported->fanout == fanout) {
			jc_exported_space_remove(exported, who, text, spares_administrators);
		}
	}
}

static void end(struct jc_origin *origin, struct jc_served_space *served)
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

static struct jc_served_space *find_served(struct jc_origin *origin, uint32_t id)
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
			origin->served[origin->count++] = (struct jc_served_space){ .id = id };
		}
	}
}

/* A standby that does not serve the space has no claim. */
static const struct jc_rival *find_winner(const struct jc_origin *origin,
	const struct jc_served_space *served, const struct jc_fanout *fanout)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);
	uint64_t epoch = served->exported     ? served->exported->epoch
			 : origin->is_standby ? 0
					      : claim_epoch(origin, fanout, options->epoch);

	return jc_rivals_winner(&origin->rivals, options->name, epoch, origin->source.origin);
}

/* A standby that served the space returns at once what was changed meanwhile. */
static void yield(struct jc_origin *origin, struct jc_served_space *served, const char *space,
	const struct jc_rival *winner, int64_t now_ns)
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
		if (origin->is_standby && !origin->succession.is_asked) {
			jc_succession_ask(&origin->succession, space, now_ns);
		}
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
		struct jc_served_space *served = &origin->served[i];
		struct jc_fanout *fanout = jc_spaces_with_id(origin->services->spaces, served->id);
		const struct jc_rival *winner = find_winner(origin, served, fanout);
		const char *space = jc_space_options(fanout->space)->name;

		if (winner) {
			yield(origin, served, space, winner, now_ns);
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

/* Asks about the next one of the spaces that others serve. */
static void follow_origins(struct jc_origin *origin, int64_t now_ns)
{
	const char *names[JC_MAX_SPACES];
	size_t count = 0, next = 0;

	for (size_t i = 0; i < origin->count; i++) {
		const struct jc_served_space *served = &origin->served[i];
		const struct jc_fanout *fanout =
			jc_spaces_with_id(origin->services->spaces, served->id);

		if (fanout && served->winner[0] && !served->exported) {
			names[count] = jc_space_options(fanout->space)->name;
			next = strcmp(names[count], origin->succession.space) == 0 ? count + 1
										   : next;
			count++;
		}
	}
	if (count > 0 && jc_succession_is_due(&origin->succession, count, now_ns)) {
		jc_succession_ask(&origin->succession, names[next % count], now_ns);
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

/* Announcements inform edges of roster changes only. */
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

/* Rules that edges apply and report for this origin; a reload may change them. */
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
	if (origin->is_standby && !origin->has_left) {
		follow_origins(origin, now_ns);
	}
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

/* Keys and revocations by which edges admit guests. */
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
	origin->succession = (struct jc_succession){ .link = origin->link,
		.host = origin->source.origin,
		.moderation = services->moderation,
		.invitations = services->invitations,
		.keyring = &services->auth_policy->keyring,
		.serves = serves,
		.context = origin };
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
	jc_nats_outlet_init(&origin->outlet, context->link);
	origin->source.clock = &context->services->spaces->clock;
	origin->source.sanctions = jc_moderation_history(context->services->moderation);
	origin->source.outlet = &origin->outlet.base;
	origin->source.avatars = context->services->avatars;
	look_at_grants(origin);
	snprintf(origin->source.origin, sizeof(origin->source.origin), "%s", context->name);
	snprintf(origin->source.incarnation, sizeof(origin->source.incarnation), "%s",
		context->incarnation);
	status = open_desk(origin);
	if (status == JC_OK) {
		status = jc_succession_begin(&origin->succession);
	}
	if (status == JC_OK) {
		status = jc_nats_link_subscribe(origin->link, JC_SUBJECT_ANNOUNCE, on_announcement,
			origin, &origin->announcements);
	}
	if (status != JC_OK) {
		jc_nats_subscription_end(origin->succession.returns);
		jc_guest_desk_close(origin->source.desk);
		free(origin);
		return status;
	}
	uv_timer_init(context->services->loop, &origin->timer);
	origin->timer.data = origin;
	origin->observer.removed = on_removed;
	context->control->observer = &origin->observer;
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
	origin->context->control->observer = NULL;
	jc_succession_end(&origin->succession);
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
