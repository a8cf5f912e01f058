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

/* Whether a client may use this name: no folder, and the ending ".mcap". */
bool jc_replay_is_name(const char *name);

/* Lists at most JC_MAX_REPLAY_ENTRIES readable recordings, the newest first, without unfinished
 * ones. Waits for the disk; any thread. Returns 0 or a negative enum jc_error with the diagnostic
 * filled. */
int jc_replay_folder_read(
	const char *path, struct jc_replay_folder *out_folder, struct jc_diagnostic *diagnostic);

/* Opens a recording of the folder by a name that jc_replay_is_name accepts. The path of the
 * folder may contain symbolic links; the recording must be a regular file. Waits for the disk; any
 * thread. Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_replay_folder_open(const char *path, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

void jc_replay_folder_finish(struct jc_replay_folder *folder);

#endif
