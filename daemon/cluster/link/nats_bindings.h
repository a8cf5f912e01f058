/* The subscriptions at the server. On the thread of the connection. Private to nats_connection. */
#ifndef JC_NATS_BINDINGS_H
#define JC_NATS_BINDINGS_H

#include "cluster/link/nats_connection.h"
#include "cluster/link/nats_settings.h"

/* Subscribes and unsubscribes until the server knows the wanted subjects. Locked, but not while
 * libnats works; what changes meanwhile sets is_changed again. */
void jc_nats_bindings_follow(struct jc_nats_connection *connection, natsConnection *nats);

/* The connection is closed, and libnats calls back no more. Locked. */
void jc_nats_bindings_destroy(struct jc_nats_connection *connection);

/* Destroys subscriptions that ended before. Not locked. */
void jc_nats_bindings_destroy_ended(struct jc_nats_connection *connection);

/* Frees what libnats did not give back. */
void jc_nats_bindings_finish(struct jc_nats_connection *connection);

#endif
