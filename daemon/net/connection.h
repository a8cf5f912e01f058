/* One accepted connection. net/socket.h carries its bytes; the connection passes them to the
 * HTTP part until that turns it into a WebSocket session, and then to the session. */
#ifndef JC_CONNECTION_H
#define JC_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/token_bucket.h"
#include "net/listener.h"

struct jc_client_address;
struct jc_connection;
struct jc_http_connection;
struct jc_server;
struct jc_web_socket;
struct lws;

/* Calls of a connection while it carries HTTP; implemented by http/http.c. */
struct jc_connection_ops {
	/* Bytes from the peer. */
	void (*bytes)(struct jc_connection *connection, const uint8_t *bytes, size_t length);
	/* The socket takes bytes again. */
	void (*writable)(struct jc_connection *connection);
	/* The deadline has passed. False: the connection ends without an answer. */
	bool (*overdue)(struct jc_connection *connection);
	/* The connection ends: frees connection->http. */
	void (*closed)(struct jc_connection *connection);
};

enum jc_connection_phase {
	JC_CONNECTION_HTTP,    /* a request is read or answered */
	JC_CONNECTION_SESSION, /* a WebSocket */
	JC_CONNECTION_LINGER,  /* all bytes are sent; waiting for the peer's end */
	JC_CONNECTION_CLOSED,  /* ended by the callback under way or the next sweep */
};

struct jc_connection {
	struct jc_server *server;              /* borrowed */
	struct jc_connection *previous, *next; /* of the server's list */
	struct lws *wsi;                       /* NULL before it is adopted and after its end */
	enum jc_listener_kind kind;
	enum jc_connection_phase phase;
	union jc_peer peer;
	int fd;                                   /* of wsi; -1: TLS, all bytes go through wsi */
	struct jc_client_address *client_address; /* counter of the server; NULL: not counted */
	int64_t deadline_ns;                      /* end of the phase, or of a step of HTTP */
	struct jc_http_connection *http;  /* state of the HTTP part, which owns it; NULL: none */
	struct jc_web_socket *web_socket; /* owned; NULL: not a session yet */
	struct jc_token_bucket bytes;     /* that are read from the session */
	bool is_handed_over;              /* the listener is a socket of the service manager */
	/* Its session is a page of a loopback origin, which may only watch and publish. */
	bool is_local_page;
	bool is_held;   /* nothing is read until the next sweep */
	bool is_choked; /* bytes wait for the socket: nothing is read until they are written */
};

/* Takes over an accepted descriptor. Returns 0, or a negative enum jc_error (then the
 * descriptor is closed). */
int jc_connection_open(struct jc_server *server, enum jc_listener_kind kind, int fd,
	const union jc_peer *peer, struct jc_connection **out_connection);

/* Events of the socket (net/socket.h). */
int jc_connection_on_bytes(struct jc_connection *connection, const uint8_t *bytes, size_t length);
int jc_connection_on_writable(struct jc_connection *connection);
void jc_connection_on_closed(struct jc_connection *connection);

/* Writes now, or keeps the bytes that the socket does not take. False: the connection is
 * lost, and ends soon, but not in this call. */
bool jc_connection_write(struct jc_connection *connection, uint8_t *bytes, size_t length);

/* The deadline is so many seconds from now. */
void jc_connection_set_deadline(struct jc_connection *connection, int seconds);

/* Ends the connection soon, without another byte. */
void jc_connection_drop(struct jc_connection *connection);

/* All bytes are sent: sends the end of stream and waits for the peer's end for a limited time. */
void jc_connection_linger(struct jc_connection *connection);

/* Makes the connection a WebSocket session. Returns 0 or JC_ERROR_MEMORY; then nothing has
 * changed. */
int jc_connection_begin_session(struct jc_connection *connection);

/* The session has read the bytes that waited. */
void jc_connection_resume(struct jc_connection *connection);

/* Checks deadlines and sends pings. Called a few times a second, outside the connection's own
 * callbacks; may free the connection. */
void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns);

/* The daemon stops: sends `going_away` to a session, ends anything else. The connection may
 * be freed by this. */
void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns);

#endif
