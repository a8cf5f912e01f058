/* How the blend shapes of ARKit follow from those of a runtime: the tables of proto/face.json,
 * which states their sources. */
#ifndef JC_XR_FACE_TABLE_H
#define JC_XR_FACE_TABLE_H

#include "source/face/face_table.h"

/* The part of a face that a shape moves; a runtime may have lost one of them. */
enum jc_xr_face_region {
	JC_XR_FACE_LOWER,
	JC_XR_FACE_UPPER_LEFT,
	JC_XR_FACE_UPPER_RIGHT,
	JC_XR_FACE_UPPER_MIDDLE, /* both sides */
	JC_XR_FACE_LOOK_LEFT,    /* direction of the left eye */
	JC_XR_FACE_LOOK_RIGHT,
};

extern const enum jc_xr_face_region jc_xr_face_regions[JC_FACE_SHAPES];

/* Shapes from the parameters of XR_FB_face_tracking2, of XR_HTC_facial_tracking (of the eyes, then
 * of the lips) and of XR_ANDROID_face_tracking. */
extern const struct jc_face_sums jc_xr_fb_shapes, jc_xr_htc_shapes, jc_xr_android_shapes;

#endif
