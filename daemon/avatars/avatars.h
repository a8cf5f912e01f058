/* The avatars that the daemon serves, by hash. Each keeps its skeleton. */
#ifndef JC_AVATARS_H
#define JC_AVATARS_H

#include <stdbool.h>
#include <stddef.h>

#include "avatars/avatar_file.h"
#include "avatars/avatar_policy.h"
#include "avatars/avatar_record.h"
#include "space/skeleton_table.h"
#include "space/spaces.h"

struct jc_avatar {
	struct jc_avatar_file file;
	struct jc_skeleton_asset *asset; /* retained */
	bool is_uploaded;                /* else of the configuration: every body may wear it */
	struct jc_avatar_claim claim;    /* of an uploaded one */
	int64_t touched_ns;              /* time of the last use in its record */
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

/* The avatar that a subject has uploaded; NULL: none. */
struct jc_avatar *jc_avatars_find_own(
	const struct jc_avatars *avatars, const char *hash, const char *subject);

/* One of the configuration, else one that the subject has uploaded (NULL: without a token); NULL:
 * none. */
struct jc_avatar *jc_avatars_find_wearable(
	const struct jc_avatars *avatars, const char *hash, const char *subject);

/* The bytes and the number of the avatars that a subject, NULL: any, has uploaded, without one. */
uint64_t jc_avatars_sum(const struct jc_avatars *avatars, const char *subject,
	const struct jc_avatar *without, size_t *out_count);

/* Why an upload has no room; NULL: it has. An avatar that the subject replaces, NULL: none, does
 * not count. */
const char *jc_avatars_find_excess(const struct jc_avatars *avatars,
	const struct jc_avatar_policy *policy, const struct jc_worn_avatar *upload,
	const char *subject, const struct jc_avatar *replaced);

/* Whether any subject has uploaded it. */
bool jc_avatars_has_uploaded(const struct jc_avatars *avatars, const char *hash);

/* Whether a body of any space wears it, hidden ones and those whose avatar is blocked included. */
bool jc_avatars_is_worn(const struct jc_spaces *spaces, const char *hash);

#endif
