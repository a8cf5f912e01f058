/* Fuzzes what hosts of a cluster read from NATS: messages in parts, heads of messages of frames
 * and of avatars, and subjects. The first byte chooses. Accepted heads and subjects are written
 * again as they were; joined messages are as long as their parts, and unfinished ones stay within
 * the bound. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/avatar/avatar_message.h"
#include "cluster/frame_message.h"
#include "cluster/parts.h"
#include "cluster/subjects.h"
#include "config/nats_url.h"
#include "jointcast/error.h"
#include "target.h"

/* Each message: a byte of tenths of a second since the last one, u16 length, bytes. */
static void join(const uint8_t *bytes, size_t length)
{
	struct jc_parts parts = { 0 };
	int64_t now_ns = 0;

	while (length >= 3) {
		size_t size = bytes[1] + ((size_t)bytes[2] << 8);
		const char *joined;
		size_t joined_length;

		now_ns += bytes[0] * INT64_C(100000000);
		bytes += 3;
		length -= 3;
		size = size < length ? size : length;

		/* Reads past the end of a message are seen. */
		uint8_t *copy = malloc(size ? size : 1);

		memcpy(copy, bytes, size);
		int status = jc_parts_take(&parts, copy, size, now_ns, &joined, &joined_length);

		free(copy);
		assert(status <= 0 && (status == JC_OK || !joined));
		assert(parts.length <= JC_MAX_PARTS_BYTES);
		if (joined) {
			assert(joined_length <= JC_MAX_PARTS_BYTES && !joined[joined_length]);
		}
		size_t sum = 0;

		for (size_t i = 0; i < JC_MAX_PARTS_UNFINISHED; i++) {
			assert(parts.messages[i].got <= parts.messages[i].parts);
			sum += parts.messages[i].length;
		}
		assert(sum == parts.length);
		bytes += size;
		length -= size;
	}
	jc_parts_finish(&parts);
}

static void split(const uint8_t *bytes, size_t length)
{
	struct jc_parts_split split;
	struct jc_parts parts = { 0 };
	static uint8_t part[JC_PART_BYTES];
	const char *joined = NULL;
	size_t joined_length = 0, size;

	if (length < 2 || jc_parts_split_init(&split, bytes[0], bytes + 2, length - 2,
				  (size_t)bytes[0] + bytes[1] * 256u) != JC_OK) {
		return;
	}
	while ((size = jc_parts_split_next(&split, part)) > 0) {
		assert(!joined);
		assert(jc_parts_take(&parts, part, size, 0, &joined, &joined_length) == JC_OK);
	}
	assert(joined && joined_length == length - 2);
	assert(memcmp(joined, bytes + 2, length - 2) == 0);
	jc_parts_finish(&parts);
}

static void read_head(const uint8_t *bytes, size_t length)
{
	struct jc_frame_message message;
	uint8_t head[JC_FRAME_MESSAGE_HEAD];

	if (jc_frame_message_read(bytes, length, &message) != JC_OK) {
		return;
	}
	assert(message.packets + message.packets_length == bytes + length);
	jc_frame_message_write(&message, head);
	assert(memcmp(head, bytes, sizeof(head)) == 0);
}

static void read_avatar(const uint8_t *bytes, size_t length)
{
	struct jc_avatar_message message;
	uint8_t head[JC_AVATAR_MESSAGE_HEAD];

	if (jc_avatar_message_read(bytes, length, &message) != JC_OK) {
		return;
	}
	assert(message.count > 0 && message.bytes + message.count == bytes + length);
	assert(message.at + message.count <= message.length);
	jc_avatar_message_write(&message, head);
	assert(memcmp(head, bytes, sizeof(head)) == 0);
}

static void read_subject(const uint8_t *bytes, size_t length)
{
	char subject[JC_MAX_NATS_SUBJECT] = { 0 };
	const char *edge;

	memcpy(subject, bytes, length < sizeof(subject) ? length : sizeof(subject) - 1);
	jc_subject_is_frames(subject);
	edge = jc_subject_edge(subject);
	if (edge) {
		char inbox[JC_MAX_REPLY_SUBJECT];

		assert(jc_host_id_is_valid(edge) && edge[-1] == '.' && edge > subject + 3);
		snprintf(inbox, sizeof(inbox), "_INBOX.%s.1", edge);
		assert(jc_subject_is_inbox(inbox, edge));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static void (*const targets[])(
		const uint8_t *, size_t) = { join, split, read_head, read_subject, read_avatar };

	if (length > 0) {
		targets[bytes[0] % 5](bytes + 1, length - 1);
	}
	return 0;
}
