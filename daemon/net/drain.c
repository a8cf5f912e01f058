/* Ends the sessions of a server at an even pace. */
#include "net/drain.h"

#include "base/clock.h"
#include "maxima.h"
#include "net/connection.h"
#include "net/server.h"
#include "net/web_socket.h"

#define SECOND     INT64_C(1000000000)
#define STEP_MS    5
#define STEPS      (JC_MAX_DRAIN_SECONDS / 2 * 1000 / STEP_MS)
#define REQUEST_NS (2 * SECOND) /* for requests that were accepted last */

void jc_drain_init(struct jc_drain *drain, uv_loop_t *loop, struct jc_server *server)
{
	uv_timer_init(loop, &drain->pacer);
	drain->pacer.data = drain;
	drain->server = server;
}

static bool has_open_session(const struct jc_connection *connection)
{
	return connection->phase == JC_CONNECTION_SESSION &&
	       !connection->web_socket->session.close_code;
}

/* Returns whether sessions that are open remain. */
static bool send_away(struct jc_server *server, size_t most, int64_t now_ns)
{
	struct jc_connection *next;
	size_t count = 0;

	for (struct jc_connection *c = server->connections; c; c = next) {
		next = c->next;
		if (has_open_session(c)) {
			if (count++ == most) {
				return true;
			}
			jc_connection_go_away(c, now_ns);
		}
	}
	return false;
}

static void on_step(uv_timer_t *pacer)
{
	struct jc_drain *drain = pacer->data;
	struct jc_server *server = drain->server;
	int64_t now_ns = jc_clock_now_ns();
	int64_t past_ns = now_ns - drain->begun_ns;
	bool remain = send_away(server, drain->per_step, now_ns);

	if (server->connection_count == 0 || (!remain && past_ns >= REQUEST_NS) ||
		past_ns >= JC_MAX_DRAIN_SECONDS * SECOND) {
		uv_timer_stop(pacer);
		drain->on_drained(drain->context);
	}
}

bool jc_drain_start(struct jc_drain *drain, void (*on_drained)(void *context), void *context)
{
	struct jc_server *server = drain->server;

	if (server->stopping || server->draining) {
		return false;
	}
	server->draining = true;
	drain->begun_ns = jc_clock_now_ns();
	drain->on_drained = on_drained;
	drain->context = context;
	for (size_t i = 0; i < server->listener_count; i++) {
		if (server->listeners[i].port.kind != JC_LISTENER_ADMIN) {
			jc_listener_accept_all(&server->listeners[i]);
		}
	}
	jc_server_close_listeners(server, false);
	/* A client that arrives during the drain counts too: at least one. */
	drain->per_step = server->connection_count / STEPS + 1;
	uv_timer_start(&drain->pacer, on_step, STEP_MS, STEP_MS);
	return true;
}

void jc_drain_stop(struct jc_drain *drain)
{
	uv_timer_stop(&drain->pacer);
}

void jc_drain_close(struct jc_drain *drain)
{
	uv_close((uv_handle_t *)&drain->pacer, NULL);
}
