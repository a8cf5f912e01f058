/* The state of a link, for the files that implement it. */
#ifndef JC_CLI_LINK_PRIVATE_H
#define JC_CLI_LINK_PRIVATE_H

#include <libwebsockets.h>

#include "net/link.h"
#include "net/link_queue.h"
#include "net/reconnection.h"
#include "net/server_clock.h"

struct jc_endpoint;

struct jc_link {
	const char *url; /* borrowed, like the next three fields */
	const struct jc_endpoint *endpoint;
	const struct jc_link_ops *ops;
	void *command;
	struct lws_context *context;
	struct jc_reconnection reconnection;
	bool has_served;   /* a connection was ready */
	bool has_returned; /* a later one than the first was ready */
	char *token;       /* owned; NULL: none */
	struct lws *wsi;   /* NULL: not connected */
	int signals;
	lws_sorted_usec_list_t check, wake, retry;
	int64_t since_ns;     /* start of the phase that TIMEOUT_NS limits */
	const char *farewell; /* the daemon's reason for closing the connection; NULL: none given */
	bool is_ready, is_ending, is_over;
	bool is_waiting; /* not connected until the next attempt */
	int status;

	int64_t pinged_ns; /* time of the last ping; there is one at a time */
	bool is_pinging;
	struct jc_server_clock clock;

	struct jc_link_queue queue;
	uint8_t *received; /* owned: the part of a message that has arrived */
	size_t received_length;
};

/* Ends the link with an error. */
void jc_link_fail(struct jc_link *link, int status, const char *what);

/* Calls `call` after a time. */
void jc_link_schedule(
	struct jc_link *link, lws_sorted_usec_list_t *list, sul_cb_t call, int64_t after_ns);

void jc_link_connect(struct jc_link *link);

/* The connection is lost, or an attempt to make it has failed: connects again later, or ends the
 * link. */
void jc_link_lose(struct jc_link *link, const char *what);

/* Ends a connection that does not answer. */
void jc_link_give_up(struct jc_link *link);

#endif
