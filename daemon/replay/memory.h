/* What happened in a space lately, as a recording that is in nobody's folder: kept in
 * memory for so long and of so many bytes, of who agreed to being recorded, as poses. Who
 * comes late can be shown it. */
#ifndef JC_MEMORY_H
#define JC_MEMORY_H

#include <stddef.h>

#include "base/clock.h"
#include "replay/replay_file.h"
#include "space/spaces.h"

struct jc_memory;
struct jc_recollection;

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

/* A copy of what is there of the last seconds; JC_ERROR_ABSENT where that is nothing. */
int jc_memory_recall(
	const struct jc_memory *memory, double seconds, struct jc_recollection **out_recollection);
void jc_recollection_destroy(struct jc_recollection *recollection); /* NULL is fine */

/* Makes it a recording to be replayed. Any thread. Returns 0 or a negative error with the
 * diagnostic filled. */
int jc_recollection_open(struct jc_recollection *recollection, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

#endif
