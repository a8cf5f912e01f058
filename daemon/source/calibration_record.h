/* The calibration of a body and the one before it, so that the last step can be undone. */
#ifndef JC_CALIBRATION_RECORD_H
#define JC_CALIBRATION_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast_private/calibration.h"
#include "source/tracker_role.h"

/* All zeros: no calibration. */
struct jc_calibration_record {
	bool has_current;
	bool has_before;     /* an earlier state exists: */
	bool before_is_none; /* either no calibration, or `before` */
	struct jc_calibration current, before;
	/* The roles of trackers that the calibrations found, empty without one. Kept out of
	 * struct jc_calibration, because recordings contain that and must not name devices. */
	struct jc_tracker_roles trackers, trackers_before;
};

/* Sets the current calibration and the roles that it found, and remembers the previous ones. */
void jc_calibration_record_push(struct jc_calibration_record *record,
	const struct jc_calibration *calibration, const struct jc_tracker_roles *trackers);

/* Restores the previous calibration. Returns false if none is known. */
bool jc_calibration_record_undo(struct jc_calibration_record *record);

/* Formats a record as the text of its file, which the caller frees; NULL without memory. Members of
 * the earlier file (NULL: none) that this version does not know are kept: those of the file, and
 * those of a calibration that is still there. None of a file of a higher version is. */
char *jc_calibration_record_format(
	const struct jc_calibration_record *record, const char *earlier, size_t length);

/* Reads such a text: returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_calibration_record_read(const char *bytes, size_t length,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic);

#endif
