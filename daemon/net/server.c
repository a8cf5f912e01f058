/* Setting up, accepting and taking down. The order in which libwebsockets is
 * let go (once from a libuv callback, then again and again around uv_run) is the
 * one that leaves neither handle nor memory behind on 4.1.6 and 4.3.5. */
#include "net/server_private.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/gate.h"

#define SWEEP_MS       250
#define ACCEPT_BURST   64
#define LISTEN_BACKLOG 128

static int on_websocket(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct jc_server *server = lws_context_user(lws_get_context(wsi));
	struct jc_session **session = user;

	(void)in;
	(void)length;
	switch (reason) {
	case LWS_CALLBACK_WSI_CREATE:
		server->socket_count++;
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		server->socket_count--;
		return 0;
	case LWS_CALLBACK_ESTABLISHED:
		*session = server->adopting;
		if (!*session) {
			return -1;
		}
		(*session)->wsi = wsi;
		/* From here on the connection reads. */
		lws_rx_flow_control(wsi, 0);
		return 0;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		if (*session) {
			jc_session_writable(*session);
		}
		return 0;
	case LWS_CALLBACK_CLOSED:
		if (*session) {
			(*session)->wsi = NULL;
			(*session)->connection->deadline_ns = 0;
		}
		return 0;
	case LWS_CALLBACK_HTTP:
	case LWS_CALLBACK_RECEIVE:
		return -1; /* nothing but our own handshakes reaches it */
	default:
		return 0;
	}
}

static const struct lws_protocols protocols[] = {
	{ .name = JC_SUBPROTOCOL,
		.callback = on_websocket,
		.per_session_data_size = sizeof(struct jc_session *),
		.rx_buffer_size = 4096,
		/* Else frames are split at rx_buffer_size and throughput collapses. */
		.tx_packet_size = 65536 },
	{ .name = NULL },
};

/* No timers of its own for silent peers: they would need what it does not read. */
static const lws_retry_bo_t no_keepalive = { .secs_since_valid_hangup = 0 };

static int create_context(struct jc_server *server)
{
	void *loops[] = { server->loop };
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = protocols,
		.foreign_loops = loops,
		.pcontext = &server->context,
		.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
		.gid = -1,
		.uid = -1,
		.user = server,
		.timeout_secs = 5,
		.alpn = "http/1.1",
		.retry_and_idle_policy = &no_keepalive,
	};

	/* Its log has no way to ours; what fails is seen in what it returns. */
	lws_set_log_level(0, NULL);
	server->context = lws_create_context(&info);
	if (server->context) {
		server->vhost = lws_create_vhost(server->context, &info);
	}
	return server->vhost ? JC_OK : JC_ERROR_UNSUPPORTED;
}

int jc_server_adopt(
	struct jc_server *server, struct jc_session *session, int fd, struct jc_text key)
{
	char request[512];
	int length = snprintf(request, sizeof(request),
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Protocol: " JC_SUBPROTOCOL "\r\n"
		"Sec-WebSocket-Key: %.*s\r\n\r\n",
		(int)key.length, key.bytes);
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (own < 0) {
		return JC_ERROR_LIMIT;
	}
	/* The request was judged; what libwebsockets gets is its essence, so that
	 * the two can never read it differently. */
	server->adopting = session;
	lws_adopt_socket_vhost_readbuf(server->vhost, own, request, (size_t)length);
	server->adopting = NULL;
	return session->wsi ? JC_OK : JC_ERROR_INVALID;
}

static bool same_address(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	if (a->ss_family != b->ss_family) {
		return false;
	}
	if (a->ss_family == AF_INET) {
		return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)b)->sin_addr.s_addr;
	}
	return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
		       &((const struct sockaddr_in6 *)b)->sin6_addr, sizeof(struct in6_addr)) == 0;
}

static bool is_full_for(const struct jc_server *server, const struct sockaddr_storage *peer)
{
	size_t count = 0;

	if (server->connection_count >= server->options.gate->config->connections) {
		return true;
	}
	for (struct jc_connection *c = server->connections; c; c = c->next) {
		count += same_address(&c->peer, peer);
	}
	return count >= server->options.gate->config->connections_per_address;
}

