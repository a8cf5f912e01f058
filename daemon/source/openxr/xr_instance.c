/* Asks for API 1.0, which the loader of Debian 12 supports. Extensions that the loader does
 * not know are left to the runtime. */
#include "source/openxr/xr_instance.h"

#include <stddef.h>
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
	[JC_XR_BD_METRICS] = XR_BD_BODY_TRACKING_AUXILIARY_METRICS_EXTENSION_NAME,
	[JC_XR_HTC_BODY] = XR_HTC_BODY_TRACKING_EXTENSION_NAME,
	[JC_XR_HAND_TRACKING] = XR_EXT_HAND_TRACKING_EXTENSION_NAME,
	[JC_XR_HAND_SOURCE] = XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME,
	[JC_XR_VIVE_TRACKERS] = XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME,
	[JC_XR_XDEV_SPACE] = XR_MNDX_XDEV_SPACE_EXTENSION_NAME,
	[JC_XR_FB_FACE_TRACKING] = XR_FB_FACE_TRACKING2_EXTENSION_NAME,
	[JC_XR_HTC_FACIAL_TRACKING] = XR_HTC_FACIAL_TRACKING_EXTENSION_NAME,
	[JC_XR_ANDROID_FACE_TRACKING] = XR_ANDROID_FACE_TRACKING_EXTENSION_NAME,
	[JC_XR_EYE_GAZE] = XR_EXT_EYE_GAZE_INTERACTION_EXTENSION_NAME,
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
	has[JC_XR_BD_METRICS] = has[JC_XR_BD_METRICS] && has[JC_XR_BD_BODY];
	has[JC_XR_HAND_SOURCE] = has[JC_XR_HAND_SOURCE] && has[JC_XR_HAND_TRACKING];
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

static bool is_required(int extension)
{
	return extension == JC_XR_HEADLESS || extension == JC_XR_TIMESPEC;
}

struct attempt {
	const struct jc_xr_loader *loader;
	XrInstance handle; /* of the last call */
};

/* The loader permits one instance at a time. */
static XrResult create_with(void *context, uint32_t extensions)
{
	struct attempt *attempt = context;
	PFN_xrVoidFunction destroy = NULL;
	bool has[JC_XR_EXTENSION_COUNT];

	if (attempt->handle && XR_SUCCEEDED(attempt->loader->get(
				       attempt->handle, "xrDestroyInstance", &destroy))) {
		((PFN_xrDestroyInstance)destroy)(attempt->handle);
	}
	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		has[i] = is_required(i) || extensions >> i & 1;
	}
	return create(attempt->loader, has, &attempt->handle);
}

/* Leaves out what the runtime lists, but does not enable. */
static XrResult create_with_less(const struct jc_xr_loader *loader, struct jc_xr_instance *instance)
{
	struct attempt attempt = { .loader = loader };
	uint32_t wanted = 0;

	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		wanted |= instance->offers[i] && !is_required(i) ? UINT32_C(1) << i : 0;
	}
	XrResult result = jc_xr_chain_call(&instance->extensions, wanted, create_with, &attempt);

	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		instance->offers[i] &= !(instance->extensions.refused >> i & 1);
	}
	instance->handle = attempt.handle;
	return result;
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

XrResult jc_xr_instance_create(const struct jc_xr_loader *loader, bool is_faceless,
	struct jc_xr_instance *out_instance, const char **out_missing)
{
	struct jc_xr_instance instance = { .runtime = "?",
		.extensions = { .names = names, .count = JC_XR_EXTENSION_COUNT },
		.properties = { .names = names, .count = JC_XR_EXTENSION_COUNT } };
	XrResult result = list_extensions(loader, instance.offers);

