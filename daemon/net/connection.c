/* Phases of a connection: request, response or session, linger. Lingering reads what
 * the peer still sends, so that the kernel does not answer it with a reset that would
 * take our last bytes along.
 *
 * Nothing is freed under a caller's feet: what ends a connection puts it into
 * JC_CONNECTION_CLOSED, and the callback of libwebsockets that is under way, or the next
 * sweep, lets go of it. */
#include "net/connection.h"

#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "control/control.h"
#include "http/forwarded.h"
#include "http/handshake.h"
#include "http/routes.h"
#include "net/auth_policy.h"
#include "net/server_private.h"
#include "tls/certificate.h"

#define SECOND INT64_C(1000000000)

static void enter(struct jc_connection *connection, enum jc_connection_phase phase, int seconds)
{
	connection->phase = phase;
	connection->deadline_ns = jc_clock_now_ns() + seconds * SECOND;
}

static void set_socket_options(int fd)
{
	int on = 1;
	int lowest = 4096;

	/* A Unix socket knows neither, and needs neither. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	/* Else the kernel takes seconds of motion for a peer that reads none. */
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
	connection->peer = *peer;
	jc_response_init(&connection->response);
	enter(connection, JC_CONNECTION_REQUEST, JC_MAX_REQUEST_SECONDS);
	connection->wsi = jc_server_adopt(server, connection, fd);
	if (!connection->wsi) {
		free(connection);
		return JC_ERROR_LIMIT;
	}
	*out_connection = connection;
	return JC_OK;
}

static void give_back_body(struct jc_connection *connection)
{
	if (connection->body_bytes > 0) {
		connection->server->body_bytes -= connection->body_bytes;
		jc_client_address_let_go(connection->client_address, connection->body_bytes);
		connection->body_bytes = 0;
	}
}

void jc_connection_on_closed(struct jc_connection *connection)
{
	struct jc_exchange *exchange = connection->exchange;

	connection->wsi = NULL;
	connection->phase = JC_CONNECTION_CLOSED;
	if (exchange && exchange->is_served) {
		exchange->connection = NULL;
	} else {
		jc_exchange_destroy(exchange);
	}
	give_back_body(connection);
	if (connection->session) {
		jc_session_close(connection->session, JC_CLOSE_GOING_AWAY, "");
		jc_server_settle(connection->server);
		jc_session_destroy(connection->session);
	}
	jc_response_finish(&connection->response);
	free(connection->request);
	jc_server_forget(connection->server, connection);
	free(connection);
}

/* Whoever floods us is left to fill buffers of the kernel, and its own; who does not take
 * what it is sent is not listened to meanwhile, because libwebsockets would look at the
 * socket again and again without reading it. */
static void choose_reading(struct jc_connection *connection)
{
	bool waits = connection->session && connection->session->unread;

	lws_rx_flow_control(
		connection->wsi, !connection->is_held && !connection->is_choked && !waits);
}

bool jc_connection_write(struct jc_connection *connection, uint8_t *bytes, size_t length)
{
	if (connection->phase == JC_CONNECTION_CLOSED) {
		return false;
	}
	if (lws_write(connection->wsi, bytes, length, LWS_WRITE_RAW) < 0) {
		connection->phase = JC_CONNECTION_CLOSED;
		return false;
	}
	if (lws_partial_buffered(connection->wsi) && !connection->is_choked) {
		connection->is_choked = true;
		choose_reading(connection);
	}
	return true;
}

/* Nothing more to say: the peer gets our end and a moment for its own. */
static void linger(struct jc_connection *connection)
{
	SSL *tls = lws_get_ssl(connection->wsi);

	enter(connection, JC_CONNECTION_LINGER, JC_MAX_LINGER_SECONDS);
	if (tls) {
		SSL_shutdown(tls);
	}
	shutdown(lws_get_socket_fd(connection->wsi), SHUT_WR);
}

