/* Calibrations on disk: one file per name of a body, below the daemon's state directory. */
#ifndef JC_CALIBRATION_STORE_H
#define JC_CALIBRATION_STORE_H

#include "base/log.h"
#include "jointcast/error.h"
#include "source/calibration_record.h"
#include "source/source.h"

/* Reads a record; a missing file gives an empty one. Returns 0, or a negative error with the
 * diagnostic filled for an unreadable or damaged file. */
int jc_calibration_store_load(const char *state, const char *name,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic);

/* Gives a tracked source the record stored under that name, if any; state may be NULL. Logs and
 * ignores a record that cannot be used. */
void jc_calibration_store_restore(
	const char *state, const char *name, struct jc_source *source, const struct jc_log *log);

/* Replaces the file completely or not at all. */
int jc_calibration_store_save(const char *state, const char *name,
	const struct jc_calibration_record *record, struct jc_diagnostic *diagnostic);

#endif
