/* What is said to subscribers beside motion, and what they say. */
#include "control/subscribe.h"

#include <string.h>

#include "auth/token.h"

#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/view_options.h"
#include "net/server_private.h"

/* The subject of the token, else the connection; the first bit keeps the two apart. The key
 * keeps a client from choosing a subject that falls on the party of another. */
static uint64_t party_of(const struct jc_session *session)
{
	const struct jc_grant *grant = session->grant;

	if (!grant) {
		return session->serial;
	}
	return jc_siphash(&session->server->subject_key, grant->subject, strlen(grant->subject)) |
	       UINT64_C(1) << 63;
}

void jc_control_identify(struct jc_session *session)
{
	struct jc_spaces *spaces = session->server->options.spaces;
	uint64_t was = session->subscriber.party, is = party_of(session);

	session->subscriber.party = is;
	for (size_t i = 0; was != 0 && was != is && i < spaces->count; i++) {
		jc_fanout_rename(spaces->fanouts[i], was, is);
	}
}

void jc_control_subscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "subscribe");
	struct jc_view_options options;

	(void)now_ns;
	if (!view) {
		return;
	}
	const char *wrong = jc_view_options_read(session, message, &options);

	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "subscribe");
		return;
	}
	const struct jc_space *space = view->fanout->space;

	/* What is put on instead, past the cap, the client puts on this by itself. */
	if (options.asset) {
		jc_control_send_skeleton(session, options.asset);
	}
	for (size_t i = 0; !options.asset && i < jc_space_body_count(space); i++) {
		jc_control_send_skeleton(session, jc_space_body(space, i)->asset);
	}
	if (!session->close_code && jc_view_subscribe(view, &options, session->credit) != JC_OK) {
		jc_control_error(session, "too-many", "out of memory", "subscribe");
	}
}

void jc_control_viewpoint(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "viewpoint");
	struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS];
	uint32_t favoured[JC_MAX_NAMED_BODIES];
	size_t count, favoured_count;

	if (!view) {
		return;
	}
	const char *wrong = json_object_get(message, "viewpoints")
				    ? jc_viewpoints_read(message, viewpoints, &count)
				    : "viewpoints are a list, which may be empty";

	if (!wrong) {
		wrong = jc_favoured_read(message, favoured, &favoured_count);
	}
	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "viewpoint");
		return;
	}
	(void)now_ns;
	if (!session->chains) {
		return;
	}
	int status = jc_view_look(view, viewpoints, count);

	if (status == JC_OK && json_object_get(message, "priority")) {
		status = jc_view_favour(view, favoured, favoured_count);
	}
	if (status != JC_OK) {
		jc_control_error(session, "too-many", "out of memory", "viewpoint");
	}
}

void jc_control_ignore(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "ignore");
	const json_t *id = json_object_get(message, "body");
	const json_t *ignore = json_object_get(message, "ignore");

	(void)now_ns;
	if (!view || !jc_admission_allows(session, JC_ROLE_WATCH,
			     jc_space_options(view->fanout->space)->name, "ignore")) {
		return;
	}
	if (!json_is_integer(id) || (ignore && !json_is_boolean(ignore))) {
		jc_control_error(session, "bad-field", "body is an id, ignore a boolean", "ignore");
		return;
	}
	const struct jc_body *body = jc_space_find(view->fanout->space, json_integer_value(id));

	if (!body) {
		jc_control_error(session, "unknown-body", "no body of that id", "ignore");
		return;
	}
	switch (jc_fanout_ignore(
		view->fanout, &session->subscriber, body, !json_is_false(ignore))) {
	case JC_OK:
		return;
	case JC_ERROR_INVALID:
		jc_control_error(session, "unsupported",
			"nobody else publishes it: leave it out of what you subscribe to",
			"ignore");
		return;
	default:
		jc_control_error(session, "too-many", "too many are ignored", "ignore");
	}
}

void jc_control_forget_ignored(struct jc_session *session)
{
	struct jc_spaces *spaces = session->server->options.spaces;

	for (size_t i = 0; session->subscriber.ignoring > 0 && i < spaces->count; i++) {
		jc_fanout_forget(spaces->fanouts[i], &session->subscriber);
	}
}

void jc_control_shown(struct jc_session *session, const struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	const char *space = jc_space_options(view->fanout->space)->name;
	json_t *bodies = json_array();

	for (size_t i = 0; i < count; i++) {
		if (shown[i].asset) {
			jc_control_send_skeleton(session, shown[i].asset);
		}
		json_array_append_new(
			bodies, json_pack("{sI ss?}", "id", (json_int_t)shown[i].body, "skeleton",
					shown[i].asset ? shown[i].asset->hash : NULL));
	}
	jc_control_send(
		session, json_pack("{ss ss so}", "type", "worn", "space", space, "bodies", bodies));
}

void jc_control_unsubscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "unsubscribe");

	(void)now_ns;
	if (view) {
		jc_view_unsubscribe(view);
	}
}

void jc_control_keyframe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "keyframe");

	(void)now_ns;
	if (view) {
		jc_view_ask_keyframe(view);
	}
}

void jc_control_ack(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *tick = json_object_get(message, "tick");
	struct jc_view *view = jc_control_joined_view(session, message, "ack");

	if (!view) {
		return;
	}
	json_int_t value = json_is_integer(tick) ? json_integer_value(tick) : -1;

	if (value < 0 || value > UINT32_MAX ||
		!jc_view_acknowledge(view, (uint32_t)value, now_ns)) {
		jc_control_error(session, "bad-field", "tick is one that was sent", "ack");
	}
}
