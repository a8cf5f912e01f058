/* What subscribers can wish for of a space, and what such a wish costs: an
 * encoder a body and the bundles of the tick, shared by all who wish for the
 * same. */
#ifndef JC_VARIANT_H
#define JC_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/stream.h"
#include "maxima.h"
#include "source/source.h"
#include "space/distribution.h"
#include "space/wardrobe.h"

struct jc_wish {
	bool chains; /* coding 2; else coding 1, which has all of everything: the rest is 0 */
	enum jc_precision precision;
	uint32_t rate;     /* every n-th tick: 1, 2 or 4 */
	unsigned sections; /* JC_STREAM_SECTION bits */
};

bool jc_wish_equal(const struct jc_wish *a, const struct jc_wish *b);

/* A body at one tick. */
struct jc_moment {
	size_t body;                         /* index in the space */
	const struct jc_outfit *outfit;      /* that it wears */
	const struct jc_skeleton_pose *pose; /* on it */
	const struct jc_source_channels *channels;
	const float *values;        /* of them */
	struct jc_packet_head head; /* all but sequence and flag S; cut: it jumps now */
	bool has_frame, has_virtuals;
	struct jc_stream_frame frame; /* the same pose for chains, once somebody asked */
};

/* What a variant remembers of a body. */
struct jc_variant_body {
	struct jc_stream *stream;   /* borrowed from the variant; NULL with coding 1 */
	bool met;                   /* the stream was set up */
	unsigned channels_revision; /* of what it carries */
	uint8_t sequence;           /* of the next packet, with coding 1 */
	bool cut;                   /* the next packet says so */
	uint32_t told;              /* tick of the last packet */
};

struct jc_variant {
	struct jc_wish wish;
	size_t users;              /* views */
	bool due;                  /* has a bundle in this tick */
	bool rejoins;              /* and one for who needs a rejoin */
	bool quiet;                /* the last bundle had no packet */
	struct jc_bundle common;   /* to who has followed so far */
	struct jc_bundle rejoin;   /* to who has not; chains only */
	struct jc_stream *streams; /* owned; NULL with coding 1 */
	uint8_t *buffers;          /* owned: of the bundles */
	struct jc_variant_body bodies[JC_MAX_BODIES];
};

/* About 570 KB with chains, else 66 KB; nothing is allocated later. */
int jc_variant_create(const struct jc_wish *wish, struct jc_variant **out_variant);
void jc_variant_destroy(struct jc_variant *variant); /* NULL is fine */

/* The body of that index is gone, those after it have moved up. */
void jc_variant_remove(struct jc_variant *variant, size_t index);

/* A tick: begin, every body, end. */
void jc_variant_begin(struct jc_variant *variant, const struct jc_bundle_head *head, int64_t now_ns,
	bool rejoins);
void jc_variant_add(struct jc_variant *variant, struct jc_moment *moment, uint32_t hz);

/* Ends the tick. Whether its bundle is worth sending: after an empty one, which
 * says that all stand still, another says nothing. */
bool jc_variant_end(struct jc_variant *variant);

#endif
