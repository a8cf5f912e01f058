/* Avatars for edges: parts of files that bodies of an exported space wear. */
#ifndef JC_EXPORTED_AVATAR_H
#define JC_EXPORTED_AVATAR_H

#include <jansson.h>

struct jc_exported_space;

/* Answers a request for a part to the subject `reply`. Returns NULL, or the reason to refuse. */
const char *jc_exported_avatar_give(
	const struct jc_exported_space *exported, const json_t *message, const char *reply);

#endif
