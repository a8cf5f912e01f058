/* Each type of message has one function here; none of them touches a socket. */
#include "net/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/admission.h"
#include "net/calibrate_control.h"
#include "net/control_private.h"
#include "net/publish_control.h"
#include "net/server_private.h"

#define RETURN_MS 500 /* until the first of those that were sent away comes back */

/* Single precision reads back exactly from nine digits. */
#define DUMP_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

void jc_control_send(struct jc_session *session, json_t *message)
{
	char *text = message ? json_dumps(message, DUMP_FLAGS) : NULL;

	if (text) {
		jc_session_send(session, text, strlen(text));
	}
	free(text);
	json_decref(message);
}

void jc_control_error(
	struct jc_session *session, const char *code, const char *message, const char *ref)
{
	jc_control_send(session, json_pack("{ss ss ss ss*}", "type", "error", "code", code,
					 "message", message, "ref", ref));
	if (++session->errors >= JC_MAX_ERRORS) {
		jc_session_close(session, JC_CLOSE_POLICY, "too many errors");
	}
}

void jc_control_going_away(struct jc_session *session)
{
	/* One after the other, so that whoever comes next is not overrun. */
	unsigned after_ms =
		RETURN_MS + 1000 / JC_MAX_RETURNS_PER_SECOND * session->server->farewells++;

	jc_control_send(
		session, json_pack("{ss si}", "type", "going_away", "retryAfter", (int)after_ms));
}

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

static json_t *pack_body(const struct jc_body *body)
{
	const struct jc_placement *placement = &body->placement;

	json_t *seat =
		body->seat_height > 0.0f ? json_pack("{sf}", "height", body->seat_height) : NULL;

	return json_pack("{sI ss ss si s{s[fff] sf} so* so* ss}", "id", (json_int_t)body->id,
		"name", body->name, "skeleton", body->outfit->hash, "incarnation",
		body->incarnation, "placement", "position", placement->position.x,
		placement->position.y, placement->position.z, "yaw", placement->yaw, "seat", seat,
		"channels", pack_channels(&body->source->channels), "state",
		body->live ? "live" : "stale");
}

static void send_skeleton(struct jc_session *session, const struct jc_outfit *outfit)
{
	uint64_t bit = UINT64_C(1) << outfit->index;

	if (session->skeletons & bit) {
		return;
	}
	session->skeletons |= bit;
	jc_session_send(session, outfit->message, outfit->message_length);
}

void jc_control_body_changed(
	struct jc_session *session, struct jc_view *view, const struct jc_body *body, bool joined)
{
	const struct jc_space *space = view->fanout->space;

	send_skeleton(session, body->outfit);
	jc_control_send(session, json_pack("{ss ss sI s[o]}", "type", "roster", "space",
					 jc_space_options(space)->name, "revision",
					 (json_int_t)jc_space_revision(space),
					 joined ? "joined" : "changed", pack_body(body)));
}

void jc_control_body_left(struct jc_session *session, struct jc_view *view, uint32_t id)
{
	const struct jc_space *space = view->fanout->space;

	jc_control_send(
		session, json_pack("{ss ss sI s[I]}", "type", "roster", "space",
				 jc_space_options(space)->name, "revision",
				 (json_int_t)jc_space_revision(space), "left", (json_int_t)id));
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
		json_pack("{ss ss sI ss sI si sI so}", "type", "roster", "space", options->name,
			"id", (json_int_t)options->id, "epoch", epoch, "revision",
			(json_int_t)jc_space_revision(space), "tickHz", (int)options->hz,
			"tickTime", (json_int_t)jc_clock_server_us(clock, options->start_ns),
			"bodies", bodies));
}

static void send_welcome(struct jc_session *session, int64_t now_ns)
{
	const struct jc_server_options *options = &session->server->options;
	json_t *spaces = json_array();
	char server[64];

	for (size_t i = 0; i < options->spaces->count; i++) {
		const char *name = jc_space_options(options->spaces->fanouts[i].space)->name;

		if (jc_admission_shows(session, name)) {
			json_array_append_new(spaces, json_string(name));
		}
	}
	snprintf(server, sizeof(server), "jointcastd %s", options->version);
	jc_control_send(
		session, json_pack("{ss ss ss sI sI s[{si ss}{si ss}] so s{si}}", "type", "welcome",
				 "protocol", JC_SUBPROTOCOL, "server", server, "time",
				 (json_int_t)jc_clock_server_us(&options->spaces->clock, now_ns),
				 "wall", (json_int_t)options->spaces->clock.wall_us, "codings",
				 "id", JC_CODING_SMALLEST_THREE, "name", "smallest-three", "id",
				 JC_CODING_CHAIN, "name", "chains", "spaces", spaces, "limits",
				 "message", (int)JC_MAX_MESSAGE_BYTES));
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
	session->credit = json_is_true(credit);
	session->chains = coding == JC_CODING_CHAIN;
	send_welcome(session, now_ns);
}

struct jc_fanout *jc_control_named_space(
	struct jc_session *session, const json_t *message, const char *type)
{
	const char *name = json_string_value(json_object_get(message, "space"));

	if (!name) {
		jc_control_error(session, "bad-field", "space is a string", type);
		return NULL;
	}
	struct jc_fanout *fanout = jc_spaces_find(session->server->options.spaces, name);

	if (!fanout) {
		jc_control_error(session, "unknown-space", "no space of that name", type);
	}
	return fanout;
}

static struct jc_view *view_of(struct jc_session *session, const struct jc_fanout *fanout)
{
	return &session->views[fanout - session->server->options.spaces->fanouts];
}

