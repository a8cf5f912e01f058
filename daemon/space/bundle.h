/* The packets of one tick for all subscribers that receive the same ones. */
#ifndef JC_BUNDLE_H
#define JC_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"
#include "space/body_stream.h"

/* Bytes before the packets of a bundle that the sender may overwrite: for the head of the
 * bundle and the frame header. */
#define JC_BUNDLE_HEADROOM 32
#define JC_BUNDLE_BUFFER   (JC_BUNDLE_HEADROOM + JC_LIMIT_BUNDLE_BYTES)

/* A sender may write into the headroom, and flip the cut flags if it flips them back. */
struct jc_bundle {
	uint8_t *bytes; /* borrowed: packets, without a head; headroom is before them */
	size_t length;
	uint32_t tick;
	uint8_t head[JC_BUNDLE_HEAD_BYTES]; /* the complete head */
	size_t head_length;
	bool cut; /* a packet in it has the flag */
	size_t packet_count;
	size_t last; /* where the last of them begins */
	/* Offsets of the flags bytes of packets that need no state. */
	size_t flags_count;
	uint32_t flags_at[JC_LIMIT_BUNDLE_PACKETS];
};

/* Empties it for a tick; the buffer is JC_BUNDLE_BUFFER long. */
void jc_bundle_open(struct jc_bundle *bundle, uint8_t *buffer, const struct jc_bundle_head *head);

/* Appends a packet; at most one per body. missed_cut: the receivers missed the packet with the
 * cut. */
void jc_bundle_put(
	struct jc_bundle *bundle, const struct jc_body_stream_packet *packet, bool missed_cut);

/* Ends the list of packets. */
void jc_bundle_close(struct jc_bundle *bundle);

/* Sets the cut flag of every packet that needs no state, and marks in `changed` where it was
 * clear; with on false, clears the marked ones again. A subscriber that missed a cut receives
 * only such packets. */
void jc_bundle_set_cuts(
	const struct jc_bundle *bundle, uint64_t changed[JC_LIMIT_BUNDLE_PACKETS / 64], bool on);

#endif
