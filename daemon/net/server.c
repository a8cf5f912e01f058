/* The list of connections and their limits, the sweep of all connections, and the end. */
#include "net/server.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/siphash.h"
#include "config/config.h"
#include "jointcast/error.h"
#include "net/connection.h"
#include "net/session.h"
#include "tls/certificate.h"

#define SWEEP_MS 250

static bool speaks_tls(const struct jc_server_options *options)
{
	for (size_t i = 0; i < options->port_count; i++) {
		if (options->ports[i].kind == JC_LISTENER_TLS) {
			return true;
		}
	}
	return false;
}

static int open_sockets(struct jc_server *server)
{
	static const struct jc_socket_ops ops = { .bytes = jc_connection_on_bytes,
		.writable = jc_connection_on_writable,
		.closed = jc_connection_on_closed };
	const struct jc_server_options *options = &server->options;

	return jc_sockets_init(
		&server->sockets, &(struct jc_sockets_options){ .loop = server->loop,
					  .ops = &ops,
					  .has_tls = speaks_tls(options),
					  .certificate = options->certificate,
					  .certificate_path = options->certificate_path,
					  .key_path = options->key_path });
}

void jc_server_show(struct jc_server *server, struct jc_certificate *certificate)
{
	jc_sockets_use_certificate(&server->sockets, certificate);
}

void jc_server_settle(struct jc_server *server)
{
	while (server->leavers) {
		struct jc_session *session = server->leavers;

		server->leavers = session->next_leaver;
		jc_session_leave(session);
	}
}

static void on_settle(uv_prepare_t *settler)
{
	jc_server_settle(settler->data);
}

static size_t *count_of(struct jc_server *server, enum jc_listener_kind kind)
{
	return kind == JC_LISTENER_ADMIN ? &server->admin_count : &server->connection_count;
}