static void send_response(struct jc_connection *connection)
{
	uint8_t buffer[16384];
	const uint8_t *bytes;
	ssize_t count = 0;

	while (!connection->is_choked) {
		count = jc_response_next(&connection->response, buffer, sizeof(buffer), &bytes);
		if (count <= 0 ||
			!jc_connection_write(connection, (uint8_t *)bytes, (size_t)count)) {
			break;
		}
	}
	if (count < 0) {
		connection->phase = JC_CONNECTION_CLOSED;
	} else if (count == 0 && connection->phase == JC_CONNECTION_RESPONSE) {
		linger(connection);
	}
}

void jc_connection_respond(struct jc_connection *connection, int made)
{
	if (connection->phase == JC_CONNECTION_CLOSED) {
		return;
	}
	free(connection->request);
	connection->request = NULL;
	give_back_body(connection);
	if (made != JC_OK) {
		connection->phase = JC_CONNECTION_CLOSED;
		return;
	}
	enter(connection, JC_CONNECTION_RESPONSE, JC_MAX_RESPONSE_SECONDS);
	send_response(connection);
}

static void refuse(struct jc_connection *connection, int status, const char *reason)
{
	jc_connection_respond(
		connection, jc_response_status(&connection->response, status, reason, true));
}

static void upgrade(struct jc_connection *connection, const struct jc_request *request)
{
	uint8_t answer[JC_HANDSHAKE_BYTES];
	size_t length = jc_handshake_write(request, (char *)answer);

	if (length == 0 ||
		jc_session_create(connection, jc_clock_now_ns(), &connection->session) != JC_OK) {
		refuse(connection, 503, "out of memory");
		return;
	}
	connection->phase = JC_CONNECTION_SESSION;
	connection->deadline_ns = INT64_MAX;
	jc_token_bucket_init(&connection->bytes, jc_clock_now_ns());
	jc_connection_write(connection, answer, length);
}

/* The whole request is there. */
static void serve(struct jc_connection *connection)
{
	give_back_body(connection);
	enter(connection, JC_CONNECTION_ANSWER, JC_MAX_ANSWER_SECONDS);
	connection->exchange->is_served = true;
	connection->exchange->route->serve(connection->exchange);
}

/* Counted as it comes, not as it is announced, and no more than a share of one visitor. */
static bool keep_body(struct jc_connection *connection, size_t length)
{
	struct jc_server *server = connection->server;

	if (length > JC_MAX_BODIES_BYTES - server->body_bytes ||
		!jc_client_address_keep(
			connection->client_address, length, JC_MAX_BODIES_BYTES_OF_ONE)) {
		return false;
	}
	server->body_bytes += length;
	connection->body_bytes += length;
	return true;
}

static void take_body(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_exchange *exchange = connection->exchange;

	if (length > exchange->request.length - exchange->body_length) {
		jc_exchange_status(exchange, 400, "bytes follow the body");
	} else if (!keep_body(connection, length)) {
		jc_exchange_status(exchange, 503, "too many bodies at a time");
	} else if (!jc_exchange_add(exchange, bytes, length)) {
		jc_exchange_status(exchange, 503, "out of memory");
	} else if (exchange->body_length == exchange->request.length) {
		serve(connection);
	}
}

/* The route is the one that the request names, and may be asked by this visitor. */
static void begin_exchange(struct jc_connection *connection, const struct jc_route *route,
	const char *head, size_t length, const uint8_t *rest, size_t rest_length)
{
	uint8_t go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct jc_server *server = connection->server;
	struct jc_exchange *exchange = jc_exchange_create(connection, route, head, length);
	const char *reason = NULL;

	if (!exchange) {
		refuse(connection, 503, "out of memory");
		return;
	}
	connection->exchange = exchange;

	int status = route->admit ? route->admit(exchange, &reason) : 200;

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (exchange->request.length == 0) {
		serve(connection);
	} else if (exchange->request.length > JC_MAX_BODIES_BYTES - server->body_bytes) {
		jc_exchange_status(exchange, 503, "too many bodies at a time");
	} else {
		enter(connection, JC_CONNECTION_BODY, JC_MAX_BODY_SECONDS);
		if (exchange->request.expects_continue && rest_length == 0) {
			jc_connection_write(connection, go_on, sizeof(go_on) - 1);
		}
		if (rest_length > 0) {
			take_body(connection, rest, rest_length);
		}
	}
}

