/* Messages to frames and back, see frame.h; the connection carries the bytes. */
#include "net/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/admission.h"
#include "net/calibrate_control.h"
#include "net/control.h"
#include "net/roster_control.h"
#include "net/server_private.h"
#include "net/view_control.h"
#include "registry/registry.h"

#define SECOND         INT64_C(1000000000)
#define GATHERED_BYTES 4096

_Static_assert(JC_BUNDLE_HEADROOM >= JC_FRAME_HEAD_BYTES + JC_BUNDLE_HEAD_BYTES,
	"the head of the frame stands before that of the bundle");

struct jc_message {
	struct jc_message *next;
	size_t length;
	struct jc_outfit *outfit; /* worn; its message is the text; NULL: the text is here */
	uint8_t bytes[];          /* JC_FRAME_HEAD_BYTES of headroom, then the text */
};

static bool is_choked(const struct jc_session *session)
{
	return session->queue || session->connection->is_choked ||
	       session->connection->phase != JC_CONNECTION_SESSION;
}

/* The bytes have room for a head before them. */
static bool write_frame(
	struct jc_session *session, uint8_t *bytes, size_t length, enum jc_frame_kind kind)
{
	size_t head = jc_frame_put_head(bytes, length, kind);

	session->server->traffic.sent_bytes += length;
	return jc_connection_write(session->connection, bytes - head, head + length);
}

static bool is_ready(const struct jc_subscriber *subscriber)
{
	const struct jc_session *session = (const struct jc_session *)subscriber;

	return !session->close_code && !is_choked(session);
}

static enum jc_delivery on_bundle(struct jc_subscriber *subscriber, uint8_t *bytes, size_t length)
{
	struct jc_session *session = (struct jc_session *)subscriber;

	if (!is_ready(subscriber)) {
		return JC_CHOKED;
	}
	return write_frame(session, bytes, length, JC_FRAME_BINARY) ? JC_DELIVERED : JC_CHOKED;
}

static void on_body_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_body *body, bool joined)
{
	jc_control_body_changed((struct jc_session *)subscriber, view, body, joined);
}

static void on_body_left(struct jc_subscriber *subscriber, struct jc_view *view, uint32_t id)
{
	jc_control_body_left((struct jc_session *)subscriber, view, id);
}

static void on_recorded(struct jc_subscriber *subscriber, struct jc_view *view)
{
	jc_control_recorded((struct jc_session *)subscriber, view);
}

static void on_shown(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	jc_control_shown((struct jc_session *)subscriber, view, shown, count);
}

static const struct jc_subscriber_ops subscriber_ops = {
	.is_ready = is_ready,
	.bundle = on_bundle,
	.body_changed = on_body_changed,
	.body_left = on_body_left,
	.recorded = on_recorded,
	.shown = on_shown,
};

int jc_session_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_session **out_session)
{
	struct jc_session *session = calloc(1, sizeof(*session));

	if (!session) {
		return JC_ERROR_MEMORY;
	}
	session->subscriber.ops = &subscriber_ops;
	session->server = connection->server;
	session->serial = ++connection->server->last_serial;
	session->connection = connection;
	session->queue_end = &session->queue;
	session->opened_ns = now_ns;
	session->heard_ns = now_ns;
	jc_allowance_init(&session->messages, now_ns);
	jc_allowance_init(&session->rosters, now_ns);
	jc_allowance_init(&session->viewpoints, now_ns);
	jc_allowance_init(&session->registrations, now_ns);
	jc_allowance_init(&session->openings, now_ns);
	jc_allowance_init(&session->places, now_ns);
	jc_publications_init(&session->publications, now_ns);
	jc_frame_reader_init(&session->reader, JC_MAX_MESSAGE_BYTES);
	*out_session = session;
	return JC_OK;
}

/* NULL: out of memory. */
static struct jc_message *make_message(const char *text, size_t length)
{
	struct jc_message *message = malloc(sizeof(*message) + JC_FRAME_HEAD_BYTES + length);

	if (message) {
		message->next = NULL;
		message->length = length;
		message->outfit = NULL;
		memcpy(message->bytes + JC_FRAME_HEAD_BYTES, text, length);
	}
	return message;
}

static void free_message(struct jc_message *message)
{
	if (message->outfit) {
		jc_outfit_take_off(message->outfit);
	}
	free(message);
}

static struct jc_message *shift(struct jc_session *session)
{
	struct jc_message *message = session->queue;

	session->queue = message->next;
	if (!session->queue) {
		session->queue_end = &session->queue;
	}
	session->queue_length--;
	session->queue_bytes -= message->length;
	return message;
}

