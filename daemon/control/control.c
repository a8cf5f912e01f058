/* What every message passes through, and those that belong to the connection itself.
 * Nothing here touches a socket. */
#include "control/control.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "control/administer.h"
#include "control/admission.h"
#include "control/body.h"
#include "control/calibrate.h"
#include "control/control_private.h"
#include "control/error_codes.h"
#include "control/join.h"
#include "control/moderate.h"
#include "control/moderation_answer.h"
#include "control/publish.h"
#include "control/record.h"
#include "control/replay_actions.h"
#include "control/replay_listing.h"
#include "control/skeletons.h"
#include "control/subscribe.h"
#include "net/server_private.h"
#include "replay/rewind_buffer.h"
#include "source/source_uri.h"

#define RETURN_MS 500 /* until the first of those that were sent away comes back */

/* Single precision reads back exactly from nine digits. */
#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

char *jc_control_text(json_t *message)
{
	char *text = message ? json_dumps(message, DUMP_FLAGS) : NULL;

	json_decref(message);
	return text;
}

void jc_control_send(struct jc_session *session, json_t *message)
{
	char *text = jc_control_text(message);

	if (text) {
		jc_session_send(session, text, strlen(text));
	}
	free(text);
}

static void send_error(struct jc_session *session, json_t *error)
{
	assert(!error ||
		jc_control_code_is_known(json_string_value(json_object_get(error, "code"))));
	if (!jc_moderation_answer_delays(session, error)) {
		jc_control_send(session, error);
	}
	if (++session->errors >= JC_MAX_ERRORS) {
		jc_session_close(session, JC_CLOSE_POLICY, "too many errors");
	}
}

void jc_control_error(
	struct jc_session *session, const char *code, const char *message, const char *ref)
{
	jc_control_error_of(session, code, message, ref, NULL);
}

void jc_control_error_of(struct jc_session *session, const char *code, const char *message,
	const char *ref, const char *name)
{
	send_error(session, json_pack("{ss ss ss ss* ss*}", "type", "error", "code", code,
				    "message", message, "ref", ref, "name", name));
}

void jc_control_error_until(struct jc_session *session, const char *code, const char *message,
	const char *ref, int64_t until_s)
{
	json_t *until = until_s < INT64_MAX ? json_integer((json_int_t)until_s) : NULL;

	send_error(session, json_pack("{ss ss ss ss* so*}", "type", "error", "code", code,
				    "message", message, "ref", ref, "until", until));
}

void jc_control_going_away(struct jc_session *session)
{
	/* One after the other, so that whoever comes next is not overrun. */
	unsigned after_ms =
		RETURN_MS + 1000 / JC_MAX_RETURNS_PER_SECOND * session->server->farewells++;

	jc_control_send(
		session, json_pack("{ss si}", "type", "going_away", "retryAfter", (int)after_ms));
}

/* What it may do there, by the names of roles. */
static json_t *pack_roles(const struct jc_session *session, const char *space)
{
	static const char *const names[] = { "watch", "publish", "record", "moderate",
		"administer" };
	json_t *roles = json_array();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (jc_admission_may(session, (enum jc_role)jc_role_find(names[i]), space, NULL)) {
			json_array_append_new(roles, json_string(names[i]));
		}
	}
	return roles;
}

static json_t *pack_space(const struct jc_session *session, const struct jc_fanout *fanout)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);

	return json_pack("{ss si sI sI so si sb}", "name", options->name, "tickHz",
		(int)options->hz, "bodies", (json_int_t)jc_space_body_count(fanout->space),
		"watched", (json_int_t)fanout->view_count, "roles",
		pack_roles(session, options->name), "rewind",
		fanout->rewind_buffer ? (int)jc_rewind_buffer_seconds(fanout->rewind_buffer) : 0,
		"recordings", (int)jc_replay_listing_is_for(session, options->name));
}

