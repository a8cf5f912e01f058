/* The calibration of a body and the one before it, so that the last step can be undone. */
#ifndef JC_CALIBRATION_RECORD_H
#define JC_CALIBRATION_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast_private/calibration.h"

/* All zeros: never calibrated. */
struct jc_calibration_record {
	bool has_current;
	bool has_before;     /* there is something to go back to: */
	bool before_is_none; /* no calibration, else `before` */
	struct jc_calibration current, before;
};

/* Sets the current calibration and keeps the one before it. */
void jc_calibration_record_push(
	struct jc_calibration_record *record, const struct jc_calibration *calibration);

/* Restores the calibration before. Returns false when there is none. */
bool jc_calibration_record_undo(struct jc_calibration_record *record);

/* A record as the text of its file, NULL without memory, else the caller's to free; and
 * back: 0, or a negative enum jc_error with the diagnostic filled. */
char *jc_calibration_record_format(const struct jc_calibration_record *record);
int jc_calibration_record_read(const char *bytes, size_t length,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic);

#endif
