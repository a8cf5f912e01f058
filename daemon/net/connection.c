/* A lingering connection reads what the peer still sends, so that the kernel does not answer
 * with a reset, which would discard our last bytes.
 *
 * Nothing is freed under its caller: a connection that has to end enters
 * JC_CONNECTION_CLOSED; the socket's callback under way, or the next sweep, ends it. */
#include "net/connection.h"

#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "maxima.h"
#include "net/address_limits.h"
#include "net/server.h"
#include "net/socket.h"
#include "net/web_socket.h"

#define SECOND INT64_C(1000000000)

static const struct jc_connection_ops *http_of(const struct jc_connection *connection)
{
	return connection->server->options.http_ops;
}

void jc_connection_set_deadline(struct jc_connection *connection, int seconds)
{
	connection->deadline_ns = jc_clock_now_ns() + seconds * SECOND;
}

static void set_socket_options(int fd)
{
	int on = 1;
	int lowest = 4096;

	/* A Unix socket has neither option. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* Without this limit the kernel would buffer seconds of motion for a peer that does not
	 * read. */
	setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowest, sizeof(lowest));
}

int jc_connection_open(struct jc_server *server, enum jc_listener_kind kind, int fd,
	const union jc_peer *peer, struct jc_connection **out_connection)
{
	struct jc_connection *connection = calloc(1, sizeof(*connection));

	if (!connection) {
		close(fd);
		return JC_ERROR_MEMORY;
	}
	set_socket_options(fd);
	connection->server = server;
	connection->kind = kind;
	connection->fd = kind == JC_LISTENER_TLS ? -1 : fd;
	connection->peer = *peer;
	jc_connection_set_deadline(connection, JC_MAX_REQUEST_SECONDS);
	connection->wsi =
		jc_sockets_adopt(&server->sockets, connection, fd, kind == JC_LISTENER_TLS);
	if (!connection->wsi) {
		free(connection);
		return JC_ERROR_LIMIT;
	}
	*out_connection = connection;
	return JC_OK;
}

void jc_connection_on_closed(struct jc_connection *connection)
{
	/* If adopting failed, jc_connection_open frees the connection. */
	if (!connection->wsi) {
		return;
	}
	connection->wsi = NULL;
	connection->phase = JC_CONNECTION_CLOSED;
	http_of(connection)->closed(connection);
	if (connection->web_socket) {
		jc_session_close(&connection->web_socket->session, JC_CLOSE_GOING_AWAY, "");
		jc_server_settle(connection->server);
		jc_web_socket_destroy(connection->web_socket);
	}
	jc_server_forget(connection->server, connection);
	free(connection);
}

/* Reading pauses while too much input waits, so the sender's buffers fill. Reading also pauses
 * while the peer takes no bytes: libwebsockets would poll its socket repeatedly without reading. */
static void choose_reading(struct jc_connection *connection)
{
	bool waits = connection->web_socket && connection->web_socket->unread;

	jc_socket_set_reading(
		connection->wsi, !connection->is_held && !connection->is_choked && !waits);
}

bool jc_connection_write(struct jc_connection *connection, uint8_t *bytes, size_t length)
{
	size_t sent = 0;

	if (connection->phase == JC_CONNECTION_CLOSED) {
		return false;
	}
	if (connection->fd >= 0 && !connection->is_choked) {
		sent = jc_socket_send(connection->fd, bytes, length);
	}
	if (sent == length) {
		return true;
	}
	switch (jc_socket_write(connection->wsi, bytes + sent, length - sent)) {
	case JC_SOCKET_READY:
		break;
	case JC_SOCKET_CHOKED:
		if (!connection->is_choked) {
			connection->is_choked = true;
			choose_reading(connection);
		}
		break;
	case JC_SOCKET_LOST:
		connection->phase = JC_CONNECTION_CLOSED;
		return false;
	}
	return true;
}

void jc_connection_drop(struct jc_connection *connection)
{
	connection->phase = JC_CONNECTION_CLOSED;
}

