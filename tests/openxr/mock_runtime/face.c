/* Simulates XR_FB_face_tracking2, XR_HTC_facial_tracking and XR_ANDROID_face_tracking. The script
 * sets the weights by index, for whichever of them is asked. */
#include <string.h>

#include "mock.h"

static XrResult create(const char *name, XrSession session, enum mock_kind kind, int32_t value,
	bool is_supported, uint64_t *out_handle)
{
	if (!is_supported) {
		return XR_ERROR_FEATURE_UNSUPPORTED;
	}
	if (!mock_is_enabled(kind == MOCK_FACE_FB    ? MOCK_FACE_FB_NAME
			     : kind == MOCK_FACE_HTC ? MOCK_FACE_HTC_NAME
						     : MOCK_FACE_ANDROID_NAME)) {
		mock_blame(name, "the extension is not enabled");
		return XR_ERROR_FUNCTION_UNSUPPORTED;
	}
	*out_handle = mock_create(kind, ID(session));
	if (!*out_handle) {
		return XR_ERROR_LIMIT_REACHED;
	}
	mock_object(*out_handle)->value = value;
	return XR_SUCCESS;
}

static bool has_zeros(const float *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (values[i] != 0.0f) {
			return false;
		}
	}
	return true;
}

/* Checks what all three expect of the arrays of a call: their size, and no value of an earlier
 * call, which an invalid face leaves in them. */
static bool check_arrays(
	const char *name, const float *values, uint32_t count, uint32_t due, bool was_valid)
{
	if (count != due || !values) {
		mock_blame(name, "%u values", count);
		return false;
	}
	if (was_valid || !has_zeros(values, count)) {
		mock_blame(name, "the values were not cleared before");
	}
	if (!mock.is_running) {
		mock_blame(name, "called while no session runs");
	}
	return true;
}

static XrTime sample_time(void)
{
	return mock_to_xr(mock_sample() - (int64_t)(mock.knobs.face_age * 1e9));
}

/* Sources: bit 0 cameras, bit 1 microphone. */
static XrResult check_sources(const char *name, const struct mock_face_info_fb *info)
{
	int wanted = 0;

	for (uint32_t i = 0; i < info->source_count; i++) {
		int32_t source = info->sources ? info->sources[i] : -1;

		if (source < 0 || source > 1 || wanted >> source & 1) {
			mock_blame(name, "source %d", source);
			return XR_ERROR_VALIDATION_FAILURE;
		}
		wanted |= 1 << source;
	}
	return wanted & ~(int)mock.knobs.supports_fb_face ? XR_ERROR_FEATURE_UNSUPPORTED
							  : XR_SUCCESS;
}

