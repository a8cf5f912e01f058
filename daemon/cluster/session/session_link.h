/* Sessions of the clients of an edge, at the edge (proto/CLUSTER.md, "Sessions"): opened on first
 * need, one for a client and a relayed space. */
#ifndef JC_SESSION_LINK_H
#define JC_SESSION_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "cluster/session/edge_session.h"
#include "control/client.h"

struct jc_forwarded_client;
struct jc_log;
struct jc_nats_link;
struct jc_session_link;

/* All borrowed. */
struct jc_session_link_options {
	const struct jc_log *log;
	struct jc_nats_link *link;
	struct jc_control *control;
	const char *edge; /* name of this host */
	/* The server time of the origin of a relayed space at a server time of this edge. */
	int64_t (*origin_us)(void *context, const struct jc_fanout *fanout, int64_t edge_us);
	/* A client needs the origin of the space: where it is gone, jc_session_link_abandon is
	 * called soon. */
	void (*look_for)(void *context, const char *space);
	/* Whether the origin of the space is not silent. */
	bool (*is_heard)(void *context, const char *space);
	void *context;
};

/* From now on messages about relayed spaces go to their origins. Returns 0, a negative enum
 * jc_error or JC_ERROR_UNSUPPORTED (no random bytes). */
int jc_session_link_create(
	const struct jc_session_link_options *options, struct jc_session_link **out_link);

/* Closes all sessions. Not from an event of a session. NULL is fine. */
void jc_session_link_destroy(struct jc_session_link *link);

/* Tells the origins that this edge is there, ends the sessions of origins that were silent for the
 * last six sweeps, and publishes bodies again. The owner calls this four times a second. */
void jc_session_link_sweep(struct jc_session_link *link);

/* The origin of a space is gone: its sessions end. */
void jc_session_link_abandon(struct jc_session_link *link, const char *name);

/* See the options. */
void jc_session_link_look_for(const struct jc_session_link *link, const char *space);
bool jc_session_link_is_heard(const struct jc_session_link *link, const char *space);

struct jc_session_link_report {
	size_t sessions;
	uint64_t opened, lost, malformed; /* sessions, sessions, messages */
	uint64_t again;                   /* bodies that were published again */
};

void jc_session_link_report(
	const struct jc_session_link *link, struct jc_session_link_report *out_report);

/* The rest is for forwarded_client.c alone. */

/* Opens a session of a client. NULL: it cannot be opened. */
struct jc_edge_session *jc_session_link_open(
	struct jc_session_link *link, struct jc_forwarded_client *forwarded, const char *space);

/* Destroys a session. */
void jc_session_link_drop(struct jc_session_link *link, struct jc_edge_session *session);

/* Counts a lost session, or a body that was published again. */
void jc_session_link_count_lost(struct jc_session_link *link);
void jc_session_link_count_again(struct jc_session_link *link);

const struct jc_session_link_options *jc_session_link_options(const struct jc_session_link *link);

/* The beginning of the field `request` of messages of the edge itself: random. */
const char *jc_session_link_tag(const struct jc_session_link *link);

#endif
