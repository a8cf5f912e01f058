/* The avatars that the daemon serves, by hash. Each keeps its skeleton. */
#ifndef JC_AVATARS_H
#define JC_AVATARS_H

#include <stdbool.h>
#include <stddef.h>

#include "avatars/avatar_file.h"
#include "space/skeleton_table.h"
#include "space/spaces.h"

struct jc_avatar {
	struct jc_avatar_file file;
	struct jc_skeleton_asset *asset; /* retained */
};

/* All zeros: empty. */
struct jc_avatars {
	size_t count, capacity;
	struct jc_avatar **list; /* owned */
};

/* The skeletons are in the table until this has ended. */
void jc_avatars_finish(struct jc_avatars *avatars);

/* Adds an avatar with its skeleton. Steals the file on success. Returns 0, JC_ERROR_LIMIT or
 * JC_ERROR_MEMORY. */
int jc_avatars_add(struct jc_avatars *avatars, struct jc_avatar_file *file,
	struct jc_skeleton_asset *asset, struct jc_avatar **out_avatar);

/* Removes the avatar; unless another one has its hash, it is taken off all bodies. */
void jc_avatars_remove(
	struct jc_avatars *avatars, struct jc_avatar *avatar, struct jc_spaces *spaces);

/* Borrowed; NULL: not found. */
struct jc_avatar *jc_avatars_find(const struct jc_avatars *avatars, const char *hash);

#endif