static XrResult XRAPI_CALL create_fb(
	XrSession session, const struct mock_face_info_fb *info, MockFaceFB *tracker)
{
	static const char name[] = "xrCreateFaceTracker2FB";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	uint64_t handle = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_FACE_TRACKER_CREATE_INFO2_FB, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = info->expression_set == 0 ? check_sources(name, info)
					   : XR_ERROR_FEATURE_UNSUPPORTED;
	if (result == XR_SUCCESS) {
		result = create(name, session, MOCK_FACE_FB, 0, mock.knobs.supports_fb_face != 0.0,
			&handle);
	}
	if (result == XR_SUCCESS) {
		*tracker = (MockFaceFB)(uintptr_t)handle;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL destroy_fb(MockFaceFB tracker)
{
	return mock_end("xrDestroyFaceTracker2FB", MOCK_FACE_FB, ID(tracker));
}

/* As Monado does, an invalid face leaves everything but the flag as it was. */
static XrResult XRAPI_CALL get_fb(
	MockFaceFB tracker, const struct mock_face_time *info, struct mock_face_fb *face)
{
	static const char name[] = "xrGetFaceExpressionWeights2FB";
	XrResult result = mock_enter(name, MOCK_FACE_FB, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_FACE_EXPRESSION_INFO2_FB, 0) ||
		!mock_expect(name, face, MOCK_TYPE_FACE_EXPRESSION_WEIGHTS2_FB, 0) ||
		!check_arrays(name, face->weights, face->weight_count, MOCK_FACE_COUNT_FB,
			face->is_valid) ||
		!check_arrays(name, face->confidences, face->confidence_count, 2, face->is_valid)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, info->time)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	face->is_valid = mock.knobs.face_valid != 0.0;
	if (face->is_valid) {
		memcpy(face->weights, mock.weights, MOCK_FACE_COUNT_FB * sizeof(float));
		face->confidences[0] = (float)mock.knobs.face_lower;
		face->confidences[1] = (float)mock.knobs.face_upper;
		face->is_eye_following = mock.knobs.face_eyes != 0.0;
		face->data_source = mock.knobs.supports_fb_face == 2.0;
		face->time = sample_time();
	}
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL create_htc(
	XrSession session, const struct mock_tracker_info *info, MockFaceHTC *tracker)
{
	static const char name[] = "xrCreateFacialTrackerHTC";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	uint64_t handle = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC, 0) ||
		info->joint_set < MOCK_FACE_EYES_HTC || info->joint_set > MOCK_FACE_LIPS_HTC) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = create(name, session, MOCK_FACE_HTC, info->joint_set,
		(int)mock.knobs.supports_htc_face & info->joint_set, &handle);
	if (result == XR_SUCCESS) {
		*tracker = (MockFaceHTC)(uintptr_t)handle;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL destroy_htc(MockFaceHTC tracker)
{
	return mock_end("xrDestroyFacialTrackerHTC", MOCK_FACE_HTC, ID(tracker));
}

static XrResult XRAPI_CALL get_htc(MockFaceHTC tracker, struct mock_face_htc *face)
{
	static const char name[] = "xrGetFacialExpressionsHTC";
	XrResult result = mock_enter(name, MOCK_FACE_HTC, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	bool is_eyes = mock_object(ID(tracker))->value == MOCK_FACE_EYES_HTC;
	uint32_t due = is_eyes ? MOCK_FACE_EYE_COUNT_HTC : MOCK_FACE_LIP_COUNT_HTC;

	if (!mock_expect(name, face, MOCK_TYPE_FACIAL_EXPRESSIONS_HTC, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!check_arrays(name, face->weights, face->count, due, face->is_active)) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	face->is_active = (is_eyes ? mock.knobs.face_eyes : mock.knobs.face_lower) != 0.0 &&
			  mock.knobs.face_valid != 0.0;
	if (face->is_active) {
		memcpy(face->weights, mock.weights + (is_eyes ? 0 : MOCK_FACE_EYE_COUNT_HTC),
			due * sizeof(float));
		face->time = sample_time();
	}
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL create_android(
	XrSession session, const XrBaseInStructure *info, MockFaceANDROID *tracker)
{
	static const char name[] = "xrCreateFaceTrackerANDROID";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	uint64_t handle = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = create(name, session, MOCK_FACE_ANDROID, 0,
		mock.knobs.supports_android_face != 0.0, &handle);
	if (result == XR_SUCCESS) {
		*tracker = (MockFaceANDROID)(uintptr_t)handle;
	}
	return mock_leave(result);
}

static XrResult XRAPI_CALL destroy_android(MockFaceANDROID tracker)
{
	return mock_end("xrDestroyFaceTrackerANDROID", MOCK_FACE_ANDROID, ID(tracker));
}

static void fill_android(struct mock_face_android *face)
{
	memcpy(face->parameters, mock.weights, MOCK_FACE_COUNT_ANDROID * sizeof(float));
	face->confidences[0] = (float)mock.knobs.face_lower;
	face->confidences[1] = (float)mock.knobs.face_upper;
	face->confidences[2] = (float)mock.knobs.face_right;
	face->time = sample_time();
}

static XrResult XRAPI_CALL get_android(
	MockFaceANDROID tracker, const struct mock_face_time *info, struct mock_face_android *face)
{
	static const char name[] = "xrGetFaceStateANDROID";
	XrResult result = mock_enter(name, MOCK_FACE_ANDROID, ID(tracker));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_FACE_STATE_GET_INFO_ANDROID, 0) ||
		!mock_expect(name, face, MOCK_TYPE_FACE_STATE_ANDROID, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, info->time)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	face->parameter_count = MOCK_FACE_COUNT_ANDROID;
	face->confidence_count = 3;
	if (!check_arrays(name, face->parameters, face->parameter_capacity, MOCK_FACE_COUNT_ANDROID,
		    face->is_valid) ||
		!check_arrays(
			name, face->confidences, face->confidence_capacity, 3, face->is_valid)) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	face->is_valid = mock.knobs.face_valid != 0.0;
	face->state = (int32_t)mock.knobs.face_state;
	if (face->is_valid) {
		fill_android(face);
	}
	return mock_leave(XR_SUCCESS);
}

const struct mock_function mock_face_functions[] = {
	{ "xrCreateFaceTracker2FB", MOCK_FACE_FB_NAME, (PFN_xrVoidFunction)create_fb },
	{ "xrDestroyFaceTracker2FB", MOCK_FACE_FB_NAME, (PFN_xrVoidFunction)destroy_fb },
	{ "xrGetFaceExpressionWeights2FB", MOCK_FACE_FB_NAME, (PFN_xrVoidFunction)get_fb },
	{ "xrCreateFacialTrackerHTC", MOCK_FACE_HTC_NAME, (PFN_xrVoidFunction)create_htc },
	{ "xrDestroyFacialTrackerHTC", MOCK_FACE_HTC_NAME, (PFN_xrVoidFunction)destroy_htc },
	{ "xrGetFacialExpressionsHTC", MOCK_FACE_HTC_NAME, (PFN_xrVoidFunction)get_htc },
	{ "xrCreateFaceTrackerANDROID", MOCK_FACE_ANDROID_NAME,
		(PFN_xrVoidFunction)create_android },
	{ "xrDestroyFaceTrackerANDROID", MOCK_FACE_ANDROID_NAME,
		(PFN_xrVoidFunction)destroy_android },
	{ "xrGetFaceStateANDROID", MOCK_FACE_ANDROID_NAME, (PFN_xrVoidFunction)get_android },
	{ NULL, NULL, NULL },
};
