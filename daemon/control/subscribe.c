/* What is said to subscribers beside motion, and what they say. */
#include "control/subscribe.h"

#include <string.h>

#include "auth/token.h"

#include "control/admission.h"
#include "control/client.h"
#include "control/join.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "control/view_options.h"
#include "net/session.h"
#include "space/spaces.h"

void jc_control_subscribe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "subscribe");
	struct jc_view_options options;

	(void)now_ns;
	if (!view) {
		return;
	}
	const char *wrong = jc_view_options_read(client, message, &options);

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "subscribe");
		return;
	}
	const struct jc_space *space = view->fanout->space;

	/* What is put on instead, past the cap, the client puts on this by itself. */
	if (options.asset) {
		jc_join_send_skeleton(client, options.asset);
	}
	for (size_t i = 0; !options.asset && i < jc_space_body_count(space); i++) {
		jc_join_send_skeleton(client, jc_space_body(space, i)->asset);
	}
	if (!client->session->close_code &&
		jc_view_subscribe(view, &options, client->credit) != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "subscribe");
	}
}

void jc_control_viewpoint(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "viewpoint");
	struct jc_viewpoint viewpoints[JC_MAX_VIEWPOINTS];
	uint32_t favoured[JC_MAX_NAMED_BODIES];
	size_t count, favoured_count;

	if (!view) {
		return;
	}
	const char *wrong = json_object_get(message, "viewpoints")
				    ? jc_view_options_read_viewpoints(message, viewpoints, &count)
				    : "viewpoints are a list, which may be empty";

	if (!wrong) {
		wrong = jc_view_options_read_priority(message, favoured, &favoured_count);
	}
	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "viewpoint");
		return;
	}
	(void)now_ns;
	if (!client->chains) {
		return;
	}
	int status = jc_view_look(view, viewpoints, count);

	if (status == JC_OK && json_object_get(message, "priority")) {
		status = jc_view_favour(view, favoured, favoured_count);
	}
	if (status != JC_OK) {
		jc_reply_error(client, "too-many", "out of memory", "viewpoint");
	}
}

void jc_control_ignore(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "ignore");
	const json_t *id = json_object_get(message, "body");
	const json_t *ignore = json_object_get(message, "ignore");

	(void)now_ns;
	if (!view || !jc_admission_allows(client, JC_ROLE_WATCH,
			     jc_space_options(view->fanout->space)->name, "ignore")) {
		return;
	}
	if (!json_is_integer(id) || (ignore && !json_is_boolean(ignore))) {
		jc_reply_error(client, "bad-field", "body is an id, ignore a boolean", "ignore");
		return;
	}
	const struct jc_body *body = jc_space_find(view->fanout->space, json_integer_value(id));

	if (!body) {
		jc_reply_error(client, "unknown-body", "no body of that id", "ignore");
		return;
	}
	switch (jc_fanout_ignore(view->fanout, &client->subscriber, body, !json_is_false(ignore))) {
	case JC_OK:
		return;
	case JC_ERROR_INVALID:
		jc_reply_error(client, "unsupported",
			"nobody else publishes it: leave it out of what you subscribe to",
			"ignore");
		return;
	default:
		jc_reply_error(client, "too-many", "too many are ignored", "ignore");
	}
}

void jc_subscribe_forget_ignored(struct jc_client *client)
{
	struct jc_spaces *spaces = client->services->spaces;

	for (size_t i = 0; client->subscriber.ignoring > 0 && i < spaces->count; i++) {
		jc_fanout_forget(spaces->fanouts[i], &client->subscriber);
	}
}

void jc_subscribe_show(struct jc_client *client, const struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	const char *space = jc_space_options(view->fanout->space)->name;
	json_t *bodies = json_array();

	for (size_t i = 0; i < count; i++) {
		if (shown[i].asset) {
			jc_join_send_skeleton(client, shown[i].asset);
		}
		json_array_append_new(
			bodies, json_pack("{sI ss?}", "id", (json_int_t)shown[i].body, "skeleton",
					shown[i].asset ? shown[i].asset->hash : NULL));
	}
	jc_reply_send(
		client, json_pack("{ss ss so}", "type", "worn", "space", space, "bodies", bodies));
}

void jc_control_unsubscribe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "unsubscribe");

	(void)now_ns;
	if (view) {
		jc_view_unsubscribe(view);
	}
}

void jc_control_keyframe(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "keyframe");

	(void)now_ns;
	if (view) {
		jc_view_ask_keyframe(view);
	}
}

void jc_control_ack(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	const json_t *tick = json_object_get(message, "tick");
	struct jc_view *view = jc_named_space_joined_view(client, message, "ack");

	if (!view) {
		return;
	}
	json_int_t value = json_is_integer(tick) ? json_integer_value(tick) : -1;

	if (value < 0 || value > UINT32_MAX ||
		!jc_view_acknowledge(view, (uint32_t)value, now_ns)) {
		jc_reply_error(client, "bad-field", "tick is one that was sent", "ack");
	}
}