void jc_session_destroy(struct jc_session *session)
{
	if (!session) {
		return;
	}
	while (session->queue) {
		free_message(shift(session));
	}
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		free(session->views[i]);
	}
	jc_frame_reader_finish(&session->reader);
	jc_publications_finish(&session->publications);
	jc_outfit_set_finish(&session->outfits);
	free(session->grant);
	free(session);
}

/* False: the session ends, for there is none. */
static bool make_room(struct jc_session *session, size_t length)
{
	if (session->queue_length == JC_MAX_QUEUED_MESSAGES) {
		jc_session_writable(session); /* it may be that they are only gathered */
	}
	if (session->queue_length == JC_MAX_QUEUED_MESSAGES ||
		length > JC_MAX_QUEUED_BYTES - session->queue_bytes) {
		jc_session_close(session, JC_CLOSE_POLICY, "too slow for its control messages");
		return false;
	}
	return true;
}

static bool has_to_wait(const struct jc_session *session)
{
	return is_choked(session) || session->server->gathers;
}

/* NULL: out of memory. */
static void enqueue(struct jc_session *session, struct jc_message *message)
{
	if (!message) {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
		return;
	}
	*session->queue_end = message;
	session->queue_end = &message->next;
	session->queue_length++;
	session->queue_bytes += message->length;
}

void jc_session_send(struct jc_session *session, const char *text, size_t length)
{
	if (session->close_code || !make_room(session, length)) {
		return;
	}
	struct jc_message *message = make_message(text, length);

	if (message && !has_to_wait(session)) {
		write_frame(session, message->bytes + JC_FRAME_HEAD_BYTES, length, JC_FRAME_TEXT);
		free(message);
	} else {
		enqueue(session, message);
	}
}

void jc_session_send_outfit(struct jc_session *session, struct jc_outfit *outfit)
{
	size_t length = outfit->message_length;

	if (!has_to_wait(session)) {
		jc_session_send(session, outfit->message, length);
	} else if (!session->close_code && make_room(session, length)) {
		struct jc_message *message = make_message("", 0);

		if (message) {
			message->length = length;
			message->outfit = jc_outfit_wear(outfit);
		}
		enqueue(session, message);
	}
}

/* Writes the Close frame if nothing is in its way. */
static void send_close(struct jc_session *session, const char *reason)
{
	uint8_t frame[JC_FRAME_HEAD_BYTES + 125];
	uint8_t *payload = frame + JC_FRAME_HEAD_BYTES;
	size_t length = 0;

	if (session->close_sent || is_choked(session)) {
		return;
	}
	if (session->close_code != JC_CLOSE_NO_STATUS) {
		length = 2 + strlen(reason);
		assert(length <= 125);
		payload[0] = (uint8_t)(session->close_code >> 8);
		payload[1] = (uint8_t)session->close_code;
		memcpy(payload + 2, reason, length - 2);
	}
	jc_connection_write(session->connection,
		payload - jc_frame_put_head(payload, length, JC_FRAME_CLOSE),
		jc_frame_put_head(payload, length, JC_FRAME_CLOSE) + length);
	session->close_sent = true;
}

void jc_session_leave(struct jc_session *session)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i]) {
			jc_view_leave(session->views[i]);
		}
	}
	jc_control_forget_ignored(session);
	jc_publications_end(&session->publications);
	jc_calibrating_leave(session);
	jc_registry_forget(session->server->options.registry, session);
}

void jc_session_close(struct jc_session *session, uint16_t code, const char *reason)
{
	if (session->close_code) {
		return;
	}
	session->close_code = code;
	jc_session_leave(session);
	session->connection->deadline_ns = jc_clock_now_ns() + JC_MAX_LINGER_SECONDS * SECOND;
	send_close(session, reason);
}

/* The next message with its own text; NULL: out of memory. */
static struct jc_message *shift_text(struct jc_session *session)
{
	struct jc_message *message = shift(session);

	if (!message->outfit) {
		return message;
	}
	struct jc_message *copy = make_message(message->outfit->message, message->length);

	free_message(message);
	return copy;
}

