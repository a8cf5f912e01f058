/* The session of a client: its state, and the messages that wait for it. A carrier brings the
 * messages: a WebSocket (net/web_socket.h), or another process (daemon/cluster). Motion is
 * written straight from the tick; control messages go the same way, or wait in a small
 * queue while the carrier is choked.
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
#include "net/listener.h"
#include "net/send_queue.h"
#include "net/turns.h"

struct jc_client;
struct jc_client_address;
struct jc_server;
struct jc_session;
struct jc_shared_text;

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

/* Calls to what carries a session. They change nothing that the caller of a send walks: a carrier
 * that is lost closes its session (jc_session_close) and ends after the event. */
struct jc_carrier_ops {
	/* Whether it takes no message now. */
	bool (*is_choked)(const struct jc_session *session);
	/* Takes a text or binary message. The bytes have JC_FRAME_HEAD_BYTES of room before
	 * them. False: the carrier is choked or lost. */
	bool (*write)(
		struct jc_session *session, uint8_t *bytes, size_t length, enum jc_frame_kind kind);
	/* Takes texts of the queue, which has one, until the carrier is choked. */
	void (*flush)(struct jc_session *session);
	/* The session closes: informs the other end, and ends soon. */
	void (*closing)(struct jc_session *session, const char *reason);
	/* The session that waited for its turn has it: it hears what waits. */
	void (*resume)(struct jc_session *session, int64_t now_ns);
};

/* Where a session comes from. */
struct jc_carrier {
	const struct jc_carrier_ops *ops;
	struct jc_server *server;                 /* borrowed */
	struct jc_client_address *client_address; /* borrowed: it outlives the session */
	union jc_peer peer;                       /* the address of the client */
	/* The client is a page of a loopback origin, which may only watch and publish. */
	bool is_local_page;
	/* The messages come through an edge, which also serves the motion. */
	bool is_relayed;
	/* The party of the client without a token, as its edge has it (space/people/people.h); 0:
	 * none. */
	uint64_t party;
};

/* The first member of its carrier's struct. */
struct jc_session {
	uint64_t serial; /* never another's */
	struct jc_carrier carrier;
	struct jc_server *server;   /* borrowed */
	struct jc_client *client;   /* state of the control protocol, which owns it */
	struct jc_send_queue queue; /* control messages that wait */
	struct jc_turn_taker turn;
	int64_t opened_ns;
	uint16_t close_code;            /* not 0: closing, nothing more is sent */
	bool has_left;                  /* see jc_session_leave */
	struct jc_session *next_leaver; /* of the server's list */
};

/* Begins a session. Returns 0 or JC_ERROR_MEMORY: then there is nothing to finish. */
int jc_session_init(struct jc_session *session, const struct jc_carrier *carrier, int64_t now_ns);

/* After jc_session_leave. */
void jc_session_finish(struct jc_session *session);

/* A text or binary message of the client; a text only where jc_turns_allow permits one. */
void jc_session_hear(struct jc_session *session, const struct jc_frame *frame, int64_t now_ns);

/* Charges the processor time since `begun_ns` (jc_clock_thread_ns), and what the messages since the
 * last call will take later. */
void jc_session_charge(struct jc_session *session, int64_t begun_ns);

/* For jc_turns_init. */
void jc_session_resume(struct jc_turn_taker *turn, int64_t now_ns);

/* The carrier takes messages again. */
void jc_session_drain(struct jc_session *session);

/* A few times a second. */
void jc_session_sweep(struct jc_session *session, int64_t now_ns);

/* One text message, now or as soon as the carrier takes it. */
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

/* Begins to close: the client gets the code and the reason, of at most 123 bytes. A second call
 * changes nothing. */
void jc_session_close(struct jc_session *session, uint16_t code, const char *reason);

#endif
