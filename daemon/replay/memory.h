/* The last seconds of a space as a recording in memory, bounded in time and in bytes: poses
 * of bodies whose persons agree to being recorded. A person who takes consent back is cut
 * out of it, before anything else is done with it; the others stay. */
#ifndef JC_MEMORY_H
#define JC_MEMORY_H

#include <stddef.h>

#include "base/clock.h"
#include "replay/recollection.h"
#include "replay/withdrawals.h"
#include "space/spaces.h"

struct jc_memory;

/* Of a space from its next tick on, which owns it. The clock is borrowed. Returns 0 or
 * JC_ERROR_MEMORY. */
int jc_memory_create(struct jc_space *space, const struct jc_clock *clock, unsigned seconds,
	size_t bytes, struct jc_memory **out_memory);

unsigned jc_memory_seconds(const struct jc_memory *memory); /* that it keeps at most */

/* It keeps that much from now on. */
void jc_memory_limit(struct jc_memory *memory, unsigned seconds, size_t bytes);

/* The space is no longer remembered. */
void jc_memory_end(struct jc_memory *memory);

/* Every space that is not itself of the past is remembered for that long, in that much
 * memory each; 0 seconds: none is. To be called now and then. */
void jc_memory_follow(struct jc_spaces *spaces, unsigned seconds, size_t bytes);

/* A copy of what is there of the last seconds, and what tells which bodies of it are
 * withdrawn later; both are the caller's. Returns 0, JC_ERROR_MEMORY, or JC_ERROR_ABSENT
 * where there is nothing. */
int jc_memory_recall(struct jc_memory *memory, double seconds,
	struct jc_recollection **out_recollection, struct jc_withdrawals **out_withdrawals);

#endif
