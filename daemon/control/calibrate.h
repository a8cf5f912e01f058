/* The control message `calibrate` (PROTOCOL.md, "Calibration"). */
#ifndef JC_CALIBRATE_H
#define JC_CALIBRATE_H

#include <jansson.h>
#include <stdint.h>

#include "source/calibration_saver.h"

struct jc_client;

/* Called a few times a second: counts down and says so. */
void jc_calibrate_sweep(struct jc_client *client, int64_t now_ns);

/* What its asker, a session, is told once it is kept. */
void jc_calibrate_saved(const struct jc_calibration_saved *saved);

/* The session goes: whatever is under way is given up. */
void jc_calibrate_leave(struct jc_client *client);

#endif
