/* XR_MNDX_xdev_space with the rules of Monado: a list is a snapshot, and an id belongs to one list
 * only. Spaces outlive their list. Devices come and go as the extension permits it; stock Monado
 * knows those alone that are there when its service starts, and has one generation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mock.h"

#define FIRST_ID 42u

/* The script */

/* Copies a word with %XX as bytes. A text of the whole capacity has no NUL. */
static void decode(const char *word, char out_text[MOCK_XDEV_TEXT])
{
	size_t length = 0;

	memset(out_text, 0, MOCK_XDEV_TEXT);
	while (*word && length < MOCK_XDEV_TEXT) {
		char hex[3] = { 0 };

		if (word[0] == '%' && word[1] && word[2]) {
			memcpy(hex, word + 1, 2);
			out_text[length++] = (char)strtol(hex, NULL, 16);
			word += 3;
		} else {
			out_text[length++] = *word++;
		}
	}
}

static void remove_device(const char *path)
{
	struct mock_xdevs *devices = &mock.xdevs;

	for (size_t i = 0; i < devices->count; i++) {
		if (strcmp(devices->list[i].path, path) == 0) {
			devices->count--;
			memmove(&devices->list[i], &devices->list[i + 1],
				(devices->count - i) * sizeof(devices->list[0]));
			return;
		}
	}
}

/* "-" is an empty text, or no path. */
static const char *text_of(const char *word)
{
	return strcmp(word, "-") == 0 ? "" : word;
}

const char *mock_change_xdevs(size_t count, char **words)
{
	if (count == 3 && strcmp(words[1], "remove") == 0) {
		remove_device(text_of(words[2]));
	} else if (count == 5 && strcmp(words[1], "add") == 0 && mock.xdevs.count < MOCK_XDEVS) {
		struct mock_xdev *device = &mock.xdevs.list[mock.xdevs.count++];

		decode(text_of(words[2]), device->name);
		decode(text_of(words[3]), device->serial);
		snprintf(device->path, sizeof(device->path), "%s", text_of(words[4]));
	} else {
		return "xdev add NAME SERIAL PATH, or xdev remove PATH";
	}
	mock.xdevs.generation++;
	return NULL;
}

/* The functions */

static bool is_used(int32_t snapshot)
{
	for (uint32_t i = 1; i <= mock.object_count; i++) {
		const struct mock_object *object = mock_object(i);

		if (object->kind == MOCK_XDEV_LIST && object->is_alive &&
			object->value == snapshot) {
			return true;
		}
	}
	return false;
}

