/* Messages to frames and back, see frame.h; the connection carries the bytes. */
#include "net/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "net/connection.h"
#include "net/server.h"

#define SECOND         INT64_C(1000000000)
#define GATHERED_BYTES 4096
#define PIECE_BYTES    16384

_Static_assert(JC_SHARED_TEXT_HEADROOM >= JC_FRAME_HEAD_BYTES,
	"the headroom of a shared text has room for the head of a frame");

static const struct jc_session_ops *ops_of(const struct jc_session *session)
{
	return session->server->options.session_ops;
}

static bool is_choked(const struct jc_session *session)
{
	return session->queue.first || session->connection->is_choked ||
	       session->connection->phase != JC_CONNECTION_SESSION;
}

/* The caller leaves room for the head of the frame before `bytes`. */
static bool write_frame(
	struct jc_session *session, uint8_t *bytes, size_t length, enum jc_frame_kind kind)
{
	size_t head = jc_frame_put_head(bytes, length, kind);

	session->server->traffic.sent_bytes += length;
	return jc_connection_write(session->connection, bytes - head, head + length);
}

bool jc_session_is_ready(const struct jc_session *session)
{
	return !session->close_code && !is_choked(session);
}

bool jc_session_send_binary(struct jc_session *session, uint8_t *bytes, size_t length)
{
	return jc_session_is_ready(session) && write_frame(session, bytes, length, JC_FRAME_BINARY);
}

const union jc_peer *jc_session_peer(const struct jc_session *session)
{
	return &session->connection->peer;
}

int jc_session_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_session **out_session)
{
	struct jc_session *session = calloc(1, sizeof(*session));

	if (!session) {
		return JC_ERROR_MEMORY;
	}
	session->server = connection->server;
	session->serial = ++connection->server->last_serial;
	session->connection = connection;
	jc_send_queue_init(&session->queue, &connection->client_address->queued,
		&connection->server->queued_bytes);
	session->opened_ns = now_ns;
	session->received_ns = now_ns;
	jc_turns_begin(&connection->server->turns, &session->turn,
		&connection->client_address->turns, now_ns);
	jc_frame_reader_init(&session->reader, JC_MAX_MESSAGE_BYTES);
	if (ops_of(session)->open(session, now_ns) != JC_OK) {
		free(session);
		return JC_ERROR_MEMORY;
	}
	*out_session = session;
	return JC_OK;
}

void jc_session_destroy(struct jc_session *session)
{
	if (!session) {
		return;
	}
	assert(session->has_left);
	ops_of(session)->destroy(session);
	jc_turns_forget(&session->turn);
	jc_send_queue_finish(&session->queue);
	free(session->unread);
	jc_frame_reader_finish(&session->reader);
	free(session);
}

/* Writes the head of a frame into the headroom of a text; returns the bytes of the frame. */
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

/* Writes queued messages as far as the socket takes them. */
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

/* Writes the Close frame, unless one was sent or the socket is choked. */
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
	ops_of(session)->leave(session);
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

void jc_session_writable(struct jc_session *session)
{
	int64_t begun_ns = session->queue.first ? jc_clock_thread_ns() : 0;

	session->server->sends++;
	flush(session);
	ops_of(session)->drained(session);
	session->server->sends--;
	if (begun_ns > 0) {
		jc_turns_charge(&session->turn, jc_clock_thread_ns() - begun_ns);
	}
	if (!session->queue.first && session->close_code) {
		send_close(session, "");
	}
}

static void pong(struct jc_session *session, const struct jc_frame *frame)
{
	uint8_t buffer[JC_FRAME_HEAD_BYTES + 125];

	if (is_choked(session)) {
		return; /* RFC 6455, 5.5.3: answering the next ping is enough */
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
		ops_of(session)->binary(session, frame->bytes, frame->length, now_ns);
	} else {
		ops_of(session)->text(session, (const char *)frame->bytes, frame->length, now_ns);
	}
}

static const char *close_reason(int code)
{
	switch (code) {
	case JC_CLOSE_NOT_UTF8:
		return "a text message that is not UTF-8";
	case JC_CLOSE_TOO_BIG:
		return "a message larger than limits.message";
	case JC_CLOSE_INTERNAL:
		return "out of memory";
	default:
		return "an invalid WebSocket frame";
	}
}

/* Reads messages until the session has to wait. Returns the number of bytes used. Motion
 * is not charged here: captures have a limit of their own (control/publication.c). */
static size_t read_messages(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	int64_t begun_ns = jc_clock_thread_ns();
	size_t used = 0;

	ops_of(session)->take_due_ns(session);
	while (used < length && !session->broken) {
		struct jc_frame frame;
		size_t consumed;

		if (!jc_frame_reader_is_at_binary(&session->reader, bytes[used]) &&
			!jc_turns_allow(&session->turn, now_ns)) {
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
			jc_turns_charge(&session->turn,
				ended_ns - begun_ns + ops_of(session)->take_due_ns(session));
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
	jc_turns_wait(&session->turn);
}

void jc_session_receive(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	size_t used = 0;

	session->received_ns = now_ns;
	session->pinged = false;
	session->server->traffic.received_bytes += length;
	if (!session->unread) {
		used = read_messages(session, bytes, length, now_ns);
	}
	if (used < length && !session->broken) {
		keep_unread(session, bytes + used, length - used);
	}
}

void jc_session_resume(struct jc_turn_taker *turn, int64_t now_ns)
{
	struct jc_session *session =
		(struct jc_session *)((char *)turn - offsetof(struct jc_session, turn));
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
	int64_t silence = now_ns - session->received_ns;

	if (!session->close_code) {
		ops_of(session)->sweep(session, now_ns);
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
