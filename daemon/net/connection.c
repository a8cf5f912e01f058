/* Phases of a connection: request, response or session, linger. Lingering
 * reads what the peer still sends, so that the kernel does not answer it with a
 * reset that would take our last bytes along. */
#include "net/connection.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/control.h"
#include "net/gate.h"
#include "net/server_private.h"
#include "net/status.h"

#define SECOND INT64_C(1000000000)

static void on_event(uv_poll_t *poll, int status, int events);

static void watch(struct jc_connection *connection, int events)
{
	uv_poll_start(&connection->poll, events, on_event);
}

static void enter(struct jc_connection *connection, enum jc_connection_phase phase, int seconds)
{
	connection->phase = phase;
	connection->deadline_ns = jc_clock_now_ns() + seconds * SECOND;
}

static void set_socket_options(int fd)
{
	int on = 1;
	int lowest = 4096;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* Else the kernel takes seconds of motion for a peer that reads none. */
	setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowest, sizeof(lowest));
}

int jc_connection_open(struct jc_server *server, int fd, const struct sockaddr_storage *peer,
	struct jc_connection **out_connection)
{
	int status = UV_ENOMEM;
	struct jc_connection *connection = calloc(1, sizeof(*connection));

	if (!connection) {
		goto close_fd;
	}
	connection->request = malloc(JC_MAX_REQUEST_BYTES);
	if (!connection->request) {
		goto free_connection;
	}
	status = uv_poll_init(server->loop, &connection->poll, fd);
	if (status != 0) {
		goto free_request;
	}
	set_socket_options(fd);
	connection->server = server;
	connection->fd = fd;
	connection->peer = *peer;
	connection->poll.data = connection;
	jc_response_init(&connection->response);
	enter(connection, JC_CONNECTION_REQUEST, JC_MAX_REQUEST_SECONDS);
	watch(connection, UV_READABLE);
	*out_connection = connection;
	return 0;

free_request:
	free(connection->request);
free_connection:
	free(connection);
close_fd:
	close(fd);
	return status;
}

static void on_closed(uv_handle_t *handle)
{
	struct jc_connection *connection = handle->data;

	close(connection->fd);
	jc_session_destroy(connection->session);
	jc_response_finish(&connection->response);
	free(connection->request);
	jc_server_forget(connection->server, connection);
	free(connection);
}

/* libwebsockets gives its descriptor back as soon as it reads the end, which a
 * shut down socket has at once. */
