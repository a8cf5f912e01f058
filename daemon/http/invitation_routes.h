/* Invitations over HTTP (proto/INVITATIONS.md): POST and GET of /invitations, POST of
 * /invitations/redeem, DELETE of /invitations/ID. */
#ifndef JC_INVITATION_ROUTES_H
#define JC_INVITATION_ROUTES_H

#include "http/exchange.h"

/* For jc_route. Without keys or without a state directory there are no such paths. */

/* Checks the bearer token before a body is read. */
int jc_invitation_admit(struct jc_exchange *exchange, const char **out_reason);
/* The requests with a token. */
void jc_invitation_serve(struct jc_exchange *exchange);
void jc_invitation_serve_one(struct jc_exchange *exchange);

/* A redemption has no token, but a secret: nobody may listen. */
int jc_invitation_admit_redemption(struct jc_exchange *exchange, const char **out_reason);
void jc_invitation_serve_redemption(struct jc_exchange *exchange);

#endif
