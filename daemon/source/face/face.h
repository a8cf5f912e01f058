/* A face at one instant, as a headset or a phone sees it. */
#ifndef JC_FACE_H
#define JC_FACE_H

#include <stdbool.h>

#include "jointcast/types.h"
#include "source/face/face_table.h"

struct jc_face {
	bool has_shapes, has_gaze;    /* whether the members below are set */
	float shapes[JC_FACE_SHAPES]; /* 0 to 1; NaN: this shape is not tracked */
	/* Direction of the eyes relative to the head (canonical axes): yaw about +Y, then pitch
	 * about +X. */
	struct jc_quat gaze;
};

/* Computes the presets from the shapes; none may be NaN. */
void jc_face_derive(float channels[JC_FACE_CHANNELS]);

#endif
