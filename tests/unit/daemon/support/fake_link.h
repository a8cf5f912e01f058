/* The calls of cluster/nats_link.h without NATS: the test hands over each message. One at a time.
 */
#ifndef JC_TEST_FAKE_LINK_H
#define JC_TEST_FAKE_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "cluster/nats_link.h"

#define FAKE_LINK_ENTRIES 64

struct jc_nats_subscription {
	char subject[400];
	jc_nats_handler *handler; /* NULL: ended */
	void *context;
};

struct fake_request {
	bool is_open;
	char reply[32];
	char text[4096];
	jc_nats_handler *handler;
	void *context;
};

struct jc_nats_link {
	struct jc_nats_subscription subscriptions[FAKE_LINK_ENTRIES];
	struct fake_request requests[FAKE_LINK_ENTRIES];
	unsigned count; /* requests so far */
};

/* Calls the handlers of the subject. in_parts: as one part (cluster/parts.h). Returns how many. */
int fake_link_deliver(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, bool in_parts);

/* Answers the request with that reply subject; bytes NULL: it timed out. Returns whether there is
 * one. */
bool fake_link_answer(
	struct jc_nats_link *link, const char *reply, const void *bytes, size_t length);

/* The oldest open request whose text has those characters, or NULL. */
struct fake_request *fake_link_find(struct jc_nats_link *link, const char *part);

#endif
