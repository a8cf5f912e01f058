/* A recording on disk, as whoever replays it sees it: pages that are there when they
 * are needed, because a thread of uv's pool read them ahead of time. */
#ifndef JC_REPLAY_FILE_H
#define JC_REPLAY_FILE_H

#include <uv.h>

#include "base/log.h"
#include "jointcast/recording_reader.h"

/* So many are kept however large they are, those that were asked for last. */
#define JC_REPLAY_FILE_PAGES 4

struct jc_replay_file;

/* One that was not closed is mended first, beside and out of sight. loop: whose pool
 * reads; NULL: pages are read when they are asked for. log is borrowed. Waits for the
 * disk. Returns 0 or a negative error with the diagnostic filled. */
int jc_replay_file_open(const char *path, uv_loop_t *loop, const struct jc_log *log,
	struct jc_replay_file **out_file, struct jc_diagnostic *diagnostic);

/* At once; what is being read is waited for by nobody and let go of when it comes. */
void jc_replay_file_close(struct jc_replay_file *file); /* NULL is fine */

const struct jc_recording *jc_replay_file_recording(const struct jc_replay_file *file);

/* A page, or NULL while it is on its way. Valid until another is asked for. */
const struct jc_recording_page *jc_replay_file_page(struct jc_replay_file *file, size_t index);

/* It will be asked for soon. One past the end is none. */
void jc_replay_file_expect(struct jc_replay_file *file, size_t index);

#endif
