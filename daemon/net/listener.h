/* Listening sockets and their kinds. */
#ifndef JC_LISTENER_H
#define JC_LISTENER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <uv.h>

#include "jointcast/error.h"

enum jc_listener_kind {
	JC_LISTENER_PLAIN, /* subscribers, publishers and the viewer */
	JC_LISTENER_TLS,   /* the same with TLS */
	JC_LISTENER_PROXY, /* the same in the clear, from a proxy that terminates TLS */
	JC_LISTENER_ADMIN, /* health and metrics only; TCP or a Unix socket */
};

#define JC_LISTENER_KINDS 4

/* A socket that listens already and does not block. */
struct jc_port {
	enum jc_listener_kind kind;
	int fd;              /* owned by the holder of the port */
	bool has_file;       /* a Unix socket, whose file is removed on close */
	bool is_handed_over; /* by the service manager: others may reach it by ways of their own */
};

/* Opens a port. A stale file of a Unix socket is replaced, and only its owner may connect.
 * `reuse_port`: other processes of the same user may open the same address and port, and the
 * kernel spreads connections over them.
 * Returns 0 or JC_ERROR_INVALID with the diagnostic filled. */
int jc_port_open(enum jc_listener_kind kind, const struct sockaddr_storage *address,
	bool reuse_port, struct jc_port *out_port, struct jc_diagnostic *diagnostic);

struct jc_log;

/* The peer of a connection, by .sa.sa_family. An AF_UNIX peer has no address. */
union jc_peer {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* Takes an accepted descriptor, which the callee then owns. False: the connection was
 * refused. */
typedef bool (*jc_listener_accepted)(
	void *context, const struct jc_port *port, int fd, const union jc_peer *peer);

struct jc_listener_options {
	uv_loop_t *loop;
	const struct jc_log *log; /* borrowed */
	jc_listener_accepted accepted;
	void *context;
};

struct jc_listener {
	struct jc_listener_options options;
	uv_poll_t poll;
	struct jc_port port;
	uv_timer_t pause; /* while it runs no connection is accepted */
	uv_close_cb on_closed;
};

/* Accepts connections from now on. The port is stolen, also on failure. Returns 0 or a
 * libuv error. */
int jc_listener_start(struct jc_listener *listener, const struct jc_listener_options *options,
	const struct jc_port *port);

/* Accepts what waits in the queue of the port, unless other processes have the same queue. */
void jc_listener_accept_all(struct jc_listener *listener);

/* on_closed gets a handle whose data is options.context; may be NULL. */
void jc_listener_close(struct jc_listener *listener, uv_close_cb on_closed);

#endif
