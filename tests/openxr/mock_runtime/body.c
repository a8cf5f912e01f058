/* XR_BD_body_tracking and XR_HTC_body_tracking. */
#include "mock.h"

static XrResult create(const char *name, XrSession session, const struct mock_tracker_info *info,
	int type, enum mock_kind kind, bool is_supported, uint64_t *out_handle)
{
	if (!mock_expect(name, info, type, 0)) {
		return XR_ERROR_VALIDATION_FAILURE;
	}
	if (!is_supported) {
		return XR_ERROR_FEATURE_UNSUPPORTED;
	}
	*out_handle = mock_create(kind, ID(session));
	if (!*out_handle) {
		return XR_ERROR_LIMIT_REACHED;
	}
	mock_object(*out_handle)->value = info->joint_set;
	return XR_SUCCESS;
}

static XrResult XRAPI_CALL create_bd(
	XrSession session, const struct mock_tracker_info *info, MockTrackerBD *tracker)
{
	static const char name[] = "xrCreateBodyTrackerBD";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	uint64_t handle = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	result = create(name, session, info, MOCK_TYPE_BODY_TRACKER_CREATE_INFO_BD, MOCK_TRACKER_BD,
		mock.knobs.supports_bd != 0.0, &handle);
	if (result == XR_SUCCESS && info->joint_set != MOCK_JOINT_SET_WITHOUT_ARM_BD &&
		info->joint_set != MOCK_JOINT_SET_FULL_BD) {
		mock_blame(name, "joint set %d", info->joint_set);
		result = XR_ERROR_VALIDATION_FAILURE;
	}
	if (result == XR_SUCCESS && info->joint_set == MOCK_JOINT_SET_FULL_BD &&
		mock.knobs.bd_arms == 0.0) {
		mock_destroy(name, handle);
		result = XR_ERROR_FEATURE_UNSUPPORTED;
	}
	if (result == XR_SUCCESS) {
		*tracker = (MockTrackerBD)(uintptr_t)handle;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL create_htc(
	XrSession session, const struct mock_tracker_info *info, MockTrackerHTC *tracker)
{
	static const char name[] = "xrCreateBodyTrackerHTC";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	uint64_t handle = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	result = create(name, session, info, MOCK_TYPE_BODY_TRACKER_CREATE_INFO_HTC,
		MOCK_TRACKER_HTC, mock.knobs.supports_htc != 0.0, &handle);
	if (result == XR_SUCCESS && info->joint_set != MOCK_JOINT_SET_FULL_HTC) {
		mock_blame(name, "joint set %d", info->joint_set);
		result = XR_ERROR_VALIDATION_FAILURE;
	}
	if (result == XR_SUCCESS) {
		*tracker = (MockTrackerHTC)(uintptr_t)handle;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL destroy_bd(MockTrackerBD tracker)
{
	return mock_end("xrDestroyBodyTrackerBD", MOCK_TRACKER_BD, ID(tracker));
}

static XrResult XRAPI_CALL destroy_htc(MockTrackerHTC tracker)
{
	return mock_end("xrDestroyBodyTrackerHTC", MOCK_TRACKER_HTC, ID(tracker));
}

static XrResult check_locate(const char *name, const struct mock_locate_info *info, int type,
	uint32_t count, uint32_t due, const struct mock_location *joints)
{
	if (!mock_expect(name, info, type, 0)) {
		return XR_ERROR_VALIDATION_FAILURE;
	}
	if (!mock_check_time(name, info->time)) {
		return XR_ERROR_TIME_INVALID;
	}
	if (count != due || !joints) {
		mock_blame(name, "%u joints", count);
		return XR_ERROR_VALIDATION_FAILURE;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (joints[i].flags) {
			mock_blame(name, "the locations were not cleared before");
			break;
		}
	}
	return XR_SUCCESS;
}

/* Flags that all joints have. */
static XrSpaceLocationFlags fill(
	enum mock_stream_name stream, uint64_t base, struct mock_location *joints, uint32_t count)
{
	XrSpaceLocationFlags all = 15;

	for (uint32_t i = 0; i < count; i++) {
		joints[i].flags = mock.knobs.active != 0.0
					  ? mock_locate(stream, i, base, &joints[i].pose)
					  : 0;
		all &= joints[i].flags;
	}
	if (joints[0].flags && !mock.located_ns) {
		mock.located_ns = mock_now();
	}
	return all;
}

static XrResult XRAPI_CALL locate_bd(MockTrackerBD tracker, const struct mock_locate_info *info,
	struct mock_locations_bd *locations)
{
	static const char name[] = "xrLocateBodyJointsBD";
	XrResult result = mock_enter(name, MOCK_TRACKER_BD, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	uint32_t due = mock_object(ID(tracker))->value == MOCK_JOINT_SET_FULL_BD
			       ? MOCK_JOINT_COUNT_BD
			       : MOCK_JOINT_COUNT_WITHOUT_ARM_BD;

	if (!mock_expect(name, locations, MOCK_TYPE_BODY_JOINT_LOCATIONS_BD, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = check_locate(name, info, MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_BD,
		locations->joint_count, due, locations->joints);
	if (result == XR_SUCCESS) {
		locations->all_tracked =
			fill(MOCK_STREAM_BD, ID(info->base_space), locations->joints, due) == 15;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL locate_htc(MockTrackerHTC tracker, const struct mock_locate_info *info,
	struct mock_locations_htc *locations)
{
	static const char name[] = "xrLocateBodyJointsHTC";
	XrResult result = mock_enter(name, MOCK_TRACKER_HTC, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, locations, MOCK_TYPE_BODY_JOINT_LOCATIONS_HTC, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = check_locate(name, info, MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_HTC,
		locations->joint_count, MOCK_JOINT_COUNT_HTC, locations->joints);
	if (result == XR_SUCCESS) {
		fill(MOCK_STREAM_HTC, ID(info->base_space), locations->joints,
			MOCK_JOINT_COUNT_HTC);
		locations->combined_flags = locations->joints[0].flags;
		locations->confidence = (int32_t)mock.knobs.confidence;
		locations->skeleton_generation = (uint32_t)mock.knobs.skeleton;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL get_state_bd(XrSession session, struct mock_state_bd *state)
{
	static const char name[] = "xrGetBodyTrackingStateBD";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, state, MOCK_TYPE_BODY_TRACKING_STATE_BD, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	state->status = (int32_t)mock.knobs.bd_status;
	state->message = (int32_t)mock.knobs.bd_message;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL get_skeleton(MockTrackerHTC tracker, XrSpace base, uint32_t generation,
	struct mock_skeleton_htc *skeleton)
{
	static const char name[] = "xrGetBodySkeletonHTC";
	XrResult result = mock_enter(name, MOCK_TRACKER_HTC, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, skeleton, MOCK_TYPE_BODY_SKELETON_HTC, 0) ||
		skeleton->joint_count != MOCK_JOINT_COUNT_HTC || !mock_object(ID(base))) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (generation != (uint32_t)mock.knobs.skeleton) {
		mock_blame(name, "generation %u", generation);
	}
	for (uint32_t i = 0; i < MOCK_JOINT_COUNT_HTC; i++) {
		if (!mock_rest(MOCK_STREAM_HTC, i, &skeleton->joints[i])) {
			return mock_leave(XR_ERROR_RUNTIME_FAILURE);
		}
	}
	return mock_leave(XR_SUCCESS);
}

#define BD      "XR_BD_body_tracking"
#define METRICS "XR_BD_body_tracking_auxiliary_metrics"
#define HTC     "XR_HTC_body_tracking"

const struct mock_function mock_body_functions[] = {
	{ "xrCreateBodyTrackerBD", BD, (PFN_xrVoidFunction)create_bd },
	{ "xrDestroyBodyTrackerBD", BD, (PFN_xrVoidFunction)destroy_bd },
	{ "xrLocateBodyJointsBD", BD, (PFN_xrVoidFunction)locate_bd },
	{ "xrGetBodyTrackingStateBD", METRICS, (PFN_xrVoidFunction)get_state_bd },
	{ "xrCreateBodyTrackerHTC", HTC, (PFN_xrVoidFunction)create_htc },
	{ "xrDestroyBodyTrackerHTC", HTC, (PFN_xrVoidFunction)destroy_htc },
	{ "xrLocateBodyJointsHTC", HTC, (PFN_xrVoidFunction)locate_htc },
	{ "xrGetBodySkeletonHTC", HTC, (PFN_xrVoidFunction)get_skeleton },
	{ NULL, NULL, NULL },
};
