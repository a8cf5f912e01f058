/* Faces of XR_HTC_facial_tracking (VIVE, also through WiVRn and Monado). */
#ifndef JC_XR_FACE_HTC_H
#define JC_XR_FACE_HTC_H

#include "source/openxr/face/xr_face.h"

/* The runtime tracks eyes and lips apart; a device may have only one of them. */
struct jc_xr_face_htc {
	struct jc_xr_face_tracker base;
	XrFacialTrackerHTC eyes, lips; /* XR_NULL_HANDLE: not tracked */
	struct jc_xr_freshness lips_freshness;
};

void jc_xr_face_htc_init(struct jc_xr_face_htc *htc);

#endif
