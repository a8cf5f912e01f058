/* Spaces, and the head as a view. */
#include <string.h>

#include "mock.h"

#define EYE_DISTANCE 0.064f

/* Returns how many there are. */
static uint32_t list_spaces(XrReferenceSpaceType out_types[4])
{
	uint32_t count = 0;

	out_types[count++] = XR_REFERENCE_SPACE_TYPE_VIEW;
	out_types[count++] = XR_REFERENCE_SPACE_TYPE_LOCAL;
	if (mock.knobs.stage != 0.0) {
		out_types[count++] = XR_REFERENCE_SPACE_TYPE_STAGE;
	}
	if (mock.knobs.local_floor != 0.0 && mock_is_enabled("XR_EXT_local_floor")) {
		out_types[count++] =
			(XrReferenceSpaceType)MOCK_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT;
	}
	return count;
}

static XrResult XRAPI_CALL enumerate_reference_spaces(
	XrSession session, uint32_t capacity, uint32_t *count, XrReferenceSpaceType *spaces)
{
	XrResult result = mock_enter("xrEnumerateReferenceSpaces", MOCK_SESSION, ID(session));
	XrReferenceSpaceType types[4];

	if (result != XR_SUCCESS) {
		return result;
	}
	*count = list_spaces(types);
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	if (capacity < *count) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	memcpy(spaces, types, *count * sizeof(*types));
	return mock_leave(XR_SUCCESS);
}

static bool is_supported(XrReferenceSpaceType type)
{
	XrReferenceSpaceType types[4];
	uint32_t count = list_spaces(types);

	for (uint32_t i = 0; i < count; i++) {
		if (types[i] == type) {
			return true;
		}
	}
	return false;
}

bool mock_is_unit(XrQuaternionf q)
{
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;

	return square > 0.99f && square < 1.01f;
}

static XrResult XRAPI_CALL create_reference_space(
	XrSession session, const XrReferenceSpaceCreateInfo *info, XrSpace *space)
{
	static const char name[] = "xrCreateReferenceSpace";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_REFERENCE_SPACE_CREATE_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!is_supported(info->referenceSpaceType)) {
		return mock_leave(XR_ERROR_REFERENCE_SPACE_UNSUPPORTED);
	}
	if (!mock_is_unit(info->poseInReferenceSpace.orientation)) {
		mock_blame(name, "the pose has no orientation");
		return mock_leave(XR_ERROR_POSE_INVALID);
	}
	uint64_t handle = mock_create(MOCK_SPACE, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = (int32_t)info->referenceSpaceType;
	mock_object(handle)->pose = info->poseInReferenceSpace;
	*space = (XrSpace)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL create_action_space(
	XrSession session, const XrActionSpaceCreateInfo *info, XrSpace *space)
{
	static const char name[] = "xrCreateActionSpace";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_ACTION_SPACE_CREATE_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	const struct mock_object *action = mock_object(ID(info->action));

	if (!action || action->kind != MOCK_ACTION || !action->is_alive) {
		mock_blame(name, "no such action");
		return mock_leave(XR_ERROR_HANDLE_INVALID);
	}
	if (action->value != XR_ACTION_TYPE_POSE_INPUT) {
		return mock_leave(XR_ERROR_ACTION_TYPE_MISMATCH);
	}
	if (!mock_is_unit(info->poseInActionSpace.orientation)) {
		mock_blame(name, "the pose has no orientation");
		return mock_leave(XR_ERROR_POSE_INVALID);
	}
	uint64_t handle = mock_create(MOCK_SPACE, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->action = (uint32_t)ID(info->action);
	mock_object(handle)->path = info->subactionPath;
	*space = (XrSpace)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_space(XrSpace space)
{
	return mock_end("xrDestroySpace", MOCK_SPACE, ID(space));
}

static void note_located(XrSpaceLocationFlags flags)
{
	if (flags && !mock.located_ns) {
		mock.located_ns = mock_now();
	}
}

/* 0: the time is not known. */
static void fill_sample_time(
	const char *name, const struct mock_object *space, const XrSpaceLocation *location)
{
	XrEyeGazeSampleTimeEXT *sample = mock_chained(location, XR_TYPE_EYE_GAZE_SAMPLE_TIME_EXT);

	if (!sample) {
		return;
	}
	if (!mock_is_gaze(space->action)) {
		mock_blame(name, "asked about the time of a gaze for another space");
	}
	sample->time = mock.knobs.gaze_time != 0.0
			       ? mock_to_xr(mock_sample() - (int64_t)(mock.knobs.face_age * 1e9))
			       : 0;
}

static XrResult XRAPI_CALL locate_space(
	XrSpace space, XrSpace base, XrTime time, XrSpaceLocation *location)
{
	static const char name[] = "xrLocateSpace";
	XrResult result = mock_enter(name, MOCK_SPACE, ID(space));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, location, XR_TYPE_SPACE_LOCATION, XR_TYPE_SPACE_VELOCITY,
		    XR_TYPE_EYE_GAZE_SAMPLE_TIME_EXT, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, time)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	if (location->locationFlags) {
		mock_blame(name, "the location was not cleared before");
	}
	XrResult refusal = mock_check_chain(location);

	if (refusal != XR_SUCCESS) {
		return mock_leave(refusal);
	}
	fill_sample_time(name, mock_object(ID(space)), location);
	location->locationFlags = mock_locate_space(ID(space), ID(base), &location->pose);
	note_located(location->locationFlags);
	return mock_leave(mock_object(ID(space))->is_xdev && !location->locationFlags
				  ? (XrResult)mock.knobs.xdev_result
				  : XR_SUCCESS);
}

static XrResult XRAPI_CALL locate_views(XrSession session, const XrViewLocateInfo *info,
	XrViewState *state, uint32_t capacity, uint32_t *count, XrView *views)
{
	static const char name[] = "xrLocateViews";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	XrPosef head;

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_VIEW_LOCATE_INFO, 0) ||
		!mock_expect(name, state, XR_TYPE_VIEW_STATE, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_check_time(name, info->displayTime)) {
		return mock_leave(XR_ERROR_TIME_INVALID);
	}
	*count = 2;
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	state->viewStateFlags = mock_locate_device("view", ID(info->space), &head);
	note_located(state->viewStateFlags);
	for (uint32_t i = 0; i < 2 && i < capacity; i++) {
		if (!mock_expect(name, &views[i], XR_TYPE_VIEW, 0)) {
			return mock_leave(XR_ERROR_VALIDATION_FAILURE);
		}
		views[i].pose = head;
		views[i].pose.position.x += ((float)i - 0.5f) * EYE_DISTANCE;
		views[i].fov = (XrFovf){ -0.8f, 0.8f, 0.8f, -0.8f };
	}
	return mock_leave(capacity < 2 ? XR_ERROR_SIZE_INSUFFICIENT : XR_SUCCESS);
}

const struct mock_function mock_space_functions[] = {
	{ "xrEnumerateReferenceSpaces", NULL, (PFN_xrVoidFunction)enumerate_reference_spaces },
	{ "xrCreateReferenceSpace", NULL, (PFN_xrVoidFunction)create_reference_space },
	{ "xrCreateActionSpace", NULL, (PFN_xrVoidFunction)create_action_space },
	{ "xrDestroySpace", NULL, (PFN_xrVoidFunction)destroy_space },
	{ "xrLocateSpace", NULL, (PFN_xrVoidFunction)locate_space },
	{ "xrLocateViews", NULL, (PFN_xrVoidFunction)locate_views },
	{ NULL, NULL, NULL },
};
