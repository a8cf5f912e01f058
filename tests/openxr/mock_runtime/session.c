/* Sessions and their states. */
#include "mock.h"

uint64_t mock_session(void)
{
	for (uint32_t i = mock.object_count; i > 0; i--) {
		if (mock_object(i)->kind == MOCK_SESSION && mock_object(i)->is_alive) {
			return i;
		}
	}
	return 0;
}

void mock_change_state(XrSessionState state)
{
	const XrEventDataSessionStateChanged event = {
		.type = XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED,
		.session = (XrSession)(uintptr_t)mock_session(),
		.state = state,
		.time = mock_to_xr(mock_now()),
	};

	mock.session_state = state;
	mock_push_event(&event, sizeof(event));
}

static XrResult XRAPI_CALL create_session(
	XrInstance instance, const XrSessionCreateInfo *info, XrSession *session)
{
	static const char name[] = "xrCreateSession";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_SESSION_CREATE_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock_is_enabled("XR_MND_headless")) {
		return mock_leave(XR_ERROR_GRAPHICS_DEVICE_INVALID);
	}
	if (mock_session()) {
		mock_blame(name, "the one before is still there");
	}
	uint64_t handle = mock_create(MOCK_SESSION, ID(instance));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock.is_running = mock.is_leaving = mock.is_attached = mock.is_synced = false;
	mock_change_state(XR_SESSION_STATE_IDLE);
	if (mock.knobs.auto_ready != 0.0) {
		mock_change_state(XR_SESSION_STATE_READY);
	}
	*session = (XrSession)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_session(XrSession session)
{
	XrResult result = mock_enter("xrDestroySession", MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	mock_destroy("xrDestroySession", ID(session));
	mock.is_running = false;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL begin_session(XrSession session, const XrSessionBeginInfo *info)
{
	static const char name[] = "xrBeginSession";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_SESSION_BEGIN_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.is_running || mock.session_state != XR_SESSION_STATE_READY) {
		mock_blame(name, "in state %d", (int)mock.session_state);
		return mock_leave(
			mock.is_running ? XR_ERROR_SESSION_RUNNING : XR_ERROR_SESSION_NOT_READY);
	}
	mock.is_running = true;
	mock_change_state(XR_SESSION_STATE_SYNCHRONIZED);
	mock_change_state(XR_SESSION_STATE_VISIBLE);
	mock_change_state(XR_SESSION_STATE_FOCUSED);
	mock_push_presence();
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL end_session(XrSession session)
{
	XrResult result = mock_enter("xrEndSession", MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock.is_running || mock.session_state != XR_SESSION_STATE_STOPPING) {
		mock_blame("xrEndSession", "in state %d", (int)mock.session_state);
		return mock_leave(XR_ERROR_SESSION_NOT_STOPPING);
	}
	mock.is_running = mock.is_synced = false;
	mock_change_state(XR_SESSION_STATE_IDLE);
	if (mock.is_leaving) {
		mock_change_state(XR_SESSION_STATE_EXITING);
	}
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL request_exit(XrSession session)
{
	XrResult result = mock_enter("xrRequestExitSession", MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock.is_running) {
		return mock_leave(XR_ERROR_SESSION_NOT_RUNNING);
	}
	mock.is_leaving = true;
	mock_change_state(XR_SESSION_STATE_STOPPING);
	return mock_leave(XR_SUCCESS);
}

const struct mock_function mock_session_functions[] = {
	{ "xrCreateSession", NULL, (PFN_xrVoidFunction)create_session },
	{ "xrDestroySession", NULL, (PFN_xrVoidFunction)destroy_session },
	{ "xrBeginSession", NULL, (PFN_xrVoidFunction)begin_session },
	{ "xrEndSession", NULL, (PFN_xrVoidFunction)end_session },
	{ "xrRequestExitSession", NULL, (PFN_xrVoidFunction)request_exit },
	{ NULL, NULL, NULL },
};