static void release_socket(struct jc_session *session)
{
	struct lws *wsi = session->wsi;

	session->wsi = NULL;
	*(struct jc_session **)lws_wsi_user(wsi) = NULL;
	lws_rx_flow_control(wsi, 1);
	lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

void jc_connection_destroy(struct jc_connection *connection)
{
	struct jc_session *session = connection->session;

	if (connection->phase == JC_CONNECTION_CLOSED) {
		return;
	}
	connection->phase = JC_CONNECTION_CLOSED;
	shutdown(connection->fd, SHUT_RDWR);
	if (session) {
		jc_session_leave(session);
	}
	if (session && session->wsi) {
		release_socket(session);
	}
	uv_close((uv_handle_t *)&connection->poll, on_closed);
}

/* Nothing more to say: the peer gets our end and a moment for its own. */
static void linger(struct jc_connection *connection)
{
	enter(connection, JC_CONNECTION_LINGER, JC_MAX_LINGER_SECONDS);
	shutdown(connection->fd, SHUT_WR);
	watch(connection, UV_READABLE);
}

static void send_response(struct jc_connection *connection)
{
	int status = jc_response_send(&connection->response, connection->fd);

	if (status < 0) {
		jc_connection_destroy(connection);
	} else if (status > 0) {
		linger(connection);
	} else {
		watch(connection, UV_WRITABLE);
	}
}

/* `made` is what composing the response returned. */
static void respond(struct jc_connection *connection, int made)
{
	free(connection->request);
	connection->request = NULL;
	if (made != JC_OK) {
		jc_connection_destroy(connection);
		return;
	}
	enter(connection, JC_CONNECTION_RESPONSE, JC_MAX_RESPONSE_SECONDS);
	send_response(connection);
}

static void refuse(struct jc_connection *connection, int status, const char *reason)
{
	respond(connection, jc_response_status(&connection->response, status, reason, true));
}

static void upgrade(struct jc_connection *connection, const struct jc_request *request)
{
	struct jc_server *server = connection->server;
	int status = jc_session_create(connection, jc_clock_now_ns(), &connection->session);

	if (status == JC_OK) {
		status = jc_server_adopt(server, connection->session, connection->fd, request->key);
	}
	if (status != JC_OK) {
		jc_log_write(server->options.log, JC_LOG_WARNING, "a handshake failed: %s",
			jc_error_name(status));
		jc_connection_destroy(connection);
		return;
	}
	free(connection->request);
	connection->request = NULL;
	connection->phase = JC_CONNECTION_SESSION;
	connection->deadline_ns = INT64_MAX;
	jc_allowance_init(&connection->bytes, jc_clock_now_ns());
}

/* A text that was made for this, which may have failed. */
static void respond_text(struct jc_connection *connection, const struct jc_request *request,
	const char *type, char *text)
{
	int made = text ? jc_response_text(&connection->response, type, text,
				  !jc_text_is(request->method, "HEAD"))
			: JC_ERROR_MEMORY;

	free(text);
	respond(connection, made);
}

static void refuse_request(struct jc_connection *connection, const struct jc_request *request,
	int status, const char *reason)
{
	respond(connection, jc_response_status(&connection->response, status, reason,
				    !jc_text_is(request->method, "HEAD")));
}

static void serve(struct jc_connection *connection, const struct jc_request *request)
{
	const struct jc_server *server = connection->server;
	int64_t now_ns = jc_clock_now_ns();

	bool tells =
		jc_text_is(request->target, "/status") || jc_text_is(request->target, "/metrics");

	if (tells && !jc_request_is_local(request)) {
		refuse_request(connection, request, 403, "only told to this machine");
	} else if (jc_text_is(request->target, "/status")) {
		respond_text(
			connection, request, "application/json", jc_status_json(server, now_ns));
	} else if (jc_text_is(request->target, "/metrics")) {
		respond_text(connection, request, "text/plain; version=0.0.4; charset=utf-8",
			jc_status_metrics(server, now_ns));
	} else {
		respond(connection, jc_response_serve(&connection->response, request,
					    server->options.gate->config->web_root));
	}
}

static const struct jc_request_policy *policy_of(
	const struct jc_connection *connection, struct jc_request_policy *policy)
{
	const struct jc_config *config = connection->server->options.gate->config;

	*policy = (struct jc_request_policy){ .host_count = config->hosts.count,
		.hosts = (const char *const *)config->hosts.texts,
		.origin_count = config->origins.count,
		.origins = (const char *const *)config->origins.texts };
	return policy;
}

/* A complete head of `length` bytes. */
static void act(struct jc_connection *connection, const struct jc_request *request, size_t length)
{
	const char *reason = NULL;
	struct jc_request_policy policy;
	int status = jc_request_judge(request, policy_of(connection, &policy), &reason);

	if (status == 101 && connection->request_length > length) {
		refuse(connection, 400, "bytes follow the request before it was answered");
	} else if (status == 101) {
		upgrade(connection, request);
	} else if (status == 200) {
		serve(connection, request);
	} else {
		refuse_request(connection, request, status, reason);
	}
}

static void read_request(struct jc_connection *connection)
{
	struct jc_request request;
	ssize_t count = recv(connection->fd, connection->request + connection->request_length,
		JC_MAX_REQUEST_BYTES - connection->request_length, 0);

	if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (count <= 0) {
		jc_connection_destroy(connection);
		return;
	}
	connection->request_length += (size_t)count;

	int length = jc_request_parse(connection->request, connection->request_length, &request);

	if (length > 0) {
		act(connection, &request, (size_t)length);
	} else if (length < 0) {
		refuse(connection, -length,
			length == -431   ? "the head is too large"
			: length == -505 ? "only HTTP/1.1 and 1.0"
					 : "not a request");
	}
}

/* Frames may be as small as two bytes and a mask: whoever floods us is left to fill
 * buffers of the kernel, and its own. */
static void pace(struct jc_connection *connection, ssize_t count, int64_t now_ns)
{
	if (!jc_allowance_spend(&connection->bytes, count, JC_MAX_BYTES_PER_SECOND, now_ns)) {
		connection->is_held = true;
		uv_poll_stop(&connection->poll);
	}
}

static void read_session(struct jc_connection *connection)
{
	struct jc_session *session = connection->session;
	uint8_t bytes[16384];
	ssize_t count = recv(connection->fd, bytes, sizeof(bytes), 0);
	int64_t now_ns = jc_clock_now_ns();

	if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (count <= 0 || !jc_session_receive(session, bytes, (size_t)count, now_ns)) {
		jc_connection_destroy(connection);
	} else if (session->peer_closed && session->close_sent) {
		linger(connection);
	} else {
		pace(connection, count, now_ns);
	}
}

static void drain(struct jc_connection *connection)
{
	char bytes[16384];
	ssize_t count = recv(connection->fd, bytes, sizeof(bytes), 0);

	if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
		jc_connection_destroy(connection);
	}
}

static void on_event(uv_poll_t *poll, int status, int events)
{
	struct jc_connection *connection = poll->data;

	(void)events;
	if (status < 0) {
		jc_connection_destroy(connection);
		return;
	}
	switch (connection->phase) {
	case JC_CONNECTION_REQUEST:
		read_request(connection);
		break;
	case JC_CONNECTION_RESPONSE:
		send_response(connection);
		break;
	case JC_CONNECTION_SESSION:
		read_session(connection);
		break;
	case JC_CONNECTION_LINGER:
		drain(connection);
		break;
	case JC_CONNECTION_CLOSED:
		break;
	}
}

void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase == JC_CONNECTION_CLOSED) {
		return;
	}
	if (connection->phase == JC_CONNECTION_SESSION &&
		!jc_session_sweep(connection->session, now_ns)) {
		connection->deadline_ns = now_ns;
	}
	if (connection->is_held) {
		connection->is_held = false;
		watch(connection, UV_READABLE);
	}
	if (now_ns < connection->deadline_ns) {
		return;
	}
	if (connection->phase == JC_CONNECTION_REQUEST && connection->request_length > 0) {
		refuse(connection, 408, "the request took too long");
	} else {
		jc_connection_destroy(connection);
	}
}

void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase != JC_CONNECTION_SESSION) {
		jc_connection_destroy(connection);
		return;
	}
	jc_control_going_away(connection->session);
	jc_session_close(connection->session, JC_CLOSE_GOING_AWAY, "the server ends");
	connection->deadline_ns = now_ns + SECOND;
}
