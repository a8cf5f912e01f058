/* One HTTP request and its response. A route answers before it returns, or later from any
 * callback of the loop; the connection may have ended by then, and the answer is dropped.
 * Each exchange is answered exactly once, and answering frees it. */
#ifndef JC_EXCHANGE_H
#define JC_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "http/request.h"

struct jc_connection;
struct jc_exchange;
struct jc_services;

struct jc_route {
	const char *path;   /* whole; one that ends in '/' also covers all paths below it */
	unsigned listeners; /* JC_ON_… (routes.h) */
	unsigned methods;   /* JC_METHOD_… */
	unsigned at_origin; /* those of them that an edge refuses: only origins serve them */
	size_t body;        /* maximum bytes of a PUT or POST */
	/* What it serves depends on the client: caches of others do not keep it. Admitted pages of
	 * other origins may read it. */
	bool is_personal;
	/* Checks before a body is read: 200, or the status that refuses the request and its
	 * reason. NULL: no check. */
	int (*admit)(struct jc_exchange *exchange, const char **out_reason);
	/* Answers, now or later. */
	void (*serve)(struct jc_exchange *exchange);
};

struct jc_exchange {
	const struct jc_services *services; /* borrowed */
	struct jc_connection *connection;   /* borrowed; NULL: it has ended */
	const struct jc_route *route;
	struct jc_request request; /* its texts point into head */
	char *head;                /* owned */
	char *body;                /* owned: of a PUT or POST; see jc_exchange_take_body */
	size_t body_length, body_capacity;
	bool is_served; /* a route has it */
};

/* Parses the head of a request again, in a copy of its own. NULL when there is no
 * memory. */
struct jc_exchange *jc_exchange_create(struct jc_connection *connection,
	const struct jc_route *route, const char *head, size_t length);

/* For an exchange that no route has: a route that has it still answers. NULL is fine. */
void jc_exchange_destroy(struct jc_exchange *exchange);

/* Appends to the body. False when there is no memory. */
bool jc_exchange_add(struct jc_exchange *exchange, const void *bytes, size_t length);

/* Hands the body over: the caller frees it. NULL when it was empty. */
char *jc_exchange_take_body(struct jc_exchange *exchange, size_t *out_length);

/* The following functions answer. */

/* Answers with a text of that media type. Steals the text; NULL: out of memory. */
void jc_exchange_answer(struct jc_exchange *exchange, int status, const char *type, char *text);

/* Answers with a status and one line of text that gives the reason. */
void jc_exchange_status(struct jc_exchange *exchange, int status, const char *text);

/* A file that is open, which is stolen. */
struct jc_response_file;
void jc_exchange_open_file(struct jc_exchange *exchange, const struct jc_response_file *file);

/* The file that the target names below a directory; root NULL: there is no file. */
void jc_exchange_file(struct jc_exchange *exchange, const char *root);

#endif
