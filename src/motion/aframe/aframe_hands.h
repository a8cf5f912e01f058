/* Finds the hands that hold the controllers of an A-Frame recording. */
#ifndef JC_MOTION_AFRAME_HANDS_H
#define JC_MOTION_AFRAME_HANDS_H

#include "aframe_recording.h"
#include "jointcast_private/device_place.h"

/* The tracked devices of a body, borrowed from the recording; NULL for an absent device. */
struct jc_aframe_body {
	const struct jc_aframe_device *camera;
	const struct jc_aframe_device *hands[JC_HANDS];
	/* The controllers are turned about their own Z by 90 degrees, the left one to +, the right
	 * one to -, as A-Frame's hand-controls turn them for their model of a hand. */
	bool is_turned;
};

/* The hand of a controller is that of its id if it contains "left" or "right", because components
 * take the controller for that hand whatever the gamepad's own hand is; else the gamepad's hand;
 * else the side of the body where it is for most of the time. Others are left out and named. */
void jc_aframe_hands_find(const struct jc_aframe_recording *recording,
	struct jc_aframe_body *out_body, struct jc_lint *lint);

struct jc_quat jc_aframe_hands_rotation(struct jc_vec3 degrees);

#endif
