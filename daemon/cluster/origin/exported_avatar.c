/* The rule is that of GET avatars/HASH: only what a body wears now, and shows. The file is opened
 * for each part, so that one that has changed or was removed is not sent any further. */
#include "cluster/origin/exported_avatar.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avatars/avatars.h"
#include "cluster/avatar/avatar_message.h"
#include "cluster/origin/exported_space.h"
#include "jointcast_private/json.h"

#define UNKNOWN "no body of the space wears such an avatar"

static void send_part(const struct jc_exported_space *exported, const char *reply, int fd,
	struct jc_avatar_message *message)
{
	struct jc_outlet *outlet = exported->source->outlet;
	size_t most = message->length - message->at;
	uint8_t *bytes = malloc(JC_AVATAR_MESSAGE_HEAD + JC_AVATAR_PART);
	ssize_t count = -1;

	if (bytes) {
		count = pread(fd, bytes + JC_AVATAR_MESSAGE_HEAD,
			most < JC_AVATAR_PART ? most : JC_AVATAR_PART, message->at);
	}
	if (count > 0) {
		jc_avatar_message_write(message, bytes);
		outlet->ops->publish_parts(
			outlet, reply, bytes, JC_AVATAR_MESSAGE_HEAD + (size_t)count);
	}
	free(bytes);
}

const char *jc_exported_avatar_give(
	const struct jc_exported_space *exported, const json_t *request, const char *reply)
{
	const char *hash = json_string_value(json_object_get(request, "hash"));
	const struct jc_avatars *avatars = exported->source->avatars;
	const struct jc_avatar *avatar = NULL;
	long long at = 0;

	if (!hash || !jc_json_is_integer(json_object_get(request, "at"), &at)) {
		return "hash must be text, and at an integer";
	}
	if (avatars && jc_space_avatar_bytes(exported->fanout->space, hash) > 0) {
		avatar = jc_avatars_find(avatars, hash);
	}
	int fd = avatar && at >= 0 && (uint64_t)at < avatar->file.worn.bytes
			 ? jc_avatar_file_open(&avatar->file)
			 : -1;

	if (fd < 0) {
		return UNKNOWN;
	}
	send_part(exported, reply, fd,
		&(struct jc_avatar_message){
			.at = (uint32_t)at, .length = (uint32_t)avatar->file.worn.bytes });
	close(fd);
	return NULL;
}