/* Answers 503 where the port has no TLS; the answer may be lost. */
static void turn_away(enum jc_listener_kind kind, int fd)
{
	static const char full[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
				   "Retry-After: 5\r\nConnection: close\r\n\r\n";

	if (kind != JC_LISTENER_TLS && send(fd, full, sizeof(full) - 1, MSG_NOSIGNAL) > 0) {
		shutdown(fd, SHUT_WR);
	}
	close(fd);
}

void jc_server_release(struct jc_server *server, struct jc_client_address *client_address)
{
	if (client_address) {
		if (client_address->count == 1) {
			jc_turns_leave(&server->turns, &client_address->turns);
		}
		jc_address_limits_leave(&server->address_limits, client_address);
	}
}

int jc_server_enter(struct jc_server *server, const union jc_peer *peer, uint64_t via,
	struct jc_client_address **out_client_address)
{
	return jc_address_limits_enter(&server->address_limits, &peer->sa, via,
		server->options.config->connections_per_address, out_client_address);
}

bool jc_server_believes(const struct jc_server *server, enum jc_listener_kind kind)
{
	return kind == JC_LISTENER_PROXY && server->options.config->proxy.forwarded;
}

int jc_server_pass_on(
	struct jc_server *server, struct jc_connection *connection, const union jc_peer *peer)
{
	struct jc_client_address *client_address;
	int status = jc_server_enter(server, peer, 0, &client_address);

	if (status != JC_OK) {
		server->traffic.refused++;
		return status;
	}
	jc_server_release(server, connection->client_address);
	connection->client_address = client_address;
	connection->peer = *peer;
	return JC_OK;
}

/* Operators of a daemon that is full have connections of their own. */
static int admit(struct jc_server *server, enum jc_listener_kind kind, const union jc_peer *peer,
	struct jc_client_address **out_client_address)
{
	const struct jc_config *config = server->options.config;

	*out_client_address = NULL;
	if (kind == JC_LISTENER_ADMIN) {
		return server->admin_count < JC_MAX_ADMIN_CONNECTIONS ? JC_OK : JC_ERROR_LIMIT;
	}
	if (server->connection_count >= config->connections) {
		return JC_ERROR_LIMIT;
	}
	return jc_address_limits_enter(&server->address_limits, &peer->sa, 0,
		jc_server_believes(server, kind) ? config->connections
						 : config->connections_per_address,
		out_client_address);
}

static bool on_accepted(
	void *context, const struct jc_port *port, int fd, const union jc_peer *peer)
{
	enum jc_listener_kind kind = port->kind;
	struct jc_server *server = context;
	struct jc_connection *connection;
	struct jc_client_address *client_address;

	if (admit(server, kind, peer, &client_address) != JC_OK) {
		server->traffic.refused++;
		turn_away(kind, fd);
		return false;
	}
	if (jc_connection_open(server, kind, fd, peer, &connection) != JC_OK) {
		jc_server_release(server, client_address);
		return false;
	}
	connection->client_address = client_address;
	connection->is_handed_over = port->is_handed_over;
	connection->next = server->connections;
	if (server->connections) {
		server->connections->previous = connection;
	}
	server->connections = connection;
	*count_of(server, kind) += 1;
	server->traffic.connections++;
	return true;
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct jc_server *server = handle->data;

	if (--server->handles > 0) {
		return;
	}
	jc_sockets_stop(&server->sockets);
	if (server->on_stopped) {
		server->on_stopped(server->stop_context);
	}
}

void jc_server_close_listeners(struct jc_server *server, bool admin)
{
	for (size_t i = 0; i < server->listener_count; i++) {
		struct jc_listener *listener = &server->listeners[i];

		if ((listener->port.kind == JC_LISTENER_ADMIN) == admin &&
			!uv_is_closing((uv_handle_t *)&listener->poll)) {
			jc_listener_close(listener, on_handle_closed);
		}
	}
}

/* The admin port stays open until all other connections have ended. The sweeper ends last:
 * it enforces the deadlines. */
static void check_stopped(struct jc_server *server)
{
	if (server->stopping && server->connection_count == 0) {
		jc_server_close_listeners(server, true);
	}
	if (server->stopping && !server->connections &&
		!uv_is_closing((uv_handle_t *)&server->sweeper)) {
		uv_close((uv_handle_t *)&server->sweeper, on_handle_closed);
		uv_close((uv_handle_t *)&server->settler, on_handle_closed);
		jc_turns_close(&server->turns, server, on_handle_closed);
	}
}

void jc_server_forget(struct jc_server *server, struct jc_connection *connection)
{
	if (connection->previous) {
		connection->previous->next = connection->next;
	} else {
		server->connections = connection->next;
	}
	if (connection->next) {
		connection->next->previous = connection->previous;
	}
	*count_of(server, connection->kind) -= 1;
	jc_server_release(server, connection->client_address);
	check_stopped(server);
}

static void on_sweep(uv_timer_t *timer)
{
	struct jc_server *server = timer->data;
	int64_t now = jc_clock_now_ns();
	struct jc_connection *next;

	for (struct jc_connection *c = server->connections; c; c = next) {
		next = c->next;
		jc_connection_sweep(c, now);
	}
	server->options.session_ops->swept(server);
	jc_sockets_wake(&server->sockets);
}

/* Closes the ports from this index on, which have no listener. */
static void close_ports(const struct jc_server_options *options, size_t from)
{
	for (size_t i = from; i < options->port_count; i++) {
		close(options->ports[i].fd);
	}
}

/* Opens all listeners or none. */
static int start_listeners(struct jc_server *server)
{
	const struct jc_server_options *options = &server->options;
	const struct jc_listener_options listener = { .loop = server->loop,
		.log = options->log,
		.accepted = on_accepted,
		.context = server };
	int status = 0;

	for (size_t i = 0; i < options->port_count && status == 0; i++) {
		status = jc_listener_start(&server->listeners[i], &listener, &options->ports[i]);
		if (status == 0) {
			server->listener_count++;
		} else {
			close_ports(options, i + 1);
		}
	}
	for (size_t i = 0; status != 0 && i < server->listener_count; i++) {
		jc_listener_close(&server->listeners[i], NULL);
	}
	return status;
}

int jc_server_create(uv_loop_t *loop, const struct jc_server_options *options,
	struct jc_server **out_server, struct jc_diagnostic *diagnostic)
{
	struct jc_server *server = calloc(1, sizeof(*server));

	if (!server) {
		close_ports(options, 0);
		jc_certificate_destroy(options->certificate);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	server->options = *options;
	server->loop = loop;
	int status = open_sockets(server);

	if (status != JC_OK) {
		close_ports(options, 0);
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, status, NULL,
			"libwebsockets cannot be set up on libuv (is its libuv plugin installed?)");
	}
	if (jc_siphash_key_init(&server->address_limits.key) != JC_OK) {
		close_ports(options, 0);
		jc_server_destroy(server);
		return jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	status = start_listeners(server);
	if (status != 0) {
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot listen: %s",
			uv_strerror(status));
	}
	jc_turns_init(&server->turns, loop, options->config, jc_session_resume);
	uv_prepare_init(loop, &server->settler);
	server->settler.data = server;
	uv_prepare_start(&server->settler, on_settle);
	uv_timer_init(loop, &server->sweeper);
	server->sweeper.data = server;
	uv_timer_start(&server->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
	server->handles = (int)server->listener_count + 3; /* sweeper, settler, turns */
	*out_server = server;
	return JC_OK;
}

const struct jc_port *jc_server_port(const struct jc_server *server, size_t i)
{
	return i < server->listener_count ? &server->listeners[i].port : NULL;
}

bool jc_server_address(const struct jc_server *server, size_t i, enum jc_listener_kind *out_kind,
	char out_text[JC_ADDRESS_TEXT])
{
	struct sockaddr_storage address = { .ss_family = AF_INET };
	socklen_t length = sizeof(address);

	if (i >= server->listener_count) {
		return false;
	}
	*out_kind = server->listeners[i].port.kind;
	getsockname(server->listeners[i].port.fd, (struct sockaddr *)&address, &length);
	jc_address_format(&address, out_text);
	return true;
}

void jc_server_stop(struct jc_server *server, void (*on_stopped)(void *context), void *context)
{
	int64_t now = jc_clock_now_ns();
	struct jc_connection *next;

	if (server->stopping) {
		return;
	}
	server->stopping = true;
	server->on_stopped = on_stopped;
	server->stop_context = context;
	jc_server_close_listeners(server, false);
	for (struct jc_connection *c = server->connections; c; c = next) {
		next = c->next;
		if (c->kind != JC_LISTENER_ADMIN) {
			jc_connection_go_away(c, now);
		}
	}
	check_stopped(server);
}

void jc_server_destroy(struct jc_server *server)
{
	jc_sockets_finish(&server->sockets, server->loop);
	free(server);
}
