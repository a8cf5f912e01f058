/* Faces of XR_HTC_facial_tracking (VIVE, also through WiVRn and Monado). */
#ifndef JC_XR_FACE_HTC_H
#define JC_XR_FACE_HTC_H

#include "source/openxr/face/xr_face.h"

/* Eyes or lips: the runtime tracks them apart, and a device may have only one of them. */
struct jc_xr_face_htc {
	struct jc_xr_face_tracker base;
	XrFacialTrackingTypeHTC type;
	XrFacialTrackerHTC handle;
};

void jc_xr_eyes_htc_init(struct jc_xr_face_htc *eyes);
void jc_xr_lips_htc_init(struct jc_xr_face_htc *lips);

#endif
