/* Asks for API 1.0, which the loader of Debian 12 supports. Extensions that the loader does
 * not know are left to the runtime. */
#include "source/openxr/xr_instance.h"

#include <stdlib.h>
#include <string.h>

#define EXTENSIONS_MOST 4096u /* maximum number of extensions that are read */

static const char *const names[JC_XR_EXTENSION_COUNT] = {
	[JC_XR_HEADLESS] = XR_MND_HEADLESS_EXTENSION_NAME,
	[JC_XR_TIMESPEC] = XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME,
	[JC_XR_LOCAL_FLOOR] = XR_EXT_LOCAL_FLOOR_EXTENSION_NAME,
	[JC_XR_USER_PRESENCE] = XR_EXT_USER_PRESENCE_EXTENSION_NAME,
	[JC_XR_FB_BODY] = XR_FB_BODY_TRACKING_EXTENSION_NAME,
	[JC_XR_META_FULL_BODY] = XR_META_BODY_TRACKING_FULL_BODY_EXTENSION_NAME,
	[JC_XR_META_CALIBRATION] = XR_META_BODY_TRACKING_CALIBRATION_EXTENSION_NAME,
	[JC_XR_META_FIDELITY] = XR_META_BODY_TRACKING_FIDELITY_EXTENSION_NAME,
	[JC_XR_BD_BODY] = XR_BD_BODY_TRACKING_EXTENSION_NAME,
	[JC_XR_HTC_BODY] = XR_HTC_BODY_TRACKING_EXTENSION_NAME,
	[JC_XR_HAND_TRACKING] = XR_EXT_HAND_TRACKING_EXTENSION_NAME,
	[JC_XR_VIVE_TRACKERS] = XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME,
};

static void find_extensions(
	const XrExtensionProperties *properties, uint32_t count, bool has[JC_XR_EXTENSION_COUNT])
{
	for (uint32_t i = 0; i < count; i++) {
		for (int j = 0; j < JC_XR_EXTENSION_COUNT; j++) {
			if (strncmp(properties[i].extensionName, names[j],
				    XR_MAX_EXTENSION_NAME_SIZE) == 0) {
				has[j] = true;
			}
		}
	}
	if (!has[JC_XR_FB_BODY]) {
		has[JC_XR_META_FULL_BODY] = false;
		has[JC_XR_META_CALIBRATION] = false;
		has[JC_XR_META_FIDELITY] = false;
	}
}

static XrResult list_extensions(
	const struct jc_xr_loader *loader, bool out_has[JC_XR_EXTENSION_COUNT])
{
	uint32_t count = 0;
	XrResult result = loader->enumerate_extensions(NULL, 0, &count, NULL);

	if (XR_FAILED(result)) {
		return result;
	}
	if (count > EXTENSIONS_MOST) {
		return XR_ERROR_RUNTIME_FAILURE;
	}
	XrExtensionProperties *properties = calloc(count + 1, sizeof(*properties));

	if (!properties) {
		return XR_ERROR_OUT_OF_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		properties[i].type = XR_TYPE_EXTENSION_PROPERTIES;
	}
	uint32_t written = 0;

	result = loader->enumerate_extensions(NULL, count, &written, properties);
	if (XR_SUCCEEDED(result)) {
		find_extensions(properties, written < count ? written : count, out_has);
	}
	free(properties);
	return result;
}

static XrResult create(const struct jc_xr_loader *loader, const bool has[JC_XR_EXTENSION_COUNT],
	XrInstance *out_handle)
{
	const char *enabled[JC_XR_EXTENSION_COUNT];
	XrInstanceCreateInfo info = {
		.type = XR_TYPE_INSTANCE_CREATE_INFO,
		.applicationInfo = {
			.applicationName = "jointcastd",
			.applicationVersion = 1,
			.apiVersion = XR_MAKE_VERSION(1, 0, 0),
		},
		.enabledExtensionNames = enabled,
	};

	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		if (has[i]) {
			enabled[info.enabledExtensionCount++] = names[i];
		}
	}
	*out_handle = XR_NULL_HANDLE;
	return loader->create_instance(&info, out_handle);
}

/* Log lines and JSON contain the name between single quotes. */
static void copy_name(const char *name, size_t size, char *out_name, size_t capacity)
{
	size_t i;

	for (i = 0; i + 1 < capacity && i < size && name[i]; i++) {
		out_name[i] = name[i] >= 0x20 && name[i] < 0x7f && name[i] != '\'' ? name[i] : '?';
	}
	out_name[i] = '\0';
}

static XrResult name_runtime(struct jc_xr_instance *instance)
{
	XrInstanceProperties properties = { .type = XR_TYPE_INSTANCE_PROPERTIES };
	XrResult result = instance->call.GetInstanceProperties(instance->handle, &properties);

	if (XR_SUCCEEDED(result)) {
		copy_name(properties.runtimeName, sizeof(properties.runtimeName), instance->runtime,
			sizeof(instance->runtime));
	}
	return result;
}

