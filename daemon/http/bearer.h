/* The token of a request: Authorization: Bearer TOKEN (RFC 6750). */
#ifndef JC_BEARER_H
#define JC_BEARER_H

#include "auth/token.h"
#include "http/exchange.h"

/* Reads what the token permits; without keys everything is permitted. Returns 200, or 401 with the
 * reason: "no-token", or why the token is invalid. */
int jc_bearer_read(
	const struct jc_exchange *exchange, struct jc_grant *out_grant, const char **out_reason);

#endif
