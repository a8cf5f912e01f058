/* See line.h. */
#include "line.h"

#include <fcntl.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "moderation/moderation.h"
#include "record/recordings.h"
#include "registry/registry.h"

#define MOST_HEAD 14

static struct line *current;

/* Not an assertion, which release builds leave out. */
static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

int lws_write(
	struct lws *wsi, unsigned char *bytes, size_t length, enum lws_write_protocol protocol)
{
	(void)wsi;
	(void)protocol;
	if (current->hear) {
		current->hear(current->context, bytes, length);
	}
	return (int)length;
}

int lws_partial_buffered(struct lws *wsi)
{
	(void)wsi;
	return current->is_full;
}

int lws_rx_flow_control(struct lws *wsi, int enable)
{
	(void)wsi;
	(void)enable;
	return 0;
}

void lws_set_timeout(struct lws *wsi, enum pending_timeout reason, int seconds)
{
	(void)wsi;
	(void)seconds;
	/* libwebsockets closes it before it returns. */
	if (reason == PENDING_TIMEOUT_CLOSE_SEND) {
		line_hang_up(current);
	}
}

SSL *lws_get_ssl(struct lws *wsi)
{
	(void)wsi;
	return NULL;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
	(void)wsi;
	return -1;
}

void line_forgive(struct line *line)
{
	const struct jc_moderation_options options = { .loop = &line->loop, .log = &line->log };
	struct jc_diagnostic diagnostic;
	struct jc_moderation **moderation = &line->services.moderation;

	jc_moderation_destroy(*moderation);
	int status = jc_moderation_create(&options, moderation, &diagnostic);

	must(status == JC_OK);
}

void line_open(struct line *line)
{
	const struct jc_registry_options registry = { .skeleton_table =
							      &line->spaces.skeleton_table,
		.log = &line->log,
		.loop = &line->loop,
		.quotas = { .subject = { 4, 1u << 16 },
			.connection = { 2, 1u << 15 },
			.address = { 3, 1u << 15 },
			.connections = { 4, 1u << 16 },
			.all = { 8, 1u << 17 } } };
	const struct jc_recordings_options recordings = {
		.loop = &line->loop, .clock = &line->spaces.clock, .log = &line->log
	};
	struct jc_services *services = &line->services;
	struct jc_diagnostic diagnostic;
	struct jc_fanout *lobby;
	int status = uv_loop_init(&line->loop);

	current = line;
	jc_log_init(&line->log, open("/dev/null", O_WRONLY | O_CLOEXEC), NULL);
	status |= jc_config_init(&line->config, "/nowhere", &diagnostic);
	status |= jc_auth_policy_init(&line->auth_policy, &line->config, &diagnostic);
	status |= jc_spaces_init(&line->spaces, &diagnostic);
	line->spaces.policy.open.anyone = true;
	status |= jc_spaces_open(&line->spaces, "lobby", &lobby);
	status |= jc_registry_create(&registry, &services->registry);
	status |= jc_recordings_create(&recordings, &services->recordings);
	must(status == JC_OK);
	line_forgive(line);
	services->loop = &line->loop;
	services->avatars = &line->avatars;
	status |= jc_avatar_store_create(
		&(struct jc_avatar_store_options){ .policy = &line->config.avatars,
			.avatars = &line->avatars,
			.spaces = &line->spaces,
			.moderation = services->moderation,
			.log = &line->log,
			.loop = &line->loop },
		&services->avatar_store);
	services->version = "test";
	services->config = &line->config;
	services->auth_policy = &line->auth_policy;
	services->log = &line->log;
	services->spaces = &line->spaces;
	services->replays = &line->replays;
	line->http.services = services;
	must(jc_control_init(&line->control, services) == JC_OK);
	line->server.options = (struct jc_server_options){ .config = &line->config,
		.log = &line->log,
		.http_ops = &jc_http_ops,
		.http = &line->http,
		.session_ops = &jc_control_ops,
		.control = &line->control };
	line->server.loop = &line->loop;
	/* Budgets of whole cores: no test waits for its turn. */
	line->config.control_percent = line->config.control_percent_per_address =
		line->config.control_percent_per_client = 100;
	jc_turns_init(&line->server.turns, &line->loop, &line->config, jc_session_resume);
}

void line_close(struct line *line)
{
	struct jc_services *services = &line->services;

	if (line->connection) {
		line_hang_up(line);
	}
	uv_close((uv_handle_t *)&line->server.turns.timer, NULL);
	uv_run(&line->loop, UV_RUN_DEFAULT);
	jc_control_finish(&line->control);
	jc_moderation_destroy(services->moderation);
	jc_avatar_store_destroy(services->avatar_store);
	jc_registry_destroy(services->registry);
	jc_recordings_destroy(services->recordings);
	jc_spaces_finish(&line->spaces);
	jc_auth_policy_finish(&line->auth_policy);
	jc_config_finish(&line->config);
	close(line->log.fd);
	int status = uv_loop_close(&line->loop);

	must(status == 0);
}

void line_connect(struct line *line)
{
	struct jc_connection *connection = calloc(1, sizeof(*connection));

	must(connection && !line->connection);
	connection->server = &line->server;
	connection->kind = JC_LISTENER_PLAIN;
	connection->wsi = (struct lws *)line; /* never looked into */
	connection->peer.in = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(jc_address_limits_enter(&line->server.address_limits, &connection->peer.sa, 0, 1,
		     &connection->client_address) == JC_OK);
	connection->deadline_ns = INT64_MAX;
	line->server.connections = connection;
	line->server.connection_count = 1;
	line->connection = connection;
}

void line_hang_up(struct line *line)
{
	jc_connection_on_closed(line->connection);
	line->connection = NULL;
	must(!line->server.connections && line->server.connection_count == 0);
}

void line_shake_hands(struct line *line)
{
	static const char handshake[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n";
	int over = jc_connection_on_bytes(
		line->connection, (const uint8_t *)handshake, sizeof(handshake) - 1);

	must(over == 0 && line->connection->web_socket);
}

bool line_send(struct line *line, uint8_t opcode, const void *bytes, size_t length)
{
	size_t head = length < 126 ? 2 : length < 65536 ? 4 : 10;
	uint8_t *frame = calloc(1, MOST_HEAD + length);

	must(frame);
	frame[0] = 0x80 | opcode;
	frame[1] = (uint8_t)(0x80 | (head == 2 ? length : head == 4 ? 126 : 127));
	for (size_t i = 2; i < head; i++) {
		frame[i] = (uint8_t)((uint64_t)length >> 8 * (head - 1 - i));
	}
	if (length > 0) {
		memcpy(frame + head + 4, bytes, length);
	}
	bool over = jc_connection_on_bytes(line->connection, frame, head + 4 + length) != 0;

	jc_server_settle(&line->server);
	free(frame);
	return !over;
}
