/* A WebSocket with the subprotocol jointcast.v1, on libwebsockets. */
#ifndef EXAMPLE_CONNECTION_H
#define EXAMPLE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct connection;

/* Functions of a program that a connection calls. `context` is that of connection_run; each
 * function may be NULL. */
struct connection_ops {
	void (*opened)(void *context, struct connection *connection);
	/* A control message; borrowed. */
	void (*message)(void *context, struct connection *connection, const json_t *message);
	/* A binary message. */
	void (*bytes)(
		void *context, struct connection *connection, const uint8_t *bytes, size_t length);
	/* Called 60 times a second while the connection is open. */
	void (*tick)(void *context, struct connection *connection);
};

/* Runs a connection to "HOST:PORT" until it is closed. Returns the exit status of a program: 0
 * after connection_close, 1 if it cannot be opened or is lost. */
int connection_run(const char *address, const struct connection_ops *ops, void *context);

/* Queues a control message; steals the reference. */
void connection_send(struct connection *connection, json_t *message);

/* Queues a binary message, which is copied. A capture that still waits is replaced: only the newest
 * one matters. */
void connection_send_capture(struct connection *connection, const uint8_t *bytes, size_t length);

/* Sends what is queued, then closes. */
void connection_close(struct connection *connection);

/* Prints an `error` message of the daemon and ends the connection; the exit status is 1. */
void connection_refused(struct connection *connection, const json_t *error);

/* Microseconds of this computer's monotonic clock. */
int64_t connection_now_us(void);

#endif
