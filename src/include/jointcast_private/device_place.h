/* Computes the pose of a joint from the pose of a device: eyes to head, controller to wrist,
 * strapped-on tracker to its limb. Joints have the draft's axes (webxr-spec); lengths fit a person
 * of 1.75 m. */
#ifndef JC_PRIVATE_DEVICE_PLACE_H
#define JC_PRIVATE_DEVICE_PLACE_H

#include <stdbool.h>

#include "jointcast/humanoid.h"

enum jc_hand {
	JC_HAND_LEFT,
	JC_HAND_RIGHT,
	JC_HANDS,
};

/* A rigid pose in OpenXR's convention. */
struct jc_device_pose {
	struct jc_vec3 position;
	struct jc_quat orientation;
};

/* Whether a body can have the pose: within JC_LIMIT_JOINT_DISTANCE, and the length of the
 * quaternion within JC_LIMIT_UNIT_ERROR; numbers that are not finite are neither. */
bool jc_device_place_is_valid(struct jc_device_pose pose);

/* VIEW: between the eyes, -Z in the direction of view, +Y up. The head joint is at the top of
 * the neck: 7 cm below and 7.5 cm behind. */
struct jc_body_joint jc_device_place_head(struct jc_device_pose view);

/* Grip: -Z from the little finger to the thumb, +X out of the left palm and into the right one,
 * so +Y towards the wrist. The origin is the centre of a handle in the palm: the wrist is 8 cm
 * along +Y and 3 cm from the palm into the hand. */
struct jc_body_joint jc_device_place_grip(enum jc_hand hand, struct jc_device_pose grip);

/* Aim, for controllers without a grip pose: -Z in the pointing direction, assumed to be that of
 * the fingers; +Y from the little finger to the thumb. The wrist is 13 cm behind and 3 cm below; it
 * counts as estimated, because controllers differ by more than that. */
struct jc_body_joint jc_device_place_aim(enum jc_hand hand, struct jc_device_pose aim);

/* A tracker strapped to the body: its position counts as the joint's, its orientation as if it
 * were worn upright with -Z to the front. A calibration (calibration.h) corrects both, because the
 * real mounting is unknown. */
struct jc_body_joint jc_device_place_tracker(enum jc_joint joint, struct jc_device_pose tracker);

/* The rotation of that tracker since the T-pose. */
struct jc_quat jc_device_place_turn(struct jc_device_pose tracker);

#endif
