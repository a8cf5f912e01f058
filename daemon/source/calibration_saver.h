/* Saves calibrations without delaying the loop: one after another on the thread pool, so that
 * the later one of a body is the one that stays. */
#ifndef JC_CALIBRATION_SAVER_H
#define JC_CALIBRATION_SAVER_H

#include <stdint.h>
#include <uv.h>

#include "base/log.h"
#include "maxima.h"
#include "source/calibration_store.h"

/* The result of a save. */
struct jc_calibration_saved {
	void *asker; /* borrowed; NULL: no report */
	char space[JC_MAX_SPACE_NAME];
	uint32_t body;
	const char *state; /* static */
	bool stored;       /* false: not on disk; the log has the reason */
};

struct jc_calibration_saver_options {
	uv_loop_t *loop;
	const struct jc_log *log;
	const char *state; /* directory; NULL: nothing is kept. All three borrowed */
	void (*on_saved)(const struct jc_calibration_saved *saved);
};

struct jc_calibration_saver;

/* Returns 0 or JC_ERROR_MEMORY. */
int jc_calibration_saver_create(const struct jc_calibration_saver_options *options,
	struct jc_calibration_saver **out_saver);

/* Saves under the name of a body. on_saved is called once, later or before this returns,
 * unless the asker is forgotten. */
void jc_calibration_saver_save(struct jc_calibration_saver *saver, const char *name,
	const struct jc_calibration_record *record, const struct jc_calibration_saved *saved);

/* Ends reports to an asker; its calibrations are still saved. */
void jc_calibration_saver_forget(struct jc_calibration_saver *saver, const void *asker);

/* After its loop ran out of work; NULL is fine. */
void jc_calibration_saver_destroy(struct jc_calibration_saver *saver);

#endif