static void take_connection(struct jc_server *server, int fd, const struct sockaddr_storage *peer)
{
	static const char full[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
				   "Retry-After: 5\r\nConnection: close\r\n\r\n";
	struct jc_connection *connection;

	if (is_full_for(server, peer)) {
		server->traffic.refused++;
		/* One courtesy; whether it arrives does not matter. */
		if (send(fd, full, sizeof(full) - 1, MSG_NOSIGNAL) > 0) {
			shutdown(fd, SHUT_WR);
		}
		close(fd);
		return;
	}
	if (jc_connection_open(server, fd, peer, &connection) != 0) {
		return;
	}
	connection->next = server->connections;
	if (server->connections) {
		server->connections->previous = connection;
	}
	server->connections = connection;
	server->connection_count++;
	server->traffic.connections++;
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
	struct jc_server *server = poll->data;

	(void)status;
	(void)events;
	for (int i = 0; i < ACCEPT_BURST; i++) {
		struct sockaddr_storage peer;
		socklen_t length = sizeof(peer);
		int fd = accept4(server->listen_fd, (struct sockaddr *)&peer, &length,
			SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			take_connection(server, fd, &peer);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
			jc_log_write(server->options.log, JC_LOG_WARNING,
				"cannot accept a connection: %s", strerror(errno));
			uv_poll_stop(poll);
			server->paused = true;
			return;
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct jc_server *server = handle->data;

	if (--server->handles > 0) {
		return;
	}
	if (server->context) {
		lws_context_destroy(server->context);
	}
	if (server->on_stopped) {
		server->on_stopped(server->stop_context);
	}
}

static void close_handle(struct jc_server *server, uv_handle_t *handle)
{
	handle->data = server;
	uv_close(handle, on_handle_closed);
}

/* The sweeper goes last: it holds the deadlines. */
static void check_stopped(struct jc_server *server)
{
	if (server->stopping && !server->connections &&
		!uv_is_closing((uv_handle_t *)&server->sweeper)) {
		close_handle(server, (uv_handle_t *)&server->sweeper);
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
	server->connection_count--;
	check_stopped(server);
}

static void on_sweep(uv_timer_t *timer)
{
	struct jc_server *server = timer->data;
	int64_t now = jc_clock_now_ns();

	/* Destroying is asynchronous: the list does not change under the loop. */
	for (struct jc_connection *c = server->connections; c; c = c->next) {
		jc_connection_sweep(c, now);
	}
	/* On a foreign loop its timers are looked at only after an event. */
	if (server->socket_count > 0) {
		lws_cancel_service(server->context);
	}
	if (server->paused && !server->stopping) {
		server->paused = false;
		uv_poll_start(&server->listener, UV_READABLE, on_acceptable);
	}
}

static int listen_on(const struct sockaddr_storage *address, struct jc_diagnostic *diagnostic)
{
	int on = 1;
	socklen_t length = jc_address_length(address);
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
		bind(fd, (const struct sockaddr *)address, length) == 0 &&
		listen(fd, LISTEN_BACKLOG) == 0) {
		return fd;
	}
	jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot listen: %s", strerror(errno));
	if (fd >= 0) {
		close(fd);
	}
	return -1;
}

int jc_server_create(uv_loop_t *loop, const struct jc_server_options *options,
	struct jc_server **out_server, struct jc_diagnostic *diagnostic)
{
	struct jc_server *server = calloc(1, sizeof(*server));

	if (!server) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	server->options = *options;
	server->loop = loop;
	server->listen_fd = options->listener >= 0 ? options->listener
						   : listen_on(&options->address, diagnostic);
	if (server->listen_fd < 0) {
		free(server);
		return JC_ERROR_INVALID;
	}
	if (create_context(server) != JC_OK ||
		uv_poll_init(loop, &server->listener, server->listen_fd) != 0) {
		close(server->listen_fd);
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"libwebsockets cannot be set up on libuv (is its libuv plugin there?)");
	}
	server->listener.data = server;
	uv_poll_start(&server->listener, UV_READABLE, on_acceptable);
	uv_timer_init(loop, &server->sweeper);
	server->sweeper.data = server;
	uv_timer_start(&server->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
	server->handles = 2;
	*out_server = server;
	return JC_OK;
}

void jc_server_address(const struct jc_server *server, char out_text[JC_ADDRESS_TEXT])
{
	struct sockaddr_storage address = { .ss_family = AF_INET };
	socklen_t length = sizeof(address);

	getsockname(server->listen_fd, (struct sockaddr *)&address, &length);
	jc_address_format(&address, out_text);
}

void jc_server_stop(struct jc_server *server, void (*on_stopped)(void *context), void *context)
{
	int64_t now = jc_clock_now_ns();

	if (server->stopping) {
		return;
	}
	server->stopping = true;
	server->on_stopped = on_stopped;
	server->stop_context = context;
	close_handle(server, (uv_handle_t *)&server->listener);
	close(server->listen_fd);
	for (struct jc_connection *c = server->connections; c; c = c->next) {
		jc_connection_go_away(c, now);
	}
	check_stopped(server);
}

void jc_server_destroy(struct jc_server *server)
{
	while (server->context) {
		lws_context_destroy(server->context);
		uv_run(server->loop, UV_RUN_DEFAULT);
	}
	free(server);
}
