/* One stream of a space: a body on a skeleton at one level of detail. It is encoded at most
 * once per tick, for all subscribers, and only while a view needs it. */
#ifndef JC_BODY_STREAM_H
#define JC_BODY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/motion.h"
#include "jointcast/packet.h"
#include "jointcast/stream.h"
#include "source/source.h"
#include "space/contact_keeper.h"
#include "space/skeleton_table.h"
#include "space/stream_spec.h"

/* A body at one tick, on no skeleton yet. */
struct jc_body_sample {
	struct jc_pose pose;
	unsigned channels_revision; /* revision of the channels in the roster */
	size_t value_count;         /* values of these channels */
	float values[JC_LIMIT_STREAM_VALUES];
	const struct jc_motion *motion; /* borrowed: what the source plays; NULL: nothing */
	double motion_t;                /* its time */
	struct jc_packet_head
		head; /* without sequence and shape; cut: the motion jumps at this tick */
	struct jc_vec3 position;           /* approximate position of the hips in the space */
	struct jc_contact_instant instant; /* of the pose */
	const struct jc_placement
		*placement; /* borrowed; NULL: the placement in the roster entry */
};

/* A body sample on a skeleton: computed once for all levels of detail. A permitted precision
 * limits the motion before it is on the skeleton: long limbs and remote virtual transforms of a
 * skeleton that a subscriber has registered would magnify it otherwise. */
struct jc_fit {
	const struct jc_body_sample *body_sample;
	const struct jc_skeleton_asset *asset;
	enum jc_precision finest;
	struct jc_contact_keeper *keeper;       /* borrowed; NULL: contacts are not kept */
	struct jc_pose motion;                  /* of the sample; rounded unless finest is `fine` */
	bool has_pose, has_frame, has_virtuals; /* the last: in the scratch memory of the asset */
	struct jc_skeleton_pose pose;
	struct jc_stream_frame frame;
};

/* A packet as it stands in a bundle, with its size. Coding 1 takes at most 400 bytes. */
#define JC_BODY_STREAM_PACKET_BYTES (20 + JC_STREAM_BYTES)

struct jc_body_stream_packet {
	bool cut, needs_state;
	uint16_t length; /* 0: none */
	uint8_t bytes[JC_BODY_STREAM_PACKET_BYTES];
};

/* Plain data: about 10 KB with chains. */
struct jc_body_stream {
	struct jc_body_stream *next; /* next stream of the same body; owned by the stream table */
	size_t slot;                 /* of the body */
	struct jc_skeleton_asset *asset; /* skeleton in use; NULL: the body left */
	struct jc_stream_spec spec;
	struct jc_contact_keeper *keeper; /* used; NULL: nothing is to be kept */
	size_t virtual_count;             /* virtual transforms that it carries: */
	uint8_t virtual_indices[JC_LIMIT_STREAM_VIRTUALS];
	bool has_moving; /* the following were found: nodes that the motion moves */
	size_t moving_count;
	struct jc_moving_node moving[JC_LIMIT_MOVING_NODES];
	size_t users;
	bool is_reserved;  /* not counted against the maximum */
	bool is_forwarded; /* its last packets came from an origin (space/relay) */
	uint32_t number;   /* unique in the space */
	uint32_t since;    /* tick of the start or last restart */

	/* State of the tick in progress. */
	bool is_wanted, wants_rejoin;
	bool is_fresh; /* encoded in this tick; otherwise the packets are older */
	struct jc_body_stream_packet common;
	struct jc_body_stream_packet rejoin; /* if requested; chains only */

	bool cut;             /* set in the next packet */
	bool has_chains;      /* the chains are set up */
	uint8_t sequence;     /* of the next packet, with coding 1 */
	uint32_t sent_at;     /* tick of the last packet */
	uint32_t encoded;     /* ticks encoded since the last restart */
	bool is_settling;     /* the last packet started the stream */
	uint32_t measured;    /* ticks in the following mean, up to a second; 0: none */
	float bytes_a_second; /* recent mean of the common packets */
	unsigned channels_revision;
	struct jc_stream stream; /* chains only: the last member, left out with coding 1 */
};

struct jc_body_stream *jc_body_stream_create(
	struct jc_skeleton_asset *asset, const struct jc_stream_spec *spec);
void jc_body_stream_destroy(struct jc_body_stream *body_stream); /* NULL is fine */

/* Requests the packet of this tick. */
static inline void jc_body_stream_want(struct jc_body_stream *body_stream, bool rejoin)
{
	body_stream->is_wanted = true;
	body_stream->wants_rejoin |= rejoin;
}

static inline bool jc_body_stream_is_due(const struct jc_body_stream *body_stream, uint32_t tick)
{
	return tick % body_stream->spec.rate == 0;
}

/* Makes the next packet independent of earlier ones. */
void jc_body_stream_restart(struct jc_body_stream *body_stream);

/* The fit of a body sample for a stream, and for all that share it. */
void jc_fit_init(struct jc_fit *fit, const struct jc_body_sample *body_sample,
	const struct jc_body_stream *body_stream);

/* Whether two streams of a body have one fit. */
static inline bool jc_body_stream_shares_fit(
	const struct jc_body_stream *a, const struct jc_body_stream *b)
{
	return a->asset == b->asset && a->spec.finest == b->spec.finest && a->keeper == b->keeper;
}

/* The packets of a tick, `common` and `rejoin`, were taken from elsewhere. */
void jc_body_stream_forward(struct jc_body_stream *body_stream, uint32_t tick, uint32_t hz);

/* Encodes the requested packets of a tick. A pose that cannot be encoded is left out, as a
 * lost one would be. */
void jc_body_stream_encode(
	struct jc_body_stream *body_stream, struct jc_fit *fit, uint32_t tick, uint32_t hz);

#endif
