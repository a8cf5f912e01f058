/* GET /readyz: whether a load balancer should send clients to this daemon. */
#ifndef JC_READY_H
#define JC_READY_H

#include <stdbool.h>

struct jc_server;
struct jc_services;

/* Checks that the daemon is not draining, that every source of the configuration delivers,
 * and that the disks it writes to have room. Publishers are not checked. Returns a line for
 * each reason why it is not ready, or "ready"; the caller frees the text, NULL when there
 * is no memory. */
char *jc_ready_text(
	const struct jc_services *services, const struct jc_server *server, bool *out_ready);

#endif
