/* A connection to a runtime: its name, its enabled extensions and its device. */
#ifndef JC_XR_INSTANCE_H
#define JC_XR_INSTANCE_H

#include "source/openxr/xr_loader.h"

enum jc_xr_extension {
	JC_XR_HEADLESS,
	JC_XR_TIMESPEC,
	JC_XR_LOCAL_FLOOR,
	JC_XR_USER_PRESENCE,
	JC_XR_FB_BODY,
	JC_XR_META_FULL_BODY, /* this and the next two need FB_BODY */
	JC_XR_META_CALIBRATION,
	JC_XR_META_FIDELITY,
	JC_XR_BD_BODY,
	JC_XR_BD_METRICS, /* needs BD_BODY */
	JC_XR_HTC_BODY,
	JC_XR_HAND_TRACKING,
	JC_XR_HAND_SOURCE, /* needs HAND_TRACKING */
	JC_XR_VIVE_TRACKERS,
	JC_XR_XDEV_SPACE,
	JC_XR_FB_FACE_TRACKING,
	JC_XR_HTC_FACIAL_TRACKING,
	JC_XR_ANDROID_FACE_TRACKING,
	JC_XR_EYE_GAZE,
	JC_XR_EXTENSION_COUNT
};

struct jc_xr_instance {
	XrInstance handle; /* XR_NULL_HANDLE: none */
	XrSystemId system; /* XR_NULL_SYSTEM_ID until a device is found */
	struct jc_xr_functions call;
	char runtime[64];                   /* name with printable characters only */
	bool offers[JC_XR_EXTENSION_COUNT]; /* the runtime supports and has enabled it */
	struct jc_xr_chain
		extensions; /* that it lists but does not enable, by enum jc_xr_extension */
	/* offers, and also supported by the device where its properties report that. If the
	 * runtime refuses the question, trackers count as supported, for their creation fails
	 * otherwise; META_CALIBRATION and META_FIDELITY do not, for their structures would make
	 * each call fail. */
	bool has[JC_XR_EXTENSION_COUNT];
	bool has_htc_eyes, has_htc_lips; /* the halves of HTC_FACIAL_TRACKING */
	struct jc_xr_chain properties;   /* of xrGetSystemProperties, by enum jc_xr_extension */
};

/* Fills *out_instance on success; a faceless one enables no extension of faces and gaze. Returns
 * the runtime's error, or XR_ERROR_EXTENSION_NOT_PRESENT with the name of a required extension in
 * *out_missing, else NULL. */
XrResult jc_xr_instance_create(const struct jc_xr_loader *loader, bool is_faceless,
	struct jc_xr_instance *out_instance, const char **out_missing);

/* Looks for the device and its features, which may grow later. XR_ERROR_FORM_FACTOR_UNAVAILABLE
 * is normal while the headset is off. */
XrResult jc_xr_instance_find_system(struct jc_xr_instance *instance);

void jc_xr_instance_destroy(struct jc_xr_instance *instance); /* an empty one is fine */

#endif
