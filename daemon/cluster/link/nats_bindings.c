/* Binds the wanted subjects to subscriptions of libnats, whose callbacks queue their messages. */
#include "cluster/link/nats_bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/subjects.h"

#define MESSAGE_BYTES 256  /* what a message takes in libnats beside its texts, about */
#define MOST_ENDED    64   /* subscriptions that wait until they are destroyed */
#define FLUSH_MS      1000 /* until the server has answered */

/* The argument of libnats' callbacks. */
struct jc_nats_binding {
	struct jc_nats_connection *connection;
	uint64_t id;                  /* of the slot's subscription */
	struct jc_nats_binding *next; /* among the strays */
};

/* A subscription that has ended and is not destroyed yet. */
struct jc_nats_ended {
	natsSubscription *subscription;
	struct jc_nats_ended *next;
};

/* Callbacks, on threads of libnats. */

static void on_message(
	natsConnection *nats, natsSubscription *subscription, natsMsg *message, void *closure)
{
	const struct jc_nats_binding *binding = closure;
	struct jc_nats_connection *connection = binding->connection;
	struct jc_arrived_message *arrived = malloc(sizeof(*arrived));

	(void)nats;
	(void)subscription;
	if (!arrived) {
		natsMsg_Destroy(message);
		return;
	}
	const char *subject = natsMsg_GetSubject(message), *reply = natsMsg_GetReply(message);
	const char *edge = jc_subject_edge(subject), *host = edge ? edge : jc_subject_host(subject);

	*arrived = (struct jc_arrived_message){ .subscription = binding->id,
		.message = message,
		.arrived_ns = jc_clock_now_ns(),
		.bytes = sizeof(*arrived) + MESSAGE_BYTES + strlen(subject) +
			 (reply ? strlen(reply) : 0) + (size_t)natsMsg_GetDataLength(message),
		.is_frame = jc_subject_is_frames(subject),
		.sender = host ? jc_message_sender(host) : 0 };
	uv_mutex_lock(&connection->mutex);
	arrived = jc_message_queue_add(&connection->queue, arrived);
	uv_mutex_unlock(&connection->mutex);
	jc_nats_connection_free(arrived);
	uv_async_send(connection->async);
}

static void on_complete(void *closure)
{
	struct jc_nats_binding *binding = closure;
	struct jc_nats_connection *connection = binding->connection;

	free(binding);
	uv_mutex_lock(&connection->mutex);
	connection->bindings--;
	uv_cond_signal(&connection->cond);
	uv_mutex_unlock(&connection->mutex);
}

/* The thread of the connection. */

static void bind_slot(
	struct jc_nats_connection *connection, natsConnection *nats, struct jc_nats_slot *slot)
{
	char subject[JC_MAX_NATS_SUBJECT];
	struct jc_nats_binding *binding = malloc(sizeof(*binding));
	natsSubscription *subscription = NULL;

	if (!binding) {
		return;
	}
	const uint64_t id = slot->id;

	*binding = (struct jc_nats_binding){ .connection = connection, .id = id };
	snprintf(subject, sizeof(subject), "%s", slot->subject);
	connection->bindings++;
	uv_mutex_unlock(&connection->mutex);

	natsStatus status =
		natsConnection_Subscribe(&subscription, nats, subject, on_message, binding);
	bool is_stray = status == NATS_OK && natsSubscription_SetOnCompleteCB(
						     subscription, on_complete, binding) != NATS_OK;

	uv_mutex_lock(&connection->mutex);
	if (status == NATS_OK) {
		slot->bound = subscription;
		slot->bound_id = id; /* on_complete may have freed the binding */
	}
	if (is_stray) {
		binding->next = connection->strays;
		connection->strays = binding;
	}
	if (status != NATS_OK || is_stray) {
		connection->bindings--;
	}
	if (status != NATS_OK) {
		free(binding);
	}
}

void jc_nats_bindings_destroy_ended(struct jc_nats_connection *connection)
{
	while (connection->ended) {
		struct jc_nats_ended *ended = connection->ended;

		connection->ended = ended->next;
		natsSubscription_Destroy(ended->subscription);
		free(ended);
	}
	connection->ended_count = 0;
}

/* libnats 3.4 may still look into a subscription while it reads messages that the server sent
 * before it knew of the end: the subscription stays until the server has answered a ping. */
static void end_subscription(
	struct jc_nats_connection *connection, natsConnection *nats, natsSubscription *subscription)
{
	struct jc_nats_ended *ended = malloc(sizeof(*ended));

	natsSubscription_Unsubscribe(subscription);
	if (!ended) {
		return; /* rather lost memory than memory in use that is freed */
	}
	*ended = (struct jc_nats_ended){ .subscription = subscription, .next = connection->ended };
	connection->ended = ended;
	if (++connection->ended_count % MOST_ENDED == 0 &&
		natsConnection_FlushTimeout(nats, FLUSH_MS) == NATS_OK) {
		jc_nats_bindings_destroy_ended(connection);
	}
}

static void unbind_slot(
	struct jc_nats_connection *connection, natsConnection *nats, struct jc_nats_slot *slot)
{
	natsSubscription *subscription = slot->bound;

	slot->bound = NULL;
	slot->bound_id = 0;
	uv_mutex_unlock(&connection->mutex);
	end_subscription(connection, nats, subscription);
	uv_mutex_lock(&connection->mutex);
}

void jc_nats_bindings_follow(struct jc_nats_connection *connection, natsConnection *nats)
{
	connection->is_changed = false;
	for (size_t i = 0; i < connection->slot_count && !connection->is_closed; i++) {
		struct jc_nats_slot *slot = &connection->slots[i];

		if (slot->bound && slot->bound_id != slot->id) {
			unbind_slot(connection, nats, slot);
		}
		if (slot->id && !slot->bound) {
			bind_slot(connection, nats, slot);
		}
	}
}

void jc_nats_bindings_destroy(struct jc_nats_connection *connection)
{
	for (size_t i = 0; i < connection->slot_count; i++) {
		natsSubscription_Destroy(connection->slots[i].bound);
		connection->slots[i].bound = NULL;
		connection->slots[i].bound_id = 0;
	}
}

void jc_nats_bindings_finish(struct jc_nats_connection *connection)
{
	while (connection->strays) {
		struct jc_nats_binding *binding = connection->strays;

		connection->strays = binding->next;
		free(binding);
	}
}
