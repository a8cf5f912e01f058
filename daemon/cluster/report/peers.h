/* The other processes of a cluster that showed a sign of life lately: an announcement, interest, or
 * a report. A process that is here and does not answer is silent. Plain data. */
#ifndef JC_PEERS_H
#define JC_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include "cluster/origin_message.h"
#include "cluster/report/process_report.h"

#define JC_PEER_LASTS_NS INT64_C(60000000000) /* after the last sign of life */

struct jc_cluster_peer {
	char name[JC_MAX_HOST_ID];
	enum jc_process_role role;
	int64_t heard_ns;
	bool has_left; /* it has announced its end since it was heard last */
};

/* All zeros: none. */
struct jc_peers {
	size_t count;
	struct jc_cluster_peer list[JC_MAX_PROCESSES];
};

/* A sign of life of a process with that role; one from before it left changes nothing. Beyond
 * JC_MAX_PROCESSES the one that was silent for the longest time is left out. */
void jc_peers_hear(
	struct jc_peers *peers, const char *name, enum jc_process_role role, int64_t heard_ns);

/* The same of an announcement, which standbys publish as well; an origin may leave. */
void jc_peers_hear_announcement(
	struct jc_peers *peers, const struct jc_origin_message *message, int64_t heard_ns);

/* The process ends. */
void jc_peers_leave(struct jc_peers *peers, const char *name, int64_t now_ns);

/* Removes those whose time is over. */
void jc_peers_expire(struct jc_peers *peers, int64_t now_ns);

#endif
