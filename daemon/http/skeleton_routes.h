/* Registered skeletons over HTTP: GET /skeletons, and GET, PUT and DELETE of
 * /skeletons/NAME. */
#ifndef JC_SKELETON_ROUTES_H
#define JC_SKELETON_ROUTES_H

#include "http/exchange.h"

/* For jc_route: the bearer token is checked before a body is read. */
int jc_skeleton_admit(struct jc_exchange *exchange, const char **out_reason);
void jc_skeleton_serve_list(struct jc_exchange *exchange);
void jc_skeleton_serve_one(struct jc_exchange *exchange);

#endif
