/* Messages to frames and back, see frame.h; the connection carries the bytes. */
#include "net/web_socket.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "net/connection.h"
#include "net/server.h"

#define SECOND         INT64_C(1000000000)
#define GATHERED_BYTES 4096
#define PIECE_BYTES    16384

static struct jc_web_socket *of(struct jc_session *session)
{
	return (struct jc_web_socket *)session;
}

static bool is_choked(const struct jc_session *session)
{
	const struct jc_connection *connection =
		((const struct jc_web_socket *)session)->connection;

	return connection->is_choked || connection->phase != JC_CONNECTION_SESSION;
}

static bool write_bytes(struct jc_session *session, uint8_t *bytes, size_t length)
{
	session->server->traffic.sent_bytes += length;
	session->server->traffic.sent_messages++;
	return jc_connection_write(of(session)->connection, bytes, length);
}

/* The caller leaves room for the head of the frame before `bytes`. False: choked or lost. */
static bool write_frame(
	struct jc_session *session, uint8_t *bytes, size_t length, enum jc_frame_kind kind)
{
	if (is_choked(session)) {
		return false;
	}
	size_t head = jc_frame_put_head(bytes, length, kind);

	session->server->traffic.sent_bytes += length;
	session->server->traffic.sent_messages++;
	return jc_connection_write(of(session)->connection, bytes - head, head + length);
}

/* Writes the head of a frame into the headroom of a text; returns the bytes of the frame. */
static uint8_t *put_frame(struct jc_shared_text *text, size_t *out_length)
{
	uint8_t *payload = text->bytes + JC_SHARED_TEXT_HEADROOM;
	size_t head = jc_frame_put_head(payload, text->length, JC_FRAME_TEXT);

	*out_length = head + text->length;
	return payload - head;
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
	while (session->queue.first && !of(session)->connection->is_choked &&
		write_queued(session)) {
	}
}

/* Writes the Close frame, unless one was sent or the socket is choked. */
static void send_close(struct jc_session *session, const char *reason)
{
	uint8_t frame[JC_FRAME_HEAD_BYTES + 125];
	uint8_t *payload = frame + JC_FRAME_HEAD_BYTES;
	size_t length = 0;

	if (of(session)->close_sent || session->queue.first || is_choked(session)) {
		return;
	}
	if (session->close_code != JC_CLOSE_NO_STATUS) {
		length = 2 + strlen(reason);
		assert(length <= 125);
		payload[0] = (uint8_t)(session->close_code >> 8);
		payload[1] = (uint8_t)session->close_code;
		memcpy(payload + 2, reason, length - 2);
	}
	jc_connection_write(of(session)->connection,
		payload - jc_frame_put_head(payload, length, JC_FRAME_CLOSE),
		jc_frame_put_head(payload, length, JC_FRAME_CLOSE) + length);
	of(session)->close_sent = true;
}

static void closing(struct jc_session *session, const char *reason)
{
	of(session)->connection->deadline_ns = jc_clock_now_ns() + JC_MAX_LINGER_SECONDS * SECOND;
	send_close(session, reason);
}

static void pong(struct jc_session *session, const struct jc_frame *frame)
{
	uint8_t buffer[JC_FRAME_HEAD_BYTES + 125];

	if (session->queue.first) {
		return; /* RFC 6455, 5.5.3: answering the next ping is enough */
	}
	memcpy(buffer + JC_FRAME_HEAD_BYTES, frame->bytes, frame->length);
	write_frame(session, buffer + JC_FRAME_HEAD_BYTES, frame->length, JC_FRAME_PONG);
}

