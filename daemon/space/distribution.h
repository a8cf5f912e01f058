/* The seam between the two halves of a space: the origin (bodies, retargeting,
 * encoding) calls, whatever distributes answers. */
#ifndef JC_DISTRIBUTION_H
#define JC_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"

/* Bytes before the packets of a bundle that whoever sends it may overwrite: for
 * the bundle's head and what the network puts before that. */
#define JC_BUNDLE_HEADROOM 32

/* One tick of one variant of a space. The bytes belong to the space and stay until the call
 * returns; a sender may write into the headroom, and flip the cut flags if it
 * flips them back. */
struct jc_bundle {
	uint8_t *bytes; /* packets, without a head */
	size_t length;
	uint32_t tick;
	int64_t now_ns;
	uint8_t head[JC_BUNDLE_HEAD_BYTES]; /* that says all, for whoever needs that */
	size_t head_length;
	bool cut;         /* a packet in it has the flag */
	bool needs_state; /* for who has everything that came before */
	size_t packet_count;
	size_t last; /* where the last of them begins */
	/* Where the flags byte of each packet is that needs no state. */
	size_t flags_count;
	uint32_t flags_at[JC_LIMIT_BUNDLE_PACKETS];
};

struct jc_body;
struct jc_variant;

struct jc_distribution;

struct jc_distribution_ops {
	/* Whether somebody who can take a bundle of this tick needs a rejoin; asked
	 * only of variants with chains. */
	bool (*wants_rejoin)(struct jc_distribution *distribution, const struct jc_variant *variant,
		uint32_t tick);
	/* rejoin is NULL where nobody wanted one. */
	void (*bundle)(struct jc_distribution *distribution, const struct jc_variant *variant,
		const struct jc_bundle *common, const struct jc_bundle *rejoin);
	/* A body entered, or its entry in the roster changed. */
	void (*body_changed)(
		struct jc_distribution *distribution, const struct jc_body *body, bool joined);
	void (*body_left)(struct jc_distribution *distribution, uint32_t id);
};

struct jc_distribution {
	const struct jc_distribution_ops *ops;
};

#endif