/* The session's view of the space that a message names, which it has joined. */
static struct jc_view *joined_view(
	struct jc_session *session, const json_t *message, const char *type)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, type);

	if (!fanout) {
		return NULL;
	}
	struct jc_view *view = view_of(session, fanout);

	if (view->fanout) {
		return view;
	}
	jc_control_error(session, "not-joined", "join the space first", type);
	return NULL;
}

static void on_join(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, "join");

	if (!fanout || !jc_admission_allows(session, JC_ROLE_WATCH,
			       jc_space_options(fanout->space)->name, "join")) {
		return;
	}
	if (!jc_allowance_spend(&session->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_control_error(session, "too-many", "too many rosters a second", "join");
		return;
	}
	struct jc_view *view = view_of(session, fanout);

	if (!view->fanout) {
		jc_view_join(view, fanout, &session->subscriber);
	}
	send_roster(session, fanout->space);
}

static void on_leave(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = joined_view(session, message, "leave");

	(void)now_ns;
	if (view) {
		jc_view_leave(view);
	}
}

/* "sections": a list of names, each once at most. 0 when it is none. */
static unsigned find_sections(const json_t *sections)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "body", JC_STREAM_SECTION(JC_SECTION_BODY) },
		{ "face", JC_STREAM_SECTION(JC_SECTION_FACE) },
		{ "hands", JC_STREAM_SECTION(JC_SECTION_HANDS) },
		{ "hips", JC_STREAM_SECTION(JC_SECTION_HIPS) },
		{ "channels", JC_STREAM_SECTION(JC_SECTION_CHANNELS) },
		{ "virtual", JC_STREAM_SECTION(JC_SECTION_VIRTUALS) },
	};
	unsigned found = 0;

	for (size_t i = 0; i < json_array_size(sections); i++) {
		const char *name = json_string_value(json_array_get(sections, i));
		unsigned bit = 0;

		for (size_t k = 0; name && k < sizeof(known) / sizeof(known[0]); k++) {
			bit |= strcmp(name, known[k].name) == 0 ? known[k].bit : 0;
		}
		if (bit == 0 || found & bit) {
			return 0;
		}
		found |= bit;
	}
	return found;
}

/* What a subscriber asks for; NULL, or what is wrong with it. */
static const char *find_wish(const json_t *message, struct jc_wish *out_wish)
{
	const json_t *precision = json_object_get(message, "precision");
	const json_t *rate = json_object_get(message, "rate");
	const json_t *sections = json_object_get(message, "sections");
	const char *name = json_string_value(precision);
	int found = precision ? (name ? jc_precision_find(name) : -1) : JC_PRECISION_STANDARD;
	json_int_t every = rate ? json_integer_value(rate) : 1;

	if (found < 0) {
		return "precision is fine, standard or coarse";
	}
	if (every != 1 && every != 2 && every != 4) {
		return "rate is 1, 2 or 4";
	}
	*out_wish = (struct jc_wish){ .chains = true,
		.precision = (enum jc_precision)found,
		.rate = (uint32_t)every,
		.sections = sections ? find_sections(sections) : JC_STREAM_ALL };
	return out_wish->sections
		       ? NULL
		       : "sections are some of body, face, hands, hips, channels and virtual";
}

static void on_subscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	static const struct jc_wish plain = { .rate = 1 };
	struct jc_view *view = joined_view(session, message, "subscribe");
	struct jc_wish wish;

	(void)now_ns;
	if (!view) {
		return;
	}
	const char *wrong = find_wish(message, &wish);

	if (wrong) {
		jc_control_error(session, "bad-field", wrong, "subscribe");
		return;
	}
	const struct jc_space *space = view->fanout->space;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		send_skeleton(session, jc_space_body(space, i)->outfit);
	}
	if (!session->close_code) {
		jc_view_subscribe(view, session->chains ? &wish : &plain, session->credit);
	}
}

static void on_unsubscribe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = joined_view(session, message, "unsubscribe");

	(void)now_ns;
	if (view) {
		jc_view_unsubscribe(view);
	}
}

static void on_keyframe(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = joined_view(session, message, "keyframe");

	(void)now_ns;
	if (view) {
		jc_view_ask_keyframe(view);
	}
}

static void on_ack(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	const json_t *tick = json_object_get(message, "tick");
	struct jc_view *view = joined_view(session, message, "ack");

	if (!view) {
		return;
	}
	json_int_t value = json_is_integer(tick) ? json_integer_value(tick) : -1;

	if (value < 0 || value > UINT32_MAX ||
		!jc_view_acknowledge(view, (uint32_t)value, now_ns)) {
		jc_control_error(session, "bad-field", "tick is one that was sent", "ack");
	}
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

static const struct {
	const char *type;
	void (*handle)(struct jc_session *session, const json_t *message, int64_t now_ns);
} handlers[] = {
	{ "hello", on_hello },
	{ "token", jc_admission_on_token },
	{ "join", on_join },
	{ "leave", on_leave },
	{ "subscribe", on_subscribe },
	{ "unsubscribe", on_unsubscribe },
	{ "keyframe", on_keyframe },
	{ "ack", on_ack },
	{ "publish", jc_control_publish },
	{ "calibrate", jc_control_calibrate },
	{ "unpublish", jc_control_unpublish },
	{ "ping", on_ping },
};

static void dispatch(
	struct jc_session *session, const char *type, const json_t *message, int64_t now_ns)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		if (strcmp(handlers[i].type, type) != 0) {
			continue;
		}
		if (!session->greeted && handlers[i].handle != on_hello) {
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
