/* A message from NATS, as handlers get it. */
#ifndef JC_NATS_MESSAGE_H
#define JC_NATS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrowed: valid in the handler only. */
struct jc_nats_message {
	const char *subject;
	const char *reply;    /* "": none */
	const uint8_t *bytes; /* a NUL follows them */
	size_t length;
	int64_t arrived_ns; /* CLOCK_MONOTONIC, on the thread of libnats */
	bool is_unheard;    /* from the server: nobody receives the request (status 503) */
};

/* message NULL: a request timed out, or nobody receives it. */
typedef void jc_nats_handler(void *context, const struct jc_nats_message *message);

#endif
