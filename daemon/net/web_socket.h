/* A WebSocket carries the messages of a session: frames in and out, pings, the closing handshake.
 * The connection brings its bytes. */
#ifndef JC_WEB_SOCKET_H
#define JC_WEB_SOCKET_H

#include "net/session.h"

struct jc_connection;

struct jc_web_socket {
	struct jc_session session;
	struct jc_connection *connection; /* borrowed: it owns the WebSocket */
	struct jc_frame_reader reader;
	/* Bytes that wait for the session's turn (turns.h). */
	uint8_t *unread; /* owned; NULL: none */
	size_t unread_length;
	int64_t received_ns; /* time of the last received bytes */
	bool pinged;
	bool close_sent;
	bool peer_closed;
	bool broken; /* a protocol error: further bytes are not read */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_web_socket_create(
	struct jc_connection *connection, int64_t now_ns, struct jc_web_socket **out_web_socket);

/* After jc_session_leave. */
void jc_web_socket_destroy(struct jc_web_socket *web_socket);

/* Bytes from the socket. */
void jc_web_socket_receive(
	struct jc_web_socket *web_socket, const uint8_t *bytes, size_t length, int64_t now_ns);

/* The socket takes bytes again. */
void jc_web_socket_writable(struct jc_web_socket *web_socket);

/* Sweeps the session, and pings after silence. False when the silence was too long. */
bool jc_web_socket_sweep(struct jc_web_socket *web_socket, int64_t now_ns);

#endif
