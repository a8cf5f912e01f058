/* The last seconds of a space as a recording in memory, bounded in time and bytes: the poses
 * of bodies that may be recorded. A body whose consent is withdrawn is removed before the buffer
 * is used again. */
#ifndef JC_REWIND_BUFFER_H
#define JC_REWIND_BUFFER_H

#include <stddef.h>

#include "base/clock.h"
#include "replay/snapshot.h"
#include "replay/withdrawals.h"
#include "space/spaces.h"

struct jc_rewind_buffer;

/* Creates the rewind buffer of a space, which owns it, from its next tick on. The clock is
 * borrowed. Returns 0 or JC_ERROR_MEMORY. */
int jc_rewind_buffer_create(struct jc_space *space, const struct jc_clock *clock, unsigned seconds,
	size_t bytes, struct jc_rewind_buffer **out_rewind_buffer);

unsigned jc_rewind_buffer_seconds(
	const struct jc_rewind_buffer *rewind_buffer); /* that it keeps at most */

/* It keeps that much from now on. */
void jc_rewind_buffer_limit(struct jc_rewind_buffer *rewind_buffer, unsigned seconds, size_t bytes);

/* The space is no longer remembered. */
void jc_rewind_buffer_end(struct jc_rewind_buffer *rewind_buffer);

/* Every space that is not itself of the past is remembered for that long, in that much
 * memory each; 0 seconds: none is. To be called now and then. */
void jc_rewind_buffer_follow(struct jc_spaces *spaces, unsigned seconds, size_t bytes);

/* A copy of what is there of the last seconds, and what tells which bodies of it are
 * withdrawn later; both are the caller's. Returns 0, JC_ERROR_MEMORY, or JC_ERROR_ABSENT
 * where there is nothing. */
int jc_rewind_buffer_snapshot(struct jc_rewind_buffer *rewind_buffer, double seconds,
	struct jc_snapshot **out_snapshot, struct jc_withdrawals **out_withdrawals);

#endif
