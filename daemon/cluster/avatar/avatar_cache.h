/* At an edge: files of avatars that bodies of relayed spaces wear, in memory. The file that was
 * used longest ago makes way. */
#ifndef JC_AVATAR_CACHE_H
#define JC_AVATAR_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "maxima.h"

struct jc_cached_avatar {
	char hash[JC_HASH_TEXT];
	int fd; /* owned: in memory */
	uint64_t bytes;
	bool is_binary;    /* .glb or .vrm, else .gltf */
	uint64_t used;     /* counts uses of all files */
	int64_t unworn_ns; /* since when no body wears it; 0: one does */
};

/* All zeros: empty. */
struct jc_avatar_cache {
	size_t count;
	uint64_t bytes, uses;
	struct jc_cached_avatar list[JC_MAX_CACHED_AVATARS];
};

void jc_avatar_cache_finish(struct jc_avatar_cache *cache);

/* The file, which counts as used; NULL: it is not here. */
const struct jc_cached_avatar *jc_avatar_cache_find(
	struct jc_avatar_cache *cache, const char *hash);

/* Adds a file, and steals its descriptor; others make way. A file beyond the quota is closed. */
void jc_avatar_cache_add(struct jc_avatar_cache *cache, const struct jc_cached_avatar *avatar);

/* Removes files that no body has worn for JC_MAX_UNWORN_SECONDS. */
void jc_avatar_cache_sweep(struct jc_avatar_cache *cache,
	bool (*is_worn)(const void *context, const char *hash), const void *context,
	int64_t now_ns);

#endif
