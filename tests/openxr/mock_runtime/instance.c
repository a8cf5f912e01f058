/* Instances, systems, events and XrTime. */
#include <stdio.h>
#include <string.h>

#include "mock.h"

#define SYSTEM_ID 7

/* Where the handle of an instance is known to the API as a pointer. */
static XrResult XRAPI_CALL enumerate_extensions(
	const char *layer, uint32_t capacity, uint32_t *count, XrExtensionProperties *properties)
{
	static const char name[] = "xrEnumerateInstanceExtensionProperties";
	XrResult result = mock_enter(name, MOCK_KINDS, 0);

	if (result != XR_SUCCESS) {
		return result;
	}
	if (layer || !count) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	*count = (uint32_t)mock.offer_count;
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	if (capacity < mock.offer_count) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	for (size_t i = 0; i < mock.offer_count; i++) {
		if (!mock_expect(name, &properties[i], XR_TYPE_EXTENSION_PROPERTIES, 0)) {
			return mock_leave(XR_ERROR_VALIDATION_FAILURE);
		}
		strcpy(properties[i].extensionName, mock.offers[i]);
		properties[i].extensionVersion = 1;
	}
	return mock_leave(XR_SUCCESS);
}

static void note_attempt(XrResult result)
{
	int64_t now = mock_now();

	if (result != XR_SUCCESS && mock.attempt_ns) {
		int64_t wait = now - mock.attempt_ns;

		mock.longest_wait = wait > mock.longest_wait ? wait : mock.longest_wait;
	}
	mock.attempt_ns = now;
	if (result == XR_SUCCESS && !mock.created_ns) {
		mock.created_ns = now;
	}
}

static XrResult enable_extensions(const XrInstanceCreateInfo *info)
{
	mock.enabled_count = 0;
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		const char *extension = info->enabledExtensionNames[i];

		if (!mock_is_offered(extension)) {
			mock_blame("xrCreateInstance", "'%s' is not offered", extension);
			return XR_ERROR_EXTENSION_NOT_PRESENT;
		}
		if (strcmp(extension, mock.denied) == 0) {
			return XR_ERROR_EXTENSION_NOT_PRESENT;
		}
		snprintf(mock.enabled[mock.enabled_count++], XR_MAX_EXTENSION_NAME_SIZE, "%s",
			extension);
	}
	return XR_SUCCESS;
}

static bool has_instance(void)
{
	for (uint32_t i = 1; i <= mock.object_count; i++) {
		if (mock_object(i)->kind == MOCK_INSTANCE && mock_object(i)->is_alive) {
			return true;
		}
	}
	return false;
}

static XrResult try_instance(const XrInstanceCreateInfo *info)
{
	if (XR_VERSION_MAJOR(info->applicationInfo.apiVersion) != 1 ||
		XR_VERSION_MINOR(info->applicationInfo.apiVersion) != 0) {
		return XR_ERROR_API_VERSION_UNSUPPORTED;
	}
	if (has_instance()) {
		mock_blame("xrCreateInstance", "the one before is still there");
		return XR_ERROR_LIMIT_REACHED;
	}
	return mock.is_down ? mock.down_result : enable_extensions(info);
}

static XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo *info, XrInstance *instance)
{
	static const char name[] = "xrCreateInstance";
	XrResult result = mock_enter(name, MOCK_KINDS, 0);

	if (result != XR_SUCCESS) {
		return result;
	}
	/* The loader of Debian 12 chains its own debug messenger here. */
	result = mock_expect(name, info, XR_TYPE_INSTANCE_CREATE_INFO,
			 XR_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT, 0)
			 ? try_instance(info)
			 : XR_ERROR_VALIDATION_FAILURE;
	note_attempt(result);
	if (result != XR_SUCCESS) {
		return mock_leave(result);
	}
	uint64_t handle = mock_create(MOCK_INSTANCE, 0);

	mock.owner = pthread_self();
	mock.event_count = 0;
	mock.binding_count = 0;
	*instance = (XrInstance)(uintptr_t)handle;
	return mock_leave(handle ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

static XrResult XRAPI_CALL destroy_instance(XrInstance instance)
{
	return mock_end("xrDestroyInstance", MOCK_INSTANCE, ID(instance));
}

static XrResult XRAPI_CALL get_instance_properties(
	XrInstance instance, XrInstanceProperties *properties)
{
	static const char name[] = "xrGetInstanceProperties";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, properties, XR_TYPE_INSTANCE_PROPERTIES, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	properties->runtimeVersion = XR_MAKE_VERSION(0, 1, 0);
	strcpy(properties->runtimeName, "mock");
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL get_system(
	XrInstance instance, const XrSystemGetInfo *info, XrSystemId *system)
{
	XrResult result = mock_enter("xrGetSystem", MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect("xrGetSystem", info, XR_TYPE_SYSTEM_GET_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	*system = SYSTEM_ID;
	return mock_leave(info->formFactor == XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY
				  ? XR_SUCCESS
				  : XR_ERROR_FORM_FACTOR_UNSUPPORTED);
}

static void fill_support(
	const XrSystemProperties *properties, int type, const char *extension, double knob)
{
	struct mock_support *support = mock_chained(properties, type);

	if (support && !mock_is_enabled(extension)) {
		mock_blame("xrGetSystemProperties", "asked about '%s', which is not enabled",
			extension);
	}
	if (support) {
		support->is_supported = ((int)knob & 1) != 0;
	}
	if (support && (int)knob & 2) {
		support->has_second = XR_TRUE;
	}
}

static XrResult XRAPI_CALL get_system_properties(
	XrInstance instance, XrSystemId system, XrSystemProperties *properties)
{
	static const char name[] = "xrGetSystemProperties";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (system != SYSTEM_ID) {
		mock_blame(name, "no such system");
		return mock_leave(XR_ERROR_SYSTEM_INVALID);
	}
	if (!mock_expect(name, properties, XR_TYPE_SYSTEM_PROPERTIES,
		    XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT,
		    MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB,
		    MOCK_TYPE_SYSTEM_PROPERTIES_FULL_BODY_META,
		    MOCK_TYPE_SYSTEM_PROPERTIES_CALIBRATION_META,
		    MOCK_TYPE_SYSTEM_PROPERTIES_FIDELITY_META,
		    MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD,
		    MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC,
		    MOCK_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX,
		    MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB,
		    MOCK_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC,
		    MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID,
		    XR_TYPE_SYSTEM_EYE_GAZE_INTERACTION_PROPERTIES_EXT, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	result = mock_check_chain(properties);
	if (result != XR_SUCCESS) {
		return mock_leave(result);
	}
	properties->systemId = system;
	strcpy(properties->systemName, "mock headset");
	fill_support(properties, XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT,
		"XR_EXT_hand_tracking", mock.knobs.supports_hands);
	fill_support(properties, MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB,
		"XR_FB_body_tracking", mock.knobs.supports_fb);
	fill_support(properties, MOCK_TYPE_SYSTEM_PROPERTIES_FULL_BODY_META,
		"XR_META_body_tracking_full_body", mock.knobs.supports_full);
	fill_support(properties, MOCK_TYPE_SYSTEM_PROPERTIES_CALIBRATION_META,
		"XR_META_body_tracking_calibration", mock.knobs.supports_height);
	fill_support(properties, MOCK_TYPE_SYSTEM_PROPERTIES_FIDELITY_META,
		"XR_META_body_tracking_fidelity", mock.knobs.supports_fidelity);
	fill_support(properties, MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD,
		"XR_BD_body_tracking", mock.knobs.supports_bd);
	fill_support(properties, MOCK_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC,
		"XR_HTC_body_tracking", mock.knobs.supports_htc);
	fill_support(properties, MOCK_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX, "XR_MNDX_xdev_space",
		mock.knobs.supports_xdev);
	fill_support(properties, MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB, MOCK_FACE_FB_NAME,
		mock.knobs.supports_fb_face);
	fill_support(properties, MOCK_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID,
		MOCK_FACE_ANDROID_NAME, mock.knobs.supports_android_face);
	fill_support(properties, MOCK_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC,
		MOCK_FACE_HTC_NAME, mock.knobs.supports_htc_face);
	fill_support(properties, XR_TYPE_SYSTEM_EYE_GAZE_INTERACTION_PROPERTIES_EXT,
		"XR_EXT_eye_gaze_interaction", mock.knobs.supports_gaze);
	return mock_leave(XR_SUCCESS);
}

void mock_push_event(const void *event, size_t size)
{
	if (mock.event_count < MOCK_EVENTS) {
		memcpy(&mock.events[mock.event_count++], event, size);
	}
}

void mock_push_presence(void)
{
	const struct mock_presence event = {
		.type = MOCK_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT,
		.session = (XrSession)(uintptr_t)mock_session(),
		.is_present = mock.knobs.present != 0.0,
	};

	if (mock_is_enabled("XR_EXT_user_presence")) {
		mock_push_event(&event, sizeof(event));
	}
}

static XrResult XRAPI_CALL poll_event(XrInstance instance, XrEventDataBuffer *event)
{
	XrResult result = mock_enter("xrPollEvent", MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect("xrPollEvent", event, XR_TYPE_EVENT_DATA_BUFFER, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.event_count == 0) {
		return mock_leave(XR_EVENT_UNAVAILABLE);
	}
	*event = mock.events[0];
	mock.event_count--;
	memmove(mock.events, mock.events + 1, mock.event_count * sizeof(*mock.events));
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL result_to_string(
	XrInstance instance, XrResult value, char buffer[XR_MAX_RESULT_STRING_SIZE])
{
	(void)instance;
	snprintf(buffer, XR_MAX_RESULT_STRING_SIZE, "XR_RESULT_%d", value);
	return XR_SUCCESS;
}

static XrResult XRAPI_CALL type_to_string(
	XrInstance instance, XrStructureType value, char buffer[XR_MAX_STRUCTURE_NAME_SIZE])
{
	(void)instance;
	snprintf(buffer, XR_MAX_STRUCTURE_NAME_SIZE, "XR_TYPE_%d", (int)value);
	return XR_SUCCESS;
}

static XrResult XRAPI_CALL string_to_path(XrInstance instance, const char *text, XrPath *path)
{
	XrResult result = mock_enter("xrStringToPath", MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	*path = mock_path(text);
	return mock_leave(*path ? XR_SUCCESS : XR_ERROR_PATH_FORMAT_INVALID);
}

static XrResult XRAPI_CALL path_to_string(
	XrInstance instance, XrPath path, uint32_t capacity, uint32_t *count, char *buffer)
{
	XrResult result = mock_enter("xrPathToString", MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	const char *text = mock_path_text(path);

	if (!text) {
		return mock_leave(XR_ERROR_PATH_INVALID);
	}
	*count = (uint32_t)strlen(text) + 1;
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	if (capacity < *count) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	strcpy(buffer, text);
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL timespec_to_time(
	XrInstance instance, const struct timespec *timespec, XrTime *time)
{
	static const char name[] = "xrConvertTimespecTimeToTimeKHR";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	*time = mock_to_xr(timespec->tv_sec * 1000000000LL + timespec->tv_nsec);
	return mock_leave(*time > 0 ? XR_SUCCESS : XR_ERROR_TIME_INVALID);
}

static XrResult XRAPI_CALL time_to_timespec(
	XrInstance instance, XrTime time, struct timespec *timespec)
{
	static const char name[] = "xrConvertTimeToTimespecTimeKHR";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	int64_t ns = mock_from_xr(time);

	timespec->tv_sec = ns / 1000000000;
	timespec->tv_nsec = ns % 1000000000;
	return mock_leave(mock_check_time(name, time) ? XR_SUCCESS : XR_ERROR_TIME_INVALID);
}

#define CLOCKS "XR_KHR_convert_timespec_time"

const struct mock_function mock_instance_functions[] = {
	{ "xrEnumerateInstanceExtensionProperties", NULL,
		(PFN_xrVoidFunction)enumerate_extensions },
	{ "xrCreateInstance", NULL, (PFN_xrVoidFunction)create_instance },
	{ "xrDestroyInstance", NULL, (PFN_xrVoidFunction)destroy_instance },
	{ "xrGetInstanceProperties", NULL, (PFN_xrVoidFunction)get_instance_properties },
	{ "xrGetSystem", NULL, (PFN_xrVoidFunction)get_system },
	{ "xrGetSystemProperties", NULL, (PFN_xrVoidFunction)get_system_properties },
	{ "xrPollEvent", NULL, (PFN_xrVoidFunction)poll_event },
	{ "xrResultToString", NULL, (PFN_xrVoidFunction)result_to_string },
	{ "xrStructureTypeToString", NULL, (PFN_xrVoidFunction)type_to_string },
	{ "xrStringToPath", NULL, (PFN_xrVoidFunction)string_to_path },
	{ "xrPathToString", NULL, (PFN_xrVoidFunction)path_to_string },
	{ "xrConvertTimespecTimeToTimeKHR", CLOCKS, (PFN_xrVoidFunction)timespec_to_time },
	{ "xrConvertTimeToTimespecTimeKHR", CLOCKS, (PFN_xrVoidFunction)time_to_timespec },
	{ NULL, NULL, NULL },
};
