/* Avatars over HTTP (proto/AVATARS.md): GET /avatars/HASH. */
#ifndef JC_AVATAR_ROUTES_H
#define JC_AVATAR_ROUTES_H

#include "http/exchange.h"

/* For jc_route: an invalid token is refused before a body is read. */
int jc_avatar_admit(struct jc_exchange *exchange, const char **out_reason);
void jc_avatar_serve_one(struct jc_exchange *exchange);

#endif
