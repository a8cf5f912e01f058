/* One request and its answer. A route answers before it returns, or later from any
 * callback of the loop: the connection that asked may have ended by then, and the
 * answer goes nowhere. It is answered exactly once, and answering frees it. */
#ifndef JC_EXCHANGE_H
#define JC_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "http/request.h"

struct jc_connection;
struct jc_route;
struct jc_server;

struct jc_exchange {
	struct jc_server *server;         /* borrowed; gone once the connection has ended */
	struct jc_connection *connection; /* borrowed; NULL: it has ended */
	const struct jc_route *route;
	struct jc_request request; /* its texts are the exchange's own */
	char *head;                /* owned: what they point into */
	char *body;                /* owned: what a PUT brought; see jc_exchange_take_body */
	size_t body_length, body_capacity;
	bool is_served; /* a route has it */
};

/* Parses the head of a request again, in a copy of its own. NULL when there is no
 * memory. */
struct jc_exchange *jc_exchange_create(struct jc_connection *connection,
	const struct jc_route *route, const char *head, size_t length);

/* One that no route was asked to answer, or whose connection ends: a route that has
 * it still answers. NULL is fine. */
void jc_exchange_destroy(struct jc_exchange *exchange);

/* More of the body. False when there is no memory. */
bool jc_exchange_add(struct jc_exchange *exchange, const void *bytes, size_t length);

/* Hands the body over: the caller frees it. NULL when it was empty. */
char *jc_exchange_take_body(struct jc_exchange *exchange, size_t *out_length);

/* These answer. */

/* A text of that type; steals it. NULL stands for memory that there was not. */
void jc_exchange_answer(struct jc_exchange *exchange, int status, const char *type, char *text);

/* A status with one line of text that says why. */
void jc_exchange_status(struct jc_exchange *exchange, int status, const char *text);

/* The file that the target names below a directory; NULL: none is there. */
void jc_exchange_file(struct jc_exchange *exchange, const char *root);

#endif
