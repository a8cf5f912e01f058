/* A recording file that is replayed: its pages are read ahead on the thread pool. */
#ifndef JC_REPLAY_FILE_H
#define JC_REPLAY_FILE_H

#include <uv.h>

#include "base/log.h"
#include "jointcast/recording_reader.h"
#include "space/skeleton_table.h"

/* Number of most recently used pages that stay in memory, whatever their size. */
#define JC_REPLAY_FILE_PAGES 4

struct jc_replay_file;

/* An unfinished file is repaired into a temporary file first. Pages are read on request. Waits
 * for the disk; any thread. Returns 0 or a negative error with
 * the diagnostic filled. */
int jc_replay_file_open(
	const char *path, struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic);

/* The same for an open descriptor, which is stolen, with a name for messages. */
int jc_replay_file_open_descriptor(int fd, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

/* Reads pages on the thread pool of the loop and logs errors from now on. Both are borrowed and
 * may be NULL. */
void jc_replay_file_attach(struct jc_replay_file *file, uv_loop_t *loop, const struct jc_log *log);

const char *jc_replay_file_name(const struct jc_replay_file *file); /* without its folder */

/* Returns at once; a page that is being read is dropped when it arrives. */
void jc_replay_file_close(struct jc_replay_file *file); /* NULL is fine */

const struct jc_recording *jc_replay_file_recording(const struct jc_replay_file *file);

/* Adds the skeletons of the bodies to a skeleton table until the file is closed. */
void jc_replay_file_keep_skeletons(
	struct jc_replay_file *file, struct jc_skeleton_table *skeleton_table);

/* Returns a page, or NULL while it is being read. Valid until the next call. */
const struct jc_recording_page *jc_replay_file_page(struct jc_replay_file *file, size_t index);

/* Reads a page ahead. Ignores an index past the end. */
void jc_replay_file_expect(struct jc_replay_file *file, size_t index);

#endif
