/* The face of a runtime, and what its trackers have in common. */
#ifndef JC_XR_FACE_H
#define JC_XR_FACE_H

#include "source/face/face.h"
#include "source/openxr/face/xr_face_table.h"
#include "source/openxr/trackers/xr_tracker.h"

/* Bits of enum jc_xr_face_region. */
#define JC_XR_FACE_ALL   UINT32_C(0x3f)
#define JC_XR_FACE_LOOKS (1u << JC_XR_FACE_LOOK_LEFT | 1u << JC_XR_FACE_LOOK_RIGHT)

#define JC_XR_FACE_REMEDY "permit face tracking in the headset's settings"

/* A tracker of a face: its part has no joints. */
struct jc_xr_face_tracker {
	struct jc_xr_tracker base;
	struct jc_xr_freshness freshness;
	struct jc_face face;
};

/* Computes the shapes from the parameters of a runtime. Parameters are clamped to 0 to 1. A shape
 * is NaN if a parameter of it is NaN, or its region has no bit in `regions`. Returns whether a
 * shape is a number. */
bool jc_xr_face_map(const struct jc_face_sums *sums, const float *parameters, uint32_t regions,
	float out_shapes[JC_FACE_SHAPES]);

/* Ends a successful locate: the tracker delivers what is in its face if that is valid and fresh.
 * time: XrTime of the sample; 0: unknown. */
void jc_xr_face_finish(struct jc_xr_face_tracker *tracker, const struct jc_xr_poll_time *at,
	XrTime time, bool is_valid);

#endif
