/* The token of a request, Authorization: Bearer TOKEN (RFC 6750), and what it permits in a space.
 */
#ifndef JC_BEARER_H
#define JC_BEARER_H

#include <stdbool.h>

#include "auth/token.h"
#include "http/exchange.h"

/* Reads what the token permits; without keys everything is permitted. Returns 200, or 401 with the
 * reason: "no-token", or why the token is invalid. */
int jc_bearer_read(
	const struct jc_exchange *exchange, struct jc_grant *out_grant, const char **out_reason);

/* Whether the client has a role in a space, as over a WebSocket: by its grant, the permits of the
 * space, and sanctions; grant NULL: without a token. A space that does not exist has the permits
 * with which it would open. */
bool jc_bearer_may(const struct jc_exchange *exchange, const struct jc_grant *grant,
	enum jc_role role, const char *space);

/* Whether the client may learn that a space exists: it has a role there, banned or not. */
bool jc_bearer_knows(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space);

/* Whether the client may publish bodies of any name in a space. */
bool jc_bearer_may_publish_any(
	const struct jc_exchange *exchange, const struct jc_grant *grant, const char *space);

#endif
