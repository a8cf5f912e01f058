/* The skeletons that are registered, each with what wearing it takes: a
 * retargeter and the message that tells subscribers of it. */
#ifndef JC_WARDROBE_H
#define JC_WARDROBE_H

#include <stddef.h>

#include "jointcast/retarget.h"
#include "jointcast/skeleton.h"
#include "maxima.h"

struct jc_outfit {
	size_t index;                     /* in the wardrobe */
	struct jc_skeleton *skeleton;     /* owned */
	struct jc_retargeter *retargeter; /* owned */
	const char *hash;                 /* borrowed from the skeleton */
	char *message;                    /* owned: the `skeleton` message, ready to be sent */
	size_t message_length;
	/* Owned: scratch of whoever poses its virtual transforms; NULL where it has
	 * none. Of each node, of each transform. */
	struct jc_transform *locals, *virtuals;
	struct jc_mat4 *worlds;
};

struct jc_wardrobe {
	size_t count;
	struct jc_outfit outfits[JC_MAX_SKELETONS];
};

/* Begins with the built-in `humanoid` as outfit 0. Returns 0 or an error. */
int jc_wardrobe_init(struct jc_wardrobe *wardrobe, struct jc_diagnostic *diagnostic);
void jc_wardrobe_finish(struct jc_wardrobe *wardrobe);

/* Registers a skeleton completely or not at all; on success it is stolen. One
 * that is there already (by hash) is given back as it stands. */
int jc_wardrobe_add(struct jc_wardrobe *wardrobe, struct jc_skeleton *skeleton,
	const struct jc_outfit **out_outfit, struct jc_diagnostic *diagnostic);

#endif
