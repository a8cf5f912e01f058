/* The connection to NATS. Its own thread connects, publishes and subscribes, so that a server that
 * does not answer never blocks the loop; a thread of libnats receives. All handlers run on the
 * loop. A lost connection is made again, and its subscriptions with it. */
#ifndef JC_NATS_LINK_H
#define JC_NATS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "base/log.h"
#include "cluster/nats_message.h"
#include "jointcast/error.h"

struct jc_nats_link;
struct jc_nats_subscription;

enum jc_nats_state {
	JC_NATS_CONNECTING, /* not connected yet */
	JC_NATS_CONNECTED,
	JC_NATS_LOST, /* and being connected again */
};

/* Texts are copied. */
struct jc_nats_options {
	uv_loop_t *loop;          /* borrowed */
	const struct jc_log *log; /* borrowed */
	const char *servers;      /* list of URLs, separated by commas: nats:// or tls:// */
	/* Of this host, as a token of a subject: answers to its requests come on _INBOX.<name>.…;
	 * also shown by the server. */
	const char *name;
	const char *credentials, *ca, *certificate, *key; /* files, NULL: none */
	/* Each change after creation. May be NULL. */
	void (*on_state)(void *context, enum jc_nats_state state);
	/* Nobody receives requests on that subject: the server says so at once. Called after the
	 * handler of the request. May be NULL. */
	void (*on_unheard)(void *context, const char *subject);
	void *context; /* borrowed */
};

/* Never blocks. Returns 0, JC_ERROR_INVALID for a URL or a file that cannot be used, or
 * JC_ERROR_MEMORY, with the diagnostic filled. */
int jc_nats_link_create(const struct jc_nats_options *options, struct jc_nats_link **out_link,
	struct jc_diagnostic *diagnostic);

/* Only checks the options, of which loop and log are not used. Returns as jc_nats_link_create
 * does. */
int jc_nats_link_check(const struct jc_nats_options *options, struct jc_diagnostic *diagnostic);

/* Sends what is published, ends all subscriptions and requests without calling their handlers, and
 * frees the link, then calls on_closed. Takes at most a few seconds where the server does not
 * answer. NULL: calls on_closed at once. */
void jc_nats_link_close(struct jc_nats_link *link, void (*on_closed)(void *context), void *context);

enum jc_nats_state jc_nats_link_state(const struct jc_nats_link *link);

/* Bytes that a message may have. */
size_t jc_nats_link_most(struct jc_nats_link *link);

/* Calls the handler with each message, in the order in which the server sends messages of all
 * subscriptions. Holds across connections. Returns 0, JC_ERROR_INVALID for a subject,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_nats_link_subscribe(struct jc_nats_link *link, const char *subject, jc_nats_handler *handler,
	void *context, struct jc_nats_subscription **out_subscription);

/* Ends and frees it: the handler is not called again. NULL is fine. */
void jc_nats_subscription_end(struct jc_nats_subscription *subscription);

/* Copies the message, without allocating; it is sent when the loop has handled its other events.
 * reply may be NULL. Returns 0; JC_ERROR_ABSENT: not connected; JC_ERROR_INVALID for a subject;
 * JC_ERROR_LIMIT for a message of more bytes than the server takes, or where too many wait. */
int jc_nats_link_publish(struct jc_nats_link *link, const char *subject, const char *reply,
	const void *bytes, size_t length);

/* The same for what can come later: only where half of the memory stays free for others. */
int jc_nats_link_publish_spare(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length);

/* Sends what is published now, and not when the loop has handled its other events. */
void jc_nats_link_flush(struct jc_nats_link *link);

/* Publishes a message in parts (cluster/parts.h). */
int jc_nats_link_publish_parts(
	struct jc_nats_link *link, const char *subject, const void *bytes, size_t length);

/* Publishes a message whose answer in parts goes to the handler as a whole: once, on a later turn
 * of the loop. Returns as jc_nats_link_publish does, or JC_ERROR_MEMORY; the handler is then not
 * called. */
int jc_nats_link_request(struct jc_nats_link *link, const char *subject, const void *bytes,
	size_t length, int timeout_ms, jc_nats_handler *handler, void *context);

/* Ends all requests of a context: their handlers are not called. */
void jc_nats_link_forget(struct jc_nats_link *link, const void *context);

/* Counts since the creation. */
struct jc_nats_report {
	enum jc_nats_state state;
	char server[128];     /* the URL of the connected server, without its password; "": none */
	char problem[200];    /* why the last try to connect failed; "": it succeeded */
	uint64_t connections; /* made: reconnects are one less */
	uint64_t messages_in, bytes_in, messages_out, bytes_out; /* of handlers and publishers */
	uint64_t dropped_frames, dropped_others; /* received, but the queue to the loop was full */
	uint64_t refused;       /* not published: not connected, too long, or too many waited */
	uint64_t slow;          /* times that libnats dropped received messages */
	uint64_t not_permitted; /* subjects that the server refused */
	size_t queued, queued_most, queued_highest; /* bytes of the queue to the loop */
	size_t leaving, leaving_most;               /* bytes that are published, and not yet sent */
	size_t subscriptions, requests;
};

void jc_nats_link_report(struct jc_nats_link *link, struct jc_nats_report *out_report);

#endif
