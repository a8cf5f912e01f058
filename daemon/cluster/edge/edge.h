/* The edge of a cluster: serves every space that an origin announces on NATS to its own clients.
 * proto/CLUSTER.md. */
#ifndef JC_CLUSTER_EDGE_H
#define JC_CLUSTER_EDGE_H

#include <jansson.h>
#include <stdbool.h>

#include "cluster/edge/edge_counts.h"
#include "services.h"

struct jc_cluster_context;
struct jc_edge;
struct jc_guest_passes;
struct jc_histogram;

/* context is borrowed. Returns 0 or a negative enum jc_error. */
int jc_edge_create(const struct jc_cluster_context *context, struct jc_edge **out_edge);

/* The connection to NATS is new. NULL is fine. */
void jc_edge_connected(struct jc_edge *edge);

/* No origin receives requests on that subject, of a space. NULL: does nothing. */
void jc_edge_unheard(struct jc_edge *edge, const char *subject);

/* Lets the loop end; called while the loop runs, before the link closes. The spaces stay, and no
 * longer move. NULL is fine. */
void jc_edge_destroy(struct jc_edge *edge);

/* The guests of the origins of its spaces. */
const struct jc_guest_passes *jc_edge_guests(const struct jc_edge *edge);

/* Redeems an invitation at the origins (jc_cluster_ops.redeem). */
int jc_edge_redeem(struct jc_edge *edge, const struct jc_redemption *redemption,
	jc_on_redeemed *on_redeemed, void *context);

/* The file of an avatar (jc_cluster_ops.avatar). */
int jc_edge_avatar(struct jc_edge *edge, const char *space, const char *hash, uint64_t bytes,
	jc_on_avatar *on_avatar, void *context);

/* For the status of the daemon: a list with an object for each space. NULL without memory. */
json_t *jc_edge_status(const struct jc_edge *edge);

void jc_edge_count(const struct jc_edge *edge, struct jc_edge_counts *out_counts);

/* The age that NATS and this edge add: from the sending of a frame at its origin, by the clock of
 * the origin, until the bundles of its tick were written here. */
const struct jc_histogram *jc_edge_added(const struct jc_edge *edge);

/* NULL is fine. */
void jc_edge_measure(const struct jc_edge *edge, jc_on_figure *on_figure, void *context);

#endif
