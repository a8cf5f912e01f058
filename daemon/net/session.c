/* Messages to frames and back, see frame.h; the connection carries the bytes. */
#include "net/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "control/admission.h"
#include "control/calibrate.h"
#include "control/control.h"
#include "control/join.h"
#include "control/subscribe.h"
#include "net/server_private.h"
#include "registry/registry.h"

#define SECOND         INT64_C(1000000000)
#define GATHERED_BYTES 4096
#define PIECE_BYTES    16384

_Static_assert(JC_BUNDLE_HEADROOM >= JC_FRAME_HEAD_BYTES + JC_BUNDLE_HEAD_BYTES,
	"the head of the frame stands before that of the bundle");
_Static_assert(JC_SHARED_TEXT_HEADROOM >= JC_FRAME_HEAD_BYTES,
	"the head of the frame stands before a shared text");

static bool is_choked(const struct jc_session *session)
{
	return session->queue.first || session->connection->is_choked ||
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

static void on_roster_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	jc_control_roster_changed((struct jc_session *)subscriber, view, announcement);
}

static void on_shown(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_shown *shown, size_t count)
{
	jc_control_shown((struct jc_session *)subscriber, view, shown, count);
}

static const struct jc_subscriber_ops subscriber_ops = {
	.is_ready = is_ready,
	.bundle = on_bundle,
	.roster_changed = on_roster_changed,
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
	jc_send_queue_init(&session->queue, &connection->client_address->queued,
		&connection->server->queued_bytes);
	session->opened_ns = now_ns;
	session->heard_ns = now_ns;
	jc_token_bucket_init(&session->rosters, now_ns);
	jc_token_bucket_init(&session->registrations, now_ns);
	jc_token_bucket_init(&session->openings, now_ns);
	jc_publications_init(&session->publications, now_ns);
	jc_turns_begin(session, now_ns);
	jc_frame_reader_init(&session->reader, JC_MAX_MESSAGE_BYTES);
	*out_session = session;
	return JC_OK;
}

void jc_session_destroy(struct jc_session *session)
{
	if (!session) {
		return;
	}
	assert(session->has_left);
	jc_turns_forget(session);
	jc_send_queue_finish(&session->queue);
	free(session->unread);
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		free(session->views[i]);
	}
	jc_frame_reader_finish(&session->reader);
	jc_publications_finish(&session->publications);
	jc_skeleton_asset_set_finish(&session->assets);
	free(session->grant);
	free(session);
}

/* The bytes of the frame of a text, whose head stands in its headroom. */
static uint8_t *put_frame(struct jc_shared_text *text, size_t *out_length)
{
	uint8_t *payload = text->bytes + JC_SHARED_TEXT_HEADROOM;
	size_t head = jc_frame_put_head(payload, text->length, JC_FRAME_TEXT);

	*out_length = head + text->length;
	return payload - head;
}

static bool write_bytes(struct jc_session *session, uint8_t *bytes, size_t length)
{
	session->server->traffic.sent_bytes += length;
	return jc_connection_write(session->connection, bytes, length);
}

/* As many small messages as fit one write. False: the first one is larger. */
static bool gather(struct jc_session *session, uint8_t *bytes, size_t *out_length)
{
	*out_length = 0;
	while (session->queue.first && session->queue.written == 0) {
		size_t length;
		const uint8_t *frame = put_frame(jc_send_queue_first(&session->queue), &length);

		if (length > GATHERED_BYTES - *out_length) {
			break;
		}
		memcpy(bytes + *out_length, frame, length);
		*out_length += length;
		jc_send_queue_shift(&session->queue);
	}
	return *out_length > 0;
}

/* A large message goes piece by piece: libwebsockets copies what the socket does not
 * take, and a text that many clients get must not be copied for each. */
static bool write_piece(struct jc_session *session)
{
	size_t length;
	uint8_t *frame = put_frame(jc_send_queue_first(&session->queue), &length);
	uint8_t *piece = frame + session->queue.written;
	size_t left = length - session->queue.written;
	bool is_last = left <= PIECE_BYTES;

	if (!write_bytes(session, piece, is_last ? left : PIECE_BYTES)) {
		return false;
	}
	session->queue.written += PIECE_BYTES;
	if (is_last) {
		jc_send_queue_shift(&session->queue);
	}
	return true;
}

static bool write_queued(struct jc_session *session)
{
	uint8_t gathered[GATHERED_BYTES];
	size_t length;

	return gather(session, gathered, &length) ? write_bytes(session, gathered, length)
						  : write_piece(session);
}

/* Writes what waits, as far as the socket takes it. */
static void flush(struct jc_session *session)
{
	while (session->queue.first && !session->connection->is_choked && write_queued(session)) {
	}
}

static void send_text(struct jc_session *session, struct jc_shared_text *text, bool is_own)
{
	bool waits = is_choked(session);

	if (session->close_code) {
		return;
	}
	if (!waits && text->length <= PIECE_BYTES) {
		write_frame(session, text->bytes + JC_SHARED_TEXT_HEADROOM, text->length,
			JC_FRAME_TEXT);
		return;
	}
	int status = jc_send_queue_put(&session->queue, text, is_own);

	if (status == JC_ERROR_LIMIT) {
		jc_session_close(session, JC_CLOSE_POLICY, "too slow for its control messages");
	} else if (status != JC_OK) {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
	} else if (!waits) {
		flush(session);
	}
}

