/* What is held or strapped on: controllers by grip and aim, Vive trackers by the
 * part of the body that they are assigned to. */
#ifndef JC_XR_ACTIONS_H
#define JC_XR_ACTIONS_H

#include "jointcast/humanoid.h"
#include "source/openxr/xr_instance.h"

#define JC_XR_ROLES 14

enum jc_xr_device {
	JC_XR_LEFT_GRIP,
	JC_XR_RIGHT_GRIP,
	JC_XR_LEFT_AIM,
	JC_XR_RIGHT_AIM,
	JC_XR_FIRST_ROLE, /* JC_XR_ROLES of them */
	JC_XR_DEVICE_COUNT = JC_XR_FIRST_ROLE + JC_XR_ROLES
};

/* The joint that a tracker of a role moves. */
enum jc_joint jc_xr_role_joint(int role);

/* All zeros: none. */
struct jc_xr_actions {
	XrActionSet set;
	struct jc_xr_action {
		XrAction action; /* one for all grips, one for all aims, one for all roles */
		XrPath user;     /* whose: /user/hand/left */
		XrSpace space;
	} devices[JC_XR_DEVICE_COUNT];
};

/* Returns the first result that kept it from being. What the runtime does not know
 * is left out: then that device's space is XR_NULL_HANDLE. */
XrResult jc_xr_actions_create(
	struct jc_xr_actions *actions, const struct jc_xr_instance *instance, XrSession session);

/* Once before devices are located. XR_SESSION_NOT_FOCUSED: none can be. */
XrResult jc_xr_actions_sync(
	const struct jc_xr_actions *actions, const struct jc_xr_functions *call, XrSession session);

/* Whether the device is in use, and its pose. */
struct jc_xr_locating {
	const struct jc_xr_functions *call;
	XrSession session;
	XrSpace base;
	XrTime time;
};

XrResult jc_xr_actions_locate(const struct jc_xr_actions *actions, enum jc_xr_device device,
	const struct jc_xr_locating *at, XrSpaceLocation *out_location);

void jc_xr_actions_destroy(struct jc_xr_actions *actions, const struct jc_xr_functions *call);

#endif
