/* The server: listeners, the list of connections, and what they share. It knows neither
 * requests nor control messages; the ops of its options lead to those. */
#ifndef JC_SERVER_H
#define JC_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "base/address.h"
#include "maxima.h"
#include "net/address_limits.h"
#include "net/listener.h"
#include "net/socket.h"
#include "net/turns.h"

struct jc_certificate;
struct jc_config;
struct jc_connection;
struct jc_connection_ops;
struct jc_control;
struct jc_http;
struct jc_log;
struct jc_session;
struct jc_session_ops;

struct jc_server_options {
	size_t port_count;
	struct jc_port ports[JC_MAX_LISTENERS]; /* owned from the call on */
	/* The identity on ports with TLS: the files, borrowed, and their content, owned from
	 * the call on; NULL without TLS. */
	const char *certificate_path, *key_path;
	struct jc_certificate *certificate;
	const struct jc_config *config; /* borrowed, as are the others; a reload changes it */
	const struct jc_log *log;
	const struct jc_connection_ops *http_ops;
	struct jc_http *http; /* for http_ops */
	const struct jc_session_ops *session_ops;
	struct jc_control *control; /* for session_ops */
};

/* Since the start. */
struct jc_traffic {
	uint64_t connections, refused;
	uint64_t received_bytes, sent_bytes; /* on WebSockets */
	/* Requests refused for their origin or host, invalid tokens, and failed redemptions of
	 * invitations; counted by the folders that check them. */
	uint64_t refused_origins, refused_hosts, refused_tokens, refused_redemptions;
	uint64_t sent_messages; /* on WebSockets; beside sent_bytes, adding both takes more time */
};

/* Other folders read options, traffic, draining, stopping and the counts, and count refusals in
 * traffic; the rest is net's own. */
struct jc_server {
	struct jc_server_options options;
	uv_loop_t *loop;
	struct jc_listener listeners[JC_MAX_LISTENERS];
	size_t listener_count;
	uv_timer_t sweeper;
	uv_prepare_t settler; /* calls jc_server_settle before the loop waits for events */
	struct jc_sockets sockets;
	struct jc_connection *connections;
	struct jc_address_limits address_limits; /* of those counted in connection_count */
	size_t connection_count;                 /* without those of admin listeners */
	size_t admin_count;                      /* connections of admin listeners */
	struct jc_traffic traffic;
	uint64_t last_serial;       /* of a session */
	struct jc_session *leavers; /* sessions that were closed by the event under way */
	size_t sends;               /* sends under way, one inside another */
	size_t queued_bytes;        /* of control messages that wait, over all addresses */
	struct jc_turns turns;
	bool draining; /* see drain.h */
	bool stopping;
	int handles; /* of libuv, still open while stopping */
	void (*on_stopped)(void *context);
	void *stop_context;
};

/* Takes connections. Returns 0 or a negative enum jc_error. */
int jc_server_create(uv_loop_t *loop, const struct jc_server_options *options,
	struct jc_server **out_server, struct jc_diagnostic *diagnostic);

/* New TLS handshakes use another certificate; existing connections keep theirs. Steals it;
 * NULL changes nothing. */
void jc_server_show(struct jc_server *server, struct jc_certificate *certificate);

/* The i-th port, while it listens; NULL where there are no more. */
const struct jc_port *jc_server_port(const struct jc_server *server, size_t i);

/* The kind and the "127.0.0.1:9871" of the i-th port. False where there are no more. */
bool jc_server_address(const struct jc_server *server, size_t i, enum jc_listener_kind *out_kind,
	char out_text[JC_ADDRESS_TEXT]);

/* Tells every subscriber, closes everything and calls on_stopped once no connection is
 * left, which takes a few seconds at most. */
void jc_server_stop(struct jc_server *server, void (*on_stopped)(void *context), void *context);

/* After uv_run has returned. Runs the loop until libwebsockets has ended. */
void jc_server_destroy(struct jc_server *server);

/* Whether a proxy reports the client's address on such a listener (X-Forwarded-For). */
bool jc_server_believes(const struct jc_server *server, enum jc_listener_kind kind);

/* Counts a connection of a proxy for the client behind it. Returns 0, JC_ERROR_LIMIT or
 * JC_ERROR_MEMORY; then it stays counted for the proxy. */
int jc_server_pass_on(
	struct jc_server *server, struct jc_connection *connection, const union jc_peer *peer);

/* Counts a client of an address that has another carrier than a connection; via: as of
 * jc_address_limits_enter. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_server_enter(struct jc_server *server, const union jc_peer *peer, uint64_t via,
	struct jc_client_address **out_client_address);

/* Ends that. NULL is fine. */
void jc_server_release(struct jc_server *server, struct jc_client_address *client_address);

/* Calls jc_session_leave for the sessions that were closed since the last call. Only for
 * the loop, between two events. */
void jc_server_settle(struct jc_server *server);

/* Closes the listeners for health and figures, or all others, unless they are closed already. Only
 * for this folder. */
void jc_server_close_listeners(struct jc_server *server, bool admin);

/* A connection has ended. Only for net/connection.c. */
void jc_server_forget(struct jc_server *server, struct jc_connection *connection);

#endif
