/* A command's line to a daemon: a WebSocket of jointcast.v1, the greeting, the
 * daemon's clock, and Ctrl-C. The command says what to do when something comes. */
#ifndef JC_CLI_LINK_H
#define JC_CLI_LINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_link;

/* All of them are given the command's context, and may be NULL. */
struct jc_link_ops {
	/* The daemon has greeted, and its clock is known. */
	void (*ready)(void *context, struct jc_link *link);
	/* A control message that is not the link's own business. */
	void (*message)(void *context, struct jc_link *link, const json_t *message);
	/* A binary message. */
	void (*motion)(void *context, struct jc_link *link, const uint8_t *bytes, size_t length);
	/* The time that jc_link_wake set has come. */
	void (*due)(void *context, struct jc_link *link, int64_t now_ns);
	/* SIGINT or SIGTERM came. NULL: the line is ended. */
	void (*interrupted)(void *context, struct jc_link *link);
};

struct jc_credentials;

/* Connects to url, gets in as `access` says and serves until jc_link_end is called or the line
 * drops. Returns enum jc_exit, after saying what failed. */
int jc_link_run(const char *url, const struct jc_credentials *access, const struct jc_link_ops *ops,
	void *context);

/* Sends a control message; steals it. */
void jc_link_say(struct jc_link *link, json_t *message);

#define JC_LINK_PUBLICATIONS 8u /* bodies that a daemon takes from one connection */

/* Sends a binary message as soon as the line takes it. Only the newest of each number,
 * below JC_LINK_PUBLICATIONS, waits: false when it took the place of one that had not gone yet,
 * or cannot be sent at all. */
bool jc_link_send_motion(
	struct jc_link *link, unsigned number, const uint8_t *bytes, size_t length);

/* Whether one of that number waits. */
bool jc_link_is_busy(const struct jc_link *link, unsigned number);

/* Calls `due` at a time of jc_link_now_ns; a second call takes the place of the first. */
void jc_link_wake(struct jc_link *link, int64_t at_ns);

/* Says what is still to be said, then ends the line. status is enum jc_exit. */
void jc_link_end(struct jc_link *link, int status);

/* The daemon does not want what was asked of it: says so and ends the line. */
void jc_link_refused(struct jc_link *link, const json_t *error);

/* Server time, microseconds, at a time of ours. */
int64_t jc_link_server_us(const struct jc_link *link, int64_t now_ns);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t jc_link_now_ns(void);

#endif
