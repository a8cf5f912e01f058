/* Converts flags and poses of OpenXR to those of humanoid.h. */
#include "source/openxr/trackers/xr_tracker.h"

#include <math.h>

void jc_xr_tracker_open(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	tracker->result = tracker->ops->open(tracker, session);
	tracker->is_open = XR_SUCCEEDED(tracker->result);
	tracker->rest_revision = 0;
	tracker->failures = 0;
	tracker->live_ns = 0;
}

bool jc_xr_is_silent(int64_t live_ns, int64_t now_ns)
{
	return live_ns == 0 || now_ns - live_ns > JC_XR_SILENCE_NS;
}

void jc_xr_tracker_locate(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	tracker->part.live = false;
	tracker->fault = NULL;
	if (!tracker->is_open) {
		return;
	}
	tracker->result = tracker->ops->locate(tracker, session, at);
	if (XR_SUCCEEDED(tracker->result)) {
		tracker->failures = 0;
		tracker->live_ns = tracker->part.live ? at->clock.now_ns : tracker->live_ns;
		tracker->is_silent = jc_xr_is_silent(tracker->live_ns, at->clock.now_ns);
		return;
	}
	tracker->part.live = false;
	tracker->is_stale = false;
	tracker->fault = NULL;
	if (++tracker->failures >= JC_XR_FAILURES_MOST) {
		tracker->ops->close(tracker, session);
		tracker->is_open = false;
	}
}

void jc_xr_tracker_close(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	if (tracker->is_open) {
		tracker->ops->close(tracker, session);
	}
	tracker->is_open = false;
	tracker->part.live = false;
	tracker->is_stale = false;
	tracker->fault = NULL;
	tracker->result = XR_SUCCESS;
	tracker->failures = 0;
	tracker->chain.refused = 0;
}

struct jc_device_pose jc_xr_pose_from(const XrPosef *pose)
{
	return (struct jc_device_pose){
		.position = { pose->position.x, pose->position.y, pose->position.z },
		.orientation = { pose->orientation.x, pose->orientation.y, pose->orientation.z,
			pose->orientation.w },
	};
}

enum jc_state jc_xr_state_from(XrSpaceLocationFlags flags)
{
	const XrSpaceLocationFlags valid =
		XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
	const XrSpaceLocationFlags tracked =
		XR_SPACE_LOCATION_POSITION_TRACKED_BIT | XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT;

	if ((flags & valid) != valid) {
		return JC_ABSENT;
	}
	return (flags & tracked) == tracked ? JC_TRACKED : JC_ESTIMATED;
}

struct jc_body_joint jc_xr_joint_from(XrSpaceLocationFlags flags, const XrPosef *pose)
{
	struct jc_device_pose from = jc_xr_pose_from(pose);

	return (struct jc_body_joint){ .position = from.position,
		.orientation = from.orientation,
		.state = (uint8_t)jc_xr_state_from(flags) };
}

bool jc_xr_part_has_joints(const struct jc_xr_part *part)
{
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		if (part->joints[i].state != JC_ABSENT) {
			return true;
		}
	}
	return false;
}

#define FLOOR_SLACK 0.2f    /* maximum height of an ankle above the floor, metres */
#define SOLE        0.0159f /* height of the ball of the foot, in units of hips height */

bool jc_xr_rest_settle(struct jc_body_frame *rest)
{
	static const enum jc_joint feet[] = { JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_LEFT_FOOT_BALL,
		JC_JOINT_RIGHT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_BALL };
	const struct jc_body_joint *hips = &rest->joints[JC_JOINT_HIPS];
	struct jc_vec3 origin = hips->position;
	float lowest = INFINITY;

	for (size_t i = 0; i < sizeof(feet) / sizeof(feet[0]); i++) {
		if (rest->joints[feet[i]].state != JC_ABSENT) {
			lowest = fminf(lowest, rest->joints[feet[i]].position.y);
		}
	}
	float height = origin.y - lowest;

	if (hips->state == JC_ABSENT || !(height > 0.0f) || !isfinite(height)) {
		return false;
	}
	float floor = lowest >= 0.0f && lowest <= FLOOR_SLACK ? 0.0f : lowest - SOLE * height;

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		rest->joints[i].position.x -= origin.x;
		rest->joints[i].position.y -= floor;
		rest->joints[i].position.z -= origin.z;
	}
	return true;
}
