/* Faces of XR_FB_face_tracking2 (Meta, also through WiVRn and Monado). */
#ifndef JC_XR_FACE_FB_H
#define JC_XR_FACE_FB_H

#include "source/openxr/face/xr_face.h"

struct jc_xr_face_fb {
	struct jc_xr_face_tracker base;
	XrFaceTracker2FB handle;
};

void jc_xr_face_fb_init(struct jc_xr_face_fb *fb);

#endif
