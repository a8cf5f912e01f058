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

/* A skeleton with its retargeter and its `skeleton` message. Its address does not change. */
struct jc_skeleton_asset {
	struct jc_skeleton_table *skeleton_table; /* borrowed; NULL: in no table */
	uint32_t number;                          /* number in the skeleton table, never reused */
	struct jc_skeleton *skeleton;             /* owned */
	struct jc_retargeter *retargeter;         /* owned */
	const char *hash;                         /* borrowed from the skeleton */
	struct jc_shared_text *message;           /* held: the `skeleton` message */
	size_t descriptor_length;                 /* see jc_skeleton_asset_descriptor */
	/* Owned: scratch memory for posing virtual transforms, per node and per transform; NULL
	 * without virtual transforms. */
	struct jc_transform *locals, *virtuals;
	struct jc_mat4 *worlds;
	bool is_common;       /* every body may use it */
	size_t keepers;       /* owners of jc_skeleton_table_retain */
	size_t user_count;    /* bodies and streams that use it */
	int64_t last_used_ns; /* Unix time of the end of the last use, or of the addition */
};

struct jc_skeleton_table {
	size_t count, capacity;
	struct jc_skeleton_asset **assets;  /* owned, by hash */
	struct jc_skeleton_asset *humanoid; /* the built-in skeleton, never removed */
	uint32_t last_number;
};

/* Checks and prepares a skeleton, so that later steps cannot fail.
 * Pure: may be called from any thread. On success the skeleton is stolen. Returns 0
 * or an error. */
int jc_skeleton_asset_create(struct jc_skeleton *skeleton, struct jc_skeleton_asset **out_asset,
	struct jc_diagnostic *diagnostic);

/* The descriptor inside its message: descriptor_length bytes, without a NUL. */
const char *jc_skeleton_asset_descriptor(const struct jc_skeleton_asset *asset);

void jc_skeleton_asset_destroy(
	struct jc_skeleton_asset *asset); /* for an asset in no table; NULL is fine */

/* Begins with the built-in `humanoid`. Returns 0 or an error. */
int jc_skeleton_table_init(
	struct jc_skeleton_table *skeleton_table, struct jc_diagnostic *diagnostic);
void jc_skeleton_table_finish(struct jc_skeleton_table *skeleton_table); /* no asset is in use */

/* Borrowed; NULL: not found. */
struct jc_skeleton_asset *jc_skeleton_table_find(
	const struct jc_skeleton_table *skeleton_table, const char *hash);

/* Adds an asset, or finds the one with the same hash; steals the asset on success. The caller
 * releases *out_asset. Returns 0 or an error. */
int jc_skeleton_table_retain(struct jc_skeleton_table *skeleton_table,
	struct jc_skeleton_asset *asset, struct jc_skeleton_asset **out_asset);

/* Adds a skeleton that every body may use, until the table is finished. Steals the skeleton on
 * success. */
int jc_skeleton_table_add(struct jc_skeleton_table *skeleton_table, struct jc_skeleton *skeleton,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic);

/* Ends a retain. An asset that is neither retained nor used is destroyed. */
void jc_skeleton_asset_release(struct jc_skeleton_asset *asset);

/* Counts a user, and returns the asset; ends the use. */
struct jc_skeleton_asset *jc_skeleton_asset_use(struct jc_skeleton_asset *asset);
void jc_skeleton_asset_unuse(struct jc_skeleton_asset *asset);

/* The skeleton assets that a client or a recording already has. */
struct jc_skeleton_asset_set {
	uint32_t count, capacity;
	uint32_t *numbers; /* owned, ascending */
};

void jc_skeleton_asset_set_finish(struct jc_skeleton_asset_set *set);

/* Adds an asset; returns whether it is new. Above JC_MAX_KNOWN_SKELETONS, and without memory,
 * the oldest are dropped and later count as new again. */
bool jc_skeleton_asset_set_add(
	struct jc_skeleton_asset_set *set, const struct jc_skeleton_asset *asset);

#endif
