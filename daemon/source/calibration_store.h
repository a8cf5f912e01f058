/* Calibrations on disk: one file per name of a body, below the daemon's state directory. */
#ifndef JC_CALIBRATION_STORE_H
#define JC_CALIBRATION_STORE_H

#include "base/log.h"
#include "jointcast/error.h"
#include "source/calibration_record.h"
#include "source/source.h"

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