static void take(struct jc_session *session, const struct jc_frame *frame, int64_t now_ns)
{
	switch (frame->kind) {
	case JC_FRAME_CLOSE:
		of(session)->peer_closed = true;
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
		jc_session_hear(session, frame, now_ns);
		return;
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

/* Reads messages until the session has to wait. Returns the number of bytes used. */
static size_t read_messages(
	struct jc_web_socket *web_socket, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_session *session = &web_socket->session;
	int64_t begun_ns = jc_clock_thread_ns();
	size_t used = 0;

	session->server->options.session_ops->take_due_ns(session);
	while (used < length && !web_socket->broken) {
		struct jc_frame frame;
		size_t consumed;

		if (!jc_frame_reader_is_at_binary(&web_socket->reader, bytes[used]) &&
			!jc_turns_allow(&session->turn, now_ns)) {
			return used;
		}
		int code = jc_frame_read(
			&web_socket->reader, bytes + used, length - used, &consumed, &frame);

		if (code != 0) {
			web_socket->broken = true;
			jc_session_close(session, (uint16_t)code, close_reason(code));
			break;
		}
		used += consumed;
		take(session, &frame, now_ns);
		if (frame.kind != JC_FRAME_BINARY) {
			jc_session_charge(session, begun_ns);
		}
		begun_ns = jc_clock_thread_ns();
	}
	jc_frame_reader_rest(&web_socket->reader);
	return length;
}

/* Keeps bytes until the session has its turn. */
static void keep_unread(struct jc_web_socket *web_socket, const uint8_t *bytes, size_t length)
{
	uint8_t *unread = length <= JC_MAX_UNREAD_BYTES - web_socket->unread_length
				  ? realloc(web_socket->unread, web_socket->unread_length + length)
				  : NULL;

	if (!unread) {
		web_socket->broken = true;
		jc_session_close(&web_socket->session, JC_CLOSE_INTERNAL, "out of memory");
		return;
	}
	memcpy(unread + web_socket->unread_length, bytes, length);
	web_socket->unread = unread;
	web_socket->unread_length += length;
	jc_turns_wait(&web_socket->session.turn);
}

void jc_web_socket_receive(
	struct jc_web_socket *web_socket, const uint8_t *bytes, size_t length, int64_t now_ns)
{
	size_t used = 0;

	web_socket->received_ns = now_ns;
	web_socket->pinged = false;
	web_socket->session.server->traffic.received_bytes += length;
	if (!web_socket->unread) {
		used = read_messages(web_socket, bytes, length, now_ns);
	}
	if (used < length && !web_socket->broken) {
		keep_unread(web_socket, bytes + used, length - used);
	}
}

static void resume(struct jc_session *session, int64_t now_ns)
{
	struct jc_web_socket *web_socket = of(session);
	uint8_t *bytes = web_socket->unread;
	size_t length = web_socket->unread_length;
	size_t used = read_messages(web_socket, bytes, length, now_ns);

	web_socket->unread = NULL;
	web_socket->unread_length = 0;
	if (used < length && !web_socket->broken) {
		keep_unread(web_socket, bytes + used, length - used);
	}
	free(bytes);
	jc_connection_resume(web_socket->connection);
}

void jc_web_socket_writable(struct jc_web_socket *web_socket)
{
	struct jc_session *session = &web_socket->session;

	jc_session_drain(session);
	if (!session->queue.first && session->close_code) {
		send_close(session, "");
	}
}

bool jc_web_socket_sweep(struct jc_web_socket *web_socket, int64_t now_ns)
{
	struct jc_session *session = &web_socket->session;
	uint8_t ping[JC_FRAME_HEAD_BYTES + 4] = { 0 };
	int64_t silence = now_ns - web_socket->received_ns;

	jc_session_sweep(session, now_ns);
	if (session->close_code || silence < JC_PING_AFTER_SECONDS * SECOND) {
		return true;
	}
	if (!web_socket->pinged && !session->queue.first) {
		web_socket->pinged =
			write_frame(session, ping + JC_FRAME_HEAD_BYTES, 4, JC_FRAME_PING);
	}
	return silence < JC_MAX_SILENCE_SECONDS * SECOND;
}

int jc_web_socket_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_web_socket **out_web_socket)
{
	static const struct jc_carrier_ops ops = { .is_choked = is_choked,
		.write = write_frame,
		.flush = flush,
		.closing = closing,
		.resume = resume };
	struct jc_web_socket *web_socket = calloc(1, sizeof(*web_socket));
	const struct jc_carrier carrier = { .ops = &ops,
		.server = connection->server,
		.client_address = connection->client_address,
		.peer = connection->peer,
		.is_local_page = connection->is_local_page };

	if (!web_socket) {
		return JC_ERROR_MEMORY;
	}
	web_socket->connection = connection;
	web_socket->received_ns = now_ns;
	if (jc_session_init(&web_socket->session, &carrier, now_ns) != JC_OK) {
		free(web_socket);
		return JC_ERROR_MEMORY;
	}
	jc_frame_reader_init(&web_socket->reader, JC_MAX_MESSAGE_BYTES);
	*out_web_socket = web_socket;
	return JC_OK;
}

void jc_web_socket_destroy(struct jc_web_socket *web_socket)
{
	jc_session_finish(&web_socket->session);
	free(web_socket->unread);
	jc_frame_reader_finish(&web_socket->reader);
	free(web_socket);
}
