/* A source of the configuration, made in two steps: reading and parsing its files, which may take
 * long and runs on any thread, then opening it on the loop. Of the whole daemon, only this module
 * knows the kinds of sources. */
#ifndef JC_PREPARED_SOURCE_H
#define JC_PREPARED_SOURCE_H

#include <stdint.h>

#include "base/log.h"
#include "config/config.h"
#include "jointcast/motion.h"
#include "replay/replay_file.h"
#include "source/source.h"
#include "source/source_uri.h"
#include "space/spaces.h"

struct jc_prepared_source {
	struct jc_source_uri uri;   /* with the final name and space */
	struct jc_motion *motion;   /* owned: of file and demo */
	struct jc_skeleton *avatar; /* owned: of vmc, may be NULL */
	/* Owned: of replay, which contains several bodies: jc_replay_create takes it. */
	struct jc_replay_file *recording;
};

/* Further values for opening. */
struct jc_source_opening {
	const struct jc_log *log; /* borrowed by the source */
	int64_t start_ns;         /* the start time of motions */
	int64_t epoch_ns;         /* CLOCK_MONOTONIC at server time 0 */
	struct jc_spaces *spaces; /* borrowed by sources that look for other bodies */
};

/* Reads the files of the source, and has no other effect. Runs on any thread. Returns 0 or a
 * negative enum jc_error with the diagnostic filled. */
int jc_prepared_source_create(const struct jc_config_source *wanted,
	struct jc_prepared_source **out_prepared, struct jc_diagnostic *diagnostic);
void jc_prepared_source_destroy(struct jc_prepared_source *prepared); /* NULL is fine */

/* Opens the source, once; the source takes what was read. An empty uri.name becomes the default
 * name for its kind. Returns 0 or a negative enum jc_error with the diagnostic filled; it may
 * then be called again. */
int jc_prepared_source_open(struct jc_prepared_source *prepared,
	const struct jc_source_opening *opening, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic);

/* Reads the index-th humanoid of a file; `bones` is the file of its bone map, or NULL. Runs on any
 * thread. */
int jc_prepared_skeleton_read(const char *path, size_t index, const char *bones,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic);

#endif
