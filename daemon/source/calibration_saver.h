/* Saves calibrations one after another on the thread pool, so that the loop does not wait and
 * the latest calibration of a body is the stored one. */
#ifndef JC_CALIBRATION_SAVER_H
#define JC_CALIBRATION_SAVER_H

#include <stdint.h>
#include <uv.h>

#include "base/log.h"
#include "base/request_tag.h"
#include "maxima.h"
#include "source/calibration_store.h"

/* The result of a save. */
struct jc_calibration_saved {
	void *asker; /* borrowed; NULL: no report */
	struct jc_request_tag request;
	char space[JC_MAX_SPACE_NAME];
	uint32_t body;
	const char *state; /* static */
	bool stored;       /* false: the save failed; the log states the reason */
};

struct jc_calibration_saver_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state; /* directory; NULL: nothing is saved. All three are borrowed */
	void (*on_saved)(const struct jc_calibration_saved *saved);
};

struct jc_calibration_saver;

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_calibration_saver_create(const struct jc_calibration_saver_options *options,
	struct jc_calibration_saver **out_saver);

/* Saves the record under the name of a body. Calls on_saved once, before or after the return,
 * unless the asker was forgotten. */
void jc_calibration_saver_save(struct jc_calibration_saver *saver, const char *name,
	const struct jc_calibration_record *record, const struct jc_calibration_saved *saved);

/* Ends reports to an asker; its records are still saved. */
void jc_calibration_saver_forget(struct jc_calibration_saver *saver, const void *asker);

/* Call after the loop has ended. NULL is fine. */
void jc_calibration_saver_destroy(struct jc_calibration_saver *saver);

#endif