	*out_missing = NULL;
	if (XR_FAILED(result)) {
		return result;
	}
	if (is_faceless) {
		instance.offers[JC_XR_FB_FACE_TRACKING] = false;
		instance.offers[JC_XR_HTC_FACIAL_TRACKING] = false;
		instance.offers[JC_XR_ANDROID_FACE_TRACKING] = false;
		instance.offers[JC_XR_EYE_GAZE] = false;
	}
	if (!instance.offers[JC_XR_HEADLESS] || !instance.offers[JC_XR_TIMESPEC]) {
		*out_missing =
			names[instance.offers[JC_XR_HEADLESS] ? JC_XR_TIMESPEC : JC_XR_HEADLESS];
		return XR_ERROR_EXTENSION_NOT_PRESENT;
	}
	result = create(loader, instance.offers, &instance.handle);
	if (result == XR_ERROR_EXTENSION_NOT_PRESENT) {
		result = create_with_less(loader, &instance);
	}
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

/* The structures in which a device reports its support of an extension. All have the same
 * members; some report two features. 0: there is none. */
static const XrStructureType support_types[JC_XR_EXTENSION_COUNT] = {
	[JC_XR_FB_BODY] = XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_FB,
	[JC_XR_META_FULL_BODY] = XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FULL_BODY_META,
	[JC_XR_META_CALIBRATION] = XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_CALIBRATION_META,
	[JC_XR_META_FIDELITY] = XR_TYPE_SYSTEM_PROPERTIES_BODY_TRACKING_FIDELITY_META,
	[JC_XR_BD_BODY] = XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_BD,
	[JC_XR_HTC_BODY] = XR_TYPE_SYSTEM_BODY_TRACKING_PROPERTIES_HTC,
	[JC_XR_HAND_TRACKING] = XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT,
	[JC_XR_XDEV_SPACE] = XR_TYPE_SYSTEM_XDEV_SPACE_PROPERTIES_MNDX,
	[JC_XR_FB_FACE_TRACKING] = XR_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES2_FB,
	[JC_XR_HTC_FACIAL_TRACKING] = XR_TYPE_SYSTEM_FACIAL_TRACKING_PROPERTIES_HTC,
	[JC_XR_ANDROID_FACE_TRACKING] = XR_TYPE_SYSTEM_FACE_TRACKING_PROPERTIES_ANDROID,
	[JC_XR_EYE_GAZE] = XR_TYPE_SYSTEM_EYE_GAZE_INTERACTION_PROPERTIES_EXT,
};

struct support {
	XrStructureType type;
	void *next;
	XrBool32 is_supported; /* of META_CALIBRATION: supportsHeightOverride */
	XrBool32 has_second;   /* the second feature */
};

#define SAME_MEMBERS(structure, member)                                                            \
	_Static_assert(                                                                            \
		sizeof(structure) == sizeof(struct support) &&                                     \
			offsetof(structure, member) == offsetof(struct support, is_supported),     \
		#structure " has the members of struct support")
SAME_MEMBERS(XrSystemBodyTrackingPropertiesFB, supportsBodyTracking);
SAME_MEMBERS(XrSystemPropertiesBodyTrackingFullBodyMETA, supportsFullBodyTracking);
SAME_MEMBERS(XrSystemPropertiesBodyTrackingCalibrationMETA, supportsHeightOverride);
SAME_MEMBERS(XrSystemPropertiesBodyTrackingFidelityMETA, supportsBodyTrackingFidelity);
SAME_MEMBERS(XrSystemBodyTrackingPropertiesBD, supportsBodyTracking);
SAME_MEMBERS(XrSystemBodyTrackingPropertiesHTC, supportsBodyTracking);
SAME_MEMBERS(XrSystemHandTrackingPropertiesEXT, supportsHandTracking);
SAME_MEMBERS(XrSystemXDevSpacePropertiesMNDX, supportsXDevSpace);
SAME_MEMBERS(XrSystemEyeGazeInteractionPropertiesEXT, supportsEyeGazeInteraction);
SAME_MEMBERS(XrSystemFaceTrackingProperties2FB, supportsVisualFaceTracking);
SAME_MEMBERS(XrSystemFaceTrackingPropertiesANDROID, supportsFaceTracking);
SAME_MEMBERS(XrSystemFacialTrackingPropertiesHTC, supportEyeFacialTracking);
_Static_assert(offsetof(XrSystemFaceTrackingProperties2FB, supportsAudioFaceTracking) ==
			       offsetof(struct support, has_second) &&
		       offsetof(XrSystemFacialTrackingPropertiesHTC, supportLipFacialTracking) ==
			       offsetof(struct support, has_second),
	"sound and lips are second features");

struct system_query {
	const struct jc_xr_instance *instance;
	XrSystemId system;
	struct support supports[JC_XR_EXTENSION_COUNT];
};

static XrResult get_properties(void *context, uint32_t structures)
{
	struct system_query *query = context;
	XrSystemProperties properties = { .type = XR_TYPE_SYSTEM_PROPERTIES };

	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		query->supports[i] = (struct support){ support_types[i], properties.next, 0, 0 };
		if (structures & UINT32_C(1) << i) {
			properties.next = &query->supports[i];
		}
	}
	return query->instance->call.GetSystemProperties(
		query->instance->handle, query->system, &properties);
}

XrResult jc_xr_instance_find_system(struct jc_xr_instance *instance)
{
	const XrSystemGetInfo info = { .type = XR_TYPE_SYSTEM_GET_INFO,
		.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY };
	struct system_query query = { .instance = instance };
	uint32_t wanted = 0;
	XrResult result = instance->call.GetSystem(instance->handle, &info, &query.system);

	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		if (instance->offers[i] && support_types[i]) {
			wanted |= UINT32_C(1) << i;
		}
	}
	if (XR_SUCCEEDED(result)) {
		result = jc_xr_chain_call(&instance->properties, wanted, get_properties, &query);
	}
	if (XR_FAILED(result)) {
		return result;
	}
	for (int i = 0; i < JC_XR_EXTENSION_COUNT; i++) {
		bool is_status = i == JC_XR_META_CALIBRATION || i == JC_XR_META_FIDELITY;
		bool is_known = (wanted & ~instance->properties.refused) >> i & 1;

		instance->has[i] =
			instance->offers[i] &&
			(is_known ? query.supports[i].is_supported || query.supports[i].has_second
				  : !is_status);
	}
	const struct support *face = &query.supports[JC_XR_HTC_FACIAL_TRACKING];
	bool is_asked = (wanted & ~instance->properties.refused) >> JC_XR_HTC_FACIAL_TRACKING & 1;

	instance->has_htc_eyes =
		instance->has[JC_XR_HTC_FACIAL_TRACKING] && (!is_asked || face->is_supported);
	instance->has_htc_lips =
		instance->has[JC_XR_HTC_FACIAL_TRACKING] && (!is_asked || face->has_second);
	instance->system = query.system;
	return XR_SUCCESS;
}

void jc_xr_instance_destroy(struct jc_xr_instance *instance)
{
	if (instance->handle && instance->call.DestroyInstance) {
		instance->call.DestroyInstance(instance->handle);
	}
	*instance = (struct jc_xr_instance){ .handle = XR_NULL_HANDLE };
}