/* A page of another site that made its name lead here has a name that is not ours: not
 * on a Unix socket, and not in the certificate. */
static bool is_ours(const struct jc_connection *connection, const struct jc_request *request)
{
	struct jc_text host = jc_request_host(request);
	char name[256];

	if (connection->peer.sa.sa_family == AF_UNIX) {
		return true;
	}
	if (connection->kind != JC_LISTENER_TLS || host.length == 0 ||
		host.length >= sizeof(name)) {
		return false;
	}
	bool is_ipv6 = host.length > 2 && host.bytes[0] == '[';

	snprintf(name, sizeof(name), "%.*s", (int)host.length - 2 * is_ipv6, host.bytes + is_ipv6);
	return jc_certificate_names(connection->server->options.certificate, name);
}

static void find_policy(const struct jc_connection *connection, const struct jc_request *request,
	const struct jc_route *route, struct jc_request_policy *policy)
{
	const struct jc_config *config = connection->server->options.auth_policy->config;

	*policy = (struct jc_request_policy){ .host_count = config->hosts.count,
		.hosts = (const char *const *)config->hosts.texts,
		.origin_count = config->origins.count,
		.origins = (const char *const *)config->origins.texts,
		.any_host = is_ours(connection, request),
		.methods = route ? route->methods : 0,
		.body = route ? route->body : 0 };
}

/* A complete head of `length` bytes, and what came behind it. */
static void act(struct jc_connection *connection, const struct jc_request *request,
	const char *bytes, size_t length, size_t total)
{
	const struct jc_route *route = jc_route_find(request->target, connection->kind);
	const char *reason = NULL;
	struct jc_request_policy policy;

	find_policy(connection, request, route, &policy);
	int status = jc_forwarded_take(connection, request, &reason);

	if (status == 200) {
		status = jc_request_judge(request, &policy, &reason);
	}
	if (status == 200 && !route) {
		status = 404;
		reason = "no such path";
	} else if (status == 101 && connection->kind == JC_LISTENER_ADMIN) {
		status = 404;
		reason = "no WebSockets here";
	} else if (status == 101 && total > length) {
		status = 400;
		reason = "bytes follow the request before it was answered";
	}
	if (status == 101) {
		upgrade(connection, request);
	} else if (status == 200) {
		begin_exchange(connection, route, bytes, length, (const uint8_t *)bytes + length,
			total - length);
	} else {
		connection->response.methods = policy.methods;
		jc_connection_respond(connection, jc_response_status(&connection->response, status,
							  reason, !jc_request_is_head(request)));
	}
}

/* Keeps what came of a head that is not complete. */
static bool keep(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	char *request = realloc(connection->request, connection->request_length + length);

	if (!request) {
		return false;
	}
	memcpy(request + connection->request_length, bytes, length);
	connection->request = request;
	connection->request_length += length;
	return true;
}

static void read_request(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_request request;

	/* Most come in one piece and are read where they lie. */
	if (connection->request) {
		if (!keep(connection, bytes, length)) {
			connection->phase = JC_CONNECTION_CLOSED;
			return;
		}
		bytes = (const uint8_t *)connection->request;
		length = connection->request_length;
	}
	int head = jc_request_parse((const char *)bytes, length, &request);

	if (head > 0) {
		char *kept = connection->request;

		connection->request = NULL;
		act(connection, &request, (const char *)bytes, (size_t)head, length);
		free(kept);
	} else if (head < 0) {
		refuse(connection, -head,
			head == -431   ? "the head is too large"
			: head == -505 ? "only HTTP/1.1 and 1.0"
				       : "not a request");
	} else if (!connection->request && !keep(connection, bytes, length)) {
		connection->phase = JC_CONNECTION_CLOSED;
	}
}

/* Whether both sides have said Close, and the rest is a matter of TCP. */
static bool finish_session(struct jc_connection *connection)
{
	const struct jc_session *session = connection->session;

	if (connection->phase == JC_CONNECTION_SESSION && session->peer_closed &&
		session->close_sent && !connection->is_choked) {
		linger(connection);
	}
	return connection->phase != JC_CONNECTION_SESSION;
}

