/* Reads messages, passes each to the handler of its type, and handles `hello` and `ping`. The
 * ops of a session lead here. */
#include "control/control.h"
#include "control/fields.h"
#include "control/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "control/calibrate.h"
#include "control/credentials.h"
#include "control/join.h"
#include "control/moderate.h"
#include "control/named_space.h"
#include "control/publish.h"
#include "control/replay/replay_report.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "control/subscribe.h"
#include "control/welcome.h"
#include "forwarder.h"
#include "jointcast_private/json.h"
#include "net/server.h"
#include "net/session.h"
#include "registry/registry.h"
#include "source/calibration_saver.h"
#include "space/bundle.h"
#include "space/spaces.h"

_Static_assert(
	JC_BUNDLE_HEADROOM >= JC_FRAME_HEAD_BYTES + JC_PAIR_HEAD_BYTES + JC_BUNDLE_HEAD_BYTES,
	"the headroom of a bundle has room for the heads of frame, pair and bundle");

#define SECOND    INT64_C(1000000000)
#define RETURN_MS 500 /* delay until the first client reconnects */
#define CODINGS   16  /* ids have four bits */

#define CLIENT_BYTES 255

/* The best coding in common with "codings"; 0: none. */
static int read_codings(struct jc_fields *fields)
{
	const json_t *codings = NULL;
	int found = 0;

	if (!jc_fields_array(fields, "codings", CODINGS, &codings)) {
		return JC_CODING_SMALLEST_THREE;
	}
	for (size_t i = 0; i < json_array_size(codings); i++) {
		long long id = 0;

		if (!jc_json_is_integer(json_array_get(codings, i), &id) || id < 0 ||
			id >= CODINGS) {
			jc_fields_fail(fields, "codings must be a list of integers from 0 to 15");
		}
		if (id >= JC_CODING_SMALLEST_THREE && id <= JC_CODING_MODEL_CHAIN && id > found) {
			found = (int)id;
		}
	}
	return found;
}

static void on_hello(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fields fields = jc_fields_of(message);
	const char *program = json_string_value(json_object_get(message, "client"));
	int coding = read_codings(&fields);
	bool credit = false;

	jc_fields_flag(&fields, "credit", &credit);
	if (json_object_get(message, "client") && (!program || strlen(program) > CLIENT_BYTES)) {
		jc_fields_fail(&fields, "client must be text of at most 255 bytes");
	}
	if (jc_fields_refuse(&fields, client, "hello")) {
		return;
	}
	if (coding == 0) {
		jc_reply_error(client, "unsupported", "no coding in common", "hello");
		return;
	}
	if (!jc_credentials_show(client, json_object_get(message, "token"), "hello")) {
		return;
	}
	if (program && !client->greeted) {
		jc_log_write(
			client->services->log, JC_LOG_INFO, "client '%.64s' sent hello", program);
	}
	client->greeted = true;
	jc_client_identify(client);
	client->credit = credit;
	client->chains = coding >= JC_CODING_CHAIN;
	client->model_chains = coding == JC_CODING_MODEL_CHAIN;
	if (client->control->forwarder) {
		client->control->forwarder->ops->shown(client->control->forwarder, client, message);
	}
	jc_welcome_send(client, now_ns);
}

static void on_ping(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	json_t *t = json_object_get(message, "t");

	if (!json_is_number(t)) {
		jc_reply_error(client, "bad-field", "t must be a number", "ping");
		return;
	}
	json_t *pong = json_pack("{ss sO sI}", "type", "pong", "t", t, "time",
		(json_int_t)jc_clock_server_us(&client->services->spaces->clock, now_ns));
	/* "t" goes back with all its digits: the client compares it. */
	char *text = pong ? json_dumps(jc_reply_mark(client, pong), JSON_COMPACT) : NULL;

	if (text) {
		jc_session_send(client->session, text, strlen(text));
	}
	free(text);
	json_decref(pong);
}

/* One line for each type of message. */
static const struct {
	const char *type;
	bool needs_hello;
	jc_control_handler *handle;
} handlers[] = {
	{ "hello", false, on_hello },
	{ "token", true, jc_control_token },
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

/* A long type is not repeated to the client. */
static const char *ref_of(const char *type)
{
	return type && strlen(type) <= 64 ? type : NULL;
}

static void dispatch(
	struct jc_client *client, const char *type, const json_t *message, int64_t now_ns)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		if (strcmp(handlers[i].type, type) != 0) {
			continue;
		}
		if (!client->greeted && handlers[i].needs_hello) {
			jc_reply_error(client, "no-hello", "send hello first", type);
		} else {
			handlers[i].handle(client, message, now_ns);
		}
		return;
	}
	jc_reply_error(client, client->greeted ? "unknown-type" : "no-hello",
		client->greeted ? "unknown type of message" : "send hello first", ref_of(type));
}

/* jansson's own limit of nesting is far above ours. */
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

/* Whether the message goes to the origin of a relayed space. */
static bool is_forwarded(
	struct jc_client *client, const json_t *message, const char *text, size_t length)
{
	struct jc_forwarder *forwarder = client->control->forwarder;

	return forwarder && client->greeted &&
	       forwarder->ops->text(forwarder, client, message, text, length);
}

