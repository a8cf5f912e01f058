/* Registered skeletons over HTTP, for whoever has files rather than a conversation:
 * GET /skeletons, and GET, PUT and DELETE of /skeletons/NAME. */
#ifndef JC_SKELETON_ROUTES_H
#define JC_SKELETON_ROUTES_H

#include "http/exchange.h"

/* As jc_route has them: the bearer token is judged before a body is read. */
int jc_skeleton_admit(struct jc_exchange *exchange, const char **out_reason);
void jc_skeleton_serve_list(struct jc_exchange *exchange);
void jc_skeleton_serve_one(struct jc_exchange *exchange);

#endif
