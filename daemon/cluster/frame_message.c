/* Writes and reads the head of a message of frames. */
#include "cluster/frame_message.h"

#include "cluster/little_endian.h"
#include "jointcast/error.h"

#define VERSION 1

void jc_frame_message_write(
	const struct jc_frame_message *message, uint8_t out_head[JC_FRAME_MESSAGE_HEAD])
{
	out_head[0] = (uint8_t)message->kind;
	out_head[1] = VERSION;
	jc_put_u16(out_head + 2, 0);
	jc_put_u32(out_head + 4, message->space);
	jc_put_u32(out_head + 8, message->tick);
	jc_put_u64(out_head + 12, message->revision);
	jc_put_u64(out_head + 20, (uint64_t)message->sent_us);
}

int jc_frame_message_read(const uint8_t *bytes, size_t length, struct jc_frame_message *out_message)
{
	if (length < JC_FRAME_MESSAGE_HEAD) {
		return JC_ERROR_TRUNCATED;
	}
	if (bytes[1] != VERSION || (bytes[0] != JC_FRAME_TICK && bytes[0] != JC_FRAME_REJOIN)) {
		return JC_ERROR_UNSUPPORTED;
	}
	if (jc_get_u16(bytes + 2) != 0 || jc_get_u64(bytes + 20) > INT64_MAX) {
		return JC_ERROR_INVALID;
	}
	*out_message = (struct jc_frame_message){ .kind = (enum jc_frame_kind)bytes[0],
		.space = jc_get_u32(bytes + 4),
		.tick = jc_get_u32(bytes + 8),
		.revision = jc_get_u64(bytes + 12),
		.sent_us = (int64_t)jc_get_u64(bytes + 20),
		.packets = bytes + JC_FRAME_MESSAGE_HEAD,
		.packets_length = length - JC_FRAME_MESSAGE_HEAD };
	return JC_OK;
}
