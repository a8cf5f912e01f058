/* Where the daemon listens: sockets that the service manager has opened, or its own. */
#ifndef JC_PORTS_H
#define JC_PORTS_H

#include "config/config.h"
#include "net/server.h"

/* Opens all, or none. Plain ports are of loopback, and so are those with TLS and those of
 * a proxy unless the configuration has keys: a socket that is handed over is held to that
 * too. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_ports_open(const struct jc_config *config, struct jc_server_options *server,
	struct jc_diagnostic *diagnostic);

/* Whether what is listened on may be with another configuration. Likewise. */
int jc_ports_check(const struct jc_config *config, const struct jc_server *server,
	struct jc_diagnostic *diagnostic);

#endif
