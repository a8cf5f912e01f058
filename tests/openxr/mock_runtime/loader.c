/* The interface to the Khronos loader: negotiation, functions by name, and the frame loop,
 * which is an error without a display. */
#include <stdlib.h>
#include <string.h>

#include "mock.h"

static XrResult forbidden(const char *name, XrSession session)
{
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	/* Monado's returns at once and writes no time. */
	mock_blame(name, "called without a display");
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL wait_frame(
	XrSession session, const XrFrameWaitInfo *info, XrFrameState *state)
{
	(void)info;
	(void)state;
	return forbidden("xrWaitFrame", session);
}

static XrResult XRAPI_CALL begin_frame(XrSession session, const XrFrameBeginInfo *info)
{
	(void)info;
	return forbidden("xrBeginFrame", session);
}

static XrResult XRAPI_CALL end_frame(XrSession session, const XrFrameEndInfo *info)
{
	(void)info;
	return forbidden("xrEndFrame", session);
}

const struct mock_function mock_forbidden_functions[] = {
	{ "xrWaitFrame", NULL, (PFN_xrVoidFunction)wait_frame },
	{ "xrBeginFrame", NULL, (PFN_xrVoidFunction)begin_frame },
	{ "xrEndFrame", NULL, (PFN_xrVoidFunction)end_frame },
	{ NULL, NULL, NULL },
};

static const struct mock_function *const tables[] = {
	mock_instance_functions,
	mock_session_functions,
	mock_space_functions,
	mock_action_functions,
	mock_hand_functions,
	mock_body_fb_functions,
	mock_body_functions,
	mock_xdev_functions,
	mock_face_functions,
	mock_forbidden_functions,
};

#define TABLES (sizeof(tables) / sizeof(*tables))

static void list_calls(void)
{
	for (size_t i = 0; i < TABLES; i++) {
		for (const struct mock_function *function = tables[i]; function->name; function++) {
			mock.calls[mock.call_count++].name = function->name;
		}
	}
}

static XrResult XRAPI_CALL get_proc_addr(
	XrInstance instance, const char *name, PFN_xrVoidFunction *out_function)
{
	(void)instance;
	*out_function = NULL;
	for (size_t i = 0; i < TABLES; i++) {
		for (const struct mock_function *function = tables[i]; function->name; function++) {
			if (strcmp(function->name, name) != 0) {
				continue;
			}
			pthread_mutex_lock(&mock.lock);
			bool is_there =
				!function->extension || mock_is_enabled(function->extension);

			pthread_mutex_unlock(&mock.lock);
			if (is_there) {
				*out_function = function->function;
				return XR_SUCCESS;
			}
		}
	}
	return XR_ERROR_FUNCTION_UNSUPPORTED;
}

void mock_set_up(void)
{
	const char *control = getenv("MOCK_RUNTIME_CONTROL");

	pthread_mutex_lock(&mock.lock);
	bool is_first = !mock.is_set_up;

	if (is_first) {
		mock.is_set_up = true;
		mock.era_ns = mock.motion_ns = mock.up_ns = mock_now();
		list_calls();
	}
	pthread_mutex_unlock(&mock.lock);
	if (is_first && control) {
		mock_control_start(control);
	}
}

__attribute__((visibility("default"))) XrResult XRAPI_CALL xrNegotiateLoaderRuntimeInterface(
	const struct mock_loader_info *info, struct mock_runtime_request *request);

XrResult XRAPI_CALL xrNegotiateLoaderRuntimeInterface(
	const struct mock_loader_info *info, struct mock_runtime_request *request)
{
	if (!info || !request || info->type != MOCK_LOADER_INFO ||
		request->type != MOCK_RUNTIME_REQUEST || info->min_interface > 1 ||
		info->max_interface < 1) {
		return XR_ERROR_INITIALIZATION_FAILED;
	}
	mock_set_up();
	request->interface = 1;
	request->api = XR_MAKE_VERSION(1, 0, 20);
	request->get_instance_proc_addr = get_proc_addr;
	return XR_SUCCESS;
}
