/* What is served by path, to whom and on which listeners. A route that is added here
 * is all that it takes to answer another path. */
#ifndef JC_ROUTES_H
#define JC_ROUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "http/exchange.h"
#include "http/request.h"
#include "net/listener.h"

/* Bits of jc_route.listeners: one for each kind of listener. */
#define JC_ON(kind)  (1u << (kind))
#define JC_ON_PUBLIC (JC_ON(JC_LISTENER_PLAIN) | JC_ON(JC_LISTENER_TLS) | JC_ON(JC_LISTENER_PROXY))
#define JC_ON_ADMIN  JC_ON(JC_LISTENER_ADMIN)
#define JC_ON_EVERY  (JC_ON_PUBLIC | JC_ON_ADMIN)

struct jc_route {
	const char *path;   /* whole; one that ends in '/' is all below it too */
	unsigned listeners; /* JC_ON_… */
	unsigned methods;   /* JC_METHOD_… */
	size_t body;        /* bytes that a PUT may bring */
	/* Judges before a body is read: 200, or the status that refuses it and its
	 * reason. NULL: everybody may. */
	int (*admit)(struct jc_exchange *exchange, const char **out_reason);
	/* Answers, now or later; see jc_exchange. */
	void (*serve)(struct jc_exchange *exchange);
};

/* The route that a target leads to, its query aside; NULL: none on such a listener. */
const struct jc_route *jc_route_find(struct jc_text target, enum jc_listener_kind kind);

#endif
