/* The recordings of a folder. */
#ifndef JC_REPLAY_FOLDER_H
#define JC_REPLAY_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "maxima.h"
#include "replay/replay_file.h"

struct jc_replay_entry {
	char name[NAME_MAX + 1];
	char space[JC_MAX_SPACE_NAME]; /* its space; "": unknown */
	double seconds;
	uint64_t bytes;
	int64_t changed_s; /* Unix time */
};

struct jc_replay_folder {
	size_t count;
	struct jc_replay_entry *entries; /* owned */
};

/* Whether a recording can be called so: a name without a folder that ends in ".mcap". */
bool jc_replay_is_name(const char *name);

/* Those that can be read, the newest first, JC_MAX_REPLAY_ENTRIES at most; none that is still
 * being written. Waits for the disk; any thread. Returns 0 or a negative enum jc_error with
 * the diagnostic filled. */
int jc_replay_folder_read(
	const char *path, struct jc_replay_folder *out_folder, struct jc_diagnostic *diagnostic);

/* Opens one of the folder by its name, for which jc_replay_is_name holds. The path of the
 * folder may lead through symbolic links, the recording is a regular file. Waits for the
 * disk; any thread. Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_replay_folder_open(const char *path, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

void jc_replay_folder_finish(struct jc_replay_folder *folder);

#endif
