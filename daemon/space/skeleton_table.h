/* The skeleton assets of the daemon. Each is held once, for all its users, as long as it is
 * registered, configured or used. */
#ifndef JC_SKELETON_TABLE_H
#define JC_SKELETON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/retarget.h"
#include "jointcast/skeleton.h"
#include "maxima.h"

struct jc_shared_text;
struct jc_skeleton_table;

/* A skeleton and what wearing it takes: a retargeter and the message that tells
 * subscribers of it. Stays where it is in memory. */
struct jc_skeleton_asset {
	struct jc_skeleton_table *skeleton_table; /* borrowed; NULL while it is not in one */
	uint32_t number;                          /* in the skeleton table, never given again */
	struct jc_skeleton *skeleton;             /* owned */
	struct jc_retargeter *retargeter;         /* owned */
	const char *hash;                         /* borrowed from the skeleton */
	struct jc_shared_text *message;           /* held: the `skeleton` message */
	size_t descriptor_length;                 /* see jc_skeleton_asset_descriptor */
	/* Owned: scratch of whoever poses its virtual transforms; NULL where it has
	 * none. Of each node, of each transform. */
	struct jc_transform *locals, *virtuals;
	struct jc_mat4 *worlds;
	bool is_common;       /* anybody may wear it */
	size_t keepers;       /* who wants it to be there */
	size_t user_count;    /* bodies, streams */
	int64_t last_used_ns; /* Unix time at which it was last taken off, or came in */
};

struct jc_skeleton_table {
	size_t count, capacity;
	struct jc_skeleton_asset **assets;  /* owned, by hash */
	struct jc_skeleton_asset *humanoid; /* the built-in one, which is always there */
	uint32_t last_number;
};

/* Judges a skeleton and makes it ready, so that no later step can find it wanting.
 * Pure: may be called from any thread. On success the skeleton is stolen. Returns 0
 * or an error. */
int jc_skeleton_asset_create(struct jc_skeleton *skeleton, struct jc_skeleton_asset **out_asset,
	struct jc_diagnostic *diagnostic);

/* The descriptor inside its message: descriptor_length bytes, without a NUL. */
const char *jc_skeleton_asset_descriptor(const struct jc_skeleton_asset *asset);

void jc_skeleton_asset_destroy(
	struct jc_skeleton_asset *asset); /* of one in no skeleton table; NULL is fine */

/* Begins with the built-in `humanoid`. Returns 0 or an error. */
int jc_skeleton_table_init(
	struct jc_skeleton_table *skeleton_table, struct jc_diagnostic *diagnostic);
void jc_skeleton_table_finish(
	struct jc_skeleton_table *skeleton_table); /* nobody may wear anything */

/* Borrowed; NULL where there is none. */
struct jc_skeleton_asset *jc_skeleton_table_find(
	const struct jc_skeleton_table *skeleton_table, const char *hash);

/* Puts an skeleton asset in, which is stolen on success, unless it is there already (by hash).
 * The caller keeps *out_asset, whichever it is. Returns 0 or an error. */
int jc_skeleton_table_retain(struct jc_skeleton_table *skeleton_table,
	struct jc_skeleton_asset *asset, struct jc_skeleton_asset **out_asset);

/* Makes an skeleton asset of a skeleton that is there for everybody, and stays until the end.
 * On success the skeleton is stolen. */
int jc_skeleton_table_add(struct jc_skeleton_table *skeleton_table, struct jc_skeleton *skeleton,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic);

/* No longer kept. One that nobody keeps or wears goes. */
void jc_skeleton_asset_release(struct jc_skeleton_asset *asset);

/* Puts it on, which gives it back, and takes it off. */
struct jc_skeleton_asset *jc_skeleton_asset_use(struct jc_skeleton_asset *asset);
void jc_skeleton_asset_unuse(struct jc_skeleton_asset *asset);

/* The skeleton assets that a client or a recording knows already, usually few. */
struct jc_skeleton_asset_set {
	uint32_t count, capacity;
	uint32_t *numbers; /* owned, ascending */
};

void jc_skeleton_asset_set_finish(struct jc_skeleton_asset_set *set);

/* Whether it was not known; from now on it is. Past JC_MAX_KNOWN_SKELETONS, and without
 * memory, the oldest are forgotten: they are new once more when they come again. */
bool jc_skeleton_asset_set_add(
	struct jc_skeleton_asset_set *set, const struct jc_skeleton_asset *asset);

#endif
