/* Reads hands with one tracker each; one may be lost while the other continues. */
#include "source/openxr/trackers/xr_hands.h"

static const int palms[JC_XR_HANDS] = { JC_JOINT_LEFT_HAND_PALM, JC_JOINT_RIGHT_HAND_PALM };

static struct jc_xr_tracked_hands *hands_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_tracked_hands *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_HAND_TRACKING] && instance->call.CreateHandTrackerEXT &&
	       instance->call.LocateHandJointsEXT && instance->call.DestroyHandTrackerEXT;
}

static void close_hands(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_tracked_hands *hands = hands_of(tracker);

	for (int i = 0; i < JC_XR_HANDS; i++) {
		if (hands->handles[i]) {
			session->instance->call.DestroyHandTrackerEXT(hands->handles[i]);
		}
		hands->handles[i] = XR_NULL_HANDLE;
	}
}

static XrResult open_hands(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	static const XrHandEXT sides[JC_XR_HANDS] = { XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT };
	struct jc_xr_tracked_hands *hands = hands_of(tracker);
	XrResult result = XR_SUCCESS;

	for (int i = 0; i < JC_XR_HANDS; i++) {
		hands->handles[i] = XR_NULL_HANDLE;
	}
	for (int i = 0; XR_SUCCEEDED(result) && i < JC_XR_HANDS; i++) {
		const XrHandTrackerCreateInfoEXT info = {
			.type = XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT,
			.hand = sides[i],
			.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT,
		};

		result = session->instance->call.CreateHandTrackerEXT(
			session->handle, &info, &hands->handles[i]);
	}
	if (XR_FAILED(result)) {
		close_hands(tracker, session);
	}
	return result;
}

static XrResult locate_hand(struct jc_xr_tracked_hands *hands, int hand,
	const struct jc_xr_session *session, const struct jc_xr_poll_time *at)
{
	XrHandJointLocationEXT joints[XR_HAND_JOINT_COUNT_EXT] = { 0 };
	const XrHandJointsLocateInfoEXT info = { .type = XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT,
		.baseSpace = session->base,
		.time = at->time };
	XrHandJointLocationsEXT locations = { .type = XR_TYPE_HAND_JOINT_LOCATIONS_EXT,
		.jointCount = XR_HAND_JOINT_COUNT_EXT,
		.jointLocations = joints };
	XrResult result = session->instance->call.LocateHandJointsEXT(
		hands->handles[hand], &info, &locations);

	for (int i = 0; i < XR_HAND_JOINT_COUNT_EXT; i++) {
		struct jc_body_joint *joint = &hands->base.part.joints[palms[hand] + i];

		*joint = (struct jc_body_joint){ .state = JC_ABSENT };
		if (XR_SUCCEEDED(result) && locations.isActive) {
			*joint = jc_xr_joint_from(joints[i].locationFlags, &joints[i].pose);
		}
	}
	return result;
}

static XrResult locate_hands(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_tracked_hands *hands = hands_of(tracker);
	XrResult result = locate_hand(hands, JC_XR_LEFT, session, at);

	if (XR_SUCCEEDED(result)) {
		result = locate_hand(hands, JC_XR_RIGHT, session, at);
	}
	tracker->part.time_ns = at->clock.now_ns;
	tracker->part.confidence = 1.0f;
	tracker->part.live = XR_SUCCEEDED(result) && jc_xr_part_has_joints(&tracker->part);
	return result;
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_hands,
	.locate = locate_hands,
	.close = close_hands,
};

void jc_xr_tracked_hands_init(struct jc_xr_tracked_hands *hands)
{
	*hands = (struct jc_xr_tracked_hands){
		.base = { .ops = &ops,
			.name = "hands",
			.part = { .profile = JC_PROFILE_WEBXR_SPEC } },
	};
}
