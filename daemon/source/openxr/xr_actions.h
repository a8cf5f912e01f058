/* OpenXR actions of devices: controllers by grip and aim pose, Vive trackers by the assigned
 * part of the body, eyes by their gaze. */
#ifndef JC_XR_ACTIONS_H
#define JC_XR_ACTIONS_H

#include "source/openxr/xr_instance.h"
#include "source/tracker_role.h"

enum jc_xr_device {
	JC_XR_LEFT_GRIP,
	JC_XR_RIGHT_GRIP,
	JC_XR_LEFT_AIM,
	JC_XR_RIGHT_AIM,
	JC_XR_FIRST_ROLE, /* first of JC_TRACKER_ROLE_COUNT roles */
	JC_XR_EYES = JC_XR_FIRST_ROLE + JC_TRACKER_ROLE_COUNT,
	JC_XR_DEVICE_COUNT
};

/* All zeros: none. */
struct jc_xr_actions {
	XrActionSet set;
	struct jc_xr_action {
		XrAction action; /* shared by all grips, all aims or all roles */
		XrPath user;     /* subaction path such as /user/hand/left; of eyes none */
		XrSpace space;
	} devices[JC_XR_DEVICE_COUNT];
};

/* Returns the first error. The space of a device that the runtime does not know is
 * XR_NULL_HANDLE. */
XrResult jc_xr_actions_create(
	struct jc_xr_actions *actions, const struct jc_xr_instance *instance, XrSession session);

/* Call once before devices are located. XR_SESSION_NOT_FOCUSED: no device can be located. */
XrResult jc_xr_actions_sync(
	const struct jc_xr_actions *actions, const struct jc_xr_functions *call, XrSession session);

/* The session and time at which devices are located. */
struct jc_xr_locating {
	const struct jc_xr_functions *call;
	XrSession session;
	XrSpace base;
	XrTime time;
	void *next; /* chained to the location, or NULL */
};

XrResult jc_xr_actions_locate(const struct jc_xr_actions *actions, enum jc_xr_device device,
	const struct jc_xr_locating *at, XrSpaceLocation *out_location);

void jc_xr_actions_destroy(struct jc_xr_actions *actions, const struct jc_xr_functions *call);

#endif
