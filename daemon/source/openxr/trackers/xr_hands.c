/* Reads hands with one tracker each; one may be lost while the other continues. */
#include "source/openxr/trackers/xr_hands.h"

#include <string.h>

static const int palms[JC_HANDS] = { JC_JOINT_LEFT_HAND_PALM, JC_JOINT_RIGHT_HAND_PALM };

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

	for (int i = 0; i < JC_HANDS; i++) {
		if (hands->handles[i]) {
			session->instance->call.DestroyHandTrackerEXT(hands->handles[i]);
		}
		hands->handles[i] = XR_NULL_HANDLE;
	}
}

/* The optional structure: the source of the data, in both calls. */
#define DATA_SOURCE UINT32_C(1)

static const char *const structures[] = { "data source" };

static uint32_t structures_of(const struct jc_xr_session *session)
{
	return session->instance->has[JC_XR_HAND_SOURCE] ? DATA_SOURCE : 0;
}

struct opening {
	struct jc_xr_tracker *tracker;
	const struct jc_xr_session *session;
};

static XrResult open_with(void *context, uint32_t chained)
{
	static const XrHandEXT sides[JC_HANDS] = { XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT };
	const struct opening *opening = context;
	struct jc_xr_tracked_hands *hands = hands_of(opening->tracker);
	XrHandTrackingDataSourceEXT sources[] = { XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT,
		XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT };
	const XrHandTrackingDataSourceInfoEXT accepted = {
		.type = XR_TYPE_HAND_TRACKING_DATA_SOURCE_INFO_EXT,
		.requestedDataSourceCount = sizeof(sources) / sizeof(sources[0]),
		.requestedDataSources = sources,
	};
	XrResult result = XR_SUCCESS;

	close_hands(opening->tracker, opening->session);
	for (int i = 0; XR_SUCCEEDED(result) && i < JC_HANDS; i++) {
		const XrHandTrackerCreateInfoEXT info = {
			.type = XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT,
			.next = chained & DATA_SOURCE ? &accepted : NULL,
			.hand = sides[i],
			.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT,
		};

		result = opening->session->instance->call.CreateHandTrackerEXT(
			opening->session->handle, &info, &hands->handles[i]);
	}
	return result;
}

static XrResult open_hands(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct opening opening = { tracker, session };
	struct jc_xr_tracked_hands *hands = hands_of(tracker);

	for (int i = 0; i < JC_HANDS; i++) {
		hands->handles[i] = XR_NULL_HANDLE;
	}
	XrResult result =
		jc_xr_chain_call(&tracker->chain, structures_of(session), open_with, &opening);

	if (XR_FAILED(result)) {
		close_hands(tracker, session);
	}
	return result;
}

/* The buffers of a call of xrLocateHandJointsEXT. */
struct location {
	const struct jc_xr_session *session;
	XrHandTrackerEXT handle;
	XrTime time;
	XrHandJointLocationEXT joints[XR_HAND_JOINT_COUNT_EXT];
	XrHandTrackingDataSourceStateEXT source;
	XrHandJointLocationsEXT all;
};

static XrResult locate_with(void *context, uint32_t chained)
{
	struct location *to = context;
	const XrHandJointsLocateInfoEXT info = { .type = XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT,
		.baseSpace = to->session->base,
		.time = to->time };

	memset(to->joints, 0, sizeof(to->joints));
	to->source = (XrHandTrackingDataSourceStateEXT){
		.type = XR_TYPE_HAND_TRACKING_DATA_SOURCE_STATE_EXT
	};
	to->all = (XrHandJointLocationsEXT){ .type = XR_TYPE_HAND_JOINT_LOCATIONS_EXT,
		.next = chained & DATA_SOURCE ? &to->source : NULL,
		.jointCount = XR_HAND_JOINT_COUNT_EXT,
		.jointLocations = to->joints };
	return to->session->instance->call.LocateHandJointsEXT(to->handle, &info, &to->all);
}

/* The runtime derives joints from a held controller: they show no fingers. */
static bool is_made_up(const struct location *location)
{
	return location->source.isActive &&
	       location->source.dataSource == XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT;
}

static XrResult locate_hand(struct jc_xr_tracked_hands *hands, int hand,
	const struct jc_xr_session *session, const struct jc_xr_poll_time *at)
{
	struct location location = {
		.session = session, .handle = hands->handles[hand], .time = at->time
	};
	XrResult result = jc_xr_chain_call(
		&hands->base.chain, structures_of(session), locate_with, &location);

	for (int i = 0; i < XR_HAND_JOINT_COUNT_EXT; i++) {
		struct jc_body_joint *joint = &hands->base.part.joints[palms[hand] + i];

		*joint = (struct jc_body_joint){ .state = JC_ABSENT };
		if (XR_SUCCEEDED(result) && location.all.isActive) {
			*joint = jc_xr_joint_from(
				location.joints[i].locationFlags, &location.joints[i].pose);
		}
		if (joint->state == JC_TRACKED && is_made_up(&location)) {
			joint->state = JC_ESTIMATED;
		}
	}
	return result;
}

static XrResult locate_hands(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_tracked_hands *hands = hands_of(tracker);
	XrResult result = locate_hand(hands, JC_HAND_LEFT, session, at);

	if (XR_SUCCEEDED(result)) {
		result = locate_hand(hands, JC_HAND_RIGHT, session, at);
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
			.chain = { .names = structures,
				.count = sizeof(structures) / sizeof(structures[0]) },
			.part = { .profile = JC_PROFILE_WEBXR_SPEC } },
	};
}