XrResult jc_xr_instance_create(const struct jc_xr_loader *loader,
	struct jc_xr_instance *out_instance, const char **out_missing)
{
	struct jc_xr_instance instance = { .runtime = "?" };
	XrResult result = list_extensions(loader, instance.offers);

	*out_missing = NULL;
	if (XR_FAILED(result)) {
		return result;
	}
	if (!instance.offers[JC_XR_HEADLESS] || !instance.offers[JC_XR_TIMESPEC]) {
		*out_missing =
			names[instance.offers[JC_XR_HEADLESS] ? JC_XR_TIMESPEC : JC_XR_HEADLESS];
		return XR_ERROR_EXTENSION_NOT_PRESENT;
	}
	result = create(loader, instance.offers, &instance.handle);
	if (XR_SUCCEEDED(result) && !instance.handle) {
		result = XR_ERROR_RUNTIME_FAILURE;
	}
	if (XR_FAILED(result)) {
		return result;
	}
	result = jc_xr_loader_functions(loader, instance.handle, &instance.call);
	if (XR_SUCCEEDED(result)) {
		result = name_runtime(&instance);
	}
	if (XR_FAILED(result)) {
		jc_xr_instance_destroy(&instance);
		return result;
	}
	*out_instance = instance;
	return XR_SUCCESS;
}

/* Puts a structure at the front of a chain. */
#define CHAIN(head, structure)                                                                     \
	do {                                                                                       \
		(structure).next = (head);                                                         \
		(head) = &(structure);                                                             \
	} while (0)

XrResult jc_xr_instance_find_system(struct jc_xr_instance *instance)
{
	const XrSystemGetInfo info = { .type = XR_TYPE_SYSTEM_GET_INFO,
		.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY };
	XrSystemBodyTrackingPropertiesFB fb = { XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB, 0, 0 };
	XrSystemPropertiesBodyTrackingFullBodyMETA full = {
		XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FULL_BODY_META, 0, 0
	};
	XrSystemPropertiesBodyTrackingCalibrationMETA calibration = {
		XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_CALIBRATION_META, 0, 0
	};
	XrSystemPropertiesBodyTrackingFidelityMETA fidelity = {
		XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FIDELITY_META, 0, 0
	};
	XrSystemBodyTrackingPropertiesBD bd = { XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD, 0, 0 };
	XrSystemBodyTrackingPropertiesHTC htc = { XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC, 0,
		0 };
	XrSystemHandTrackingPropertiesEXT hands = { XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, 0,
		0 };
	XrSystemProperties properties = { .type = XR_TYPE_SYSTEM_PROPERTIES };
	const bool *offers = instance->offers;
	bool *has = instance->has;

#define ASK(extension, structure)                                                                  \
	if (offers[extension]) {                                                                   \
		CHAIN(properties.next, structure);                                                 \
	}
	ASK(JC_XR_FB_BODY, fb)
	ASK(JC_XR_META_FULL_BODY, full)
	ASK(JC_XR_META_CALIBRATION, calibration)
	ASK(JC_XR_META_FIDELITY, fidelity)
	ASK(JC_XR_BD_BODY, bd)
	ASK(JC_XR_HTC_BODY, htc)
	ASK(JC_XR_HAND_TRACKING, hands)
#undef ASK
	XrSystemId system = XR_NULL_SYSTEM_ID;
	XrResult result = instance->call.GetSystem(instance->handle, &info, &system);

	if (XR_SUCCEEDED(result)) {
		result = instance->call.GetSystemProperties(instance->handle, system, &properties);
	}
	if (XR_FAILED(result)) {
		return result;
	}
	memcpy(has, offers, sizeof(instance->has));
	has[JC_XR_FB_BODY] = offers[JC_XR_FB_BODY] && fb.supportsBodyTracking;
	has[JC_XR_META_FULL_BODY] = offers[JC_XR_META_FULL_BODY] && full.supportsFullBodyTracking;
	has[JC_XR_META_FIDELITY] =
		offers[JC_XR_META_FIDELITY] && fidelity.supportsBodyTrackingFidelity;
	has[JC_XR_BD_BODY] = offers[JC_XR_BD_BODY] && bd.supportsBodyTracking;
	has[JC_XR_HTC_BODY] = offers[JC_XR_HTC_BODY] && htc.supportsBodyTracking;
	has[JC_XR_HAND_TRACKING] = offers[JC_XR_HAND_TRACKING] && hands.supportsHandTracking;
	instance->has_height_override =
		offers[JC_XR_META_CALIBRATION] && calibration.supportsHeightOverride;
	instance->system = system;
	return XR_SUCCESS;
}

void jc_xr_instance_destroy(struct jc_xr_instance *instance)
{
	if (instance->handle && instance->call.DestroyInstance) {
		instance->call.DestroyInstance(instance->handle);
	}
	*instance = (struct jc_xr_instance){ .handle = XR_NULL_HANDLE };
}
