/* The origin of a cluster: announces the spaces of this daemon on NATS and exports them to edges.
 * proto/CLUSTER.md. */
#ifndef JC_CLUSTER_ORIGIN_H
#define JC_CLUSTER_ORIGIN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "services.h"

struct jc_cluster_context;
struct jc_origin;
struct jc_peers;

/* context is borrowed. is_standby: serves only spaces that no other origin serves. Returns 0 or a
 * negative enum jc_error. */
int jc_origin_create(
	const struct jc_cluster_context *context, bool is_standby, struct jc_origin **out_origin);

/* There is a new connection to NATS: announces at once. NULL is fine. */
void jc_origin_connected(struct jc_origin *origin);

/* Ends all exports and announces that: other origins may take the spaces over. Not from within a
 * tick. NULL is fine. */
void jc_origin_leave(struct jc_origin *origin);

/* Leaves, and lets the loop end; called while the loop runs, before the link closes and the spaces
 * end. NULL is fine. */
void jc_origin_destroy(struct jc_origin *origin);

/* Whether this origin serves the space. */
bool jc_origin_serves(const struct jc_origin *origin, uint32_t space);

/* For the status of the daemon: a list with an object for each space. NULL without memory, and for
 * origin NULL. */
json_t *jc_origin_status(const struct jc_origin *origin);

/* Of all spaces. */
struct jc_origin_counts {
	uint64_t spaces, edges, views;     /* now: exported, interested (once for each space) */
	uint64_t frames, rejoins, refused; /* since the start */
};

void jc_origin_count(const struct jc_origin *origin, struct jc_origin_counts *out_counts);

/* Adds the edges with interest to the processes that showed a sign of life. */
void jc_origin_name_edges(const struct jc_origin *origin, struct jc_peers *peers);

/* The figures of all spaces. Does nothing for NULL. */
void jc_origin_measure(const struct jc_origin *origin, jc_on_figure *on_figure, void *context);

#endif
