/* Follows the announcements of origins, and gives each announced space a relayed one. */
#include "cluster/edge/edge.h"

#include <stdlib.h>
#include <string.h>

#include "avatars/avatars.h"
#include "base/clock.h"
#include "base/log.h"
#include "cluster/avatar/avatar_fetches.h"
#include "cluster/cluster.h"
#include "cluster/edge/edge_private.h"
#include "cluster/guest/redemptions.h"
#include "cluster/origin_message.h"
#include "cluster/report/peers.h"
#include "cluster/session/session_link.h"
#include "control/client.h"
#include "control/moderate.h"
#include "moderation/moderation.h"
#include "net/session.h"
#include "services.h"
#include "source/source_uri.h"
#include "space/fanout.h"

#define SECOND         INT64_C(1000000000)
#define CLAIMS_LAST    (3 * SECOND) /* origins announce twice a second */
#define SWEEP_MS       20
#define SESSION_SWEEPS 12u /* sweeps until the next one of the sessions: 0.24 s */
#define AWAITED_MS     (JC_FRAMES_AWAITED_NS / 1000000)

static struct jc_relayed_space *find(const struct jc_edge *edge, const char *name)
{
	for (size_t i = 0; i < edge->count; i++) {
		if (strcmp(edge->spaces[i]->name, name) == 0) {
			return edge->spaces[i];
		}
	}
	return NULL;
}

static struct jc_relayed_space *find_or_create(struct jc_edge *edge, const char *name)
{
	struct jc_relayed_space *space = find(edge, name);

	if (!space && edge->count < JC_MAX_SPACES &&
		jc_relayed_space_create(&edge->relayed, name, &space) == JC_OK) {
		edge->spaces[edge->count++] = space;
	}
	return space;
}

/* Only the claim that wins counts: its packets are those of the space. */
static void follow(struct jc_edge *edge, const struct jc_origin_message *message, int64_t now_ns)
{
	for (size_t i = 0; i < message->count; i++) {
		const struct jc_origin_claim *claim = &message->claims[i];
		const struct jc_rival *winner =
			jc_rivals_winner(&edge->rivals, claim->space, 0, "");
		struct jc_relayed_space *space;

		/* The name stands in messages to clients. */
		if (!jc_source_space_name_is_valid(claim->space) || !winner ||
			strcmp(winner->incarnation, message->incarnation) != 0) {
			continue;
		}
		space = find_or_create(edge, claim->space);
		if (space) {
			jc_relayed_space_claim(space, claim, message->incarnation, now_ns);
		}
	}
}

/* The spaces that only this origin served. */
static void abandon(struct jc_edge *edge, const char *incarnation, int64_t now_ns)
{
	for (size_t i = 0; i < edge->count; i++) {
		struct jc_relayed_space *space = edge->spaces[i];

		if (space->has_state && strcmp(space->incarnation, incarnation) == 0) {
			jc_relayed_space_abandon(space, now_ns);
		}
	}
}

static void on_announcement(void *context, const struct jc_nats_message *message)
{
	struct jc_edge *edge = context;
	int64_t now_ns = jc_clock_now_ns();
	struct jc_origin_message *announcement;
	const char *bytes = NULL;
	size_t length = 0;

	if (!message || jc_parts_take(&edge->parts, message->bytes, message->length, now_ns, &bytes,
				&length) != JC_OK) {
		edge->refused++;
		return;
	}
	announcement = bytes ? malloc(sizeof(*announcement)) : NULL;
	if (!announcement) {
		return;
	}
	if (jc_origin_message_read(bytes, length, announcement)) {
		edge->refused++;
	} else {
		jc_peers_hear_announcement(edge->context->peers, announcement, now_ns);
		jc_rivals_take(&edge->rivals, announcement, now_ns + CLAIMS_LAST);
		follow(edge, announcement, now_ns);
		if (announcement->is_leaving) {
			abandon(edge, announcement->incarnation, now_ns);
		}
	}
	free(announcement);
}

/* A space that no origin announces, and no client watches, ends. */
static bool is_over(struct jc_edge *edge, struct jc_relayed_space *space)
{
	struct jc_fanout *fanout = jc_spaces_with_id(edge->relayed.spaces, space->id);

	if (jc_rivals_winner(&edge->rivals, space->name, 0, "")) {
		return false;
	}
	if (!space->has_state) {
		return true;
	}
	if (fanout && fanout->view_count == 0 && space->silence == JC_RELAYED_GONE) {
		jc_spaces_end_relay(fanout);
	}
	return !fanout;
}