static void send_welcome(struct jc_session *session, int64_t now_ns)
{
	const struct jc_server_options *options = &session->server->options;
	json_t *spaces = json_array();
	json_t *rooms = json_array();
	char server[64];

	for (size_t i = 0; i < options->spaces->count; i++) {
		const char *name = jc_space_options(options->spaces->fanouts[i]->space)->name;

		if (jc_admission_shows(session, name)) {
			json_array_append_new(spaces, json_string(name));
			json_array_append_new(
				rooms, pack_space(session, options->spaces->fanouts[i]));
		}
	}
	snprintf(server, sizeof(server), "jointcastd %s", options->version);
	jc_control_send(
		session, json_pack("{ss ss ss sI sI s[{si ss}{si ss}] so so s{si}}", "type",
				 "welcome", "protocol", JC_SUBPROTOCOL, "server", server, "time",
				 (json_int_t)jc_clock_server_us(&options->spaces->clock, now_ns),
				 "wall", (json_int_t)options->spaces->clock.wall_us, "codings",
				 "id", JC_CODING_SMALLEST_THREE, "name", "smallest-three", "id",
				 JC_CODING_CHAIN, "name", "chains", "spaces", spaces, "rooms",
				 rooms, "limits", "message", (int)JC_MAX_MESSAGE_BYTES));
}

/* "codings": the best that we have too, 0 when there is none, -1 when it is not
 * a list of integers. */
static int find_coding(const json_t *codings)
{
	size_t index;
	json_t *value;
	int found = 0;

	if (!codings) {
		return JC_CODING_SMALLEST_THREE;
	}
	if (!json_is_array(codings)) {
		return -1;
	}
	json_array_foreach((json_t *)codings, index, value)
	{
		if (!json_is_integer(value)) {
			return -1;
		}
		json_int_t id = json_integer_value(value);

		if ((id == JC_CODING_SMALLEST_THREE || id == JC_CODING_CHAIN) && id > found) {
			found = (int)id;
		}
	}
	return found;
}

static void on_hello(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *credit = json_object_get(message, "credit");
	const json_t *client = json_object_get(message, "client");
	int coding = find_coding(json_object_get(message, "codings"));

	if (coding < 0) {
		jc_control_error(session, "bad-field", "codings is a list of integers", "hello");
		return;
	}
	if ((credit && !json_is_boolean(credit)) || (client && !json_is_string(client))) {
		jc_control_error(
			session, "bad-field", "credit is a boolean, client a string", "hello");
		return;
	}
	if (coding == 0) {
		jc_control_error(session, "unsupported", "no coding in common", "hello");
		return;
	}
	if (!jc_admission_show(session, json_object_get(message, "token"), "hello")) {
		return;
	}
	if (client && !session->greeted) {
		jc_log_write(session->server->options.log, JC_LOG_INFO,
			"a client says hello: '%.64s'", json_string_value(client));
	}
	session->greeted = true;
	jc_control_identify(session);
	session->credit = json_is_true(credit);
	session->chains = coding == JC_CODING_CHAIN;
	send_welcome(session, now_ns);
}

/* NULL after the error was answered. */
static const char *read_space_name(
	struct jc_session *session, const json_t *message, const char *type)
{
	const char *name = json_string_value(json_object_get(message, "space"));

	if (!name) {
		jc_control_error(session, "bad-field", "space is a string", type);
	}
	return name;
}

struct jc_fanout *jc_control_find_space(const struct jc_session *session, const char *name)
{
	struct jc_fanout *fanout = jc_spaces_find(session->server->options.spaces, name);

	return fanout && jc_admission_knows(session, fanout) ? fanout : NULL;
}

void jc_control_unknown_space(struct jc_session *session, const char *type)
{
	jc_control_error(session, "unknown-space", "no space of that name", type);
}

struct jc_fanout *jc_control_named_space(
	struct jc_session *session, const json_t *message, const char *type)
{
	const char *name = read_space_name(session, message, type);
	struct jc_fanout *fanout = name ? jc_control_find_space(session, name) : NULL;

	if (name && !fanout) {
		jc_control_unknown_space(session, type);
	}
	return fanout;
}

static struct jc_fanout *open_space(struct jc_session *session, const char *name, const char *type)
{
	const struct jc_server_options *options = &session->server->options;
	char who[JC_MAX_WHO];
	struct jc_fanout *fanout;

	jc_admission_who(session, who);
	if (jc_spaces_open_for(options->spaces, name, who, &fanout) != JC_OK) {
		jc_control_error(session, "too-many", "too many spaces", type);
		return NULL;
	}
	jc_log_event(options->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = name, .state = "open" },
		"space '%s' was opened by %s", name, who);
	return fanout;
}

