/* Serves one request per connection (Connection: close), so that every request is checked in the
 * same way. */
#include "http/http_connection.h"

#include <stdlib.h>

#include "maxima.h"
#include "net/address_limits.h"
#include "net/connection.h"
#include "net/server.h"
#include "net/socket.h"

int jc_http_connection_create(struct jc_connection *connection)
{
	connection->http = calloc(1, sizeof(*connection->http));
	if (!connection->http) {
		return JC_ERROR_MEMORY;
	}
	jc_response_init(&connection->http->response);
	return JC_OK;
}

void jc_http_connection_destroy(struct jc_connection *connection)
{
	if (!connection->http) {
		return;
	}
	jc_http_connection_release_body(connection);
	jc_response_finish(&connection->http->response);
	free(connection->http->request);
	free(connection->http);
	connection->http = NULL;
}

void jc_http_connection_enter(struct jc_connection *connection, enum jc_http_step step, int seconds)
{
	connection->http->step = step;
	jc_connection_set_deadline(connection, seconds);
}

/* Counts received bytes, not the announced length. */
bool jc_http_connection_keep_body(struct jc_connection *connection, size_t length)
{
	struct jc_http *http = connection->server->options.http;

	if (length > JC_MAX_BODIES_BYTES - http->body_bytes ||
		!jc_client_address_keep(
			connection->client_address, length, JC_MAX_BODIES_BYTES_OF_ONE)) {
		return false;
	}
	http->body_bytes += length;
	connection->http->body_bytes += length;
	return true;
}

void jc_http_connection_release_body(struct jc_connection *connection)
{
	size_t bytes = connection->http->body_bytes;

	if (bytes > 0) {
		connection->server->options.http->body_bytes -= bytes;
		jc_client_address_let_go(connection->client_address, bytes);
		connection->http->body_bytes = 0;
	}
}

void jc_http_connection_send(struct jc_connection *connection)
{
	uint8_t buffer[16384];
	const uint8_t *bytes;
	size_t sent = 0;
	ssize_t count = 1;

	/* A reader on the same machine takes a large file as fast as it comes. */
	for (; !connection->is_choked && sent < JC_MAX_RESPONSE_TURN; sent += (size_t)count) {
		count = jc_response_next(
			&connection->http->response, buffer, sizeof(buffer), &bytes);
		if (count <= 0 ||
			!jc_connection_write(connection, (uint8_t *)bytes, (size_t)count)) {
			break;
		}
	}
	if (count > 0 && !connection->is_choked && sent >= JC_MAX_RESPONSE_TURN) {
		jc_socket_ask_writable(connection->wsi);
	} else if (count < 0) {
		jc_connection_drop(connection);
	} else if (count == 0 && connection->phase == JC_CONNECTION_HTTP) {
		jc_connection_linger(connection);
	}
}

void jc_http_connection_respond(struct jc_connection *connection, int made)
{
	struct jc_http_connection *http = connection->http;

	if (connection->phase == JC_CONNECTION_CLOSED) {
		return;
	}
	free(http->request);
	http->request = NULL;
	jc_http_connection_release_body(connection);
	if (made != JC_OK) {
		jc_connection_drop(connection);
		return;
	}
	jc_http_connection_enter(connection, JC_HTTP_RESPONSE,
		JC_MAX_RESPONSE_SECONDS + (int)(http->response.end / JC_LEAST_RESPONSE_RATE));
	jc_http_connection_send(connection);
}

void jc_http_connection_refuse(struct jc_connection *connection, int status, const char *reason)
{
	jc_http_connection_respond(
		connection, jc_response_status(&connection->http->response, status, reason, true));
}
