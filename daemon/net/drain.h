/* Moves the clients of a server to other processes that serve them too, before it stops: an edge
 * beside other edges. Motion goes on meanwhile. */
#ifndef JC_DRAIN_H
#define JC_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct jc_server;

struct jc_drain {
	uv_timer_t pacer;
	struct jc_server *server; /* borrowed */
	int64_t begun_ns;
	size_t per_step; /* number of clients */
	void (*on_drained)(void *context);
	void *context;
};

/* Must be closed with jc_drain_close. */
void jc_drain_init(struct jc_drain *drain, uv_loop_t *loop, struct jc_server *server);

/* Accepts the connections that wait in the ports' queues and closes the ports, except those of
 * administration. Then ends the sessions one after another, JC_MAX_RETURNS_PER_SECOND or more, so
 * that no other server gets all clients at once; each client may connect again immediately.
 * Calls on_drained when no session is left, after JC_MAX_DRAIN_SECONDS at the latest; the caller
 * then calls jc_server_stop. False: the server drains or stops already. */
bool jc_drain_start(struct jc_drain *drain, void (*on_drained)(void *context), void *context);

/* on_drained is not called any more. */
void jc_drain_stop(struct jc_drain *drain);

void jc_drain_close(struct jc_drain *drain);

#endif
