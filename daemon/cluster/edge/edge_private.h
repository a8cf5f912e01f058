/* The edge, for edge.c and edge_report.c alone. */
#ifndef JC_EDGE_PRIVATE_H
#define JC_EDGE_PRIVATE_H

#include <uv.h>

#include "base/histogram.h"
#include "cluster/edge/edge_counts.h"
#include "cluster/edge/relayed_space.h"
#include "cluster/guest/guest_passes.h"
#include "cluster/rivals.h"

struct jc_avatar_fetches;
struct jc_cluster_context;
struct jc_redemptions;
struct jc_session_link;

struct jc_edge {
	const struct jc_cluster_context *context;
	struct jc_relayed_context relayed;
	struct jc_nats_subscription *announcements;
	struct jc_parts parts;
	struct jc_rivals rivals;
	struct jc_session_link *sessions;   /* owned: of its clients at origins */
	struct jc_redemptions *redemptions; /* owned: of guests */
	struct jc_guest_passes guests;
	struct jc_avatar_fetches *avatars; /* owned: files */
	uv_timer_t sweep, waits;
	unsigned sweeps;
	unsigned open_timers;
	uint64_t refused;
	uint64_t dropped; /* messages other than frames, by the full queue of the link */
	struct jc_histogram added;
	struct jc_edge_counts ended; /* of spaces that have ended */
	size_t count;
	struct jc_relayed_space *spaces[JC_MAX_SPACES]; /* owned */
};

/* Adds the counts of a space that ends or lives. */
void jc_edge_add_counts(const struct jc_relayed_space *space, struct jc_edge_counts *counts);

#endif
