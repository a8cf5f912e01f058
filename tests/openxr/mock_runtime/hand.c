/* XR_EXT_hand_tracking. */
#include "mock.h"

#define RADIUS  0.01f
#define HANDS   "XR_EXT_hand_tracking"
#define SOURCES "XR_EXT_hand_tracking_data_source"

/* Some sources, each once, of an enabled extension. */
static bool has_valid_sources(const char *name, const XrHandTrackerCreateInfoEXT *info)
{
	const struct mock_hand_source_info *wanted =
		mock_chained(info, MOCK_TYPE_HAND_SOURCE_INFO_EXT);
	uint32_t seen = 0;

	if (!wanted) {
		return true;
	}
	for (uint32_t i = 0; i < wanted->count; i++) {
		uint32_t bit = wanted->sources[i] == 1 || wanted->sources[i] == 2
				       ? UINT32_C(1) << wanted->sources[i]
				       : 0;

		if (!bit || seen & bit) {
			mock_blame(name, "source %d", wanted->sources[i]);
			return false;
		}
		seen |= bit;
	}
	if (!seen || !mock_is_enabled(SOURCES)) {
		mock_blame(name, "%u sources", wanted->count);
		return false;
	}
	return true;
}

static XrResult XRAPI_CALL create_tracker(
	XrSession session, const XrHandTrackerCreateInfoEXT *info, XrHandTrackerEXT *tracker)
{
	static const char name[] = "xrCreateHandTrackerEXT";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT,
		    MOCK_TYPE_HAND_SOURCE_INFO_EXT, 0) ||
		!has_valid_sources(name, info) ||
		(info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT) ||
		info->handJointSet != XR_HAND_JOINT_SET_DEFAULT_EXT) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.knobs.supports_hands == 0.0) {
		return mock_leave(XR_ERROR_FEATURE_UNSUPPORTED);
	}
	result = mock_check_chain(info);
	if (result != XR_SUCCESS) {
		return mock_leave(result);
	}
	uint64_t handle = mock_create(MOCK_HAND_TRACKER, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = (int32_t)info->hand;
	mock_object(handle)->has_sources = mock_chained(info, MOCK_TYPE_HAND_SOURCE_INFO_EXT);
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
			XR_TYPE_HAND_JOINT_VELOCITIES_EXT, MOCK_TYPE_HAND_SOURCE_STATE_EXT, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	struct mock_hand_source_state *source =
		mock_chained(locations, MOCK_TYPE_HAND_SOURCE_STATE_EXT);

	if (source && !mock_object(ID(tracker))->has_sources) {
		mock_blame(name, "the source of a tracker that was made without sources");
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
	bool has_source = mock.knobs.hand_source != 0.0 || !source;

	locations->isActive = XR_FALSE;
	if (mock.knobs.active != 0.0 && has_source) {
		locate_joints(mock_object(ID(tracker)), ID(info->baseSpace), locations);
	}
	if (source) {
		source->is_active = has_source;
		source->source = (int32_t)mock.knobs.hand_source;
	}
	return mock_leave(mock_check_chain(locations));
}

const struct mock_function mock_hand_functions[] = {
	{ "xrCreateHandTrackerEXT", HANDS, (PFN_xrVoidFunction)create_tracker },
	{ "xrDestroyHandTrackerEXT", HANDS, (PFN_xrVoidFunction)destroy_tracker },
	{ "xrLocateHandJointsEXT", HANDS, (PFN_xrVoidFunction)locate },
	{ NULL, NULL, NULL },
};