void jc_connection_linger(struct jc_connection *connection)
{
	connection->phase = JC_CONNECTION_LINGER;
	jc_connection_set_deadline(connection, JC_MAX_LINGER_SECONDS);
	jc_socket_shut_down(connection->wsi);
}

int jc_connection_begin_session(struct jc_connection *connection)
{
	int64_t now_ns = jc_clock_now_ns();

	if (jc_web_socket_create(connection, now_ns, &connection->web_socket) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	connection->phase = JC_CONNECTION_SESSION;
	connection->deadline_ns = INT64_MAX;
	jc_token_bucket_init(&connection->bytes, now_ns);
	return JC_OK;
}

/* Whether both sides have sent Close; only TCP has to end then. */
static bool finish_session(struct jc_connection *connection)
{
	const struct jc_web_socket *web_socket = connection->web_socket;

	if (connection->phase == JC_CONNECTION_SESSION && web_socket->peer_closed &&
		web_socket->close_sent && !connection->is_choked) {
		jc_connection_linger(connection);
	}
	return connection->phase != JC_CONNECTION_SESSION;
}

void jc_connection_resume(struct jc_connection *connection)
{
	if (connection->phase != JC_CONNECTION_SESSION) {
		return;
	}
	finish_session(connection);
	/* Also while it lingers: the end of the peer's bytes is read. */
	if (!connection->web_socket->unread) {
		choose_reading(connection);
	}
}

static void read_session(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_client_address *client_address = connection->client_address;
	int64_t now_ns = jc_clock_now_ns();

	jc_web_socket_receive(connection->web_socket, bytes, length, now_ns);
	if (!finish_session(connection) &&
		(!jc_token_bucket_spend(
			 &connection->bytes, (int64_t)length, JC_MAX_BYTES_PER_SECOND, now_ns) ||
			!jc_token_bucket_spend(&client_address->bytes, (int64_t)length,
				JC_MAX_BYTES_PER_ADDRESS, now_ns))) {
		connection->is_held = true;
	}
	if (connection->is_held || connection->web_socket->unread) {
		choose_reading(connection);
	}
}

int jc_connection_on_bytes(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	switch (connection->phase) {
	case JC_CONNECTION_HTTP:
		/* From here on deadline_ns holds. */
		jc_socket_cancel_timeout(connection->wsi);
		http_of(connection)->bytes(connection, bytes, length);
		break;
	case JC_CONNECTION_SESSION:
		read_session(connection, bytes, length);
		break;
	case JC_CONNECTION_LINGER:
	case JC_CONNECTION_CLOSED:
		break;
	}
	return connection->phase == JC_CONNECTION_CLOSED;
}

int jc_connection_on_writable(struct jc_connection *connection)
{
	if (connection->is_choked && !jc_socket_is_choked(connection->wsi)) {
		connection->is_choked = false;
		choose_reading(connection);
	}
	if (connection->phase == JC_CONNECTION_HTTP) {
		http_of(connection)->writable(connection);
	} else if (connection->phase == JC_CONNECTION_SESSION) {
		jc_web_socket_writable(connection->web_socket);
		finish_session(connection);
	}
	return connection->phase == JC_CONNECTION_CLOSED;
}

void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase == JC_CONNECTION_SESSION &&
		!jc_web_socket_sweep(connection->web_socket, now_ns)) {
		connection->phase = JC_CONNECTION_CLOSED;
	}
	if (connection->is_held) {
		connection->is_held = false;
		choose_reading(connection);
	}
	if (connection->phase == JC_CONNECTION_CLOSED) {
		jc_socket_end(connection->wsi);
	} else if (now_ns >= connection->deadline_ns &&
		   !(connection->phase == JC_CONNECTION_HTTP &&
			   http_of(connection)->overdue(connection))) {
		jc_socket_end(connection->wsi);
	}
}

void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase != JC_CONNECTION_SESSION) {
		jc_socket_end(connection->wsi);
		return;
	}
	struct jc_session *session = &connection->web_socket->session;

	connection->server->options.session_ops->going_away(session);
	jc_session_close(session, JC_CLOSE_GOING_AWAY, "the server ends");
	connection->deadline_ns = now_ns + SECOND;
}
