/* What the files of net/ know of the server. */
#ifndef JC_SERVER_PRIVATE_H
#define JC_SERVER_PRIVATE_H

#include <libwebsockets.h>
#include <openssl/ssl.h>

#include "base/siphash.h"
#include "net/address_limits.h"
#include "net/connection.h"
#include "net/server.h"
#include "net/turns.h"

/* Since the start. */
struct jc_traffic {
	uint64_t connections, refused;
	uint64_t received_bytes, sent_bytes; /* on WebSockets */
};

struct jc_calibration_saver;

struct jc_server {
	struct jc_server_options options;
	uv_loop_t *loop;
	struct jc_listener listeners[JC_MAX_LISTENERS];
	size_t listener_count;
	uv_timer_t sweeper;
	uv_prepare_t settler;        /* calls jc_server_settle before the loop waits for events */
	struct lws_context *context; /* cleared by libwebsockets when it is gone */
	struct lws_vhost *plain, *encrypted; /* the second is NULL where there is no TLS */
	SSL_CTX *tls;                        /* of that; borrowed */
	size_t socket_count;                 /* that libwebsockets still has */
	struct jc_connection *connections;
	struct jc_address_limits address_limits; /* those that are counted in connection_count */
	size_t connection_count;                 /* those of admin listeners aside */
	size_t admin_count;                      /* those */
	size_t body_bytes;                       /* of requests that are being read */
	struct jc_traffic traffic;
	uint64_t last_serial;       /* of a session */
	struct jc_session *leavers; /* sessions that were closed by the event under way */
	size_t sends;               /* sends under way, one inside another */
	size_t queued_bytes;        /* of control messages that wait, over all addresses */
	struct jc_turns turns;
	/* Random; hashes subjects into parties (control/subscribe.c). */
	struct jc_siphash_key subject_key;
	struct jc_calibration_saver *calibrations; /* owned */
	size_t openings;                           /* recordings that the pool opens */
	bool stopping;
	unsigned farewells; /* clients that were told */
	int handles;        /* of libuv, still open while stopping */
	void (*on_stopped)(void *context);
	void *stop_context;
};

/* A visitor of that kind of listener; the descriptor is owned. False: there is no room for
 * it. */
bool jc_server_welcome(
	struct jc_server *server, enum jc_listener_kind kind, int fd, const union jc_peer *peer);

/* Whether such a listener is told by a proxy for whom it asks. */
bool jc_server_believes(const struct jc_server *server, enum jc_listener_kind kind);

/* A connection that a proxy made for somebody is that one's. Returns 0, JC_ERROR_LIMIT or
 * JC_ERROR_MEMORY; then it stays the proxy's. */
int jc_server_pass_on(
	struct jc_server *server, struct jc_connection *connection, const union jc_peer *peer);

/* Has libwebsockets carry the bytes of a descriptor; NULL: it cannot, and the descriptor
 * is closed. */
struct lws *jc_server_adopt(struct jc_server *server, struct jc_connection *connection, int fd);

/* Ends what the sessions had that were closed since the last call. For the loop, between
 * two events, and for nobody else. */
void jc_server_settle(struct jc_server *server);

/* A connection is gone for good. */
void jc_server_forget(struct jc_server *server, struct jc_connection *connection);

#endif
