/* The running calibration of a client (proto/MODULES.md, "Calibration"). */
#ifndef JC_CALIBRATE_H
#define JC_CALIBRATE_H

#include <stdint.h>

#include "source/calibration_saver.h"

struct jc_client;

/* Called a few times a second: counts down, reports each second to the client, and
 * calibrates. */
void jc_calibrate_sweep(struct jc_client *client, int64_t now_ns);

/* Answers the client, which is saved->asker, once its calibration is on disk. */
void jc_calibrate_saved(const struct jc_calibration_saved *saved);

/* The session closes: ends a running calibration. */
void jc_calibrate_leave(struct jc_client *client);

#endif
