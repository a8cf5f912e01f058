/* One accepted TCP connection. It reads; what it reads is first a request and
 * then, if that asked for it, a WebSocket, whose writing half libwebsockets
 * owns through a second descriptor of the same socket. */
#ifndef JC_CONNECTION_H
#define JC_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <uv.h>

#include "net/allowance.h"
#include "net/http.h"
#include "net/session.h"

struct jc_server;

enum jc_connection_phase {
	JC_CONNECTION_REQUEST,  /* waiting for the head of the request */
	JC_CONNECTION_RESPONSE, /* an HTTP response is on its way */
	JC_CONNECTION_SESSION,  /* a WebSocket */
	JC_CONNECTION_LINGER,   /* all is said; waiting for the peer's end */
	JC_CONNECTION_CLOSED,   /* only libuv still holds it */
};

struct jc_connection {
	struct jc_server *server;              /* borrowed */
	struct jc_connection *previous, *next; /* of the server's list */
	uv_poll_t poll;
	int fd;
	enum jc_connection_phase phase;
	struct sockaddr_storage peer;
	int64_t deadline_ns; /* of the phase */
	char *request;       /* owned; JC_MAX_REQUEST_BYTES of it, only while it is read */
	size_t request_length;
	struct jc_response response;
	struct jc_session *session; /* owned; NULL before there is one */
	struct jc_allowance bytes;  /* that are read from the session */
	bool is_held;               /* it had none left: nothing is read until the next sweep */
};

/* Takes over an accepted descriptor. Returns 0 or a libuv error (then the
 * descriptor is closed). */
int jc_connection_open(struct jc_server *server, int fd, const struct sockaddr_storage *peer,
	struct jc_connection **out_connection);

/* Ends it without another word. Its memory goes when libuv lets go of it. */
void jc_connection_destroy(struct jc_connection *connection);

/* Called a few times a second: deadlines and keeping alive. */
void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns);

/* The daemon is going: says so to a session, ends anything else. */
void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns);

#endif
