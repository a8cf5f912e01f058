/* Sockets of connections, carried by libwebsockets in raw mode: bytes both ways, in the clear
 * or through TLS. No other file of the daemon includes libwebsockets. */
#ifndef JC_SOCKET_H
#define JC_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct jc_certificate;
struct jc_connection;
struct lws; /* one socket */
struct lws_context;
struct lws_vhost;
struct ssl_ctx_st;

/* Events of a socket. bytes and writable return nonzero to end the socket. */
struct jc_socket_ops {
	int (*bytes)(struct jc_connection *connection, const uint8_t *bytes, size_t length);
	int (*writable)(struct jc_connection *connection);
	/* The socket is gone. Also called for a connection that jc_sockets_adopt refuses. */
	void (*closed)(struct jc_connection *connection);
};

struct jc_sockets_options {
	uv_loop_t *loop;
	const struct jc_socket_ops *ops;
	bool has_tls;
	struct jc_certificate *certificate;      /* stolen, also on failure */
	const char *certificate_path, *key_path; /* of the certificate; borrowed */
};

struct jc_sockets {
	const struct jc_socket_ops *ops;
	struct lws_context *context;         /* cleared by libwebsockets when it has ended */
	struct lws_vhost *plain, *encrypted; /* encrypted: NULL without TLS */
	struct ssl_ctx_st *tls;              /* of encrypted; borrowed from libwebsockets */
	struct jc_certificate *certificate;  /* owned; NULL without TLS */
	size_t count;                        /* sockets that libwebsockets holds */
};

/* Sets up libwebsockets on a loop. Returns 0 or JC_ERROR_UNSUPPORTED; jc_sockets_finish is
 * due in both cases. */
int jc_sockets_init(struct jc_sockets *sockets, const struct jc_sockets_options *options);

/* Ends libwebsockets in two steps: once from a callback of the loop, without sockets; then
 * after uv_run has returned, which runs the loop again. */
void jc_sockets_stop(struct jc_sockets *sockets);
void jc_sockets_finish(struct jc_sockets *sockets, uv_loop_t *loop);

/* New TLS handshakes use another certificate; existing connections keep theirs. Steals it;
 * NULL changes nothing. */
void jc_sockets_use_certificate(struct jc_sockets *sockets, struct jc_certificate *certificate);

/* Makes libwebsockets look at its own timers: on a foreign loop it does so only after an
 * event. */
void jc_sockets_wake(struct jc_sockets *sockets);

/* Takes over a descriptor for a connection. NULL on failure; the descriptor is then closed. */
struct lws *jc_sockets_adopt(
	struct jc_sockets *sockets, struct jc_connection *connection, int fd, bool is_encrypted);

/* The state of a socket after a write. */
enum jc_socket_state {
	JC_SOCKET_READY,
	JC_SOCKET_CHOKED, /* see jc_socket_is_choked */
	JC_SOCKET_LOST,
};

/* Sends what a socket in the clear takes at once, without libwebsockets, whose state of a socket is
 * large and makes 150 of the 500 instructions of a delivery. Only while no written bytes wait.
 * Returns how many bytes were sent; jc_socket_write takes the rest and finds errors. */
size_t jc_socket_send(int fd, const uint8_t *bytes, size_t length);

/* Writes all bytes, or keeps those that the socket does not take. */
enum jc_socket_state jc_socket_write(struct lws *wsi, uint8_t *bytes, size_t length);

/* Whether written bytes still wait for the socket. */
bool jc_socket_is_choked(struct lws *wsi);

/* Calls ops->writable once more, after other events of the loop. */
void jc_socket_ask_writable(struct lws *wsi);

/* Whether bytes are read from the socket. */
void jc_socket_set_reading(struct lws *wsi, bool is_reading);

/* Whether the socket completed a TLS handshake. */
bool jc_socket_is_encrypted(struct lws *wsi);

/* Cancels the time limit that libwebsockets puts on a new socket. */
void jc_socket_cancel_timeout(struct lws *wsi);

/* Sends the end of our bytes; the peer can still send. */
void jc_socket_shut_down(struct lws *wsi);

/* Ends the socket now: ops->closed is called before this returns. Not from ops->bytes or
 * ops->writable of the same socket. */
void jc_socket_end(struct lws *wsi);

#endif