/* Requests all states again after the link has dropped messages: changes may be among them. */
static void notice_drops(struct jc_edge *edge)
{
	struct jc_nats_report report;

	jc_nats_link_report(edge->context->link, &report);
	if (report.dropped_others != edge->dropped) {
		edge->dropped = report.dropped_others;
		jc_edge_connected(edge);
	}
}

static bool is_worn(const void *context, const char *hash)
{
	return jc_avatars_is_worn(context, hash);
}

static void on_sweep(uv_timer_t *timer)
{
	struct jc_edge *edge = timer->data;
	int64_t now_ns = jc_clock_now_ns();

	if (++edge->sweeps % SESSION_SWEEPS == 0) {
		jc_session_link_sweep(edge->sessions);
		notice_drops(edge);
		jc_avatar_fetches_sweep(edge->avatars, is_worn, edge->relayed.spaces, now_ns);
	}
	jc_rivals_expire(&edge->rivals, now_ns);
	for (size_t i = edge->count; i-- > 0;) {
		struct jc_relayed_space *space = edge->spaces[i];

		if (is_over(edge, space)) {
			jc_edge_add_counts(space, &edge->ended);
			jc_relayed_space_destroy(space);
			edge->spaces[i] = edge->spaces[--edge->count];
		} else {
			jc_relayed_space_sweep(space, now_ns);
		}
	}
}

static void on_awaited(uv_timer_t *timer)
{
	struct jc_edge *edge = timer->data;
	int64_t now_ns = jc_clock_now_ns();
	bool is_waiting = false;

	for (size_t i = 0; i < edge->count; i++) {
		jc_relayed_space_flush(edge->spaces[i], now_ns);
		is_waiting |= edge->spaces[i]->views.is_waiting;
	}
	if (is_waiting) {
		uv_timer_start(timer, on_awaited, 1, 0);
	}
}

static void on_waiting(void *owner)
{
	struct jc_edge *edge = owner;

	if (!uv_is_active((uv_handle_t *)&edge->waits)) {
		uv_update_time(edge->context->services->loop);
		uv_timer_start(&edge->waits, on_awaited, AWAITED_MS, 0);
	}
}

static void on_closed(void *owner, struct jc_fanout *fanout)
{
	const struct jc_edge *edge = owner;

	for (struct jc_client *at = edge->context->control->clients; at; at = at->next) {
		if (!at->session->close_code) {
			jc_moderate_throw_out(at, fanout, "close");
		}
	}
}

static void on_people_key(
	void *owner, struct jc_fanout *fanout, const struct jc_siphash_key *key, const void *remote)
{
	const struct jc_edge *edge = owner;

	jc_client_rekey(edge->context->control, fanout, key, remote);
}

static void on_removed(void *owner, struct jc_fanout *fanout, const char *who, const char *text,
	bool spares_administrators)
{
	const struct jc_edge *edge = owner;

	jc_moderate_remove(edge->context->control, fanout, who, text, spares_administrators);
}

static int64_t origin_us(void *context, const struct jc_fanout *fanout, int64_t edge_us)
{
	const struct jc_edge *edge = context;
	const struct jc_relayed_space *space = find(edge, jc_space_options(fanout->space)->name);

	return space ? edge_us - space->ahead_us : edge_us;
}

static void look_for(void *context, const char *name)
{
	const struct jc_edge *edge = context;
	struct jc_relayed_space *space = find(edge, name);

	if (space) {
		jc_relayed_requests_probe(space, jc_clock_now_ns());
	}
}

static bool is_heard(void *context, const char *name)
{
	const struct jc_relayed_space *space = find(context, name);

	return space && space->silence == JC_RELAYED_HEARD;
}

static int open_sessions(struct jc_edge *edge)
{
	const struct jc_session_link_options options = { .log = edge->context->services->log,
		.link = edge->context->link,
		.control = edge->context->control,
		.edge = edge->context->name,
		.origin_us = origin_us,
		.look_for = look_for,
		.is_heard = is_heard,
		.context = edge };

	return jc_session_link_create(&options, &edge->sessions);
}

