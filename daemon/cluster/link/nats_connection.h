/* The half of nats_link that runs on threads of its own. Private to nats_link. */
#ifndef JC_NATS_CONNECTION_H
#define JC_NATS_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "cluster/link/message_queue.h"
#include "cluster/link/publish_ring.h"
#include "cluster/nats_link.h"
#include "maxima.h"

struct jc_nats_binding;
struct jc_nats_ended;

/* A subscription: wanted by the loop, bound by the thread. */
struct jc_nats_slot {
	uint64_t id;   /* of the wanted subscription; 0: none */
	char *subject; /* owned; NULL with id 0 */
	/* On the thread only: */
	uint64_t bound_id; /* of the subscription at the server; 0: none */
	void *bound;       /* natsSubscription, owned */
};

struct jc_nats_connection {
	void *options;     /* natsOptions, owned */
	uv_async_t *async; /* borrowed: wakes the loop after each change */
	uv_thread_t thread;
	uv_mutex_t mutex;
	uv_cond_t cond; /* wakes the thread */

	/* The rest is guarded by the mutex. */
	bool is_stopping; /* set by the loop */
	bool is_ended;    /* the thread returns */
	bool is_closed;   /* libnats has closed the connection and calls back no more */
	bool is_changed;  /* slots were wanted or are wanted no more */
	size_t bindings;  /* subscriptions that libnats may still call back for */
	struct jc_nats_binding *strays; /* owned: it may, but does not say when not */
	struct jc_nats_ended *ended;    /* owned, of the thread alone: not destroyed yet */
	size_t ended_count;
	struct jc_nats_slot slots[JC_MAX_NATS_SUBSCRIPTIONS];
	size_t slot_count; /* that were ever used */
	struct jc_publish_ring ring;
	struct jc_message_queue queue;
	bool is_connected;
	uint64_t connections;
	size_t most; /* bytes of a message */
	char server[128], problem[200];
	bool has_problem;  /* problem is newer than the last call that cleared this */
	char refusal[200]; /* a subject that the server refused, until it is logged; "": none */
	uint64_t slow, not_permitted;
};

/* Reads the options and starts the thread. Returns as jc_nats_link_create does. */
int jc_nats_connection_start(struct jc_nats_connection *connection,
	const struct jc_nats_options *options, uv_async_t *async, struct jc_diagnostic *diagnostic);

/* Ends the thread: sets is_ended and wakes the loop. */
void jc_nats_connection_stop(struct jc_nats_connection *connection);

/* Waits for the end of the thread, and frees what the connection owns. */
void jc_nats_connection_finish(struct jc_nats_connection *connection);

/* Events that the loop has not handled yet. */
struct jc_nats_news {
	struct jc_nats_report report; /* as of jc_nats_connection_report */
	bool has_problem;             /* report.problem is new */
	char refusal[200];            /* a subject that the server refused; "": none */
	bool is_ended;
};

/* Each news is taken once. */
void jc_nats_connection_take(struct jc_nats_connection *connection, struct jc_nats_news *out_news);

/* Fills the fields that the threads count; the state is connected or lost. */
void jc_nats_connection_report(
	struct jc_nats_connection *connection, struct jc_nats_report *out_report);

/* Frees entries that the queue returned. */
void jc_nats_connection_free(struct jc_arrived_message *messages);

/* The content of an entry, borrowed. */
struct jc_nats_message jc_nats_connection_read(const struct jc_arrived_message *message);

#endif
