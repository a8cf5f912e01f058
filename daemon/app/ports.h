/* The ports that the daemon listens on: sockets handed over by the service manager, or its own. */
#ifndef JC_PORTS_H
#define JC_PORTS_H

#include "config/config.h"
#include "net/server.h"

/* Opens all ports, or none. Plain ports must be loopback; ports with TLS and ports for a proxy
 * too, unless the configuration has keys. The same holds for sockets that are handed over.
 * Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_ports_open(const struct jc_config *config, struct jc_server_options *server,
	struct jc_diagnostic *diagnostic);

/* Checks the same rules for open ports and another configuration. Returns as jc_ports_open(). */
int jc_ports_check(const struct jc_config *config, const struct jc_server *server,
	struct jc_diagnostic *diagnostic);

#endif
