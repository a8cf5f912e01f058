/* A client of libwebsockets with a queue of control messages and room for one capture. */
#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libwebsockets.h>

#define SUBPROTOCOL   "jointcast.v1"
#define MESSAGE_BYTES (4u << 20) /* the largest message that is accepted */
#define CAPTURE_BYTES 4096
#define TICK_US       (1000000 / 60)

struct connection {
	const struct connection_ops *ops;
	void *context;
	struct lws_context *lws;
	struct lws *wsi;
	lws_sorted_usec_list_t timer;
	bool is_closing, is_over;
	int status;
	json_t *queue; /* owned: control messages to send */
	uint8_t capture[LWS_PRE + CAPTURE_BYTES];
	size_t capture_length; /* 0: none waits */
	char *received;        /* owned: the part of a message that has arrived */
	size_t received_length;
};

int64_t connection_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void ask_to_write(struct connection *connection)
{
	if (connection->wsi) {
		lws_callback_on_writable(connection->wsi);
	}
}

void connection_send(struct connection *connection, json_t *message)
{
	json_array_append_new(connection->queue, message);
	ask_to_write(connection);
}

void connection_send_capture(struct connection *connection, const uint8_t *bytes, size_t length)
{
	if (length <= CAPTURE_BYTES) {
		memcpy(connection->capture + LWS_PRE, bytes, length);
		connection->capture_length = length;
		ask_to_write(connection);
	}
}

void connection_close(struct connection *connection)
{
	connection->is_closing = true;
	ask_to_write(connection);
}

void connection_refused(struct connection *connection, const json_t *error)
{
	const char *message = json_string_value(json_object_get(error, "message"));

	fprintf(stderr, "the daemon answers: %s\n", message ? message : "error");
	connection->is_over = true;
}

static bool write_text(struct connection *connection)
{
	char *text = json_dumps(json_array_get(connection->queue, 0), JSON_COMPACT);
	size_t length = text ? strlen(text) : 0;
	uint8_t *frame = malloc(LWS_PRE + length);
	bool is_sent = false;

	if (text && frame) {
		memcpy(frame + LWS_PRE, text, length);
		is_sent = lws_write(connection->wsi, frame + LWS_PRE, length, LWS_WRITE_TEXT) >= 0;
	}
	json_array_remove(connection->queue, 0);
	free(frame);
	free(text);
	return is_sent;
}

/* Writes one message; returns -1 to close the connection. */
static int write_next(struct connection *connection)
{
	bool is_sent = true;

	if (json_array_size(connection->queue) > 0) {
		is_sent = write_text(connection);
	} else if (connection->capture_length > 0) {
		is_sent = lws_write(connection->wsi, connection->capture + LWS_PRE,
				  connection->capture_length, LWS_WRITE_BINARY) >= 0;
		connection->capture_length = 0;
	} else if (connection->is_closing) {
		connection->status = 0;
		return -1;
	} else {
		return 0;
	}
	ask_to_write(connection);
	return is_sent ? 0 : -1;
}

static void take_message(struct connection *connection)
{
	const char *bytes = connection->received;
	size_t length = connection->received_length;

	if (lws_frame_is_binary(connection->wsi)) {
		if (connection->ops->bytes) {
			connection->ops->bytes(
				connection->context, connection, (const uint8_t *)bytes, length);
		}
		return;
	}
	json_t *message = json_loadb(bytes, length, 0, NULL);

	if (message && connection->ops->message) {
		connection->ops->message(connection->context, connection, message);
	}
	json_decref(message);
}

/* Collects the fragments of a message; returns -1 to close the connection. */
static int take_fragment(struct connection *connection, const void *bytes, size_t length)
{
	if (lws_is_first_fragment(connection->wsi)) {
		connection->received_length = 0;
	}
	if (length > MESSAGE_BYTES - connection->received_length) {
		return -1;
	}
	char *received = realloc(connection->received, connection->received_length + length + 1);

	if (!received) {
		return -1;
	}
	connection->received = received;
	memcpy(received + connection->received_length, bytes, length);
	connection->received_length += length;
	if (lws_is_final_fragment(connection->wsi)) {
		take_message(connection);
	}
	return 0;
}

static void on_timer(lws_sorted_usec_list_t *timer)
{
	struct connection *connection = lws_container_of(timer, struct connection, timer);

	connection->ops->tick(connection->context, connection);
	lws_sul_schedule(connection->lws, 0, timer, on_timer, TICK_US);
}

static int on_event(
	struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct connection *connection = user;

	(void)wsi;
	switch (reason) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		if (connection->ops->opened) {
			connection->ops->opened(connection->context, connection);
		}
		if (connection->ops->tick) {
			lws_sul_schedule(connection->lws, 0, &connection->timer, on_timer, TICK_US);
		}
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		return take_fragment(connection, in, length);
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return write_next(connection);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		fprintf(stderr, "cannot connect: %.*s\n", (int)length, in ? (const char *)in : "");
		connection->wsi = NULL;
		connection->is_over = true;
		break;
	case LWS_CALLBACK_CLIENT_CLOSED:
		connection->wsi = NULL;
		connection->is_over = true;
		break;
	default:
		break;
	}
	return 0;
}

static void serve(struct connection *connection, char *host, int port)
{
	struct lws_client_connect_info info = { .context = connection->lws,
		.address = host,
		.host = host,
		.port = port,
		.path = "/",
		.protocol = SUBPROTOCOL,
		.local_protocol_name = SUBPROTOCOL,
		.pwsi = &connection->wsi,
		.userdata = connection };

	if (!lws_client_connect_via_info(&info)) {
		return;
	}
	while (!connection->is_over && lws_service(connection->lws, 0) >= 0) {
	}
}

int connection_run(const char *address, const struct connection_ops *ops, void *context)
{
	static const struct lws_protocols protocols[] = {
		{ SUBPROTOCOL, on_event, 0, 65536, 0, NULL, 65536 },
		{ NULL, NULL, 0, 0, 0, NULL, 0 },
	};
	struct lws_context_creation_info info = { .port = CONTEXT_PORT_NO_LISTEN,
		.protocols = protocols };
	struct connection *connection = calloc(1, sizeof(*connection));
	char host[256];
	int port;
	int status = 1;

	if (!connection || sscanf(address, "%255[^:]:%d", host, &port) != 2) {
		fprintf(stderr, "'%s' is not HOST:PORT\n", address);
		free(connection);
		return 2;
	}
	lws_set_log_level(LLL_ERR, NULL);
	connection->ops = ops;
	connection->context = context;
	connection->status = 1;
	connection->queue = json_array();
	connection->lws = lws_create_context(&info);
	if (connection->lws) {
		serve(connection, host, port);
		lws_sul_cancel(&connection->timer);
		lws_context_destroy(connection->lws);
		status = connection->status;
	}
	json_decref(connection->queue);
	free(connection->received);
	free(connection);
	return status;
}
