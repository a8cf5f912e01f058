/* Carries a session through NATS. There is no queue to the edge here: what NATS does not take at
 * once ends the session, and what waits for the session's turn is bounded. */
#include "cluster/session/relayed_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "cluster/subjects.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "net/server.h"

/* Owned by its session. */
struct jc_unread_message {
	struct jc_unread_message *next;
	enum jc_frame_kind kind;
	size_t length;
	uint8_t bytes[];
};

static struct jc_relayed_session *of(struct jc_session *session)
{
	return (struct jc_relayed_session *)session;
}

static bool send_message(struct jc_relayed_session *relayed, enum jc_session_message_kind kind,
	const uint8_t *payload, size_t length)
{
	const struct jc_session_message message = { .kind = kind,
		.number = relayed->number,
		.sequence = relayed->sent,
		.payload = payload,
		.length = length };

	if (relayed->is_ended ||
		jc_session_sender_send(relayed->sender, relayed->subject, &message) != JC_OK) {
		return false;
	}
	relayed->sent++;
	return true;
}

static bool is_choked(const struct jc_session *session)
{
	(void)session;
	return false;
}

static bool write_message(
	struct jc_session *session, uint8_t *bytes, size_t length, enum jc_frame_kind kind)
{
	if (send_message(of(session), kind == JC_FRAME_TEXT ? JC_SESSION_TEXT : JC_SESSION_BINARY,
		    bytes, length)) {
		return true;
	}
	jc_session_close(session, JC_CLOSE_GOING_AWAY, "a message is lost");
	return false;
}

static void flush(struct jc_session *session)
{
	while (session->queue.first) {
		struct jc_shared_text *text = jc_send_queue_first(&session->queue);

		write_message(session, text->bytes + JC_SHARED_TEXT_HEADROOM, text->length,
			JC_FRAME_TEXT);
		jc_send_queue_shift(&session->queue);
	}
}

static void closing(struct jc_session *session, const char *reason)
{
	struct jc_relayed_session *relayed = of(session);
	const struct jc_session_message message = { .number = relayed->number,
		.sequence = relayed->sent };

	if (!relayed->is_ended) {
		jc_session_sender_close(
			relayed->sender, relayed->subject, &message, session->close_code, reason);
	}
	relayed->is_ended = true;
}

static void hear(struct jc_relayed_session *relayed, enum jc_frame_kind kind, const uint8_t *bytes,
	size_t length, int64_t now_ns)
{
	struct jc_session *session = &relayed->session;
	int64_t begun_ns = jc_clock_thread_ns();

	session->server->options.session_ops->take_due_ns(session);
	jc_session_hear(session,
		&(struct jc_frame){ .kind = kind, .bytes = bytes, .length = length }, now_ns);
	if (kind == JC_FRAME_TEXT) {
		jc_session_charge(session, begun_ns);
	}
}

static struct jc_unread_message *shift(struct jc_relayed_session *relayed)
{
	struct jc_unread_message *message = relayed->first;

	relayed->first = message->next;
	if (!relayed->first) {
		relayed->end = &relayed->first;
	}
	relayed->unread_bytes -= sizeof(*message) + message->length;
	relayed->edge->unread_bytes -= sizeof(*message) + message->length;
	return message;
}

static void resume(struct jc_session *session, int64_t now_ns)
{
	struct jc_relayed_session *relayed = of(session);

	while (relayed->first && (relayed->first->kind == JC_FRAME_BINARY ||
					 jc_turns_allow(&session->turn, now_ns))) {
		struct jc_unread_message *message = shift(relayed);

		hear(relayed, message->kind, message->bytes, message->length, now_ns);
		free(message);
	}
	if (relayed->first) {
		jc_turns_wait(&session->turn);
	}
}

/* Keeps a message until the session has its turn. */
static void keep(struct jc_relayed_session *relayed, enum jc_frame_kind kind, const uint8_t *bytes,
	size_t length)
{
	size_t size = sizeof(struct jc_unread_message) + length;
	bool fits = size <= JC_MAX_RELAYED_UNREAD_BYTES - relayed->unread_bytes &&
		    relayed->edge->unread_bytes <= JC_MAX_RELAYED_UNREAD_BYTES_OF_EDGE;
	struct jc_unread_message *message = fits ? malloc(size) : NULL;

	if (!message && kind == JC_FRAME_BINARY) {
		return; /* the next capture replaces it */
	}
	if (!message) {
		jc_session_close(&relayed->session, JC_CLOSE_POLICY,
			fits ? "out of memory" : "too many messages wait");
		return;
	}
	*message = (struct jc_unread_message){ .kind = kind, .length = length };
	memcpy(message->bytes, bytes, length);
	*relayed->end = message;
	relayed->end = &message->next;
	relayed->unread_bytes += size;
	relayed->edge->unread_bytes += size;
	jc_turns_wait(&relayed->session.turn);
}

