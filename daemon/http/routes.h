/* Routes: the handler of each path, and the listeners that serve it. To answer another
 * path, add a route to the table in routes.c. */
#ifndef JC_ROUTES_H
#define JC_ROUTES_H

#include "http/exchange.h"
#include "net/listener.h"

/* Bits of jc_route.listeners. */
#define JC_ON(kind)  (1u << (kind))
#define JC_ON_PUBLIC (JC_ON(JC_LISTENER_PLAIN) | JC_ON(JC_LISTENER_TLS) | JC_ON(JC_LISTENER_PROXY))
#define JC_ON_ADMIN  JC_ON(JC_LISTENER_ADMIN)
#define JC_ON_EVERY  (JC_ON_PUBLIC | JC_ON_ADMIN)

/* The route of a target, without its query; NULL: no route on such a listener. */
const struct jc_route *jc_route_find(struct jc_text target, enum jc_listener_kind kind);

#endif
