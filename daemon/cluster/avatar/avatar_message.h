/* A part of an avatar's file on its way to an edge: u8 kind, u8 version (1), u16 0, u32 offset, u32
 * bytes of the whole file, then bytes of the file; little-endian. proto/CLUSTER.md, "Avatars". */
#ifndef JC_AVATAR_MESSAGE_H
#define JC_AVATAR_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#define JC_AVATAR_MESSAGE_HEAD 12          /* bytes */
#define JC_AVATAR_PART         (64u << 10) /* bytes of the file in a message, at most */

struct jc_avatar_message {
	uint32_t at, length;  /* where the bytes begin; of the whole file */
	const uint8_t *bytes; /* borrowed */
	size_t count;
};

/* Writes the head only. */
void jc_avatar_message_write(
	const struct jc_avatar_message *message, uint8_t out_head[JC_AVATAR_MESSAGE_HEAD]);

/* Returns 0, JC_ERROR_TRUNCATED, JC_ERROR_UNSUPPORTED for another kind or version, or
 * JC_ERROR_INVALID for bytes beyond the file, or none. */
int jc_avatar_message_read(
	const uint8_t *bytes, size_t length, struct jc_avatar_message *out_message);

#endif
