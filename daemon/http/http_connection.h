/* The HTTP state of one connection: the partial request and the response. */
#ifndef JC_HTTP_CONNECTION_H
#define JC_HTTP_CONNECTION_H

#include <stddef.h>

#include "http/response.h"

struct jc_connection;
struct jc_exchange;
struct jc_services;

/* State for all connections. */
struct jc_http {
	const struct jc_services *services; /* borrowed */
	size_t body_bytes;                  /* of requests that are being read */
};

enum jc_http_step {
	JC_HTTP_REQUEST,  /* waiting for the head of the request */
	JC_HTTP_BODY,     /* waiting for its body */
	JC_HTTP_ANSWER,   /* a route has not answered yet */
	JC_HTTP_RESPONSE, /* the response is being sent */
};

struct jc_http_connection {
	enum jc_http_step step;
	char *request;                /* owned; the incomplete head; NULL: none */
	size_t request_length;        /* of it */
	size_t body_bytes;            /* bytes of the body that are kept */
	struct jc_exchange *exchange; /* not answered yet; NULL: none */
	struct jc_response response;
};

/* Sets connection->http. Returns 0 or JC_ERROR_MEMORY. */
int jc_http_connection_create(struct jc_connection *connection);

/* Frees connection->http, but not the exchange; NULL is fine. */
void jc_http_connection_destroy(struct jc_connection *connection);

/* The next step, which may take so many seconds. */
void jc_http_connection_enter(
	struct jc_connection *connection, enum jc_http_step step, int seconds);

/* Counts bytes of a body. False where the client's address or all clients together have too
 * many. */
bool jc_http_connection_keep_body(struct jc_connection *connection, size_t length);

/* The bytes of the body are counted no longer. */
void jc_http_connection_release_body(struct jc_connection *connection);

/* Sends the response, whose composition returned `made`. */
void jc_http_connection_respond(struct jc_connection *connection, int made);

/* Composes and sends a response with a status and one line of text. */
void jc_http_connection_refuse(struct jc_connection *connection, int status, const char *reason);

/* Sends more of the response, as far as the socket takes it. */
void jc_http_connection_send(struct jc_connection *connection);

#endif
