/* Devices as trackers of a few joints: the head from VIEW, wrists from controllers, other joints
 * from Vive trackers. */
#ifndef JC_XR_DEVICES_H
#define JC_XR_DEVICES_H

#include "source/openxr/trackers/xr_tracker.h"

/* Tracks head and wrists. */
void jc_xr_held_init(struct jc_xr_tracker *held);

/* Tracks joints by the roles of Vive trackers. */
void jc_xr_strapped_init(struct jc_xr_tracker *strapped);

#endif
