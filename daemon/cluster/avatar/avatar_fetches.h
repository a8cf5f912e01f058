/* At an edge: fetches files of avatars from the origin of a space, each once for all who wait, in
 * parts, and verifies them by their hash. */
#ifndef JC_AVATAR_FETCHES_H
#define JC_AVATAR_FETCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/avatar/avatar_cache.h"
#include "services.h"

struct jc_avatar_fetches;
struct jc_nats_link;

/* NULL: out of memory. link is borrowed. */
struct jc_avatar_fetches *jc_avatar_fetches_create(struct jc_nats_link *link);

/* Answers all that wait with 503. NULL is fine. */
void jc_avatar_fetches_destroy(struct jc_avatar_fetches *fetches);

/* The file of that hash and size. subject: of requests to the origin of a space where a body wears
 * it. Returns as jc_cluster_ops.avatar does. */
int jc_avatar_fetches_get(struct jc_avatar_fetches *fetches, const char *subject, const char *hash,
	uint64_t bytes, jc_on_avatar *on_avatar, void *context);

/* Once a second: removes files that no body wears any longer. */
void jc_avatar_fetches_sweep(struct jc_avatar_fetches *fetches,
	bool (*is_worn)(const void *context, const char *hash), const void *context,
	int64_t now_ns);

#endif
