/* What is worn, held or strapped on as a tracker of a few joints: the head by VIEW,
 * wrists by controllers, others by Vive trackers. */
#ifndef JC_XR_DEVICES_H
#define JC_XR_DEVICES_H

#include "source/openxr/xr_tracker.h"

/* Head and wrists. */
void jc_xr_held_init(struct jc_xr_tracker *held);

/* Vive trackers, by role. */
void jc_xr_strapped_init(struct jc_xr_tracker *strapped);

#endif
