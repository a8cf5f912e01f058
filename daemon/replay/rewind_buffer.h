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
	const struct jc_rewind_buffer *rewind_buffer); /* maximum length */

/* Changes the maximum length and size. */
void jc_rewind_buffer_limit(struct jc_rewind_buffer *rewind_buffer, unsigned seconds, size_t bytes);

/* Ends and destroys the rewind buffer. */
void jc_rewind_buffer_end(struct jc_rewind_buffer *rewind_buffer);

/* Gives every space, except rewind spaces, a rewind buffer of this length and size; 0 seconds:
 * none. Call it regularly. */
void jc_rewind_buffer_follow(struct jc_spaces *spaces, unsigned seconds, size_t bytes);

/* Copies the last seconds, and follows withdrawals of consent for the copied bodies; the caller
 * owns both. Returns 0, JC_ERROR_MEMORY, or JC_ERROR_ABSENT if the buffer is empty. */
int jc_rewind_buffer_snapshot(struct jc_rewind_buffer *rewind_buffer, double seconds,
	struct jc_snapshot **out_snapshot, struct jc_withdrawals **out_withdrawals);

#endif
