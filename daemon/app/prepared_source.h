/* A source of the configuration in two steps: what has to be read and parsed for it,
 * which may take long and happens anywhere, and then its opening, on the loop. The
 * one place that knows which kinds of source there are. */
#ifndef JC_PREPARED_SOURCE_H
#define JC_PREPARED_SOURCE_H

#include <stdint.h>

#include "base/log.h"
#include "config/config.h"
#include "jointcast/motion.h"
#include "replay/replay_file.h"
#include "source/source.h"
#include "source/source_uri.h"

struct jc_prepared_source {
	struct jc_source_uri uri;   /* with the name and the space that it really has */
	struct jc_motion *motion;   /* owned: of file and demo */
	struct jc_skeleton *avatar; /* owned: of vmc, may be NULL */
	/* Owned: of replay, which is no source of one body: jc_replay_create takes it. */
	struct jc_replay_file *recording;
};

/* What opening needs beside what was prepared. */
struct jc_source_opening {
	const struct jc_log *log; /* borrowed by the source */
	int64_t start_ns;         /* when motions begin */
	int64_t epoch_ns;         /* CLOCK_MONOTONIC at server time 0 */
};

/* Reads what the source needs. Pure but for the files that are read: any thread.
 * Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_prepared_source_create(const struct jc_config_source *wanted,
	struct jc_prepared_source **out_prepared, struct jc_diagnostic *diagnostic);
void jc_prepared_source_destroy(struct jc_prepared_source *prepared); /* NULL is fine */

/* Opens it, once: what was read is the source's from then on. uri.name, if it was
 * empty, is what a body of this kind is called. Returns 0 or a negative enum jc_error
 * with the diagnostic filled; it may then be tried again. */
int jc_prepared_source_open(struct jc_prepared_source *prepared,
	const struct jc_source_opening *opening, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic);

/* Reads the index-th humanoid of a file. Any thread. */
int jc_prepared_skeleton_read(const char *path, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic);

#endif
