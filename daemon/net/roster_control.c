/* The roster is packed here alone: whole for who joins, an entry for who is there. */
#include "net/roster_control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/admission.h"
#include "net/control.h"
#include "net/control_private.h"
#include "net/replay_control.h"
#include "net/server_private.h"

/* NULL where it has none. */
static json_t *pack_channels(const struct jc_source_channels *channels)
{
	json_t *names = channels->count > 0 ? json_array() : NULL;

	for (size_t i = 0; i < channels->count; i++) {
		json_t *name = json_string(channels->names[i]);

		/* What a sender called so is no text: its place stays. */
		json_array_append_new(names, name ? name : json_string(""));
	}
	return names;
}

/* NULL where there is nothing to say. */
static json_t *pack_meta(const struct jc_body *body)
{
	json_t *meta = body->about ? json_loads(body->about, 0, NULL) : NULL;

	if (meta && json_object_size(meta) == 0) {
		json_decref(meta);
		return NULL;
	}
	return meta;
}

static json_t *pack_body(const struct jc_body *body)
{
	const struct jc_placement *placement = &body->placement;

	json_t *seat =
		body->seat_height > 0.0f ? json_pack("{sf}", "height", body->seat_height) : NULL;

	return json_pack("{sI ss ss si s{s[fff] sf} so* so* ss so* so* so* so* so* ss* so*}", "id",
		(json_int_t)body->id, "name", body->name, "skeleton", body->outfit->hash,
		"incarnation", body->incarnation, "placement", "position", placement->position.x,
		placement->position.y, placement->position.z, "yaw", placement->yaw, "seat", seat,
		"channels", pack_channels(&body->source->channels), "state",
		body->live ? "live" : "stale", "mayRecord",
		body->source->is_unrecorded ? NULL : json_true(), "mayRebroadcast",
		body->source->is_unrelayed ? NULL : json_true(), "hidden",
		body->is_hidden ? json_true() : NULL, "muted", body->is_muted ? json_true() : NULL,
		"stage", body->priority > 0 ? json_true() : NULL, "display",
		body->display[0] ? body->display : NULL, "meta", pack_meta(body));
}

void jc_control_send_skeleton(struct jc_session *session, struct jc_outfit *outfit)
{
	if (jc_outfit_set_add(&session->outfits, outfit)) {
		jc_session_send_outfit(session, outfit);
	}
}

/* False: somebody has to pack it first. */
static bool repeat(
	struct jc_session *session, const struct jc_space *space, uint32_t body, const char *what)
{
	const struct jc_told *told = &session->server->told;

	if (told->what != what || told->body != body ||
		told->revision != jc_space_revision(space) ||
		told->space != jc_space_options(space)->id) {
		return false;
	}
	jc_session_send(session, told->text, told->length);
	return true;
}

/* A change of the roster, kept for all others who are told of it. */
static void tell(struct jc_session *session, const struct jc_space *space, uint32_t body,
	const char *what, json_t *changed)
{
	struct jc_told *told = &session->server->told;
	char *text = jc_control_text(json_pack("{ss ss sI s[o]}", "type", "roster", "space",
		jc_space_options(space)->name, "revision", (json_int_t)jc_space_revision(space),
		what, changed));

	if (!text) {
		return;
	}
	free(told->text);
	*told = (struct jc_told){ .space = jc_space_options(space)->id,
		.body = body,
		.revision = jc_space_revision(space),
		.what = what,
		.text = text,
		.length = strlen(text) };
	jc_session_send(session, told->text, told->length);
}

void jc_control_body_changed(
	struct jc_session *session, struct jc_view *view, const struct jc_body *body, bool joined)
{
	static const char is_new[] = "joined", is_other[] = "changed";
	const struct jc_space *space = view->fanout->space;
	const char *what = joined ? is_new : is_other;

	jc_control_send_skeleton(session, body->outfit);
	if (!repeat(session, space, body->id, what)) {
		tell(session, space, body->id, what, pack_body(body));
	}
}

void jc_control_body_left(struct jc_session *session, struct jc_view *view, uint32_t id)
{
	static const char left[] = "left";
	const struct jc_space *space = view->fanout->space;

	if (!repeat(session, space, id, left)) {
		tell(session, space, id, left, json_integer((json_int_t)id));
	}
}

void jc_control_recorded(struct jc_session *session, struct jc_view *view)
{
	const struct jc_space *space = view->fanout->space;

	jc_control_send(session,
		json_pack("{ss ss sI sb}", "type", "roster", "space", jc_space_options(space)->name,
			"revision", (json_int_t)jc_space_revision(space), "recording",
			jc_space_is_recorded(space)));
}

static void send_roster(struct jc_session *session, const struct jc_space *space)
{
	const struct jc_space_options *options = jc_space_options(space);
	const struct jc_clock *clock = &session->server->options.spaces->clock;
	char epoch[32];
	json_t *bodies = json_array();

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		json_array_append_new(bodies, pack_body(jc_space_body(space, i)));
	}
	snprintf(epoch, sizeof(epoch), "%llx", (unsigned long long)options->epoch);
	jc_control_send(session,
		json_pack("{ss ss sI ss sI si sI sb so}", "type", "roster", "space", options->name,
			"id", (json_int_t)options->id, "epoch", epoch, "revision",
			(json_int_t)jc_space_revision(space), "tickHz", (int)options->hz,
			"tickTime", (json_int_t)jc_clock_server_us(clock, options->start_ns),
			"recording", jc_space_is_recorded(space), "bodies", bodies));
}

/* The session's view of a space; NULL where there is none. */
static struct jc_view *view_of(struct jc_session *session, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i] && session->views[i]->fanout == fanout) {
			return session->views[i];
		}
	}
	return NULL;
}

/* Most watch one space: a view has memory from when it is first needed. */
static struct jc_view *free_view(struct jc_session *session)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (!session->views[i]) {
			session->views[i] = calloc(1, sizeof(*session->views[i]));
		}
		if (!session->views[i] || !session->views[i]->fanout) {
			return session->views[i];
		}
	}
	return NULL;
}

struct jc_view *jc_control_joined_view(
	struct jc_session *session, const json_t *message, const char *type)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, type);
	struct jc_view *view = fanout ? view_of(session, fanout) : NULL;

	if (fanout && !view) {
		jc_control_error(session, "not-joined", "join the space first", type);
	}
	return view;
}

static bool join(struct jc_session *session, struct jc_fanout *fanout)
{
	if (view_of(session, fanout)) {
		return true;
	}
	struct jc_view *view = free_view(session);

	if (!view || fanout->view_count >= fanout->policy.subscribers) {
		jc_control_error(session, "too-many",
			view ? "the space is full" : "too many spaces at a time", "join");
		return false;
	}
	jc_view_join(view, fanout, &session->subscriber);
	return true;
}

void jc_control_join(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout =
		jc_control_entered_space(session, message, JC_ROLE_WATCH, "join");

	if (!fanout || !jc_admission_allows(session, JC_ROLE_WATCH,
			       jc_space_options(fanout->space)->name, "join")) {
		return;
	}
	if (!jc_allowance_spend(&session->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_control_error(session, "too-many", "too many rosters a second", "join");
		return;
	}
	if (join(session, fanout)) {
		send_roster(session, fanout->space);
		jc_control_tell_replays(session, fanout);
	}
}

void jc_control_leave(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "leave");

	(void)now_ns;
	if (view) {
		jc_view_leave(view);
	}
}
