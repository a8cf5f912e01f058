/* Faces of XR_ANDROID_face_tracking (Android XR, also through WiVRn and Monado). */
#ifndef JC_XR_FACE_ANDROID_H
#define JC_XR_FACE_ANDROID_H

#include "source/openxr/face/xr_face.h"

struct jc_xr_face_android {
	struct jc_xr_face_tracker base;
	XrFaceTrackerANDROID handle;
};

void jc_xr_face_android_init(struct jc_xr_face_android *android);

#endif