struct jc_fanout *jc_control_entered_space(
	struct jc_session *session, const json_t *message, enum jc_role role, const char *type)
{
	const char *name = read_space_name(session, message, type);
	struct jc_fanout *fanout = name ? jc_control_find_space(session, name) : NULL;

	if (!name || fanout) {
		return fanout;
	}
	if (jc_spaces_find(session->server->options.spaces, name) ||
		!jc_source_space_name_is_valid(name) ||
		!jc_admission_may_open(session, role, name)) {
		jc_control_unknown_space(session, type);
		return NULL;
	}
	return open_space(session, name, type);
}

static void on_ping(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	json_t *t = json_object_get(message, "t");

	if (!json_is_number(t)) {
		jc_control_error(session, "bad-field", "t is a number", "ping");
		return;
	}
	json_t *pong = json_pack("{ss sO sI}", "type", "pong", "t", t, "time",
		(json_int_t)jc_clock_server_us(&session->server->options.spaces->clock, now_ns));
	/* A client compares t with what it sent: all its digits. */
	char *text = pong ? json_dumps(pong, JSON_COMPACT) : NULL;

	if (text) {
		jc_session_send(session, text, strlen(text));
	}
	free(text);
	json_decref(pong);
}

/* Each message has one line here, and its function in the file of its noun. */
static const struct {
	const char *type;
	bool needs_hello;
	void (*handle)(struct jc_session *session, const json_t *message, int64_t now_ns);
} handlers[] = {
	{ "hello", false, on_hello },
	{ "token", true, jc_admission_on_token },
	{ "join", true, jc_control_join },
	{ "leave", true, jc_control_leave },
	{ "subscribe", true, jc_control_subscribe },
	{ "unsubscribe", true, jc_control_unsubscribe },
	{ "viewpoint", true, jc_control_viewpoint },
	{ "ignore", true, jc_control_ignore },
	{ "keyframe", true, jc_control_keyframe },
	{ "ack", true, jc_control_ack },
	{ "publish", true, jc_control_publish },
	{ "consent", true, jc_control_consent },
	{ "unpublish", true, jc_control_unpublish },
	{ "amend", true, jc_control_amend },
	{ "place", true, jc_control_place },
	{ "stage", true, jc_control_stage },
	{ "calibrate", true, jc_control_calibrate },
	{ "skeleton", true, jc_control_skeleton },
	{ "skeletons", true, jc_control_skeletons },
	{ "unregister", true, jc_control_unregister },
	{ "record", true, jc_control_record },
	{ "replay", true, jc_control_replay },
	{ "moderate", true, jc_control_moderate },
	{ "administer", true, jc_control_administer },
	{ "ping", true, on_ping },
};

static void dispatch(
	struct jc_session *session, const char *type, const json_t *message, int64_t now_ns)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		if (strcmp(handlers[i].type, type) != 0) {
			continue;
		}
		if (!session->greeted && handlers[i].needs_hello) {
			jc_control_error(session, "no-hello", "say hello first", type);
		} else {
			handlers[i].handle(session, message, now_ns);
		}
		return;
	}
	/* The type is the client's own text: long ones are not sent back. */
	jc_control_error(session, session->greeted ? "unknown-type" : "no-hello",
		session->greeted ? "no such type of message" : "say hello first",
		strlen(type) <= 64 ? type : NULL);
}

/* jansson's own cap on nesting is far above ours. */
static bool is_shallow(const char *text, size_t length)
{
	size_t depth = 0;
	bool string = false;

	for (size_t i = 0; i < length; i++) {
		if (string && text[i] == '\\') {
			i++;
		} else if (text[i] == '"') {
			string = !string;
		} else if (!string && (text[i] == '{' || text[i] == '[')) {
			depth++;
		} else if (!string && (text[i] == '}' || text[i] == ']') && depth > 0) {
			depth--;
		}
		if (depth > JC_MAX_MESSAGE_DEPTH) {
			return false;
		}
	}
	return true;
}

void jc_control_receive(struct jc_session *session, const char *text, size_t length, int64_t now_ns)
{
	json_t *message =
		length > 0 && is_shallow(text, length) ? json_loadb(text, length, 0, NULL) : NULL;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!json_is_object(message)) {
		jc_control_error(session, "bad-message", "not a JSON object", NULL);
	} else if (!type) {
		jc_control_error(session, "bad-message", "no type", NULL);
	} else {
		dispatch(session, type, message, now_ns);
	}
	json_decref(message);
}
