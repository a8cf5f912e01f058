/* The head of a message of frames: whose tick it is, and what its packets presuppose. */
#ifndef JC_FRAME_MESSAGE_H
#define JC_FRAME_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#define JC_FRAME_MESSAGE_HEAD 28 /* bytes, before the packets */

enum jc_frame_kind {
	JC_FRAME_TICK = 1,   /* the packets of a view at a tick */
	JC_FRAME_REJOIN = 2, /* packets that presuppose no earlier one, as an answer */
};

/* Little-endian: u8 kind, u8 version (1), u16 0, u32 space, u32 tick, u64 revision, i64 sent_us,
 * then the packets as in a bundle (proto/BUNDLES.md, "Bundles"), without its head. */
struct jc_frame_message {
	enum jc_frame_kind kind;
	uint32_t space;         /* id of the space at the origin */
	uint32_t tick;          /* of the origin */
	uint64_t revision;      /* of the origin's roster that the packets presuppose */
	int64_t sent_us;        /* the origin's server time at sending, 0 or more */
	const uint8_t *packets; /* borrowed; not checked */
	size_t packets_length;
};

/* Writes the head only. */
void jc_frame_message_write(
	const struct jc_frame_message *message, uint8_t out_head[JC_FRAME_MESSAGE_HEAD]);

/* Returns 0, JC_ERROR_TRUNCATED, JC_ERROR_UNSUPPORTED for another kind or version, or
 * JC_ERROR_INVALID. */
int jc_frame_message_read(
	const uint8_t *bytes, size_t length, struct jc_frame_message *out_message);

#endif
