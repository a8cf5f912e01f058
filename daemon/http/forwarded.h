/* Whom a proxy passes on: the visitor is whoever asked it, not the proxy. */
#ifndef JC_FORWARDED_H
#define JC_FORWARDED_H

#include "http/request.h"

struct jc_connection;

/* Makes the one that X-Forwarded-For ends with the connection's peer and visitor, where the
 * configuration says that the proxy is to be believed. Returns 200, or the status that
 * refuses it with the reason. */
int jc_forwarded_take(struct jc_connection *connection, const struct jc_request *request,
	const char **out_reason);

#endif
