/* Messages of a client and to it, see session.h; the carrier brings them. */
#include "net/session.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "net/address_limits.h"
#include "net/server.h"

#define WHOLE_BYTES 16384 /* a longer text is in the queue while it is written */

_Static_assert(JC_SHARED_TEXT_HEADROOM >= JC_FRAME_HEAD_BYTES,
	"the headroom of a shared text has room for the head of a frame");

static const struct jc_session_ops *ops_of(const struct jc_session *session)
{
	return session->server->options.session_ops;
}

static const struct jc_carrier_ops *carrier_of(const struct jc_session *session)
{
	return session->carrier.ops;
}

static bool is_choked(const struct jc_session *session)
{
	return session->queue.first || carrier_of(session)->is_choked(session);
}

bool jc_session_is_ready(const struct jc_session *session)
{
	return !session->close_code && !is_choked(session);
}

bool jc_session_send_binary(struct jc_session *session, uint8_t *bytes, size_t length)
{
	return !session->close_code && !session->queue.first &&
	       carrier_of(session)->write(session, bytes, length, JC_FRAME_BINARY);
}

const union jc_peer *jc_session_peer(const struct jc_session *session)
{
	return &session->carrier.peer;
}

int jc_session_init(struct jc_session *session, const struct jc_carrier *carrier, int64_t now_ns)
{
	struct jc_server *server = carrier->server;
	struct jc_client_address *address = carrier->client_address;

	*session = (struct jc_session){ .carrier = *carrier,
		.serial = ++server->last_serial,
		.server = server,
		.opened_ns = now_ns };
	jc_send_queue_init(&session->queue, &address->queued, &server->queued_bytes);
	jc_turns_begin(&server->turns, &session->turn, &address->turns, now_ns);
	return ops_of(session)->open(session, now_ns);
}

void jc_session_finish(struct jc_session *session)
{
	assert(session->has_left);
	ops_of(session)->destroy(session);
	jc_turns_forget(&session->turn);
	jc_send_queue_finish(&session->queue);
}

void jc_session_hear(struct jc_session *session, const struct jc_frame *frame, int64_t now_ns)
{
	if (session->close_code) {
		return;
	}
	if (frame->kind == JC_FRAME_BINARY) {
		ops_of(session)->binary(session, frame->bytes, frame->length, now_ns);
	} else {
		ops_of(session)->text(session, (const char *)frame->bytes, frame->length, now_ns);
	}
}

void jc_session_charge(struct jc_session *session, int64_t begun_ns)
{
	int64_t due_ns = ops_of(session)->take_due_ns(session);

	jc_turns_charge(&session->turn, jc_clock_thread_ns() - begun_ns + due_ns);
}

void jc_session_resume(struct jc_turn_taker *turn, int64_t now_ns)
{
	struct jc_session *session =
		(struct jc_session *)((char *)turn - offsetof(struct jc_session, turn));

	carrier_of(session)->resume(session, now_ns);
}

static void send_text(struct jc_session *session, struct jc_shared_text *text, bool is_own)
{
	bool waits = is_choked(session);

	if (session->close_code) {
		return;
	}
	if (!waits && text->length <= WHOLE_BYTES) {
		carrier_of(session)->write(session, text->bytes + JC_SHARED_TEXT_HEADROOM,
			text->length, JC_FRAME_TEXT);
		return;
	}
	int status = jc_send_queue_put(&session->queue, text, is_own);

	if (status == JC_ERROR_LIMIT) {
		jc_session_close(session, JC_CLOSE_POLICY, "too slow for its control messages");
	} else if (status != JC_OK) {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
	} else if (!waits) {
		carrier_of(session)->flush(session);
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
	carrier_of(session)->closing(session, reason);
}

void jc_session_drain(struct jc_session *session)
{
	int64_t begun_ns = session->queue.first ? jc_clock_thread_ns() : 0;

	session->server->sends++;
	if (session->queue.first) {
		carrier_of(session)->flush(session);
	}
	ops_of(session)->drained(session);
	session->server->sends--;
	if (begun_ns > 0) {
		jc_turns_charge(&session->turn, jc_clock_thread_ns() - begun_ns);
	}
}

void jc_session_sweep(struct jc_session *session, int64_t now_ns)
{
	if (!session->close_code) {
		ops_of(session)->sweep(session, now_ns);
	}
}
