/* Sessions of the clients of edges, at an origin (proto/CLUSTER.md, "Sessions"). */
#ifndef JC_SESSION_HOST_H
#define JC_SESSION_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_fanout;
struct jc_log;
struct jc_nats_link;
struct jc_server;
struct jc_session_host;
struct jc_spaces;

/* All borrowed. */
struct jc_session_host_options {
	const struct jc_log *log;
	struct jc_nats_link *link;
	struct jc_server *server;
	struct jc_spaces *spaces;
	/* Whether this process is the origin of a space for its edges. */
	bool (*exports)(void *context, const struct jc_fanout *fanout);
	void *context;
};

/* Serves the exported spaces from now on, those too that are exported later. Returns 0, a negative
 * enum jc_error or JC_ERROR_UNSUPPORTED (no random bytes). */
int jc_session_host_create(
	const struct jc_session_host_options *options, struct jc_session_host **out_host);

/* Ends all sessions at once, before the server ends. Not from an event of a session. NULL is fine.
 */
void jc_session_host_destroy(struct jc_session_host *host);

/* Takes sessions of all spaces that are exported now, before these are announced. NULL is fine. */
void jc_session_host_follow(struct jc_session_host *host);

/* Follows the exported spaces, sweeps all sessions, and ends those that their edge did not list in
 * the last six sweeps. The owner calls this four times a second. */
void jc_session_host_sweep(struct jc_session_host *host, int64_t now_ns);

struct jc_session_host_report {
	size_t sessions, edges;
	uint64_t opened, refused, malformed; /* sessions, sessions, messages */
};

void jc_session_host_report(
	const struct jc_session_host *host, struct jc_session_host_report *out_report);

#endif
