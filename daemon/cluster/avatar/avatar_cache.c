/* Files are few: a list is searched. */
#include "cluster/avatar/avatar_cache.h"

#include <string.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

static void drop(struct jc_avatar_cache *cache, size_t at)
{
	close(cache->list[at].fd);
	cache->bytes -= cache->list[at].bytes;
	cache->list[at] = cache->list[--cache->count];
}

void jc_avatar_cache_finish(struct jc_avatar_cache *cache)
{
	while (cache->count > 0) {
		drop(cache, 0);
	}
}

const struct jc_cached_avatar *jc_avatar_cache_find(struct jc_avatar_cache *cache, const char *hash)
{
	for (size_t i = 0; i < cache->count; i++) {
		if (strcmp(cache->list[i].hash, hash) == 0) {
			cache->list[i].used = ++cache->uses;
			return &cache->list[i];
		}
	}
	return NULL;
}

static size_t find_oldest(const struct jc_avatar_cache *cache)
{
	size_t oldest = 0;

	for (size_t i = 1; i < cache->count; i++) {
		if (cache->list[i].used < cache->list[oldest].used) {
			oldest = i;
		}
	}
	return oldest;
}

void jc_avatar_cache_add(struct jc_avatar_cache *cache, const struct jc_cached_avatar *avatar)
{
	if (avatar->bytes > JC_MAX_CACHED_AVATAR_BYTES ||
		jc_avatar_cache_find(cache, avatar->hash)) {
		close(avatar->fd);
		return;
	}
	while (cache->count == JC_MAX_CACHED_AVATARS ||
		cache->bytes + avatar->bytes > JC_MAX_CACHED_AVATAR_BYTES) {
		drop(cache, find_oldest(cache));
	}
	cache->list[cache->count] = *avatar;
	cache->list[cache->count++].used = ++cache->uses;
	cache->bytes += avatar->bytes;
}

void jc_avatar_cache_sweep(struct jc_avatar_cache *cache,
	bool (*is_worn)(const void *context, const char *hash), const void *context, int64_t now_ns)
{
	for (size_t i = cache->count; i-- > 0;) {
		struct jc_cached_avatar *avatar = &cache->list[i];

		if (is_worn(context, avatar->hash)) {
			avatar->unworn_ns = 0;
		} else if (avatar->unworn_ns == 0) {
			avatar->unworn_ns = now_ns;
		} else if (now_ns - avatar->unworn_ns >= JC_MAX_UNWORN_SECONDS * SECOND) {
			drop(cache, i);
		}
	}
}
