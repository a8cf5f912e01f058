/* Finds skeletons and avatars that a client may use. */
#ifndef JC_SKELETONS_H
#define JC_SKELETONS_H

#include <stdbool.h>

struct jc_avatar;
struct jc_client;
struct jc_skeleton_asset;
struct jc_worn_avatar;

/* The skeleton of a body and its avatar; borrowed. */
struct jc_outfit {
	struct jc_skeleton_asset *asset;
	const struct jc_worn_avatar *avatar; /* NULL: none */
};

/* The skeleton asset of a hash that the client may use: a common one, or one that its owner
 * has registered. hash NULL: `humanoid`. Borrowed; NULL: no such asset. */
struct jc_skeleton_asset *jc_skeletons_find(const struct jc_client *client, const char *hash);

/* The hashes in a message; each may be NULL. */
struct jc_outfit_hashes {
	const char *skeleton, *avatar;
};

/* What a body of the client wears in a space by the hashes of a message of that type. The skeleton
 * beside an avatar is that of the avatar. False: the client got an error. */
bool jc_skeletons_outfit(struct jc_client *client, const char *space,
	const struct jc_outfit_hashes *hashes, struct jc_outfit *out_outfit, const char *type);

#endif
