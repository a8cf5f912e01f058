/* Pure. */
#include "cluster/avatar/avatar_message.h"

#include "cluster/little_endian.h"
#include "jointcast/error.h"
#include "maxima.h"

#define KIND    3
#define VERSION 1

void jc_avatar_message_write(
	const struct jc_avatar_message *message, uint8_t out_head[JC_AVATAR_MESSAGE_HEAD])
{
	out_head[0] = KIND;
	out_head[1] = VERSION;
	out_head[2] = out_head[3] = 0;
	jc_put_u32(out_head + 4, message->at);
	jc_put_u32(out_head + 8, message->length);
}

int jc_avatar_message_read(
	const uint8_t *bytes, size_t length, struct jc_avatar_message *out_message)
{
	struct jc_avatar_message message;

	if (length < JC_AVATAR_MESSAGE_HEAD) {
		return JC_ERROR_TRUNCATED;
	}
	if (bytes[0] != KIND || bytes[1] != VERSION) {
		return JC_ERROR_UNSUPPORTED;
	}
	message.at = jc_get_u32(bytes + 4);
	message.length = jc_get_u32(bytes + 8);
	message.bytes = bytes + JC_AVATAR_MESSAGE_HEAD;
	message.count = length - JC_AVATAR_MESSAGE_HEAD;
	if (bytes[2] || bytes[3] || message.length > JC_MAX_AVATAR_BYTES ||
		message.at > message.length || message.count == 0 ||
		message.count > message.length - message.at) {
		return JC_ERROR_INVALID;
	}
	*out_message = message;
	return JC_OK;
}
