/* Calls from control messages to other processes that serve the same spaces. Implemented by
 * daemon/cluster; a daemon without `cluster` has neither. */
#ifndef JC_FORWARDER_H
#define JC_FORWARDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_client;
struct jc_fanout;
struct jc_forwarder;
struct jc_moderation_observer;

/* At an edge: messages about relayed spaces go to the origin. */
struct jc_forwarder_ops {
	/* `hello` or `token` of a client was accepted. */
	void (*shown)(
		struct jc_forwarder *forwarder, struct jc_client *client, const json_t *message);
	/* A message of a greeted client; `text` is the same. True: it is taken, and gets its
	 * answer from the origin or an error. */
	bool (*text)(struct jc_forwarder *forwarder, struct jc_client *client,
		const json_t *message, const char *text, size_t length);
	/* A capture message within the limits of the client. True: it is taken. */
	bool (*capture)(struct jc_forwarder *forwarder, struct jc_client *client,
		const uint8_t *bytes, size_t length);
	/* A moderator has removed a client from a space: its bodies there have ended. */
	void (*removed)(
		struct jc_forwarder *forwarder, struct jc_client *client, const char *space);
	/* The session of a client ends. */
	void (*left)(struct jc_forwarder *forwarder, struct jc_client *client);
};

/* Embedded in its owner. */
struct jc_forwarder {
	const struct jc_forwarder_ops *ops;
};

/* At an origin: persons have to leave a space, also at its edges. */
struct jc_moderation_observer {
	/* `who` is an identity as in sanctions; `text` is the message to them. The moderator may
	 * not moderate administrators if spares_administrators. */
	void (*removed)(struct jc_moderation_observer *observer, const struct jc_fanout *fanout,
		const char *who, const char *text, bool spares_administrators);
};

#endif
