/* What the files of net/ know of the server. */
#ifndef JC_SERVER_PRIVATE_H
#define JC_SERVER_PRIVATE_H

#include <libwebsockets.h>

#include "net/connection.h"
#include "net/server.h"

/* Since the start. */
struct jc_traffic {
	uint64_t connections, refused;
	uint64_t received_bytes, sent_bytes; /* on WebSockets */
};

struct jc_server {
	struct jc_server_options options;
	uv_loop_t *loop;
	uv_poll_t listener;
	int listen_fd;
	uv_timer_t sweeper;
	struct lws_context *context; /* cleared by libwebsockets when it is gone */
	struct lws_vhost *vhost;
	struct jc_session *adopting; /* the session whose handshake is being made */
	size_t socket_count;         /* that libwebsockets still has */
	struct jc_connection *connections;
	size_t connection_count;
	struct jc_traffic traffic;
	bool paused; /* out of descriptors: not accepting until the next sweep */
	bool stopping;
	unsigned farewells; /* clients that were told */
	int handles;        /* of libuv, still open while stopping */
	void (*on_stopped)(void *context);
	void *stop_context;
};

/* A connection is gone for good. */
void jc_server_forget(struct jc_server *server, struct jc_connection *connection);

/* Has libwebsockets make the handshake on a descriptor of its own and own the
 * writing half. On success session->wsi is set. */
int jc_server_adopt(
	struct jc_server *server, struct jc_session *session, int fd, struct jc_text key);

#endif
