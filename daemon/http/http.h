/* HTTP on a connection: reads one request, has a route answer it, sends the response and
 * ends the connection; or makes the connection a WebSocket session. */
#ifndef JC_HTTP_H
#define JC_HTTP_H

#include <stddef.h>

#include "services.h"

/* For jc_server_options.http. */
struct jc_http {
	const struct jc_services *services; /* borrowed */
	size_t body_bytes;                  /* of requests that are being read */
};

/* For jc_server_options.http_ops. */
extern const struct jc_connection_ops jc_http_ops;

#endif
