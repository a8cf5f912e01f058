/* What is served by path, to whom and on which listeners. A route that is added here
 * is all that it takes to answer another path. */
#ifndef JC_ROUTES_H
#define JC_ROUTES_H

#include "http/exchange.h"
#include "net/listener.h"

/* Bits of jc_route.listeners: one for each kind of listener. */
#define JC_ON(kind)  (1u << (kind))
#define JC_ON_PUBLIC (JC_ON(JC_LISTENER_PLAIN) | JC_ON(JC_LISTENER_TLS) | JC_ON(JC_LISTENER_PROXY))
#define JC_ON_ADMIN  JC_ON(JC_LISTENER_ADMIN)
#define JC_ON_EVERY  (JC_ON_PUBLIC | JC_ON_ADMIN)

/* The route that a target leads to, its query aside; NULL: none on such a listener. */
const struct jc_route *jc_route_find(struct jc_text target, enum jc_listener_kind kind);

#endif
