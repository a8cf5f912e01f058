/* Answers are composed in the response of the connection, if that is still there. */
#include "http/exchange.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "http/http_connection.h"
#include "jointcast_private/array.h"
#include "net/connection.h"
#include "net/server.h"

struct jc_exchange *jc_exchange_create(struct jc_connection *connection,
	const struct jc_route *route, const char *head, size_t length)
{
	struct jc_exchange *exchange = calloc(1, sizeof(*exchange));
	char *copy = malloc(length);

	if (!exchange || !copy) {
		free(exchange);
		free(copy);
		return NULL;
	}
	memcpy(copy, head, length);
	exchange->services = connection->server->options.http->services;
	exchange->connection = connection;
	exchange->route = route;
	exchange->head = copy;
	jc_request_parse(copy, length, &exchange->request);
	return exchange;
}

void jc_exchange_destroy(struct jc_exchange *exchange)
{
	if (!exchange) {
		return;
	}
	if (exchange->connection) {
		exchange->connection->http->exchange = NULL;
	}
	free(exchange->body);
	free(exchange->head);
	free(exchange);
}

bool jc_exchange_add(struct jc_exchange *exchange, const void *bytes, size_t length)
{
	size_t needed = exchange->body_length + length;

	/* The buffer grows with received bytes, not with the announced length. */
	if (!jc_array_grow(&exchange->body, &exchange->body_capacity, needed, SIZE_MAX, 1)) {
		return false;
	}
	memcpy(exchange->body + exchange->body_length, bytes, length);
	exchange->body_length = needed;
	return true;
}

char *jc_exchange_take_body(struct jc_exchange *exchange, size_t *out_length)
{
	char *body = exchange->body;

	*out_length = exchange->body_length;
	exchange->body = NULL;
	return body;
}

/* The connection whose response is to be composed; NULL: it has ended. */
static struct jc_connection *begin(struct jc_exchange *exchange)
{
	struct jc_connection *connection = exchange->connection;

	if (connection) {
		connection->http->response.methods = exchange->route->methods;
	}
	return connection;
}

void jc_exchange_answer(struct jc_exchange *exchange, int status, const char *type, char *text)
{
	struct jc_connection *connection = begin(exchange);

	if (connection) {
		bool body = !jc_request_is_head(&exchange->request);

		jc_http_connection_respond(
			connection, text ? jc_response_text(&connection->http->response, status,
						   type, text, body)
					 : JC_ERROR_MEMORY);
	}
	free(text);
	jc_exchange_destroy(exchange);
}

void jc_exchange_status(struct jc_exchange *exchange, int status, const char *text)
{
	struct jc_connection *connection = begin(exchange);

	if (connection) {
		jc_http_connection_respond(
			connection, jc_response_status(&connection->http->response, status, text,
					    !jc_request_is_head(&exchange->request)));
	}
	jc_exchange_destroy(exchange);
}

void jc_exchange_open_file(struct jc_exchange *exchange, const struct jc_response_file *file)
{
	struct jc_connection *connection = begin(exchange);

	if (connection) {
		jc_http_connection_respond(
			connection, jc_response_open_file(
					    &connection->http->response, &exchange->request, file));
	} else {
		close(file->fd);
	}
	jc_exchange_destroy(exchange);
}

void jc_exchange_file(struct jc_exchange *exchange, const char *root)
{
	struct jc_connection *connection = begin(exchange);

	if (connection) {
		jc_http_connection_respond(connection,
			jc_response_file(&connection->http->response, &exchange->request, root));
	}
	jc_exchange_destroy(exchange);
}
