/* The origin of a page (RFC 6454): compared with a host, or recognised as of this machine. */
#ifndef JC_ORIGIN_H
#define JC_ORIGIN_H

#include "http/request.h"

/* Whether the origin is of that host (HOST[:PORT]), by http or https: in front of the daemon
 * there may be a proxy that speaks TLS. any_port: the port of the origin is not compared. */
bool jc_origin_is_of(struct jc_text origin, struct jc_text host, bool any_port);

/* Whether the origin is a page of this machine: http or https, then localhost, 127.0.0.0/8 or
 * [::1], then no port or one of 1 to 65535, exactly as browsers write them. Names below localhost
 * are not: a resolver may lead them elsewhere. */
bool jc_origin_is_loopback(struct jc_text origin);

#endif
