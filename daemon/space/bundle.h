/* The packets of one tick for all subscribers that receive the same ones. */
#ifndef JC_BUNDLE_H
#define JC_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/packet.h"
#include "space/body_stream.h"

/* Bytes before the packets of a bundle that the sender may overwrite: for the head of the
 * message and the frame header. */
#define JC_BUNDLE_HEADROOM    32
#define JC_BUNDLE_BUFFER      (JC_BUNDLE_HEADROOM + JC_LIMIT_BUNDLE_BYTES)
#define JC_BUNDLE_PAIR_BUFFER (JC_BUNDLE_BUFFER + 1 + JC_LIMIT_BUNDLE_BYTES)

/* A message: the bundle of a tick, or a pair, the bundles of two ticks. A sender may write into the
 * headroom, and flip the cut flags if it flips them back. */
struct jc_bundle {
	/* Borrowed: packets, without a head; headroom is before them. In a pair the second bundle
	 * follows with its head, a short one. */
	uint8_t *bytes;
	size_t length;
	size_t first_length; /* of a pair: where the second bundle begins */
	bool is_pair;
	uint32_t first_tick, tick;          /* of the first and of the last bundle */
	uint8_t head[JC_BUNDLE_HEAD_BYTES]; /* the complete head of the first */
	size_t head_length;
	bool cut;            /* a packet in it has the flag */
	size_t packet_count; /* of both bundles */
	size_t begin;        /* where the packets of the bundle begin that is open, */
	size_t last;         /* and the last of them, if there is one */
	/* Offsets of the flags bytes of packets that need no state. */
	size_t flags_count;
	uint32_t flags_at[JC_LIMIT_BUNDLE_PACKETS];
};

/* Empties it for a tick; the buffer is JC_BUNDLE_BUFFER long, that of a pair
 * JC_BUNDLE_PAIR_BUFFER. */
void jc_bundle_open(struct jc_bundle *bundle, uint8_t *buffer, const struct jc_bundle_head *head);

/* Whether the bundle of a tick is the first one of a pair, in a view with bundles at each tick that
 * rate divides. Streams with packets at fewer ticks have them in second bundles, without delay. */
static inline bool jc_bundle_waits(uint32_t rate, uint32_t tick)
{
	return tick % (2 * rate) != 0;
}

/* Begins the second bundle of a pair, behind a closed one; tick is at most JC_BUNDLE_REACH later.
 */
void jc_bundle_continue(struct jc_bundle *bundle, uint32_t tick);

/* Appends a packet; at most one per body and tick. missed_cut: the receivers missed the packet with
 * the cut. */
void jc_bundle_put(
	struct jc_bundle *bundle, const struct jc_body_stream_packet *packet, bool missed_cut);

/* Ends the list of packets. */
void jc_bundle_close(struct jc_bundle *bundle);

/* Writes the head of the message before its packets: the bytes to send begin so far before
 * bundle->bytes. is_short: the receiver's last bundle permits a short head. */
size_t jc_bundle_put_head(const struct jc_bundle *bundle, bool is_short);

/* Sets the cut flag of every packet that needs no state, and marks in `changed` where it was
 * clear; with on false, clears the marked ones again. A subscriber that missed a cut receives
 * only such packets. */
void jc_bundle_set_cuts(
	const struct jc_bundle *bundle, uint64_t changed[JC_LIMIT_BUNDLE_PACKETS / 64], bool on);

#endif
