/* Claims of other origins, from their announcements: decides which origin serves a space. */
#ifndef JC_RIVALS_H
#define JC_RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/origin_message.h"

struct jc_rival {
	struct jc_origin_claim claim;
	char origin[JC_MAX_HOST_ID];
	char incarnation[JC_MAX_INCARNATION]; /* of its process, which may follow one of that name
					       */
	int64_t expires_ns;
};

/* All zeros: no other origin. */
struct jc_rivals {
	size_t count, capacity;
	struct jc_rival *list; /* owned */
};

void jc_rivals_finish(struct jc_rivals *rivals);

/* Takes an announcement of another origin: its claims hold until expires_ns, and those that it does
 * not repeat within that time end; those of a process that leaves end at once. Beyond
 * JC_MAX_RIVALS claims the rest is left out. */
void jc_rivals_take(
	struct jc_rivals *rivals, const struct jc_origin_message *message, int64_t expires_ns);

void jc_rivals_expire(struct jc_rivals *rivals, int64_t now_ns);

/* Of the claims of other origins on a space the one that wins over all of them, if it also wins
 * over an own one with this epoch; NULL: there is none. epoch 0: there is no own claim. */
const struct jc_rival *jc_rivals_winner(
	const struct jc_rivals *rivals, const char *space, uint64_t epoch, const char *origin);

#endif
