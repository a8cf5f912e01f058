/* The client behind a proxy, from X-Forwarded-For and X-Forwarded-Proto. */
#ifndef JC_FORWARDED_H
#define JC_FORWARDED_H

#include <stdbool.h>

#include "http/request.h"

struct jc_connection;

/* Sets the connection's peer to the last address of X-Forwarded-For, where the
 * configuration trusts the proxy. Returns 200, or the status that refuses the request and
 * its reason. */
int jc_forwarded_take(struct jc_connection *connection, const struct jc_request *request,
	const char **out_reason);

/* Whether nobody between the client and the daemon can read a request: it came over TLS, from this
 * machine, or through a proxy that speaks TLS with its client. X-Forwarded-Proto shows that; a
 * proxy without this header is believed on its own listener. */
bool jc_forwarded_is_private(
	const struct jc_connection *connection, const struct jc_request *request);

#endif
