/* XR_EXT_hand_tracking. */
#include "mock.h"

#define RADIUS 0.01f

static XrResult XRAPI_CALL create_tracker(
	XrSession session, const XrHandTrackerCreateInfoEXT *info, XrHandTrackerEXT *tracker)
{
	static const char name[] = "xrCreateHandTrackerEXT";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, 0) ||
		(info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT) ||
		info->handJointSet != XR_HAND_JOINT_SET_DEFAULT_EXT) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.knobs.supports_hands == 0.0) {
		return mock_leave(XR_ERROR_FEATURE_UNSUPPORTED);
	}
	uint64_t handle = mock_create(MOCK_HAND_TRACKER, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = (int32_t)info->hand;
	*tracker = (XrHandTrackerEXT)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_tracker(XrHandTrackerEXT tracker)
{
	return mock_end("xrDestroyHandTrackerEXT", MOCK_HAND_TRACKER, ID(tracker));
}

static void locate_joints(
	const struct mock_object *tracker, uint64_t base, XrHandJointLocationsEXT *locations)
{
	size_t first = tracker->value == XR_HAND_RIGHT_EXT ? XR_HAND_JOINT_COUNT_EXT : 0;
	XrSpaceLocationFlags any = 0;

	for (uint32_t i = 0; i < locations->jointCount; i++) {
		XrHandJointLocationEXT *joint = &locations->jointLocations[i];

		joint->locationFlags =
			mock_locate(MOCK_STREAM_HANDS, first + i, base, &joint->pose);
		joint->radius = RADIUS;
		any |= joint->locationFlags;
	}
	locations->isActive = any != 0;
	if (any && !mock.located_ns) {
		mock.located_ns = mock_now();
	}
}

static XrResult XRAPI_CALL locate(XrHandTrackerEXT tracker, const XrHandJointsLocateInfoEXT *info,
	XrHandJointLocationsEXT *locations)
{
	static const char name[] = "xrLocateHandJointsEXT";
	XrResult result = mock_enter(name, MOCK_HAND_TRACKER, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, 0) ||
		!mock_expect(name, locations, XR_TYPE_HAND_JOINT_LOCATIONS_EXT,
			XR_TYPE_HAND_JOINT_VELOCITIES_EXT, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, info->time)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	if (locations->jointCount != XR_HAND_JOINT_COUNT_EXT || !locations->jointLocations) {
		mock_blame(name, "%u joints", locations->jointCount);
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (locations->isActive || locations->jointLocations[0].locationFlags) {
		mock_blame(name, "the locations were not cleared before");
	}
	locations->isActive = XR_FALSE;
	if (mock.knobs.active != 0.0) {
		locate_joints(mock_object(ID(tracker)), ID(info->baseSpace), locations);
	}
	return mock_leave(XR_SUCCESS);
}

#define HANDS "XR_EXT_hand_tracking"

const struct mock_function mock_hand_functions[] = {
	{ "xrCreateHandTrackerEXT", HANDS, (PFN_xrVoidFunction)create_tracker },
	{ "xrDestroyHandTrackerEXT", HANDS, (PFN_xrVoidFunction)destroy_tracker },
	{ "xrLocateHandJointsEXT", HANDS, (PFN_xrVoidFunction)locate },
	{ NULL, NULL, NULL },
};
