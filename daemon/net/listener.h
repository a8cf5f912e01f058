/* One listening socket: what kind of visitors it takes, and where it is. */
#ifndef JC_LISTENER_H
#define JC_LISTENER_H

#include <stdbool.h>
#include <sys/socket.h>
#include <uv.h>

#include "jointcast/error.h"

enum jc_listener_kind {
	JC_LISTENER_PLAIN, /* subscribers, publishers and the viewer */
	JC_LISTENER_TLS,   /* the same, encrypted */
	JC_LISTENER_PROXY, /* the same in the clear, from a proxy that speaks TLS to them */
	JC_LISTENER_ADMIN, /* health and figures, nothing else; TCP or a Unix socket */
};

#define JC_LISTENER_KINDS 4

/* A socket that listens already and does not block. */
struct jc_port {
	enum jc_listener_kind kind;
	int fd;        /* whoever is given the port owns it */
	bool has_file; /* of a Unix socket, which goes with it */
};

/* Opens one. The file of a Unix socket that nobody listens on any more is replaced, and
 * only its owner may connect. Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_port_open(enum jc_listener_kind kind, const struct sockaddr_storage *address,
	struct jc_port *out_port, struct jc_diagnostic *diagnostic);

struct jc_server;

struct jc_listener {
	struct jc_server *server; /* borrowed */
	uv_poll_t poll;
	struct jc_port port;
	uv_timer_t pause; /* while it runs nobody is accepted */
	uv_close_cb on_closed;
};

/* Takes connections from now on. The port is its own, also where this fails. Returns 0
 * or a libuv error. */
int jc_listener_start(struct jc_listener *listener, struct jc_server *server,
	const struct jc_port *port, uv_loop_t *loop);

/* on_closed is called with a handle whose data is the server; may be NULL. */
void jc_listener_close(struct jc_listener *listener, uv_close_cb on_closed);

#endif
