/* Simulates XR_FB_body_tracking with Meta's extensions: legs, calibration, fidelity. */
#include "mock.h"

#define JOINT_NONE_META 85

static XrResult check_joint_set(int32_t joint_set)
{
	bool is_full = mock_is_enabled("XR_META_body_tracking_full_body");

	if (joint_set != MOCK_JOINT_SET_DEFAULT_FB &&
		!(joint_set == MOCK_JOINT_SET_FULL_BODY_META && is_full)) {
		mock_blame("xrCreateBodyTrackerFB", "joint set %d", joint_set);
		return XR_ERROR_VALIDATION_FAILURE;
	}
	bool is_supported = joint_set == MOCK_JOINT_SET_DEFAULT_FB
				    ? mock.knobs.supports_fb != 0.0
				    : mock.knobs.supports_full != 0.0;

	return is_supported ? XR_SUCCESS : XR_ERROR_FEATURE_UNSUPPORTED;
}

static XrResult XRAPI_CALL create_tracker(
	XrSession session, const struct mock_tracker_info *info, MockTrackerFB *tracker)
{
	static const char name[] = "xrCreateBodyTrackerFB";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_BODY_TRACKER_CREATE_INFO_FB, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = check_joint_set(info->joint_set);
	if (result != XR_SUCCESS) {
		return mock_leave(result);
	}
	uint64_t handle = mock_create(MOCK_TRACKER_FB, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = info->joint_set;
	*tracker = (MockTrackerFB)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_tracker(MockTrackerFB tracker)
{
	return mock_end("xrDestroyBodyTrackerFB", MOCK_TRACKER_FB, ID(tracker));
}

static uint32_t joint_count(MockTrackerFB tracker)
{
	return mock_object(ID(tracker))->value == MOCK_JOINT_SET_DEFAULT_FB ? MOCK_JOINT_COUNT_FB
									    : MOCK_JOINT_COUNT_META;
}

/* As Monado 25.1 does: after the joints, and only for an active body. The device has neither
 * status without the feature. */
static XrResult fill_statuses(const struct mock_locations_fb *locations)
{
	struct mock_status_meta *calibration =
		mock_chained(locations, MOCK_TYPE_CALIBRATION_STATUS_META);
	struct mock_status_meta *fidelity = mock_chained(locations, MOCK_TYPE_FIDELITY_STATUS_META);

	if ((calibration && mock.knobs.supports_height == 0.0) ||
		(fidelity && mock.knobs.supports_fidelity == 0.0)) {
		mock.refused_calls++;
		return XR_ERROR_FEATURE_UNSUPPORTED;
	}
	if (calibration) {
		calibration->value = (int32_t)mock.knobs.calibration;
	}
	if (fidelity) {
		fidelity->value = (int32_t)mock.knobs.fidelity;
	}
	return mock_check_chain(locations);
}

static void fill(struct mock_locations_fb *locations, uint64_t base)
{
	if (mock.knobs.active == 0.0) {
		/* As a runtime does: the rest of the fields is left as it was, and
		 * so are the legs. */
		for (uint32_t i = 0; i < MOCK_JOINT_COUNT_FB; i++) {
			locations->joints[i].flags = 0;
		}
		locations->is_active = XR_FALSE;
		return;
	}
	for (uint32_t i = 0; i < locations->joint_count; i++) {
		struct mock_location *joint = &locations->joints[i];

		joint->flags = mock_locate(MOCK_STREAM_FB, i, base, &joint->pose);
	}
	if (mock.knobs.root_valid != 0.0) {
		locations->joints[0].flags =
			mock_locate(MOCK_STREAM_FB, 1, base, &locations->joints[0].pose);
		locations->joints[0].pose.position.y = 0.0f;
	}
	locations->is_active = XR_TRUE;
	locations->confidence = (float)mock.knobs.confidence;
	locations->skeleton_changed_count = (uint32_t)mock.knobs.skeleton;
	locations->time = mock_to_xr(mock_sample());
	if (locations->joints[1].flags && !mock.located_ns) {
		mock.located_ns = mock_now();
	}
}

static bool is_cleared(const struct mock_locations_fb *locations)
{
	for (uint32_t i = 0; i < locations->joint_count; i++) {
		if (locations->joints[i].flags) {
			return false;
		}
	}
	return !locations->is_active && !locations->time;
}

static XrResult XRAPI_CALL locate(MockTrackerFB tracker, const struct mock_locate_info *info,
	struct mock_locations_fb *locations)
{
	static const char name[] = "xrLocateBodyJointsFB";
	XrResult result = mock_enter(name, MOCK_TRACKER_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_BODY_JOINTS_LOCATE_INFO_FB, 0) ||
		!mock_expect(name, locations, MOCK_TYPE_BODY_JOINT_LOCATIONS_FB,
			MOCK_TYPE_CALIBRATION_STATUS_META, MOCK_TYPE_FIDELITY_STATUS_META, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, info->time)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	if (locations->joint_count != joint_count(tracker) || !locations->joints) {
		mock_blame(name, "%u joints", locations->joint_count);
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!is_cleared(locations)) {
		mock_blame(name, "the locations were not cleared before");
	}
	fill(locations, ID(info->base_space));
	return mock_leave(locations->is_active ? fill_statuses(locations) : XR_SUCCESS);
}

/* Parents as Meta's runtimes have them, by index of the joint. */
static int32_t parent_of(uint32_t joint)
{
	static const int8_t parents[MOCK_JOINT_COUNT_META] = { -1, 0, 1, 2, 3, 4, 5, 6, 5, 8, 9, 10,
		11, 5, 13, 14, 15, 16, 19, 11, 19, 20, 21, 22, 19, 24, 25, 26, 27, 19, 29, 30, 31,
		32, 19, 34, 35, 36, 37, 19, 39, 40, 41, 42, 45, 16, 45, 46, 47, 48, 45, 50, 51, 52,
		53, 45, 55, 56, 57, 58, 45, 60, 61, 62, 63, 45, 65, 66, 67, 68, 1, 70, 71, 72, 73,
		74, 75, 1, 77, 78, 79, 80, 81, 82 };

	return joint == 0 ? (int32_t)mock.knobs.no_parent : parents[joint];
}

static XrResult XRAPI_CALL get_skeleton(MockTrackerFB tracker, struct mock_skeleton_fb *skeleton)
{
	static const char name[] = "xrGetBodySkeletonFB";
	XrResult result = mock_enter(name, MOCK_TRACKER_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	uint32_t count = joint_count(tracker);

	if (!mock_expect(name, skeleton, MOCK_TYPE_BODY_SKELETON_FB, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (skeleton->joint_count != count || !skeleton->joints) {
		mock_blame(name, "%u joints", skeleton->joint_count);
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	for (uint32_t i = 0; i < count; i++) {
		/* 29 has no divisor in common with 70 and 84, and 28 i + 13 is no
		 * multiple of either: none stays where it was. */
		uint32_t entry = mock.knobs.scramble != 0.0 ? (i * 29 + 13) % count : i;

		skeleton->joints[entry].joint = (int32_t)i;
		skeleton->joints[entry].parent_joint = parent_of(i);
		if (!mock_rest(MOCK_STREAM_FB, i, &skeleton->joints[entry].pose)) {
			return mock_leave(XR_ERROR_RUNTIME_FAILURE);
		}
		if (mock.knobs.partial != 0.0 && mock.streams[MOCK_STREAM_FB].columns[i] < 0) {
			skeleton->joints[entry].joint = JOINT_NONE_META;
			skeleton->joints[entry].parent_joint = JOINT_NONE_META;
		}
	}
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL request_fidelity(MockTrackerFB tracker, int32_t fidelity)
{
	static const char name[] = "xrRequestBodyTrackingFidelityMETA";
	XrResult result = mock_enter(name, MOCK_TRACKER_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (fidelity != 1 && fidelity != 2) {
		mock_blame(name, "fidelity %d", fidelity);
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.knobs.supports_fidelity == 0.0) {
		return mock_leave(XR_ERROR_FEATURE_UNSUPPORTED);
	}
	mock.knobs.fidelity = fidelity;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL suggest_height(
	MockTrackerFB tracker, const struct mock_calibration_info_meta *info)
{
	static const char name[] = "xrSuggestBodyTrackingCalibrationOverrideMETA";
	XrResult result = mock_enter(name, MOCK_TRACKER_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_CALIBRATION_INFO_META, 0) ||
		!(info->body_height >= 0.5f && info->body_height <= 3.0f)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.knobs.supports_height == 0.0) {
		return mock_leave(XR_ERROR_FEATURE_UNSUPPORTED);
	}
	mock.height_override = info->body_height;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL reset_calibration(MockTrackerFB tracker)
{
	static const char name[] = "xrResetBodyTrackingCalibrationMETA";
	XrResult result = mock_enter(name, MOCK_TRACKER_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	mock.height_override = 0.0f;
	return mock_leave(XR_SUCCESS);
}

#define BODY        "XR_FB_body_tracking"
#define CALIBRATION "XR_META_body_tracking_calibration"
#define FIDELITY    "XR_META_body_tracking_fidelity"

const struct mock_function mock_body_fb_functions[] = {
	{ "xrCreateBodyTrackerFB", BODY, (PFN_xrVoidFunction)create_tracker },
	{ "xrDestroyBodyTrackerFB", BODY, (PFN_xrVoidFunction)destroy_tracker },
	{ "xrLocateBodyJointsFB", BODY, (PFN_xrVoidFunction)locate },
	{ "xrGetBodySkeletonFB", BODY, (PFN_xrVoidFunction)get_skeleton },
	{ "xrRequestBodyTrackingFidelityMETA", FIDELITY, (PFN_xrVoidFunction)request_fidelity },
	{ "xrSuggestBodyTrackingCalibrationOverrideMETA", CALIBRATION,
		(PFN_xrVoidFunction)suggest_height },
	{ "xrResetBodyTrackingCalibrationMETA", CALIBRATION,
		(PFN_xrVoidFunction)reset_calibration },
	{ NULL, NULL, NULL },
};
