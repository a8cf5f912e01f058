/* HTTP on a connection: reads one request, has a route answer it, sends the response and
 * ends the connection; or makes the connection a WebSocket session. */
#ifndef JC_HTTP_H
#define JC_HTTP_H

#include "http/http_connection.h" /* struct jc_http, for jc_server_options.http */

/* For jc_server_options.http_ops. */
extern const struct jc_connection_ops jc_http_ops;

#endif