void jc_connection_resume(struct jc_connection *connection)
{
	if (connection->phase != JC_CONNECTION_SESSION) {
		return;
	}
	finish_session(connection);
	/* Also then: the end of the peer's bytes is read. */
	if (!connection->session->unread) {
		choose_reading(connection);
	}
}

static void read_session(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	struct jc_client_address *client_address = connection->client_address;
	int64_t now_ns = jc_clock_now_ns();

	jc_session_receive(connection->session, bytes, length, now_ns);
	if (!finish_session(connection) &&
		(!jc_token_bucket_spend(
			 &connection->bytes, (int64_t)length, JC_MAX_BYTES_PER_SECOND, now_ns) ||
			!jc_token_bucket_spend(&client_address->bytes, (int64_t)length,
				JC_MAX_BYTES_PER_ADDRESS, now_ns))) {
		connection->is_held = true;
	}
	if (connection->is_held || connection->session->unread) {
		choose_reading(connection);
	}
}

int jc_connection_on_bytes(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	switch (connection->phase) {
	case JC_CONNECTION_REQUEST:
		/* The deadlines are ours from here on. */
		lws_set_timeout(connection->wsi, NO_PENDING_TIMEOUT, 0);
		if (connection->kind == JC_LISTENER_TLS && !lws_get_ssl(connection->wsi)) {
			refuse(connection, 400, "this port speaks TLS: https:// and wss://");
			break;
		}
		read_request(connection, bytes, length);
		break;
	case JC_CONNECTION_BODY:
		take_body(connection, bytes, length);
		break;
	case JC_CONNECTION_SESSION:
		read_session(connection, bytes, length);
		break;
	case JC_CONNECTION_ANSWER:
	case JC_CONNECTION_RESPONSE:
	case JC_CONNECTION_LINGER:
	case JC_CONNECTION_CLOSED:
		break; /* one request a connection */
	}
	return connection->phase == JC_CONNECTION_CLOSED;
}

int jc_connection_on_writable(struct jc_connection *connection)
{
	if (connection->is_choked && !lws_partial_buffered(connection->wsi)) {
		connection->is_choked = false;
		choose_reading(connection);
	}
	if (connection->phase == JC_CONNECTION_RESPONSE) {
		send_response(connection);
	} else if (connection->phase == JC_CONNECTION_SESSION) {
		jc_session_writable(connection->session);
		finish_session(connection);
	}
	return connection->phase == JC_CONNECTION_CLOSED;
}

/* Not from a callback of its own. */
static void end(struct jc_connection *connection)
{
	lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

void jc_connection_sweep(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase == JC_CONNECTION_SESSION &&
		!jc_session_sweep(connection->session, now_ns)) {
		connection->phase = JC_CONNECTION_CLOSED;
	}
	if (connection->is_held) {
		connection->is_held = false;
		choose_reading(connection);
	}
	if (connection->phase == JC_CONNECTION_CLOSED) {
		end(connection);
	} else if (now_ns < connection->deadline_ns) {
		return;
	} else if (connection->phase == JC_CONNECTION_REQUEST && connection->request) {
		refuse(connection, 408, "the request took too long");
	} else if (connection->phase == JC_CONNECTION_BODY) {
		jc_exchange_status(connection->exchange, 408, "the body took too long");
	} else if (connection->phase == JC_CONNECTION_ANSWER) {
		connection->exchange->connection = NULL;
		connection->exchange = NULL;
		refuse(connection, 503, "the answer took too long");
	} else {
		end(connection);
	}
}

void jc_connection_go_away(struct jc_connection *connection, int64_t now_ns)
{
	if (connection->phase != JC_CONNECTION_SESSION) {
		end(connection);
		return;
	}
	jc_control_going_away(connection->session);
	jc_session_close(connection->session, JC_CLOSE_GOING_AWAY, "the server ends");
	connection->deadline_ns = now_ns + SECOND;
}
