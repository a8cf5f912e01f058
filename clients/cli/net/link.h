/* The connection of a command to a daemon: WebSocket of jointcast.v1, greeting, the daemon's clock,
 * reconnection, and Ctrl-C. The command reacts through functions of a struct jc_link_ops. */
#ifndef JC_CLI_LINK_H
#define JC_CLI_LINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_link;

/* Each function may be NULL; `context` is that of jc_link_run. */
struct jc_link_ops {
	/* The daemon has sent `welcome`, and its clock is known; again after each reconnection. */
	void (*ready)(void *context, struct jc_link *link);
	/* A control message that the link itself does not handle. */
	void (*message)(void *context, struct jc_link *link, const json_t *message);
	/* A binary message. */
	void (*motion)(void *context, struct jc_link *link, const uint8_t *bytes, size_t length);
	/* The time that jc_link_wake has set is reached. */
	void (*timer)(void *context, struct jc_link *link, int64_t now_ns);
	/* SIGINT, SIGTERM or SIGHUP arrived. NULL: the connection is closed. */
	void (*interrupted)(void *context, struct jc_link *link);
	/* The connection is lost and will be made again. The timer does not run until then; the
	 * clock of the lost connection still counts during the call. */
	void (*lost)(void *context, struct jc_link *link);
};

struct jc_credentials;

struct jc_link_options {
	const char *url;
	const struct jc_credentials *credentials;
	/* For how long a connection that was ready and is lost is made again; 0: not at all. */
	double reconnect_s;
};

/* The option of commands that connect again, and its default. */
#define JC_LINK_RECONNECT_SECONDS 60.0
#define JC_OPTION_RECONNECT(type, member)                                                          \
	JC_OPTION("reconnect", NUMBER, type, member, .least = 0.0, .most = 86400.0)

/* Connects and runs until jc_link_end is called, or the connection ends and is not made again.
 * Options are borrowed. Reports errors and returns enum jc_exit. */
int jc_link_run(
	const struct jc_link_options *options, const struct jc_link_ops *ops, void *context);

/* Queues a control message. Steals the reference. */
void jc_link_send_control(struct jc_link *link, json_t *message);

#define JC_LINK_PUBLICATIONS 8u /* a daemon's limit of publications per connection */

/* Queues a binary message of the publication `number`, below JC_LINK_PUBLICATIONS. Only the newest
 * message of each publication is kept. Returns false when it replaced an older message or cannot be
 * sent. */
bool jc_link_send_capture(
	struct jc_link *link, unsigned number, const uint8_t *bytes, size_t length);

/* Whether a message of that publication waits. */
bool jc_link_is_busy(const struct jc_link *link, unsigned number);

/* Calls `timer` at a time of jc_link_now_ns. A second call replaces the first. */
void jc_link_wake(struct jc_link *link, int64_t at_ns);

/* Sends the queued messages, then closes the connection. status is enum jc_exit. */
void jc_link_end(struct jc_link *link, int status);

/* Reports an `error` message of the daemon and closes the connection. After a reconnection, a space
 * that is unknown may be back soon (proto/CORE.md, "Reconnection and clock"): then `ready` is
 * called again later, for as long as a reconnection is tried. */
void jc_link_refused(struct jc_link *link, const json_t *error);

/* Server time in microseconds for a time of jc_link_now_ns. */
int64_t jc_link_server_us(const struct jc_link *link, int64_t now_ns);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t jc_link_now_ns(void);

#endif