void jc_session_send_shared(struct jc_session *session, struct jc_shared_text *text)
{
	session->server->sends++;
	send_text(session, text, false);
	session->server->sends--;
}

void jc_session_send(struct jc_session *session, const char *text, size_t length)
{
	struct jc_shared_text *own = jc_shared_text_create(text, length);

	session->server->sends++;
	if (own) {
		send_text(session, own, true);
	} else {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
	}
	session->server->sends--;
	jc_shared_text_drop(own);
}

void jc_session_send_roster(struct jc_session *session, struct jc_view *view)
{
	struct jc_shared_text *roster;

	view->needs_roster = session->queue.first != NULL;
	if (view->needs_roster || session->close_code) {
		return;
	}
	roster = jc_space_roster(view->fanout->space);
	if (roster) {
		jc_session_send_shared(session, roster);
	} else {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
	}
	jc_shared_text_drop(roster);
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
	assert(session->server->sends == 0);
	if (session->has_left) {
		return;
	}
	session->has_left = true;
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i]) {
			jc_view_leave(session->views[i]);
		}
	}
	jc_control_forget_ignored(session);
	jc_publications_end(&session->publications);
	jc_calibrating_leave(session);
	jc_registry_forget(session->server->options.registry, session, session->serial);
}

void jc_session_close(struct jc_session *session, uint16_t code, const char *reason)
{
	if (session->close_code) {
		return;
	}
	session->close_code = code;
	session->next_leaver = session->server->leavers;
	session->server->leavers = session;
	session->connection->deadline_ns = jc_clock_now_ns() + JC_MAX_LINGER_SECONDS * SECOND;
	send_close(session, reason);
}

/* Complete rosters wait until nothing else does, so that at most one is pending a view. */
static void send_due_rosters(struct jc_session *session)
{
	for (size_t i = 0; i < JC_MAX_VIEWS && !session->queue.first && !session->close_code; i++) {
		struct jc_view *view = session->views[i];

		if (view && view->fanout && view->needs_roster) {
			jc_control_send_roster(session, view);
		}
	}
}

void jc_session_writable(struct jc_session *session)
{
	int64_t begun_ns = session->queue.first ? jc_clock_thread_ns() : 0;

	session->server->sends++;
	flush(session);
	send_due_rosters(session);
	session->server->sends--;
	if (begun_ns > 0) {
		jc_turns_charge(session, jc_clock_thread_ns() - begun_ns);
	}
	if (!session->queue.first && session->close_code) {
		send_close(session, "");
	}
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
		if (!session->close_code) {
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

/* The cost of a message is what it took, and what the roster change will take that it
 * causes. */
static void charge(struct jc_session *session, int64_t spent_ns)
{
	struct jc_spaces *spaces = session->server->options.spaces;

	jc_turns_charge(session, spent_ns + spaces->due_ns);
	spaces->due_ns = 0;
}

/* Reads messages until the session has to wait. Returns the number of bytes used. Motion
 * is not charged here: captures have a quota of their own (publication.c). */
static size_t read_messages(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	int64_t begun_ns = jc_clock_thread_ns();
	size_t used = 0;

	session->server->options.spaces->due_ns = 0;
	while (used < length && !session->broken) {
		struct jc_frame frame;
		size_t consumed;

		if (!jc_frame_reader_is_at_binary(&session->reader, bytes[used]) &&
			!jc_turns_allow(session, now_ns)) {
			return used;
		}
		int code = jc_frame_read(
			&session->reader, bytes + used, length - used, &consumed, &frame);

		if (code != 0) {
			session->broken = true;
			jc_session_close(session, (uint16_t)code, close_reason(code));
			break;
		}
		used += consumed;
		take(session, &frame, now_ns);

		int64_t ended_ns = jc_clock_thread_ns();

		if (frame.kind != JC_FRAME_BINARY) {
			charge(session, ended_ns - begun_ns);
		}
		begun_ns = ended_ns;
	}
	jc_frame_reader_rest(&session->reader);
	return length;
}

/* Keeps bytes until the session has its turn. */
static void keep_unread(struct jc_session *session, const uint8_t *bytes, size_t length)
{
	uint8_t *unread = length <= JC_MAX_UNREAD_BYTES - session->unread_length
				  ? realloc(session->unread, session->unread_length + length)
				  : NULL;

	if (!unread) {
		session->broken = true;
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
		return;
	}
	memcpy(unread + session->unread_length, bytes, length);
	session->unread = unread;
	session->unread_length += length;
	jc_turns_wait(session);
}

void jc_session_receive(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	size_t used = 0;

	session->heard_ns = now_ns;
	session->pinged = false;
	session->server->traffic.received_bytes += length;
	if (!session->unread) {
		used = read_messages(session, bytes, length, now_ns);
	}
	if (used < length && !session->broken) {
		keep_unread(session, bytes + used, length - used);
	}
}

void jc_session_resume(struct jc_session *session, int64_t now_ns)
{
	uint8_t *bytes = session->unread;
	size_t length = session->unread_length;
	size_t used = read_messages(session, bytes, length, now_ns);

	session->unread = NULL;
	session->unread_length = 0;
	if (used < length && !session->broken) {
		keep_unread(session, bytes + used, length - used);
	}
	free(bytes);
	jc_connection_resume(session->connection);
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
