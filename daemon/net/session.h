/* One WebSocket: the state of a client and the messages that wait for it. Motion is
 * written straight from the tick; control messages go the same way, or wait in a small
 * queue while the socket is choked.
 *
 * RULE: no send changes what its caller walks. A send may find that its session has to
 * close; jc_session_close then only marks the session, and everything that ends with it
 * (views, publications, what it ignores) ends in jc_server_settle, once the event is
 * over. So every caller may send inside a loop over connections, views, bodies or
 * publications, and may use the session after a send. jc_session_leave asserts this. */
#ifndef JC_SESSION_H
#define JC_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/frame.h"
#include "net/send_queue.h"
#include "net/turns.h"

struct jc_client;
struct jc_connection;
struct jc_server;
struct jc_session;
struct jc_shared_text;
union jc_peer;

/* Calls of a session; implemented by control/control.c. */
struct jc_session_ops {
	/* The session begins: sets session->client. Returns 0 or JC_ERROR_MEMORY. */
	int (*open)(struct jc_session *session, int64_t now_ns);
	/* One message from the client. */
	void (*text)(struct jc_session *session, const char *text, size_t length, int64_t now_ns);
	void (*binary)(
		struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns);
	/* Processor time that messages since the last call will take later, in the tick. */
	int64_t (*take_due_ns)(struct jc_session *session);
	/* The send queue may be empty: sends messages that waited for this. */
	void (*drained)(struct jc_session *session);
	/* A few times a second, while the session is not closing; it may close it. */
	void (*sweep)(struct jc_session *session, int64_t now_ns);
	/* After the sweep of all connections of the server. */
	void (*swept)(struct jc_server *server);
	/* The server stops; the session is closed after this. */
	void (*going_away)(struct jc_session *session);
	/* The session has closed: ends its views, publications and other state. */
	void (*leave)(struct jc_session *session);
	/* Frees session->client, after leave. */
	void (*destroy)(struct jc_session *session);
};

struct jc_session {
	uint64_t serial;                  /* never another's */
	struct jc_server *server;         /* borrowed */
	struct jc_connection *connection; /* borrowed: it owns the session */
	struct jc_client *client;         /* state of the control protocol, which owns it */
	struct jc_frame_reader reader;
	struct jc_send_queue queue; /* control messages that wait */
	struct jc_turn_taker turn;
	/* Bytes that wait for the session's turn (turns.h). */
	uint8_t *unread; /* owned; NULL: none */
	size_t unread_length;
	int64_t opened_ns;
	int64_t received_ns; /* time of the last received bytes */
	bool pinged;
	uint16_t close_code;            /* not 0: closing, nothing more is sent */
	bool has_left;                  /* see jc_session_leave */
	struct jc_session *next_leaver; /* of the server's list */
	bool close_sent;
	bool peer_closed;
	bool broken; /* a protocol error: further bytes are not read */
};

int jc_session_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_session **out_session);
void jc_session_destroy(struct jc_session *session); /* NULL is fine */

/* Bytes from the socket. */
void jc_session_receive(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns);

/* The session that takes turns has its turn: it reads what waits. */
void jc_session_resume(struct jc_turn_taker *turn, int64_t now_ns);

/* The socket takes bytes again. */
void jc_session_writable(struct jc_session *session);

/* Pings after silence. False when the silence was too long. */
bool jc_session_sweep(struct jc_session *session, int64_t now_ns);

/* One text message, now or as soon as the socket takes it. */
void jc_session_send(struct jc_session *session, const char *text, size_t length);

/* The same of a text that other clients get too: it is not copied. */
void jc_session_send_shared(struct jc_session *session, struct jc_shared_text *text);

/* Sends a binary message now or drops it, because a newer one will replace it. The bytes have
 * JC_FRAME_HEAD_BYTES of room before them. False: not sent. */
bool jc_session_send_binary(struct jc_session *session, uint8_t *bytes, size_t length);

/* Whether jc_session_send_binary can send now. */
bool jc_session_is_ready(const struct jc_session *session);

/* The address of the client. */
const union jc_peer *jc_session_peer(const struct jc_session *session);

/* The views, publications and requests of a session that is closing end. Only the server
 * calls this, when no event is under way; see the rule above. */
void jc_session_leave(struct jc_session *session);

/* Begins the closing handshake; the connection ends when it is answered or
 * its deadline comes. A second call changes nothing. */
void jc_session_close(struct jc_session *session, uint16_t code, const char *reason);

#endif
