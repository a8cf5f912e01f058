/* Finds head, hips and hands among the devices of a VMC sender (/VMC/Ext/Hmd/Pos, Con/Pos,
 * Tra/Pos): the protocol names devices by serial numbers, not by the part of the body.
 *
 * SlimeVR (VMCHandler.kt and HumanSkeleton.kt of August 2026) sends its computed trackers under
 * fixed names, in metres of the room: "human://HEAD" (Hmd) at the lower end of the neck,
 * "human://WAIST" (Tra) between the joints of the upper legs, and "human://LEFT_HAND" and
 * "human://RIGHT_HAND" (Con) at the controllers. Rotations are 0 in its upright pose with hanging
 * arms, palms inwards. Its default from the wrist to the controller is 3.5 cm along the hand and
 * 13 cm to the side of the thumb.
 *
 * Other programs send poses of devices. The headset is between the eyes, and a controller points
 * along the fingers (jc_device_place_head, jc_device_place_aim). A controller is that of the left
 * or right hand by its serial ("OculusLeftController"); without such a name, by the side of the
 * body where it is for the longer time, at least half a second. */
#ifndef JC_VMC_HANDS_H
#define JC_VMC_HANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast/vmc.h"
#include "jointcast_private/arm_completion.h"

#define JC_VMC_SIDES 2 /* controllers without a hand in their serials */

/* State of the devices of one body; initialise with `{ 0 }`. The flags are those of the last
 * call. */
struct jc_vmc_hands {
	bool is_slimevr;      /* a device has a name of SlimeVR */
	bool has_head;        /* a headset was received in the last second, */
	bool has_controllers; /* and controllers */
	bool is_unclear;      /* whether a controller is the left or the right one */
	int64_t time_ns;      /* of the last call */
	struct jc_vmc_side_of {
		char serial[JC_LIMIT_VMC_NAME_BYTES]; /* empty: free */
		int64_t time_ns;                      /* of the last message */
		float seconds; /* at the left of the body, less those at the right */
	} sides[JC_VMC_SIDES];
};

/* Finds the places in the devices at a time; `pose` is that of the body, whose yaw is that of the
 * devices. Devices that are silent for a second are left out. */
void jc_vmc_hands_find(struct jc_vmc_hands *hands, const struct jc_vmc_device *devices,
	size_t count, const struct jc_pose *pose, int64_t time_ns, struct jc_reach *out_reach);

#endif
