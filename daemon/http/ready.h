/* Whether the daemon does what it is there for, as those ask who send people to it. */
#ifndef JC_READY_H
#define JC_READY_H

#include <stdbool.h>

struct jc_server;
struct jc_services;

/* Looks now: it is not draining, every source of the configuration delivers, and the
 * disks that it writes to have room. Whoever publishes comes and goes, and is not looked
 * at. A text with a line for each reason why it is not ready, or "ready"; the caller's
 * to free, NULL when there is no memory. */
char *jc_ready_text(
	const struct jc_services *services, const struct jc_server *server, bool *out_ready);

#endif
