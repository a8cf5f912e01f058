/* One view of a relayed space at an edge: the packets that the origin publishes for a stream spec,
 * and a decoder for each of their streams, from which the edge makes rejoin packets. Knows neither
 * rosters nor NATS. */
#ifndef JC_RELAYED_VIEW_H
#define JC_RELAYED_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/stream.h"
#include "maxima.h"
#include "space/body_stream.h"
#include "space/stream_spec.h"

/* A stream of a view: one body on its own skeleton. */
struct jc_relayed_stream {
	uint32_t body;
	bool is_current; /* `newest` is that of the newest packet, and none before it was lost */
	bool is_behind;  /* its followers lack a packet: the next one must need no state */
	bool missed_cut; /* a packet that they lack was a cut, or may have been one */
	bool has_newest;
	bool is_opaque;               /* the decoder does not know all of its sections */
	struct jc_packet_head newest; /* of the newest packet, lost or not */
	uint32_t newest_tick;
	uint32_t ready_from; /* packets of earlier ticks are part of the state */
	/* The packet of the tick in progress, in the bytes of the view. */
	bool is_taken; /* it was given to the followers */
	size_t length; /* 0: none */
	const uint8_t *packet, *payload;
	size_t payload_length;
	struct jc_stream_decoder decoder;
};

struct jc_relayed_view {
	struct jc_stream_spec spec;
	bool has_tick;
	uint32_t tick;           /* of the newest applied frame */
	bool is_live;            /* its frames are in use in the tick in progress */
	bool wants_rejoin;       /* a stream needs packets that only the origin can make */
	uint8_t *frame, *rejoin; /* owned: packets of the newest frame and rejoin answer */
	size_t frame_length, rejoin_length;
	bool has_rejoin;
	uint32_t rejoin_tick;
	size_t count;
	struct jc_relayed_stream *streams[2 * JC_MAX_BODIES]; /* owned */
	uint64_t damaged, gaps;                               /* packets */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_relayed_view_create(const struct jc_stream_spec *spec, struct jc_relayed_view **out_view);
void jc_relayed_view_destroy(struct jc_relayed_view *view); /* NULL is fine */

/* Takes the packets of a frame, which must be newer than those before. is_late: its tick has
 * passed, so that the followers lack its packets. Damaged packets, and all after them, are ignored.
 */
void jc_relayed_view_apply(struct jc_relayed_view *view, uint32_t tick, const uint8_t *packets,
	size_t length, bool is_late);

/* Takes the packets of a rejoin answer. */
void jc_relayed_view_take_rejoin(
	struct jc_relayed_view *view, uint32_t tick, const uint8_t *packets, size_t length);

/* Ends the tick in progress. */
void jc_relayed_view_settle(struct jc_relayed_view *view);

/* Drops the streams of bodies that `lists` does not name. */
void jc_relayed_view_prune(struct jc_relayed_view *view,
	bool (*lists)(const void *context, uint32_t body), const void *context);

/* The stream of a body, NULL: it has had no packets. */
struct jc_relayed_stream *jc_relayed_view_find(const struct jc_relayed_view *view, uint32_t body);

/* The followers of a body's stream have had none of its packets: the next one must need no state.
 */
void jc_relayed_view_begin(struct jc_relayed_view *view, uint32_t body);

/* The packets of a body in the tick in progress (space_relay.h). relay_us is added to the relay age
 * of each. */
void jc_relayed_view_packets(struct jc_relayed_view *view, uint32_t body, bool wants_rejoin,
	uint32_t relay_us, struct jc_body_stream_packet *out_common,
	struct jc_body_stream_packet *out_rejoin);

#endif
