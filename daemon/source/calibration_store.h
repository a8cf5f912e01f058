/* Calibrations on disk: a file for each name of a body, what holds and what held
 * before it, below the daemon's state directory. */
#ifndef JC_CALIBRATION_STORE_H
#define JC_CALIBRATION_STORE_H

#include <stdbool.h>

#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast_private/calibration.h"
#include "source/source.h"

/* All zeros: never calibrated. */
struct jc_calibration_record {
	bool has_current;
	bool has_before;     /* there is something to go back to: */
	bool before_is_none; /* no calibration, else `before` */
	struct jc_calibration current, before;
};

/* What holds from now on; what held is remembered. */
void jc_calibration_record_push(
	struct jc_calibration_record *record, const struct jc_calibration *calibration);

/* What held before holds again. False when nothing is known of that. */
bool jc_calibration_record_undo(struct jc_calibration_record *record);

/* A record as the text of its file, NULL without memory, else the caller's to free; and
 * back: 0, or a negative enum jc_error with the diagnostic filled. */
char *jc_calibration_record_format(const struct jc_calibration_record *record);
int jc_calibration_record_read(const char *bytes, size_t length,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic);

/* No file is a record of nothing. Returns 0, or a negative error with the diagnostic
 * filled for one that cannot be read or is damaged. */
int jc_calibration_store_load(const char *state, const char *name,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic);

/* A source whose body is tracked gets what is kept under that name, if anything;
 * state may be NULL. What cannot be used is logged and counts as nothing. */
void jc_calibration_store_restore(
	const char *state, const char *name, struct jc_source *source, const struct jc_log *log);

/* Replaces the file at once or not at all. */
int jc_calibration_store_save(const char *state, const char *name,
	const struct jc_calibration_record *record, struct jc_diagnostic *diagnostic);

#endif
