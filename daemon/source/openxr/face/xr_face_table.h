/* Channels of a face, and how they follow from the blend shapes of a runtime: the tables of
 * proto/face.json, which states their sources. */
#ifndef JC_XR_FACE_TABLE_H
#define JC_XR_FACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum {
	JC_XR_FACE_SHAPES = 52,  /* blend shapes of ARKit, the first channels */
	JC_XR_FACE_PRESETS = 16, /* presets of VRM 1.0, the channels after them */
	JC_XR_FACE_CHANNELS = JC_XR_FACE_SHAPES + JC_XR_FACE_PRESETS,
};

/* The part of a face that a shape moves; a runtime may have lost one of them. */
enum jc_xr_face_region {
	JC_XR_FACE_LOWER,
	JC_XR_FACE_UPPER_LEFT,
	JC_XR_FACE_UPPER_RIGHT,
	JC_XR_FACE_UPPER_MIDDLE, /* both sides */
	JC_XR_FACE_LOOK_LEFT,    /* direction of the left eye */
	JC_XR_FACE_LOOK_RIGHT,
};

/* channel `to` += weight * operand `from` */
struct jc_xr_face_term {
	uint8_t to, from;
	float weight;
};

/* Terms of weighted sums, grouped by ascending `to`. */
struct jc_xr_face_sums {
	const struct jc_xr_face_term *terms;
	size_t count;
};

extern const char *const jc_xr_face_channels[JC_XR_FACE_CHANNELS];
extern const enum jc_xr_face_region jc_xr_face_regions[JC_XR_FACE_SHAPES];

/* Shapes from the parameters of XR_FB_face_tracking2, of XR_HTC_facial_tracking (of the eyes, then
 * of the lips) and of XR_ANDROID_face_tracking. */
extern const struct jc_xr_face_sums jc_xr_fb_shapes, jc_xr_htc_shapes, jc_xr_android_shapes;

/* Presets from channels with a lower index. */
extern const struct jc_xr_face_sums jc_xr_face_presets;

#endif
