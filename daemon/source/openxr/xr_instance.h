/* One connection to a runtime: which one it is, what of it is enabled, and which
 * device it has. */
#ifndef JC_XR_INSTANCE_H
#define JC_XR_INSTANCE_H

#include "source/openxr/xr_loader.h"

enum jc_xr_extension {
	JC_XR_HEADLESS,
	JC_XR_TIMESPEC,
	JC_XR_LOCAL_FLOOR,
	JC_XR_USER_PRESENCE,
	JC_XR_FB_BODY,
	JC_XR_META_FULL_BODY, /* needs FB_BODY, as the next two do */
	JC_XR_META_CALIBRATION,
	JC_XR_META_FIDELITY,
	JC_XR_BD_BODY,
	JC_XR_HTC_BODY,
	JC_XR_HAND_TRACKING,
	JC_XR_VIVE_TRACKERS,
	JC_XR_EXTENSION_COUNT
};

const char *jc_xr_extension_name(enum jc_xr_extension extension);

struct jc_xr_instance {
	XrInstance handle; /* XR_NULL_HANDLE: none */
	XrSystemId system; /* XR_NULL_SYSTEM_ID before there is a device */
	struct jc_xr_functions call;
	char runtime[64];                   /* its name, printable */
	bool offers[JC_XR_EXTENSION_COUNT]; /* the runtime: all of this is enabled */
	/* The same, but of trackers what it says that the device can. */
	bool has[JC_XR_EXTENSION_COUNT];
	bool has_height_override; /* of META calibration */
};

/* Fills *out_instance on success. Fails with the runtime's own result, and with
 * XR_ERROR_EXTENSION_NOT_PRESENT when what cannot be done without is missing: then
 * *out_missing is its name, else NULL. */
XrResult jc_xr_instance_create(const struct jc_xr_loader *loader,
	struct jc_xr_instance *out_instance, const char **out_missing);

/* Looks for the device and what it can, which may be more after a while.
 * XR_ERROR_FORM_FACTOR_UNAVAILABLE is normal while the headset is off. */
XrResult jc_xr_instance_find_system(struct jc_xr_instance *instance);

void jc_xr_instance_destroy(struct jc_xr_instance *instance); /* none is fine */

#endif
