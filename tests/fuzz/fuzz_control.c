/* What a client says on a WebSocket: each line of the input is a message, of text, or of
 * captures where it begins as they do, in the last of which line ends may stand. They go
 * the whole way from the bytes of a socket to the spaces and back; of what is answered
 * every text is an object with a type, every error one that PROTOCOL.md lists, every close
 * one that may be sent, and every other message a bundle. libwebsockets' functions that
 * the connection calls are replaced by what follows. */
#include <assert.h>
#include <fcntl.h>
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "jointcast/packet.h"
#include "moderation/moderation.h"
#include "net/gate.h"
#include "net/server_private.h"
#include "record/recordings.h"
#include "registry/registry.h"
#include "replay/replay.h"

#define CAPTURES  0x21
#define MOST_HEAD 14

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	uv_loop_t loop;
	struct jc_log log;
	struct jc_config config;
	struct jc_gate gate;
	struct jc_spaces spaces;
	struct jc_replays replays;
	struct jc_server server;
	bool upgraded;
} world;

static void judge_error(const char *code)
{
	static const char *const codes[] = { "bad-message", "unknown-type", "bad-field", "banned",
		"no-hello", "unknown-space", "not-joined", "too-many", "unsupported", "refused",
		"not-allowed", "unknown-body", "unknown-publication", "bad-capture",
		"cannot-record", "cannot-replay", "unknown-replay", "bad-skeleton",
		"unknown-skeleton", "failed" };
	bool known = false;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		known = known || strcmp(code, codes[i]) == 0;
	}
	assert(known);
}

static void judge_text(const uint8_t *bytes, size_t length)
{
	json_t *message = json_loadb((const char *)bytes, length, JSON_REJECT_DUPLICATES, NULL);
	const char *type = json_string_value(json_object_get(message, "type"));

	assert(type);
	if (strcmp(type, "error") == 0) {
		judge_error(json_string_value(json_object_get(message, "code")));
	}
	json_decref(message);
}

int lws_write(
	struct lws *wsi, unsigned char *bytes, size_t length, enum lws_write_protocol protocol)
{
	size_t head = length < 2 || bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10;
	unsigned code;

	(void)wsi;
	(void)protocol;
	if (!world.upgraded) {
		assert(length > 12 && memcmp(bytes, "HTTP/1.1 101", 12) == 0);
		world.upgraded = true;
		return (int)length;
	}
	assert(length >= head);
	switch (bytes[0]) {
	case 0x81:
		judge_text(bytes + head, length - head);
		break;
	case 0x82:
		assert(length > head && (bytes[head] == 0x11 || bytes[head] & 0x80));
		break;
	case 0x88:
		code = length >= 4 ? (unsigned)(bytes[2] << 8 | bytes[3]) : JC_CLOSE_NORMAL;
		assert(code >= 1000 && code != JC_CLOSE_NO_STATUS && code < 5000);
		break;
	default:
		assert(bytes[0] == 0x89 || bytes[0] == 0x8a);
	}
	return (int)length;
}

int lws_partial_buffered(struct lws *wsi)
{
	(void)wsi;
	return 0;
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
	(void)reason;
	(void)seconds;
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

/* Whom an earlier conversation banned may come again. */
static void forget_sanctions(void)
{
	static const struct jc_moderation_options options = { .loop = &world.loop,
		.log = &world.log };
	struct jc_diagnostic diagnostic;

	jc_moderation_destroy(world.server.options.moderation);
	int status = jc_moderation_create(&options, &world.server.options.moderation, &diagnostic);
	assert(status == JC_OK);
}

/* One lobby, without keys, a state directory or a folder for recordings. Whoever comes may
 * open more. */
static void make_world(void)
{
	const struct jc_registry_options registry = { .wardrobe = &world.spaces.wardrobe,
		.log = &world.log,
		.loop = &world.loop,
		.each = { 4, 1u << 16 },
		.all = { 8, 1u << 17 } };
	const struct jc_recordings_options recordings = {
		.loop = &world.loop, .clock = &world.spaces.clock, .log = &world.log
	};
	struct jc_server_options *options = &world.server.options;
	struct jc_diagnostic diagnostic;
	struct jc_fanout *lobby;
	int status = uv_loop_init(&world.loop);

	jc_log_init(&world.log, open("/dev/null", O_WRONLY | O_CLOEXEC), NULL);
	status |= jc_config_init(&world.config, "/nowhere", &diagnostic);
	status |= jc_gate_init(&world.gate, &world.config, &diagnostic);
	status |= jc_spaces_init(&world.spaces, &diagnostic);
	world.spaces.policy.open.anyone = true;
	status |= jc_spaces_open(&world.spaces, "lobby", &lobby);
	status |= jc_registry_create(&registry, &options->registry);
	status |= jc_recordings_create(&recordings, &options->recordings);
	assert(status == 0);
	options->version = "fuzz";
	options->gate = &world.gate;
	options->log = &world.log;
	options->spaces = &world.spaces;
	options->replays = &world.replays;
	world.server.loop = &world.loop;
}

static struct jc_connection *connect_one(void)
{
	static const char handshake[] =
		"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		"Sec-WebSocket-Protocol: jointcast.v1\r\n\r\n";
	struct jc_connection *connection = calloc(1, sizeof(*connection));

	assert(connection);
	connection->server = &world.server;
	connection->kind = JC_LISTENER_PLAIN;
	connection->peer.in = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	jc_response_init(&connection->response);
	world.server.connections = connection;
	world.server.connection_count = 1;
	world.upgraded = false;
	assert(jc_connection_on_bytes(
		       connection, (const uint8_t *)handshake, sizeof(handshake) - 1) == 0);
	assert(connection->session);
	return connection;
}

/* A frame with a mask of zeros. False: the connection is over. */
static bool say(struct jc_connection *connection, const uint8_t *bytes, size_t length)
{
	size_t head = length < 126 ? 2 : length < 65536 ? 4 : 10;
	uint8_t *frame = calloc(1, MOST_HEAD + length);

	assert(frame);
	frame[0] = length > 0 && bytes[0] == CAPTURES ? 0x82 : 0x81;
	frame[1] = (uint8_t)(0x80 | (head == 2 ? length : head == 4 ? 126 : 127));
	for (size_t i = 2; i < head; i++) {
		frame[i] = (uint8_t)((uint64_t)length >> 8 * (head - 1 - i));
	}
	memcpy(frame + head + 4, bytes, length);
	bool over = jc_connection_on_bytes(connection, frame, head + 4 + length) != 0;

	free(frame);
	return !over && !connection->session->close_code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0;
	bool goes_on = true;

	if (!world.server.loop) {
		make_world();
	}
	forget_sanctions();
	struct jc_connection *connection = connect_one();

	while (at < size && goes_on) {
		const uint8_t *end =
			data[at] == CAPTURES ? NULL : memchr(data + at, '\n', size - at);
		size_t length = end ? (size_t)(end - data) - at : size - at;

		goes_on = say(connection, data + at, length);
		at += length + (end != NULL);
		jc_spaces_tick(&world.spaces, jc_spaces_due_ns(&world.spaces));
	}
	/* What the pool was asked for. */
	uv_run(&world.loop, UV_RUN_DEFAULT);
	jc_connection_on_closed(connection);
	uv_run(&world.loop, UV_RUN_DEFAULT);
	jc_spaces_sweep(&world.spaces, INT64_MAX);
	assert(!world.server.connections && jc_spaces_find(&world.spaces, "lobby"));
	return 0;
}
