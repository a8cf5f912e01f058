/* Messages of a command that wait until the connection accepts them. */
#ifndef JC_CLI_LINK_QUEUE_H
#define JC_CLI_LINK_QUEUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/link.h"

#define JC_LINK_CAPTURE_BYTES 8192u /* the largest binary message */
#define JC_LINK_HEADROOM      16u   /* bytes before a message, for libwebsockets */

struct lws;

struct jc_link_queue {
	json_t *controls; /* owned: control messages */
	struct {
		uint8_t bytes[JC_LINK_HEADROOM + JC_LINK_CAPTURE_BYTES];
		size_t length; /* 0: none waits */
	} captures[JC_LINK_PUBLICATIONS];
};

/* Returns false without memory. */
bool jc_link_queue_init(struct jc_link_queue *queue);
void jc_link_queue_finish(struct jc_link_queue *queue);

/* Drops all messages. */
void jc_link_queue_clear(struct jc_link_queue *queue);

/* Steals the reference. Returns false if the queue is full, or without memory. */
bool jc_link_queue_add(struct jc_link_queue *queue, json_t *message);

/* Keeps a binary message of the publication `number` in place of an earlier one. Returns false if
 * it replaced one, or is too long. */
bool jc_link_queue_put(
	struct jc_link_queue *queue, unsigned number, const uint8_t *bytes, size_t length);

bool jc_link_queue_is_empty(const struct jc_link_queue *queue);

/* Sends one message of a queue that is not empty; false: the connection is broken. */
bool jc_link_queue_write(struct jc_link_queue *queue, struct lws *wsi);

#endif
