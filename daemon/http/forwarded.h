/* The client behind a proxy, from X-Forwarded-For. */
#ifndef JC_FORWARDED_H
#define JC_FORWARDED_H

#include "http/request.h"

struct jc_connection;

/* Sets the connection's peer to the last address of X-Forwarded-For, where the
 * configuration trusts the proxy. Returns 200, or the status that refuses the request and
 * its reason. */
int jc_forwarded_take(struct jc_connection *connection, const struct jc_request *request,
	const char **out_reason);

#endif