/* What fits one write, or one message that does not. */
static bool write_queued(struct jc_session *session)
{
	uint8_t gathered[GATHERED_BYTES];
	size_t length = 0;

	while (session->queue && !session->queue->outfit &&
		length + JC_FRAME_HEAD_BYTES + session->queue->length <= sizeof(gathered)) {
		struct jc_message *message = shift(session);
		uint8_t *bytes = message->bytes + JC_FRAME_HEAD_BYTES;
		size_t head = jc_frame_put_head(bytes, message->length, JC_FRAME_TEXT);

		memcpy(gathered + length, bytes - head, head + message->length);
		length += head + message->length;
		session->server->traffic.sent_bytes += message->length;
		free(message);
	}
	if (length > 0) {
		return jc_connection_write(session->connection, gathered, length);
	}
	struct jc_message *message = shift_text(session);

	if (!message) {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
		return false;
	}
	bool written = write_frame(
		session, message->bytes + JC_FRAME_HEAD_BYTES, message->length, JC_FRAME_TEXT);

	free(message);
	return written;
}

void jc_session_writable(struct jc_session *session)
{
	while (session->queue && !session->connection->is_choked) {
		if (!write_queued(session)) {
			return;
		}
	}
	if (!session->queue && session->close_code) {
		send_close(session, "");
	}
}

static bool spend(struct jc_session *session, int64_t now_ns)
{
	return jc_allowance_spend(&session->messages, 1, JC_MAX_MESSAGES_PER_SECOND, now_ns);
}

static void pong(struct jc_session *session, const struct jc_frame *frame)
{
	uint8_t buffer[JC_FRAME_HEAD_BYTES + 125];

	if (is_choked(session)) {
		return; /* 5.5.3: the next ping will do as well */
	}
	memcpy(buffer + JC_FRAME_HEAD_BYTES, frame->bytes, frame->length);
	write_frame(session, buffer + JC_FRAME_HEAD_BYTES, frame->length, JC_FRAME_PONG);
}

static void take(struct jc_session *session, const struct jc_frame *frame, int64_t now_ns)
{
	switch (frame->kind) {
	case JC_FRAME_CLOSE:
		session->peer_closed = true;
		jc_session_close(session, frame->close_code, "");
		return;
	case JC_FRAME_PONG:
	case JC_FRAME_NONE:
		return;
	case JC_FRAME_PING:
		if (!session->close_code && spend(session, now_ns)) {
			pong(session, frame);
		}
		return;
	case JC_FRAME_TEXT:
	case JC_FRAME_BINARY:
		break;
	}
	if (session->close_code) {
		return;
	}
	if (frame->kind == JC_FRAME_BINARY) {
		jc_publications_receive(session, frame->bytes, frame->length, now_ns);
	} else if (!spend(session, now_ns)) {
		jc_control_error(session, "too-many", "too many messages a second", NULL);
	} else {
		jc_control_receive(session, (const char *)frame->bytes, frame->length, now_ns);
	}
}

static const char *close_reason(int code)
{
	switch (code) {
	case JC_CLOSE_NOT_UTF8:
		return "text that is not UTF-8";
	case JC_CLOSE_TOO_BIG:
		return "a message larger than limits.message";
	case JC_CLOSE_INTERNAL:
		return "out of memory";
	default:
		return "not a frame of RFC 6455";
	}
}

void jc_session_receive(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	session->heard_ns = now_ns;
	session->pinged = false;
	session->server->traffic.received_bytes += length;
	while (length > 0 && !session->broken) {
		struct jc_frame frame;
		size_t consumed;
		int code = jc_frame_read(&session->reader, bytes, length, &consumed, &frame);

		if (code != 0) {
			session->broken = true;
			jc_session_close(session, (uint16_t)code, close_reason(code));
			break;
		}
		bytes += consumed;
		length -= consumed;
		take(session, &frame, now_ns);
	}
	jc_frame_reader_rest(&session->reader);
}

bool jc_session_sweep(struct jc_session *session, int64_t now_ns)
{
	uint8_t ping[JC_FRAME_HEAD_BYTES + 4] = { 0 };
	int64_t silence = now_ns - session->heard_ns;

	if (!session->greeted && now_ns - session->opened_ns >= JC_MAX_HELLO_SECONDS * SECOND) {
		jc_session_close(session, JC_CLOSE_POLICY, "no hello");
	}
	if (!session->close_code) {
		jc_admission_sweep(session);
	}
	if (!session->close_code) {
		jc_calibrating_sweep(session, now_ns);
	}
	if (session->close_code || silence < JC_PING_AFTER_SECONDS * SECOND) {
		return true;
	}
	if (!session->pinged && !is_choked(session)) {
		session->pinged = true;
		write_frame(session, ping + JC_FRAME_HEAD_BYTES, 4, JC_FRAME_PING);
	}
	return silence < JC_MAX_SILENCE_SECONDS * SECOND;
}
