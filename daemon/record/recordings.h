/* All recordings of the daemon: one recorder per space, started by the configuration or by a
 * client with the role `record`. */
#ifndef JC_RECORDINGS_H
#define JC_RECORDINGS_H

#include <limits.h>
#include <uv.h>

#include "base/clock.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "record/record_target.h"
#include "record/recorder.h"
#include "space/space.h"

struct jc_recordings;

struct jc_recordings_options {
	uv_loop_t *loop;
	const struct jc_clock *clock; /* borrowed, as is log */
	const struct jc_log *log;
	bool is_check; /* check what the start needs: write nothing, create no recorder */
};

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_recordings_create(
	const struct jc_recordings_options *options, struct jc_recordings **out_recordings);

/* Call after the loop has ended and before the spaces are destroyed; writes the remaining
 * messages. */
void jc_recordings_destroy(struct jc_recordings *recordings); /* NULL is fine */

/* Repairs the recordings that an earlier run left in a folder, in the background. Creates the
 * folder if it does not exist. JC_ERROR_INVALID if it cannot be created or read,
 * JC_ERROR_LIMIT, JC_ERROR_MEMORY. */
int jc_recordings_repair(
	struct jc_recordings *recordings, const char *folder, struct jc_diagnostic *diagnostic);

/* Sets folder and options of later recordings, and repairs the recordings of the folder, with
 * the same errors. */
int jc_recordings_set(struct jc_recordings *recordings, const struct jc_record_settings *settings,
	struct jc_diagnostic *diagnostic);
const struct jc_record_settings *jc_recordings_settings(const struct jc_recordings *recordings);

/* Begins to record a space. settings: NULL for those of jc_recordings_set. name: the prefix of
 * file names, NULL for the name of the space. JC_ERROR_INVALID if the space is already being
 * recorded, or there is no readable folder; JC_ERROR_LIMIT, JC_ERROR_MEMORY. */
int jc_recordings_begin(struct jc_recordings *recordings, struct jc_space *space,
	const struct jc_record_settings *settings, const char *name,
	struct jc_diagnostic *diagnostic);

/* The recorder of a space; NULL: none. */
struct jc_recorder *jc_recordings_find(
	const struct jc_recordings *recordings, const struct jc_space *space);

/* The totals of a recording that was stopped. */
struct jc_recorder_totals {
	uint32_t space;                     /* id */
	const struct jc_recorder *recorder; /* borrowed: still writes; NULL: all is written */
	char file[NAME_MAX + 1];            /* name of the last file when complete; "": none */
	uint64_t bytes, captures, dropped;
};

/* The last recording of a space that was stopped; borrowed until the next one is. NULL: none, or
 * JC_MAX_RECORDERS others were stopped since. */
const struct jc_recorder_totals *jc_recordings_last(
	const struct jc_recordings *recordings, const struct jc_space *space);

/* Stops the recorder; its entry is removed after the last write. */
void jc_recordings_end(struct jc_recordings *recordings, struct jc_recorder *recorder);

#endif
