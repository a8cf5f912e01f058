/* One accepted connection. libwebsockets carries its bytes both ways, in the clear or
 * through TLS; what they mean is read here: first a request and then, if that asked for
 * it, a WebSocket. */
#ifndef JC_CONNECTION_H
#define JC_CONNECTION_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "http/exchange.h"
#include "http/response.h"
#include "net/listener.h"
#include "net/session.h"

struct jc_client_address;
struct lws;

enum jc_connection_phase {
	JC_CONNECTION_REQUEST,  /* waiting for the head of the request */
	JC_CONNECTION_BODY,     /* and for its body */
	JC_CONNECTION_ANSWER,   /* a route has not answered yet */
	JC_CONNECTION_RESPONSE, /* an HTTP response is on its way */
	JC_CONNECTION_SESSION,  /* a WebSocket */
	JC_CONNECTION_LINGER,   /* all is said; waiting for the peer's end */
	JC_CONNECTION_CLOSED,   /* to be ended from the next callback or sweep */
};

/* Who is at the other end; .sa.sa_family says which, AF_UNIX has no more. */
union jc_peer {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct jc_connection {
	struct jc_server *server;              /* borrowed */
	struct jc_connection *previous, *next; /* of the server's list */
	struct lws *wsi;                       /* there as long as the connection */
	enum jc_listener_kind kind;
	enum jc_connection_phase phase;
	union jc_peer peer;
	struct jc_client_address *client_address; /* the server's; NULL: it is not counted */
	int64_t deadline_ns;                      /* of the phase */
	char *request;                /* owned; the head as far as it came; NULL: nothing yet */
	size_t request_length;        /* of it */
	size_t body_bytes;            /* that came and are kept */
	struct jc_exchange *exchange; /* not answered yet; NULL: none */
	struct jc_response response;
	struct jc_session *session;   /* owned; NULL before there is one */
	struct jc_token_bucket bytes; /* that are read from the session */
	bool is_held;                 /* nothing is read until the next sweep */
	bool is_choked; /* bytes wait for the socket: nothing is read until they are gone */
};

/* Takes over an accepted descriptor. Returns 0, or a negative enum jc_error (then the
 * descriptor is closed). */
int jc_connection_open(struct jc_server *server, enum jc_listener_kind kind, int fd,
	const union jc_peer *peer, struct jc_connection **out_connection);

/* What libwebsockets tells of it; returns nonzero when it must end. */
int jc_connection_on_bytes(struct jc_connection *connection, const uint8_t *bytes, size_t length);
int jc_connection_on_writable(struct jc_connection *connection);

/* libwebsockets let go of the socket: all memory goes. */
void jc_connection_on_closed(struct jc_connection *connection);

/* Writes now, or keeps what the socket does not take. False when the connection is lost;
 * it is then ended soon, not from here. */
bool jc_connection_write(struct jc_connection *connection, uint8_t *bytes, size_t length);

/* The session has read what waited. */
void jc_connection_resume(struct jc_connection *connection);

/* Sends the response, which was composed with that status. */
void jc_connection_respond(struct jc_connection *connection, int made);

/* Called a few times a second, from no callback of its own: deadlines and keeping
 * alive. It may be gone after that. */
void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns);

/* The daemon is going: says so to a session, ends anything else. Likewise. */
void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns);

#endif
