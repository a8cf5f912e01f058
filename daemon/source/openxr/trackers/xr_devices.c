/* Reads hand controllers and trackers from the session's actions, which are synchronised once
 * per poll. */
#include "source/openxr/trackers/xr_devices.h"

#include <stdio.h>

static const enum jc_joint wrists[JC_HANDS] = { JC_JOINT_LEFT_HAND_WRIST,
	JC_JOINT_RIGHT_HAND_WRIST };

static struct jc_xr_locating locating(
	const struct jc_xr_session *session, const struct jc_xr_poll_time *at)
{
	return (struct jc_xr_locating){ .call = &session->instance->call,
		.session = session->handle,
		.base = session->base,
		.time = at->time };
}

static void begin_part(struct jc_xr_part *part, const struct jc_xr_poll_time *at)
{
	*part = (struct jc_xr_part){
		.profile = JC_PROFILE_WEBXR_SPEC, .time_ns = at->clock.now_ns, .confidence = 1.0f
	};
}

/* Gives the joint the device's state unless its own is lower. */
static struct jc_body_joint weaken(struct jc_body_joint joint, enum jc_state state)
{
	joint.state = joint.state < (uint8_t)state ? joint.state : (uint8_t)state;
	return joint;
}

static XrResult locate_head(struct jc_xr_part *part, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	XrSpaceLocation location = { .type = XR_TYPE_SPACE_LOCATION };
	XrResult result = session->instance->call.LocateSpace(
		session->view, session->base, at->time, &location);
	enum jc_state state = jc_xr_state_from(location.locationFlags);

	if (XR_SUCCEEDED(result) && state != JC_ABSENT) {
		part->joints[JC_JOINT_HEAD] =
			weaken(jc_device_place_head(jc_xr_pose_from(&location.pose)), state);
	}
	return result;
}

static XrResult locate_wrist(struct jc_xr_part *part, enum jc_hand hand,
	const struct jc_xr_session *session, const struct jc_xr_poll_time *at)
{
	struct jc_xr_locating where = locating(session, at);
	XrSpaceLocation location;
	XrResult result = jc_xr_actions_locate(&session->actions,
		hand == JC_HAND_LEFT ? JC_XR_LEFT_GRIP : JC_XR_RIGHT_GRIP, &where, &location);
	enum jc_state state = jc_xr_state_from(location.locationFlags);

	if (XR_FAILED(result)) {
		return result;
	}
	if (state != JC_ABSENT) {
		part->joints[wrists[hand]] =
			weaken(jc_device_place_grip(hand, jc_xr_pose_from(&location.pose)), state);
		return result;
	}
	result = jc_xr_actions_locate(&session->actions,
		hand == JC_HAND_LEFT ? JC_XR_LEFT_AIM : JC_XR_RIGHT_AIM, &where, &location);
	state = jc_xr_state_from(location.locationFlags);
	if (XR_SUCCEEDED(result) && state != JC_ABSENT) {
		part->joints[wrists[hand]] =
			weaken(jc_device_place_aim(hand, jc_xr_pose_from(&location.pose)), state);
	}
	return result;
}

static bool is_always_offered(const struct jc_xr_instance *instance)
{
	(void)instance;
	return true;
}

/* The session owns spaces and actions. */
static XrResult open_nothing(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	(void)tracker;
	(void)session;
	return XR_SUCCESS;
}

static void close_nothing(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	(void)tracker;
	(void)session;
}

static XrResult locate_held(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_part *part = &tracker->part;

	begin_part(part, at);
	XrResult result =
		jc_xr_actions_sync(&session->actions, &session->instance->call, session->handle);

	/* Without focus only the head is located. */
	for (int hand = 0; result == XR_SUCCESS && hand < JC_HANDS; hand++) {
		result = locate_wrist(part, (enum jc_hand)hand, session, at);
	}
	if (XR_SUCCEEDED(result)) {
		result = locate_head(part, session, at);
	}
	bool head = part->joints[JC_JOINT_HEAD].state != JC_ABSENT;
	bool held = part->joints[wrists[JC_HAND_LEFT]].state != JC_ABSENT ||
		    part->joints[wrists[JC_HAND_RIGHT]].state != JC_ABSENT;

	tracker->name = !head ? "controllers" : held ? "head and controllers" : "head";
	part->live = head || held;
	return result;
}

static const struct jc_xr_tracker_ops held_ops = {
	.is_offered = is_always_offered,
	.open = open_nothing,
	.locate = locate_held,
	.close = close_nothing,
};

void jc_xr_held_init(struct jc_xr_tracker *held)
{
	*held = (struct jc_xr_tracker){ .ops = &held_ops, .name = "head" };
}

static bool has_trackers(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_VIVE_TRACKERS];
}

static XrResult locate_strapped(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_part *part = &tracker->part;
	struct jc_xr_locating where = locating(session, at);
	unsigned count = 0;

	begin_part(part, at);
	for (int role = 0; role < JC_TRACKER_ROLE_COUNT; role++) {
		enum jc_joint joint = jc_tracker_role_joint(role);
		XrSpaceLocation location;
		XrResult result = jc_xr_actions_locate(&session->actions,
			(enum jc_xr_device)(JC_XR_FIRST_ROLE + role), &where, &location);
		enum jc_state state = jc_xr_state_from(location.locationFlags);

		if (XR_FAILED(result)) {
			return result;
		}
		/* A tracker on a foot takes precedence over one on an ankle. */
		if (state != JC_ABSENT && part->joints[joint].state == JC_ABSENT) {
			part->joints[joint] = weaken(
				jc_device_place_tracker(joint, jc_xr_pose_from(&location.pose)),
				state);
			count++;
		}
	}
	snprintf(tracker->notes, sizeof(tracker->notes), "%u joints", count);
	part->live = count > 0;
	return XR_SUCCESS;
}

static const struct jc_xr_tracker_ops strapped_ops = {
	.is_offered = has_trackers,
	.open = open_nothing,
	.locate = locate_strapped,
	.close = close_nothing,
};

void jc_xr_strapped_init(struct jc_xr_tracker *strapped)
{
	*strapped =
		(struct jc_xr_tracker){ .ops = &strapped_ops, .is_worn = true, .name = "trackers" };
}
