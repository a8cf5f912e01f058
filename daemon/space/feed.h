/* One stream of a space: a body on a skeleton in one level of detail, encoded at most
 * once a tick, whoever listens, and only while somebody does. */
#ifndef JC_FEED_H
#define JC_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"
#include "jointcast/stream.h"
#include "source/source.h"
#include "space/wardrobe.h"
#include "space/wish.h"

/* A body at one tick, on no skeleton yet. */
struct jc_moment {
	struct jc_pose pose;
	unsigned channels_revision; /* of the channels that the roster has */
	size_t value_count;         /* of these */
	float values[JC_LIMIT_STREAM_VALUES];
	struct jc_packet_head head;           /* all but sequence and shape; cut: it jumps now */
	struct jc_vec3 position;              /* of its hips in the space, about */
	const struct jc_placement *placement; /* borrowed; NULL: as the roster first had it */
};

/* A moment on a skeleton: what is worked out is there for all levels of detail. */
struct jc_fit {
	const struct jc_moment *moment;
	const struct jc_outfit *outfit;
	bool has_pose, has_frame, has_virtuals;
	struct jc_skeleton_pose pose;
	struct jc_stream_frame frame;
};

/* A packet as it stands in a bundle, with its size. Coding 1 takes at most 400 bytes. */
#define JC_FEED_PACKET_BYTES (20 + JC_STREAM_BYTES)

struct jc_feed_packet {
	bool cut, needs_state;
	uint16_t length; /* 0: nothing to say */
	uint8_t bytes[JC_FEED_PACKET_BYTES];
};

/* Plain data: about 10 KB with chains. */
struct jc_feed {
	struct jc_feed *next;     /* of the same body: the table's */
	size_t slot;              /* of the body */
	struct jc_outfit *outfit; /* worn; NULL: the body left */
	struct jc_wish wish;
	size_t users;
	bool is_reserved; /* does not count against the cap */
	uint32_t number;  /* no other stream of the space ever has it */
	uint32_t since;   /* tick with which it began, or began anew */

	/* Of the tick under way. */
	bool is_wanted, wants_rejoin;
	bool is_fresh; /* it was encoded; else the packets are of a tick before */
	struct jc_feed_packet common;
	struct jc_feed_packet rejoin; /* where one was wanted; chains only */

	bool cut;         /* the next packet says so */
	bool met;         /* the chains were set up */
	uint8_t sequence; /* of the next packet, with coding 1 */
	uint32_t told;    /* tick of the last packet */
	uint32_t encoded; /* how often; for who counts */
	bool is_measured;
	float bytes_a_second; /* of the common packets, of late */
	unsigned channels_revision;
	struct jc_stream stream; /* chains only: the last member, left out with coding 1 */
};

struct jc_feed *jc_feed_create(struct jc_outfit *outfit, const struct jc_wish *wish);
void jc_feed_destroy(struct jc_feed *feed); /* NULL is fine */

/* Somebody would take the packet of this tick. */
static inline void jc_feed_want(struct jc_feed *feed, bool rejoin)
{
	feed->is_wanted = true;
	feed->wants_rejoin |= rejoin;
}

static inline bool jc_feed_is_due(const struct jc_feed *feed, uint32_t tick)
{
	return tick % feed->wish.rate == 0;
}

/* The next packet needs none of those before. */
void jc_feed_restart(struct jc_feed *feed);

void jc_fit_init(
	struct jc_fit *fit, const struct jc_moment *moment, const struct jc_outfit *outfit);

/* Makes the packets of a tick, of what was wanted. A pose that cannot be said is left out, as a
 * lost one would be. */
void jc_feed_encode(struct jc_feed *feed, struct jc_fit *fit, uint32_t tick, uint32_t hz);

#endif
