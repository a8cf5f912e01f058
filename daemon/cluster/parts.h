/* Messages that may be longer than NATS takes at once: split into parts by the sender, joined by
 * the receiver. Each part begins with u32 number of the message, u16 part (from 0) and u16 parts,
 * little-endian. A short message is one part. */
#ifndef JC_PARTS_H
#define JC_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

#define JC_PARTS_HEAD 8 /* bytes, before those of the part */

/* A message being split. */
struct jc_parts_split {
	uint32_t number;      /* differs from that of other unfinished messages on the subject */
	uint16_t part, parts; /* the next part, and all */
	const uint8_t *bytes; /* of the whole message, borrowed */
	size_t length;
	size_t most; /* bytes of a part, without its head */
};

/* most: bytes that NATS takes at once; parts have at most JC_PART_BYTES of them. Returns 0, or
 * JC_ERROR_LIMIT for a message of more than JC_MAX_PARTS_BYTES or more than JC_MAX_PARTS parts. */
int jc_parts_split_init(struct jc_parts_split *split, uint32_t number, const void *bytes,
	size_t length, size_t most);

/* Writes the next part with its head. Returns its length, or 0 after the last one. */
size_t jc_parts_split_next(struct jc_parts_split *split, uint8_t out_part[JC_PART_BYTES]);

/* Joins the messages of one subject. All zeros: empty. */
struct jc_parts {
	struct jc_parts_message {
		uint32_t number;
		uint16_t parts, got; /* parts: 0: the place is free */
		int64_t began_ns;
		size_t length;
		uint8_t **texts; /* by part, each allocated; NULL: not here yet */
		size_t *lengths;
	} messages[JC_MAX_PARTS_UNFINISHED];
	size_t length;      /* of all unfinished messages: at most JC_MAX_PARTS_BYTES */
	uint8_t *finished;  /* the newest whole message, owned */
	uint64_t abandoned; /* messages that were never finished */
};

/* Takes a part. The last part of a message sets *out_bytes to the whole message, with a NUL after
 * its end: valid until the next call. Any other part sets *out_bytes to NULL. Unfinished messages
 * older than JC_MAX_PARTS_SECONDS are dropped, and the oldest where there are too many. Returns 0;
 * JC_ERROR_TRUNCATED, or JC_ERROR_INVALID for a part that contradicts itself or its message, or
 * that is there already; JC_ERROR_LIMIT for too many bytes; or JC_ERROR_MEMORY. An error drops the
 * message of that number. */
int jc_parts_take(struct jc_parts *parts, const uint8_t *bytes, size_t length, int64_t now_ns,
	const char **out_bytes, size_t *out_length);

/* Frees everything; the struct is then empty. */
void jc_parts_finish(struct jc_parts *parts);

#endif
