/* Avatars over HTTP (proto/AVATARS.md): GET and DELETE of /avatars/HASH, GET and PUT of
 * /avatars. */
#ifndef JC_AVATAR_ROUTES_H
#define JC_AVATAR_ROUTES_H

#include "http/exchange.h"

/* For jc_route: token, size and options are checked before a body is read. */
int jc_avatar_admit_one(struct jc_exchange *exchange, const char **out_reason);
void jc_avatar_serve_one(struct jc_exchange *exchange);
int jc_avatar_admit_all(struct jc_exchange *exchange, const char **out_reason);
void jc_avatar_serve_all(struct jc_exchange *exchange);

#endif