static void on_text(struct jc_session *session, const char *text, size_t length, int64_t now_ns)
{
	struct jc_client *client = session->client;
	json_t *message = length > 0 && is_shallow(text, length)
				  ? json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL)
				  : NULL;
	const char *type = json_string_value(json_object_get(message, "type"));

	if (!json_is_object(message)) {
		jc_reply_error(client, "bad-message",
			"not a JSON object, or a key stands twice in one", NULL);
	} else if (jc_reply_begin(client, ref_of(type), message)) {
		if (!type) {
			jc_reply_error(client, "bad-message", "no type", NULL);
		} else if (!is_forwarded(client, message, text, length)) {
			dispatch(client, type, message, now_ns);
		}
		jc_reply_end(client);
	}
	json_decref(message);
}

static void on_binary(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	jc_publication_receive(session->client, bytes, length, now_ns);
}

/* A client is a subscriber of spaces. */

static bool is_ready(const struct jc_subscriber *subscriber)
{
	return jc_session_is_ready(((const struct jc_client *)subscriber)->session);
}

static enum jc_delivery on_bundle(struct jc_subscriber *subscriber, uint8_t *bytes, size_t length)
{
	struct jc_client *client = (struct jc_client *)subscriber;

	return jc_session_send_binary(client->session, bytes, length) ? JC_DELIVERED : JC_CHOKED;
}

static void on_roster_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	jc_join_announce((struct jc_client *)subscriber, view, announcement);
}

static void on_shown(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	jc_subscribe_show((struct jc_client *)subscriber, view, shown, count);
}

/* A change of `props` is sent while sessions are swept, which spreads it over time. */
static void on_text_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	enum jc_space_text which, struct jc_shared_text *change)
{
	const struct jc_client *client = (const struct jc_client *)subscriber;

	(void)view;
	if (which == JC_SPACE_TEXT_REPLAYING && !client->session->close_code) {
		jc_session_send_shared(client->session, change);
	}
}

static int on_open(struct jc_session *session, int64_t now_ns)
{
	static const struct jc_subscriber_ops subscriber_ops = {
		.is_ready = is_ready,
		.bundle = on_bundle,
		.roster_changed = on_roster_changed,
		.shown = on_shown,
		.text_changed = on_text_changed,
	};
	int status = jc_client_create(session->server->options.control, session, now_ns);

	if (status == JC_OK) {
		session->client->subscriber.ops = &subscriber_ops;
	}
	return status;
}

/* The processor time of roster changes that the messages have caused. */
static int64_t take_due_ns(struct jc_session *session)
{
	struct jc_spaces *spaces = session->client->services->spaces;
	int64_t due_ns = spaces->due_ns;

	spaces->due_ns = 0;
	return due_ns;
}

static void on_drained(struct jc_session *session)
{
	jc_join_send_due_rosters(session->client);
}

static void on_sweep(struct jc_session *session, int64_t now_ns)
{
	struct jc_client *client = session->client;

	if (!client->greeted && now_ns - session->opened_ns >= JC_MAX_HELLO_SECONDS * SECOND) {
		jc_session_close(session, JC_CLOSE_POLICY, "no hello");
		return;
	}
	jc_credentials_sweep(client);
	if (!session->close_code) {
		jc_calibrate_sweep(client, now_ns);
	}
}

static void on_swept(struct jc_server *server)
{
	jc_moderate_sweep(server->options.control);
}

static void on_going_away(struct jc_session *session)
{
	struct jc_client *client = session->client;
	/* Spreads the reconnections over time, so that they do not overload the next
	 * server. A drain spreads the farewells themselves. */
	unsigned after_ms = session->server->draining
				    ? 0
				    : RETURN_MS + 1000 / JC_MAX_RETURNS_PER_SECOND *
							  client->control->farewells++;

	jc_reply_send(
		client, json_pack("{ss si}", "type", "going_away", "retryAfter", (int)after_ms));
}

static void on_leave(struct jc_session *session)
{
	struct jc_client *client = session->client;

	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (client->views[i]) {
			jc_view_leave(client->views[i]);
		}
	}
	if (client->control->forwarder) {
		client->control->forwarder->ops->left(client->control->forwarder, client);
	}
	jc_subscribe_forget_ignored(client);
	jc_publications_end(&client->publications);
	jc_calibrate_leave(client);
	jc_registry_forget(client->services->registry, client, session->serial);
}

static void on_destroy(struct jc_session *session)
{
	jc_client_destroy(session->client);
}

const struct jc_session_ops jc_control_ops = {
	.open = on_open,
	.text = on_text,
	.binary = on_binary,
	.take_due_ns = take_due_ns,
	.drained = on_drained,
	.sweep = on_sweep,
	.swept = on_swept,
	.going_away = on_going_away,
	.leave = on_leave,
	.destroy = on_destroy,
};

int jc_control_init(struct jc_control *control, const struct jc_services *services)
{
	const struct jc_calibration_saver_options calibrations = { .loop = services->loop,
		.log = services->log,
		.state = services->state,
		.on_saved = jc_calibrate_saved };

	*control = (struct jc_control){ .services = services };
	if (jc_siphash_key_init(&control->connection_key) != JC_OK) {
		return JC_ERROR_UNSUPPORTED;
	}
	if (jc_calibration_saver_create(&calibrations, &control->calibrations) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	jc_replay_report_follow(control);
	return JC_OK;
}

void jc_control_finish(struct jc_control *control)
{
	if (control->calibrations) {
		jc_replay_report_unfollow(control);
		jc_calibration_saver_destroy(control->calibrations);
	}
}
