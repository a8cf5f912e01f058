/* Setting up, letting in and taking down. The order in which libwebsockets is
 * let go (once from a libuv callback, then again and again around uv_run) is the
 * one that leaves neither handle nor memory behind on 4.1.6 and 4.3.5. */
#include "net/server_private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "control/calibrate.h"
#include "control/moderate.h"
#include "control/replay_actions.h"
#include "net/auth_policy.h"
#include "tls/certificate.h"

#define SWEEP_MS 250

static int on_socket(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct jc_server *server = lws_context_user(lws_get_context(wsi));
	struct jc_connection *connection;

	switch (reason) {
	case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
		server->tls = user;
		jc_certificate_prepare(server->tls);
		return jc_certificate_use(server->options.certificate, server->tls) ? 0 : 1;
	case LWS_CALLBACK_WSI_CREATE:
		server->socket_count++;
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		server->socket_count--;
		return 0;
	case LWS_CALLBACK_RAW_RX:
		connection = lws_get_opaque_user_data(wsi);
		return jc_connection_on_bytes(connection, in, length) ? -1 : 0;
	case LWS_CALLBACK_RAW_WRITEABLE:
		connection = lws_get_opaque_user_data(wsi);
		return jc_connection_on_writable(connection) ? -1 : 0;
	case LWS_CALLBACK_RAW_CLOSE:
		connection = lws_get_opaque_user_data(wsi);
		lws_set_opaque_user_data(wsi, NULL);
		/* Where adopting failed it is not one of ours yet. */
		if (connection && connection->wsi) {
			jc_connection_on_closed(connection);
		}
		return 0;
	default:
		return 0;
	}
}

static const struct lws_protocols protocols[] = {
	{ .name = JC_SUBPROTOCOL,
		.callback = on_socket,
		/* Else writes are cut at rx_buffer_size and throughput collapses. */
		.tx_packet_size = 65536 },
	{ .name = NULL },
};

/* No timers of its own for silent peers: they would need what it does not read. */
static const lws_retry_bo_t no_keepalive = { .secs_since_valid_hangup = 0 };

static bool speaks_tls(const struct jc_server_options *options)
{
	for (size_t i = 0; i < options->port_count; i++) {
		if (options->ports[i].kind == JC_LISTENER_TLS) {
			return true;
		}
	}
	return false;
}

/* It reads the files itself, and is then told what was judged. */
static struct lws_vhost *create_encrypted(
	struct jc_server *server, struct lws_context_creation_info *info)
{
	info->vhost_name = "tls";
	info->ssl_cert_filepath = server->options.certificate_path;
	info->ssl_private_key_filepath = server->options.key_path;
	/* Whoever forgot the s of wss is told, see jc_connection_on_bytes. */
	info->options |= LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
			 LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;
	return lws_create_vhost(server->context, info);
}

static int create_context(struct jc_server *server)
{
	void *loops[] = { server->loop };
	bool tls = speaks_tls(&server->options);
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = protocols,
		.foreign_loops = loops,
		.pcontext = &server->context,
		.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
			   (tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
		.user = server,
		.timeout_secs = JC_MAX_REQUEST_SECONDS,
		.pt_serv_buf_size = 16384,
		.alpn = "http/1.1",
		.retry_and_idle_policy = &no_keepalive,
		.vhost_name = "plain",
	};

	/* Its log has no way to ours; what fails is seen in what it returns. */
	lws_set_log_level(0, NULL);
	server->context = lws_create_context(&info);
	if (!server->context) {
		return JC_ERROR_UNSUPPORTED;
	}
	server->plain = lws_create_vhost(server->context, &info);
	if (tls) {
		server->encrypted = create_encrypted(server, &info);
	}
	return server->plain && (!tls || server->encrypted) ? JC_OK : JC_ERROR_UNSUPPORTED;
}

