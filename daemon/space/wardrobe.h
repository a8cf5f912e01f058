/* The outfits that are there: skeletons that bodies and streams can wear. Each lies
 * there once, whoever brought it, for as long as somebody keeps or wears it. */
#ifndef JC_WARDROBE_H
#define JC_WARDROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/retarget.h"
#include "jointcast/skeleton.h"
#include "maxima.h"

struct jc_shared_text;
struct jc_wardrobe;

/* A skeleton and what wearing it takes: a retargeter and the message that tells
 * subscribers of it. Stays where it is in memory. */
struct jc_outfit {
	struct jc_wardrobe *wardrobe;     /* borrowed; NULL while it is not in one */
	uint32_t number;                  /* in the wardrobe, never given again */
	struct jc_skeleton *skeleton;     /* owned */
	struct jc_retargeter *retargeter; /* owned */
	const char *hash;                 /* borrowed from the skeleton */
	struct jc_shared_text *message;   /* held: the `skeleton` message */
	size_t descriptor_length;         /* see jc_outfit_descriptor */
	/* Owned: scratch of whoever poses its virtual transforms; NULL where it has
	 * none. Of each node, of each transform. */
	struct jc_transform *locals, *virtuals;
	struct jc_mat4 *worlds;
	bool is_common;  /* anybody may wear it */
	size_t keepers;  /* who wants it to be there */
	size_t wearers;  /* bodies, streams */
	int64_t worn_ns; /* Unix time at which it was last taken off, or came in */
};

struct jc_wardrobe {
	size_t count, capacity;
	struct jc_outfit **outfits; /* owned, by hash */
	struct jc_outfit *humanoid; /* the built-in one, which is always there */
	uint32_t last_number;
};

/* Judges a skeleton and makes it ready, so that no later step can find it wanting.
 * Pure: may be called from any thread. On success the skeleton is stolen. Returns 0
 * or an error. */
int jc_outfit_create(struct jc_skeleton *skeleton, struct jc_outfit **out_outfit,
	struct jc_diagnostic *diagnostic);

/* The descriptor inside its message: descriptor_length bytes, without a NUL. */
const char *jc_outfit_descriptor(const struct jc_outfit *outfit);

void jc_outfit_destroy(struct jc_outfit *outfit); /* of one in no wardrobe; NULL is fine */

/* Begins with the built-in `humanoid`. Returns 0 or an error. */
int jc_wardrobe_init(struct jc_wardrobe *wardrobe, struct jc_diagnostic *diagnostic);
void jc_wardrobe_finish(struct jc_wardrobe *wardrobe); /* nobody may wear anything */

/* Borrowed; NULL where there is none. */
struct jc_outfit *jc_wardrobe_find(const struct jc_wardrobe *wardrobe, const char *hash);

/* Puts an outfit in, which is stolen on success, unless it is there already (by hash).
 * The caller keeps *out_outfit, whichever it is. Returns 0 or an error. */
int jc_wardrobe_keep(
	struct jc_wardrobe *wardrobe, struct jc_outfit *outfit, struct jc_outfit **out_outfit);

/* Makes an outfit of a skeleton that is there for everybody, and stays until the end.
 * On success the skeleton is stolen. */
int jc_wardrobe_add(struct jc_wardrobe *wardrobe, struct jc_skeleton *skeleton,
	struct jc_outfit **out_outfit, struct jc_diagnostic *diagnostic);

/* No longer kept. One that nobody keeps or wears goes. */
void jc_outfit_drop(struct jc_outfit *outfit);

/* Puts it on, which gives it back, and takes it off. */
struct jc_outfit *jc_outfit_wear(struct jc_outfit *outfit);
void jc_outfit_take_off(struct jc_outfit *outfit);

#endif
