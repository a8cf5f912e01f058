/* A recording file that is replayed: its pages are read ahead on the thread pool. */
#ifndef JC_REPLAY_FILE_H
#define JC_REPLAY_FILE_H

#include <uv.h>

#include "base/log.h"
#include "jointcast/recording_reader.h"
#include "space/skeleton_table.h"

/* So many are kept however large they are, those that were asked for last. */
#define JC_REPLAY_FILE_PAGES 4

struct jc_replay_file;

/* One that was not closed is mended first, beside and out of sight. Pages are read when
 * they are asked for. Waits for the disk; any thread. Returns 0 or a negative error with
 * the diagnostic filled. */
int jc_replay_file_open(
	const char *path, struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic);

/* The same of a descriptor, which is stolen, of a file that is called so. */
int jc_replay_file_open_descriptor(int fd, const char *name, struct jc_replay_file **out_file,
	struct jc_diagnostic *diagnostic);

/* From now on the loop's pool reads them, and what is wrong is logged; both borrowed.
 * Either may be NULL. */
void jc_replay_file_attach(struct jc_replay_file *file, uv_loop_t *loop, const struct jc_log *log);

const char *jc_replay_file_name(const struct jc_replay_file *file); /* without its folder */

/* At once; what is being read is waited for by nobody and let go of when it comes. */
void jc_replay_file_close(struct jc_replay_file *file); /* NULL is fine */

const struct jc_recording *jc_replay_file_recording(const struct jc_replay_file *file);

/* What bodies wore is in a skeleton table from now on, until it is closed. */
void jc_replay_file_keep_skeletons(
	struct jc_replay_file *file, struct jc_skeleton_table *skeleton_table);

/* A page, or NULL while it is on its way. Valid until another is asked for. */
const struct jc_recording_page *jc_replay_file_page(struct jc_replay_file *file, size_t index);

/* It will be asked for soon. One past the end is none. */
void jc_replay_file_expect(struct jc_replay_file *file, size_t index);

#endif