static XrResult XRAPI_CALL create_list(
	XrSession session, const struct mock_xdev_list_info *info, MockXDevList *list)
{
	static const char name[] = "xrCreateXDevListMNDX";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	int32_t snapshot = 0;

	if (result != XR_SUCCESS) {
		return result;
	}
	if (mock.knobs.supports_xdev == 0.0) {
		return mock_leave(XR_ERROR_FEATURE_UNSUPPORTED);
	}
	if (!mock_expect(name, info, MOCK_TYPE_CREATE_XDEV_LIST_INFO_MNDX, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	while (snapshot < (int32_t)MOCK_XDEV_LISTS && is_used(snapshot)) {
		snapshot++;
	}
	if (snapshot == (int32_t)MOCK_XDEV_LISTS) {
		mock_blame(name, "earlier lists were not destroyed");
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	uint64_t handle = mock_create(MOCK_XDEV_LIST, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = snapshot;
	mock.snapshots[snapshot] = mock.xdevs;
	*list = (MockXDevList)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static const struct mock_xdevs *snapshot_of(MockXDevList list)
{
	return &mock.snapshots[mock_object(ID(list))->value];
}

static XrResult XRAPI_CALL get_generation(MockXDevList list, uint64_t *generation)
{
	XrResult result = mock_enter("xrGetXDevListGenerationNumberMNDX", MOCK_XDEV_LIST, ID(list));

	if (result != XR_SUCCESS) {
		return result;
	}
	*generation = mock.knobs.xdev_fixed != 0.0  ? 1
		      : mock.knobs.xdev_live != 0.0 ? mock.xdevs.generation
						    : snapshot_of(list)->generation;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL enumerate(
	MockXDevList list, uint32_t capacity, uint32_t *count, uint64_t *ids)
{
	XrResult result = mock_enter("xrEnumerateXDevsMNDX", MOCK_XDEV_LIST, ID(list));

	if (result != XR_SUCCESS) {
		return result;
	}
	*count = (uint32_t)snapshot_of(list)->count;
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	if (capacity < *count) {
		return mock_leave(XR_ERROR_SIZE_INSUFFICIENT);
	}
	for (uint32_t i = 0; i < *count; i++) {
		ids[i] = FIRST_ID + i;
	}
	return mock_leave(XR_SUCCESS);
}

/* NULL: the id is of no device in the list. */
static const struct mock_xdev *find_device(const char *function, MockXDevList list, uint64_t id)
{
	const struct mock_xdevs *devices = snapshot_of(list);

	if (id < FIRST_ID || id - FIRST_ID >= devices->count) {
		mock_blame(function, "no such id");
		return NULL;
	}
	return &devices->list[id - FIRST_ID];
}

static XrResult XRAPI_CALL get_properties(MockXDevList list, const struct mock_xdev_info *info,
	struct mock_xdev_properties *properties)
{
	static const char name[] = "xrGetXDevPropertiesMNDX";
	XrResult result = mock_enter(name, MOCK_XDEV_LIST, ID(list));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, MOCK_TYPE_GET_XDEV_INFO_MNDX, 0) ||
		!mock_expect(name, properties, MOCK_TYPE_XDEV_PROPERTIES_MNDX, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	const struct mock_xdev *device = find_device(name, list, info->id);

	if (!device) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	memcpy(properties->name, device->name, MOCK_XDEV_TEXT);
	memcpy(properties->serial, device->serial, MOCK_XDEV_TEXT);
	properties->can_create_space = device->path[0] != '\0';
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_list(MockXDevList list)
{
	return mock_end("xrDestroyXDevListMNDX", MOCK_XDEV_LIST, ID(list));
}

static XrResult check_space(const char *name, const struct mock_xdev_space_info *info,
	const struct mock_xdev **out_device)
{
	if (mock.knobs.supports_xdev == 0.0) {
		return XR_ERROR_FEATURE_UNSUPPORTED;
	}
	if (!mock_expect(name, info, MOCK_TYPE_CREATE_XDEV_SPACE_INFO_MNDX, 0)) {
		return XR_ERROR_VALIDATION_FAILURE;
	}
	const struct mock_object *list = mock_object(ID(info->list));

	if (!list || list->kind != MOCK_XDEV_LIST || !list->is_alive) {
		mock_blame(name, "no such list");
		return XR_ERROR_HANDLE_INVALID;
	}
	if (!mock_is_unit(info->offset.orientation)) {
		mock_blame(name, "the pose has no orientation");
		return XR_ERROR_POSE_INVALID;
	}
	*out_device = find_device(name, info->list, info->id);
	if (*out_device && !(*out_device)->path[0]) {
		mock_blame(name, "the device has no pose");
		return XR_ERROR_VALIDATION_FAILURE;
	}
	return *out_device ? XR_SUCCESS : XR_ERROR_VALIDATION_FAILURE;
}

static XrResult XRAPI_CALL create_space(
	XrSession session, const struct mock_xdev_space_info *info, XrSpace *space)
{
	static const char name[] = "xrCreateXDevSpaceMNDX";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));
	const struct mock_xdev *device;

	if (result != XR_SUCCESS) {
		return result;
	}
	result = check_space(name, info, &device);
	if (result != XR_SUCCESS) {
		return mock_leave(result);
	}
	uint64_t handle = mock_create(MOCK_SPACE, ID(session));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->is_xdev = true;
	mock_object(handle)->path = mock_path(device->path);
	*space = (XrSpace)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

#define XDEV "XR_MNDX_xdev_space"

const struct mock_function mock_xdev_functions[] = {
	{ "xrCreateXDevListMNDX", XDEV, (PFN_xrVoidFunction)create_list },
	{ "xrGetXDevListGenerationNumberMNDX", XDEV, (PFN_xrVoidFunction)get_generation },
	{ "xrEnumerateXDevsMNDX", XDEV, (PFN_xrVoidFunction)enumerate },
	{ "xrGetXDevPropertiesMNDX", XDEV, (PFN_xrVoidFunction)get_properties },
	{ "xrDestroyXDevListMNDX", XDEV, (PFN_xrVoidFunction)destroy_list },
	{ "xrCreateXDevSpaceMNDX", XDEV, (PFN_xrVoidFunction)create_space },
	{ NULL, NULL, NULL },
};
