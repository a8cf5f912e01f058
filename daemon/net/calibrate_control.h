/* The control message `calibrate` (PROTOCOL.md, "Calibration"). */
#ifndef JC_CALIBRATE_CONTROL_H
#define JC_CALIBRATE_CONTROL_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_calibrate(struct jc_session *session, const json_t *message, int64_t now_ns);

/* Called a few times a second: counts down and says so. */
void jc_calibrating_sweep(struct jc_session *session, int64_t now_ns);

/* Whatever is under way is given up. */
void jc_calibrating_end(struct jc_session *session);

#endif
