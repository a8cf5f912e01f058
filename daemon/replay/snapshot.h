/* A copy of a rewind buffer: filled on the loop, made into a recording on the thread pool. */
#ifndef JC_SNAPSHOT_H
#define JC_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "replay/replay_file.h"
#include "space/space.h"

struct jc_snapshot;
struct jc_record_entry;

/* Creates a snapshot that begins at that server time. Copies the data of the space and the
 * clock. Returns 0 or JC_ERROR_MEMORY. */
int jc_snapshot_create(const struct jc_space *space, const struct jc_clock *clock, int64_t from_us,
	struct jc_snapshot **out_snapshot);
void jc_snapshot_destroy(struct jc_snapshot *snapshot); /* NULL is fine */

/* Appends a copy of an entry with that time. Returns false without memory. */
bool jc_snapshot_put(
	struct jc_snapshot *snapshot, const struct jc_record_entry *entry, int64_t time_us);

/* Makes a recording in memory, which the replay file owns. Any thread. Returns 0 or a negative
 * error with the diagnostic filled. */
int jc_snapshot_open(struct jc_snapshot *snapshot, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

#endif
