/* Recordings of A-Frame's motion-capture components (avatar-recorder, motion-capture-recorder): the
 * poses of the camera and of tracked controllers, one list for each.
 *
 * The JSON text is an object with a member for each entity by its id, "camera" among them, or one
 * such member alone:
 *
 *   { "poses": [{ "position": { "x", "y", "z" }, "rotation": { "x", "y", "z" }, "timestamp" }, …],
 *     "events": […], "gamepad": { "id", "hand", "index" } }
 *
 * with metres, degrees about Y, X and Z in this order (Three.js order "YXZ"), and milliseconds. */
#ifndef JC_MOTION_AFRAME_RECORDING_H
#define JC_MOTION_AFRAME_RECORDING_H

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "jointcast/types.h"

#define JC_AFRAME_DEVICES  8 /* with poses; others are left out */
#define JC_AFRAME_ID_BYTES 64

struct jc_aframe_pose {
	double t; /* seconds */
	struct jc_vec3 position;
	struct jc_vec3 degrees; /* about the axes */
};

enum jc_aframe_kind {
	JC_AFRAME_CAMERA,
	JC_AFRAME_OPENVR, /* Gamepad API of WebVR, -Z in the pointing direction */
	JC_AFRAME_TOUCH,  /* the same, of Oculus Touch */
	JC_AFRAME_GRIP,   /* WebXR's grip space: the gamepad has no id */
};

struct jc_aframe_device {
	char id[JC_AFRAME_ID_BYTES]; /* of the entity, cut off */
	char hand[8];                /* of the gamepad: "left", "right" or another text */
	enum jc_aframe_kind kind;
	size_t count, capacity;
	struct jc_aframe_pose *poses; /* owned; times increase */
};

struct jc_aframe_recording {
	size_t count;
	struct jc_aframe_device devices[JC_AFRAME_DEVICES];
};

/* At least one device with a pose on success. Poses with null in place of a number, which a device
 * without tracking has, and poses that are not later than the one before are left out. The caller
 * finishes the recording, also after an error. */
int jc_aframe_recording_read(const void *bytes, size_t length,
	struct jc_aframe_recording *out_recording, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);
void jc_aframe_recording_finish(struct jc_aframe_recording *recording);

#endif
