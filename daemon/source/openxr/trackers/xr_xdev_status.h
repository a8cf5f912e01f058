/* The clauses of the status about the trackers of a runtime. */
#ifndef JC_XR_XDEV_STATUS_H
#define JC_XR_XDEV_STATUS_H

#include "source/openxr/trackers/xr_xdev.h"

/* Sets name, advice and quality of the tracker after a poll that located `count` devices with a
 * role. */
void jc_xr_xdev_status_write(struct jc_xr_xdev *xdev, unsigned count, int64_t now_ns);

#endif