static void receive(struct jc_relayed_session *relayed, enum jc_frame_kind kind,
	const uint8_t *bytes, size_t length, int64_t now_ns)
{
	struct jc_session *session = &relayed->session;
	struct jc_client_address *address = session->carrier.client_address;

	if (length > JC_MAX_MESSAGE_BYTES) {
		jc_session_close(session, JC_CLOSE_TOO_BIG, "a message larger than limits.message");
	} else if (!jc_token_bucket_spend(
			   &relayed->bytes, (int64_t)length, JC_MAX_BYTES_PER_SECOND, now_ns) ||
		   !jc_token_bucket_spend(
			   &address->bytes, (int64_t)length, JC_MAX_BYTES_PER_ADDRESS, now_ns)) {
		jc_session_close(session, JC_CLOSE_POLICY, "too many bytes");
	} else if (relayed->first ||
		   (kind == JC_FRAME_TEXT && !jc_turns_allow(&session->turn, now_ns))) {
		keep(relayed, kind, bytes, length);
	} else {
		hear(relayed, kind, bytes, length, now_ns);
	}
}

void jc_relayed_session_receive(struct jc_relayed_session *relayed,
	const struct jc_session_message *message, int64_t now_ns)
{
	struct jc_session *session = &relayed->session;

	if (session->close_code) {
		return;
	}
	if (message->kind == JC_SESSION_CLOSE) {
		relayed->is_ended = true;
		jc_session_close(session, JC_CLOSE_GOING_AWAY, "");
		return;
	}
	if (message->sequence != relayed->received) {
		jc_session_close(session, JC_CLOSE_GOING_AWAY, "a message is lost");
		return;
	}
	relayed->unlisted = 0;
	relayed->received++;
	receive(relayed, message->kind == JC_SESSION_TEXT ? JC_FRAME_TEXT : JC_FRAME_BINARY,
		message->payload, message->length, now_ns);
}

void jc_relayed_session_confirm(struct jc_relayed_session *relayed, uint32_t sent)
{
	relayed->unlisted = 0;
	if (sent != relayed->received && !relayed->session.close_code) {
		jc_session_close(&relayed->session, JC_CLOSE_GOING_AWAY, "a message is lost");
	}
}

void jc_relayed_session_lose(struct jc_relayed_session *relayed)
{
	relayed->is_ended = true;
	jc_session_close(&relayed->session, JC_CLOSE_GOING_AWAY, "");
}

int jc_relayed_session_create(
	const struct jc_relayed_session_options *options, struct jc_relayed_session **out_relayed)
{
	static const struct jc_carrier_ops ops = { .is_choked = is_choked,
		.write = write_message,
		.flush = flush,
		.closing = closing,
		.resume = resume };
	struct jc_carrier carrier = { .ops = &ops,
		.server = options->server,
		.peer = options->open->peer,
		.is_local_page = options->open->is_local_page,
		.is_relayed = true,
		.party = options->open->party };
	struct jc_relayed_session *relayed = calloc(1, sizeof(*relayed));
	int status = relayed ? jc_server_enter(options->server, &options->open->peer, options->via,
				       &carrier.client_address)
			     : JC_ERROR_MEMORY;

	if (status != JC_OK) {
		goto free_session;
	}
	relayed->sender = options->sender;
	relayed->edge = options->edge;
	relayed->number = options->number;
	relayed->received = 1; /* OPEN was 0 */
	relayed->end = &relayed->first;
	strcpy(relayed->space, options->space);
	jc_subject_of_edge(options->space, JC_SUBJECT_DOWN, options->edge->name, relayed->subject);
	jc_token_bucket_init(&relayed->bytes, options->now_ns);
	status = jc_session_init(&relayed->session, &carrier, options->now_ns);
	if (status != JC_OK) {
		goto release_address;
	}
	relayed->edge->count++;
	send_message(relayed, JC_SESSION_OPENED, NULL, 0);
	*out_relayed = relayed;
	return JC_OK;

release_address:
	jc_server_release(options->server, carrier.client_address);
free_session:
	free(relayed);
	return status;
}

void jc_relayed_session_destroy(struct jc_relayed_session *relayed)
{
	struct jc_session *session = &relayed->session;

	while (relayed->first) {
		free(shift(relayed));
	}
	jc_session_finish(session);
	jc_server_release(session->server, session->carrier.client_address);
	relayed->edge->count--;
	free(relayed);
}
