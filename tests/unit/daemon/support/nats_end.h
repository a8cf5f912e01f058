/* One end of a connection through NATS: a link, and what it received. */
#ifndef NATS_END_H
#define NATS_END_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "cluster/nats_link.h"

#define MOST_TEXTS 4096

struct end {
	struct jc_nats_link *link;
	uv_loop_t *loop; /* borrowed */
	enum jc_nats_state states[32];
	size_t state_count;
	char *texts[MOST_TEXTS]; /* "subject text" */
	size_t text_count;
	size_t timeouts;
	char unheard[64]; /* the subject of the last request that nobody received */
	bool is_closed;
};

#define END_WAIT(end, condition)                                                                   \
	while (!(condition)) {                                                                     \
		uv_run((end)->loop, UV_RUN_ONCE);                                                  \
	}

/* Opens a link; the options say where. Fails the test on an error. */
void end_open(struct end *end, struct jc_nats_options options);

/* The same, and waits until it is connected. */
void end_connect(struct end *end, struct jc_nats_options options);

/* A handler that keeps the text, or counts a timeout. The context is the end. */
void end_take(void *context, const struct jc_nats_message *message);

void end_on_closed(void *context); /* sets is_closed */

/* Subscribes with end_take. */
struct jc_nats_subscription *end_subscribe(struct end *end, const char *subject);

void end_publish(struct end *end, const char *subject, const char *text);

/* Waits until the server has read what was published and subscribed before: `subject` is one that
 * this end may publish and subscribe. */
void end_settle(struct end *end, const char *subject);

void end_close(struct end *end);

#endif
