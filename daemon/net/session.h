/* One WebSocket: what a client has said, joined and is owed. Motion is written
 * straight from the tick; control messages go the same way, or wait in a small
 * queue while the socket is choked. */
#ifndef JC_SESSION_H
#define JC_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"
#include "net/allowance.h"
#include "net/frame.h"
#include "net/publication.h"
#include "space/fanout.h"
#include "space/outfit_set.h"

struct jc_calibrating;
struct jc_connection;
struct jc_grant;
struct jc_server;
struct jc_message; /* a control message that waits */

struct jc_session {
	struct jc_subscriber subscriber;
	uint64_t serial;                  /* never another's */
	struct jc_server *server;         /* borrowed */
	struct jc_connection *connection; /* borrowed: it owns the session */
	struct jc_frame_reader reader;
	struct jc_message *queue, **queue_end;
	size_t queue_length, queue_bytes;
	struct jc_grant *grant;              /* owned; NULL: the gate is open, or nothing shown */
	bool greeted;                        /* hello came */
	bool credit;                         /* it will acknowledge */
	bool chains;                         /* it reads coding 2 */
	struct jc_outfit_set outfits;        /* whose skeletons it was sent */
	struct jc_view *views[JC_MAX_VIEWS]; /* owned; NULL and those without a fanout are free */
	size_t errors;
	struct jc_allowance messages; /* of text, and pings */
	struct jc_allowance rosters, viewpoints, registrations, openings, places;
	struct jc_publications publications; /* the bodies it publishes */
	struct jc_calibrating *calibrating;  /* owned; NULL: it calibrates none */
	int64_t opened_ns;
	int64_t heard_ns; /* when it last said anything */
	bool pinged;
	uint16_t close_code; /* not 0: closing, nothing more is sent */
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

/* The socket takes bytes again. */
void jc_session_writable(struct jc_session *session);

/* Pings after silence. False when the silence was too long. */
bool jc_session_sweep(struct jc_session *session, int64_t now_ns);

/* One text message, now or as soon as it can be. */
void jc_session_send(struct jc_session *session, const char *text, size_t length);

/* Its `skeleton` message likewise; while that waits it lies there once for all. */
void jc_session_send_outfit(struct jc_session *session, struct jc_outfit *outfit);

/* Nothing comes to it any more, and what it published goes. */
void jc_session_leave(struct jc_session *session);

/* Begins the closing handshake; the connection ends when it is answered or
 * its deadline comes. A second call changes nothing. */
void jc_session_close(struct jc_session *session, uint16_t code, const char *reason);

#endif