int jc_edge_create(const struct jc_cluster_context *context, struct jc_edge **out_edge)
{
	const struct jc_services *services = context->services;
	struct jc_edge *edge = calloc(1, sizeof(*edge));
	int status;

	if (!edge) {
		return JC_ERROR_MEMORY;
	}
	edge->context = context;
	edge->relayed = (struct jc_relayed_context){ .link = context->link,
		.spaces = services->spaces,
		.sanctions = jc_moderation_sanctions(services->moderation),
		.guests = &edge->guests,
		.log = services->log,
		.edge = context->name,
		.added = &edge->added,
		.owner = edge,
		.on_waiting = on_waiting,
		.on_people_key = on_people_key,
		.on_closed = on_closed,
		.on_removed = on_removed };
	edge->avatars = jc_avatar_fetches_create(context->link);
	edge->redemptions = jc_redemptions_create(context->link, jc_clock_now_ns());
	status = edge->redemptions ? jc_nats_link_subscribe(context->link, JC_SUBJECT_ANNOUNCE,
					     on_announcement, edge, &edge->announcements)
				   : JC_ERROR_MEMORY;
	if (status == JC_OK) {
		status = open_sessions(edge);
	}
	if (status != JC_OK) {
		jc_nats_subscription_end(edge->announcements);
		jc_redemptions_destroy(edge->redemptions);
		jc_avatar_fetches_destroy(edge->avatars);
		free(edge);
		return status;
	}
	uv_timer_init(services->loop, &edge->sweep);
	uv_timer_init(services->loop, &edge->waits);
	edge->sweep.data = edge->waits.data = edge;
	edge->open_timers = 2;
	uv_timer_start(&edge->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
	*out_edge = edge;
	return JC_OK;
}

void jc_edge_connected(struct jc_edge *edge)
{
	for (size_t i = 0; edge && i < edge->count; i++) {
		jc_relayed_space_connected(edge->spaces[i]);
	}
}

void jc_edge_unheard(struct jc_edge *edge, const char *subject)
{
	for (size_t i = 0; edge && i < edge->count; i++) {
		struct jc_relayed_space *space = edge->spaces[i];

		if (strcmp(space->request_subject, subject) == 0) {
			jc_relayed_space_abandon(space, jc_clock_now_ns());
			jc_session_link_abandon(edge->sessions, space->name);
		}
	}
}

static void on_timer_closed(uv_handle_t *handle)
{
	struct jc_edge *edge = handle->data;

	if (--edge->open_timers == 0) {
		free(edge);
	}
}

void jc_edge_destroy(struct jc_edge *edge)
{
	if (!edge) {
		return;
	}
	jc_redemptions_destroy(edge->redemptions);
	jc_avatar_fetches_destroy(edge->avatars);
	jc_session_link_destroy(edge->sessions);
	jc_nats_subscription_end(edge->announcements);
	while (edge->count > 0) {
		jc_relayed_space_destroy(edge->spaces[--edge->count]);
	}
	jc_parts_finish(&edge->parts);
	jc_rivals_finish(&edge->rivals);
	jc_guest_passes_finish(&edge->guests);
	uv_close((uv_handle_t *)&edge->sweep, on_timer_closed);
	uv_close((uv_handle_t *)&edge->waits, on_timer_closed);
}

const struct jc_guest_passes *jc_edge_guests(const struct jc_edge *edge)
{
	return &edge->guests;
}

/* Whether another space before has the same origin. */
static bool is_repeated(const struct jc_edge *edge, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (edge->spaces[i]->has_state &&
			strcmp(edge->spaces[i]->incarnation, edge->spaces[at]->incarnation) == 0) {
			return true;
		}
	}
	return false;
}

int jc_edge_redeem(struct jc_edge *edge, const struct jc_redemption *redemption,
	jc_on_redeemed *on_redeemed, void *context)
{
	const char *subjects[JC_MAX_SPACES];
	size_t count = 0;

	for (size_t i = 0; i < edge->count; i++) {
		const struct jc_relayed_space *space = edge->spaces[i];

		if (space->has_state && space->silence != JC_RELAYED_GONE &&
			!is_repeated(edge, i)) {
			subjects[count++] = space->request_subject;
		}
	}
	return jc_redemptions_begin(
		edge->redemptions, redemption, subjects, count, on_redeemed, context);
}

int jc_edge_avatar(struct jc_edge *edge, const char *space, const char *hash, uint64_t bytes,
	jc_on_avatar *on_avatar, void *context)
{
	const struct jc_relayed_space *relayed = find(edge, space);

	return relayed && relayed->has_state
		       ? jc_avatar_fetches_get(edge->avatars, relayed->request_subject, hash, bytes,
				 on_avatar, context)
		       : JC_ERROR_ABSENT;
}
