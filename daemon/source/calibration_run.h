/* A calibration in progress: a countdown, then a time in which the person stands still. The
 * caller supplies the time. */
#ifndef JC_CALIBRATION_RUN_H
#define JC_CALIBRATION_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast_private/calibration.h"
#include "source/tracked_body.h"

#define JC_CALIBRATION_STILL_NS       INT64_C(600000000) /* standing still, before the end */
#define JC_CALIBRATION_COUNTDOWN_MOST 60                 /* seconds */

struct jc_calibration_run {
	enum jc_calibration_pose pose;
	float height;
	int64_t end_ns;
	int left;      /* seconds left, as last reported */
	bool has_seen; /* a frame of the standing person was captured */
	struct jc_body_frame seen;
	struct jc_worn_trackers worn; /* of that frame */
};

enum jc_calibration_step {
	JC_CALIBRATION_QUIET,  /* nothing changed */
	JC_CALIBRATION_COUNTS, /* the number of seconds left changed */
	JC_CALIBRATION_REFUSED,
	JC_CALIBRATION_DONE,
};

void jc_calibration_run_init(struct jc_calibration_run *run, enum jc_calibration_pose pose,
	float height, int countdown, int64_t now_ns);

/* Call a few times a second. DONE: the body has the calibration. REFUSED: the diagnostic states
 * the reason. Both end the run. */
enum jc_calibration_step jc_calibration_run_step(struct jc_calibration_run *run,
	struct jc_tracked_body *body, int64_t now_ns, struct jc_diagnostic *diagnostic);

#endif
