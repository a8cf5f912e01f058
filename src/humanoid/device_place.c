/* Places joints from devices. Each device is mounted at an unknown angle, which follows from the
 * T-pose facing +Z; later rotations of the device are those of its joint. */
#include "jointcast_private/device_place.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

bool jc_device_place_is_valid(struct jc_device_pose pose)
{
	struct jc_vec3 p = pose.position;
	struct jc_quat q = pose.orientation;
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

	return fabsf(length - 1.0f) <= JC_LIMIT_UNIT_ERROR &&
	       fabsf(p.x) <= JC_LIMIT_JOINT_DISTANCE && fabsf(p.y) <= JC_LIMIT_JOINT_DISTANCE &&
	       fabsf(p.z) <= JC_LIMIT_JOINT_DISTANCE;
}

/* -Z to the front and +Y up, so +X points to the body's right. */
static struct jc_quat upright(void)
{
	return jc_quat_from_axes((struct jc_vec3){ -1.0f, 0.0f, 0.0f },
		(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, (struct jc_vec3){ 0.0f, 0.0f, -1.0f });
}

/* `lies` is the device's orientation in the T-pose; `offset` leads from the device to the joint,
 * in the device's axes. */
static struct jc_body_joint place(enum jc_joint joint, struct jc_device_pose device,
	struct jc_quat lies, struct jc_vec3 offset, enum jc_state state)
{
	struct jc_quat turned = jc_quat_multiply(device.orientation, jc_quat_conjugate(lies));

	return (struct jc_body_joint){
		.position =
			jc_vec3_add(device.position, jc_quat_rotate(device.orientation, offset)),
		.orientation =
			jc_quat_multiply(turned, jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, joint)),
		.state = (uint8_t)state,
	};
}

struct jc_body_joint jc_device_place_head(struct jc_device_pose view)
{
	return place(JC_JOINT_HEAD, view, upright(), (struct jc_vec3){ 0.0f, -0.07f, 0.075f },
		JC_TRACKED);
}

static enum jc_joint wrist(enum jc_hand hand)
{
	return hand == JC_HAND_LEFT ? JC_JOINT_LEFT_HAND_WRIST : JC_JOINT_RIGHT_HAND_WRIST;
}

/* +1 for the left hand, whose fingers point to +X in the T-pose. */
static float side(enum jc_hand hand)
{
	return hand == JC_HAND_LEFT ? 1.0f : -1.0f;
}

struct jc_body_joint jc_device_place_grip(enum jc_hand hand, struct jc_device_pose grip)
{
	float s = side(hand);
	struct jc_quat lies = jc_quat_from_axes((struct jc_vec3){ 0.0f, -s, 0.0f },
		(struct jc_vec3){ -s, 0.0f, 0.0f }, (struct jc_vec3){ 0.0f, 0.0f, -1.0f });

	return place(
		wrist(hand), grip, lies, (struct jc_vec3){ -0.03f * s, 0.08f, 0.0f }, JC_TRACKED);
}

struct jc_body_joint jc_device_place_aim(enum jc_hand hand, struct jc_device_pose aim)
{
	float s = side(hand);
	struct jc_quat lies = jc_quat_from_axes((struct jc_vec3){ 0.0f, -s, 0.0f },
		(struct jc_vec3){ 0.0f, 0.0f, 1.0f }, (struct jc_vec3){ -s, 0.0f, 0.0f });

	return place(wrist(hand), aim, lies, (struct jc_vec3){ 0.0f, -0.03f, 0.13f }, JC_ESTIMATED);
}

struct jc_body_joint jc_device_place_tracker(enum jc_joint joint, struct jc_device_pose tracker)
{
	return place(joint, tracker, upright(), (struct jc_vec3){ 0.0f, 0.0f, 0.0f }, JC_TRACKED);
}

struct jc_quat jc_device_place_turn(struct jc_device_pose tracker)
{
	return jc_quat_multiply(tracker.orientation, jc_quat_conjugate(upright()));
}
