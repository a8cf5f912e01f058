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

#include "base/token_bucket.h"
#include "control/publication.h"
#include "maxima.h"
#include "net/budget.h"
#include "net/frame.h"
#include "net/send_queue.h"
#include "space/fanout.h"
#include "space/skeleton_asset_set.h"

struct jc_calibrating;
struct jc_connection;
struct jc_grant;
struct jc_server;
struct jc_shared_text;

struct jc_session {
	struct jc_subscriber subscriber;
	uint64_t serial;                  /* never another's */
	struct jc_server *server;         /* borrowed */
	struct jc_connection *connection; /* borrowed: it owns the session */
	struct jc_frame_reader reader;
	struct jc_send_queue queue;          /* control messages that wait */
	struct jc_grant *grant;              /* owned; NULL: the gate is open, or nothing shown */
	bool greeted;                        /* hello came */
	bool credit;                         /* it will acknowledge */
	bool chains;                         /* it reads coding 2 */
	struct jc_skeleton_asset_set assets; /* whose skeletons it was sent */
	struct jc_view *views[JC_MAX_VIEWS]; /* owned; NULL and those without a fanout are free */
	size_t errors;
	struct jc_token_bucket rosters, registrations, openings;
	struct jc_budget budget; /* processor time of its control messages */
	/* What came and waits for its turn (turns.h). */
	uint8_t *unread; /* owned; NULL: nothing */
	size_t unread_length;
	bool is_waiting, has_turn;
	struct jc_session *next_waiting, *previous_waiting; /* of its address */
	struct jc_publications publications;                /* the bodies it publishes */
	struct jc_calibrating *calibrating;                 /* owned; NULL: it calibrates none */
	int64_t opened_ns;
	int64_t heard_ns; /* when it last said anything */
	bool pinged;
	uint16_t close_code;            /* not 0: closing, nothing more is sent */
	bool has_left;                  /* see jc_session_leave */
	struct jc_session *next_leaver; /* of the server's list */
	bool close_sent;
	bool peer_closed;
	bool broken; /* what the client sends can no longer be read */
};

int jc_session_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_session **out_session);
void jc_session_destroy(struct jc_session *session); /* NULL is fine */

/* Bytes from the socket. */
void jc_session_receive(
	struct jc_session *session, const uint8_t *bytes, size_t length, int64_t now_ns);

/* Its turn has come: it reads what waits. */
void jc_session_resume(struct jc_session *session, int64_t now_ns);

/* The socket takes bytes again. */
void jc_session_writable(struct jc_session *session);

/* Pings after silence. False when the silence was too long. */
bool jc_session_sweep(struct jc_session *session, int64_t now_ns);

/* One text message, now or as soon as the socket takes it. */
void jc_session_send(struct jc_session *session, const char *text, size_t length);

/* The same of a text that other clients get too: it is not copied. */
void jc_session_send_shared(struct jc_session *session, struct jc_shared_text *text);

/* The complete roster of the view's space, now or as soon as nothing else waits. */
void jc_session_send_roster(struct jc_session *session, struct jc_view *view);

/* The views, publications and requests of a session that is closing end. Only the server
 * calls this, when no event is under way; see the rule above. */
void jc_session_leave(struct jc_session *session);

/* Begins the closing handshake; the connection ends when it is answered or
 * its deadline comes. A second call changes nothing. */
void jc_session_close(struct jc_session *session, uint16_t code, const char *reason);

#endif