void jc_server_show(struct jc_server *server, struct jc_certificate *certificate)
{
	if (certificate && server->tls && jc_certificate_use(certificate, server->tls)) {
		jc_certificate_destroy(server->options.certificate);
		server->options.certificate = certificate;
	} else {
		jc_certificate_destroy(certificate);
	}
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

struct lws *jc_server_adopt(struct jc_server *server, struct jc_connection *connection, int fd)
{
	bool tls = connection->kind == JC_LISTENER_TLS;
	const lws_adopt_desc_t adopted = { .vh = tls ? server->encrypted : server->plain,
		.type = LWS_ADOPT_SOCKET | (tls ? LWS_ADOPT_ALLOW_SSL : 0),
		.fd = { .sockfd = fd },
		.opaque = connection };

	return lws_adopt_descriptor_vhost_via_info(&adopted);
}

static size_t *count_of(struct jc_server *server, enum jc_listener_kind kind)
{
	return kind == JC_LISTENER_ADMIN ? &server->admin_count : &server->connection_count;
}

/* One courtesy; whether it arrives does not matter. In TLS there is none. */
static void turn_away(enum jc_listener_kind kind, int fd)
{
	static const char full[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
				   "Retry-After: 5\r\nConnection: close\r\n\r\n";

	if (kind != JC_LISTENER_TLS && send(fd, full, sizeof(full) - 1, MSG_NOSIGNAL) > 0) {
		shutdown(fd, SHUT_WR);
	}
	close(fd);
}

static void dismiss(struct jc_server *server, struct jc_client_address *client_address)
{
	if (client_address) {
		if (client_address->count == 1) {
			jc_turns_leave(server, &client_address->turns);
		}
		jc_address_limits_leave(&server->address_limits, client_address);
	}
}

bool jc_server_believes(const struct jc_server *server, enum jc_listener_kind kind)
{
	return kind == JC_LISTENER_PROXY && server->options.auth_policy->config->proxy.forwarded;
}

int jc_server_pass_on(
	struct jc_server *server, struct jc_connection *connection, const union jc_peer *peer)
{
	struct jc_client_address *client_address;
	int status = jc_address_limits_enter(&server->address_limits, &peer->sa,
		server->options.auth_policy->config->connections_per_address, &client_address);

	if (status != JC_OK) {
		server->traffic.refused++;
		return status;
	}
	dismiss(server, connection->client_address);
	connection->client_address = client_address;
	connection->peer = *peer;
	return JC_OK;
}

/* Whoever looks after a daemon that is full has places of his own. */
static int admit(struct jc_server *server, enum jc_listener_kind kind, const union jc_peer *peer,
	struct jc_client_address **out_client_address)
{
	const struct jc_config *config = server->options.auth_policy->config;

	*out_client_address = NULL;
	if (kind == JC_LISTENER_ADMIN) {
		return server->admin_count < JC_MAX_ADMIN_CONNECTIONS ? JC_OK : JC_ERROR_LIMIT;
	}
	if (server->connection_count >= config->connections) {
		return JC_ERROR_LIMIT;
	}
	return jc_address_limits_enter(&server->address_limits, &peer->sa,
		jc_server_believes(server, kind) ? config->connections
						 : config->connections_per_address,
		out_client_address);
}

bool jc_server_welcome(
	struct jc_server *server, enum jc_listener_kind kind, int fd, const union jc_peer *peer)
{
	struct jc_connection *connection;
	struct jc_client_address *client_address;

	if (admit(server, kind, peer, &client_address) != JC_OK) {
		server->traffic.refused++;
		turn_away(kind, fd);
		return false;
	}
	if (jc_connection_open(server, kind, fd, peer, &connection) != JC_OK) {
		dismiss(server, client_address);
		return false;
	}
	connection->client_address = client_address;
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
	if (server->context) {
		lws_context_destroy(server->context);
	}
	if (server->on_stopped) {
		server->on_stopped(server->stop_context);
	}
}

/* The listeners for health and figures, or all others. */
static void close_listeners(struct jc_server *server, bool admin)
{
	for (size_t i = 0; i < server->listener_count; i++) {
		struct jc_listener *listener = &server->listeners[i];

		if ((listener->port.kind == JC_LISTENER_ADMIN) == admin &&
			!uv_is_closing((uv_handle_t *)&listener->poll)) {
			jc_listener_close(listener, on_handle_closed);
		}
	}
}

/* Health is told until the last of the others has gone. The sweeper goes last: it holds
 * the deadlines. */
static void check_stopped(struct jc_server *server)
{
	if (server->stopping && server->connection_count == 0) {
		close_listeners(server, true);
	}
	if (server->stopping && !server->connections &&
		!uv_is_closing((uv_handle_t *)&server->sweeper)) {
		uv_close((uv_handle_t *)&server->sweeper, on_handle_closed);
		uv_close((uv_handle_t *)&server->settler, on_handle_closed);
		uv_close((uv_handle_t *)&server->turns.timer, on_handle_closed);
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
	dismiss(server, connection->client_address);
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
	jc_moderate_sweep(server);
	/* On a foreign loop its timers are looked at only after an event. */
	if (server->socket_count > 0) {
		lws_cancel_service(server->context);
	}
}

/* Those from that one on, which became no listeners. */
static void close_ports(const struct jc_server_options *options, size_t from)
{
	for (size_t i = from; i < options->port_count; i++) {
		close(options->ports[i].fd);
	}
}

/* All of them or none. */
static int start_listeners(struct jc_server *server, uv_loop_t *loop)
{
	const struct jc_server_options *options = &server->options;
	int status = 0;

	for (size_t i = 0; i < options->port_count && status == 0; i++) {
		status = jc_listener_start(&server->listeners[i], server, &options->ports[i], loop);
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

static int open_saver(struct jc_server *server)
{
	const struct jc_calibration_saver_options options = { .loop = server->loop,
		.log = server->options.log,
		.state = server->options.state,
		.on_saved = jc_calibrating_saved };

	return jc_calibration_saver_create(&options, &server->calibrations);
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
	if (jc_siphash_key_init(&server->address_limits.key) != JC_OK ||
		jc_siphash_key_init(&server->subject_key) != JC_OK) {
		close_ports(options, 0);
		jc_server_destroy(server);
		return jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	if (open_saver(server) != JC_OK) {
		close_ports(options, 0);
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (create_context(server) != JC_OK) {
		close_ports(options, 0);
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"libwebsockets cannot be set up on libuv (is its libuv plugin there?)");
	}
	int status = start_listeners(server, loop);

	if (status != 0) {
		jc_server_destroy(server);
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot listen: %s",
			uv_strerror(status));
	}
	jc_turns_init(server);
	uv_prepare_init(loop, &server->settler);
	server->settler.data = server;
	uv_prepare_start(&server->settler, on_settle);
	uv_timer_init(loop, &server->sweeper);
	server->sweeper.data = server;
	uv_timer_start(&server->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
	server->handles = (int)server->listener_count + 3; /* sweeper, settler, turns */
	jc_control_follow_replays(server);
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
	close_listeners(server, false);
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
	jc_control_unfollow_replays(server);
	while (server->context) {
		lws_context_destroy(server->context);
		uv_run(server->loop, UV_RUN_DEFAULT);
	}
	jc_certificate_destroy(server->options.certificate);
	jc_calibration_saver_destroy(server->calibrations);
	free(server);
}
