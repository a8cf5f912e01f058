/* Monado lists every device of the runtime, without its kind: a device that can be located is a
 * tracker if its name contains "tracker", or the configuration gives it a role. A list is a
 * snapshot, so that a new one is made each second; only another generation number, which stock
 * Monado never gives, or another number of devices makes it worth reading. */
#include "source/openxr/trackers/xr_xdev.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "source/openxr/trackers/xr_xdev_status.h"
#include "source/openxr/xr_loader.h"

#define LIST_NS      INT64_C(1000000000) /* between two lists */
#define DEVICES_MOST 4096u               /* in a list */
#define HASH_BYTES   9u                  /* "@" and eight digits */

static struct jc_xr_xdev *xdev_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_xdev *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	const struct jc_xr_functions *call = &instance->call;

	/* With XR_HTCX_vive_tracker_interaction the same trackers come with roles. */
	return instance->has[JC_XR_XDEV_SPACE] && !instance->has[JC_XR_VIVE_TRACKERS] &&
	       call->CreateXDevListMNDX && call->GetXDevListGenerationNumberMNDX &&
	       call->EnumerateXDevsMNDX && call->GetXDevPropertiesMNDX &&
	       call->DestroyXDevListMNDX && call->CreateXDevSpaceMNDX;
}

static bool is_loss(XrResult result)
{
	return result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_SESSION_LOST;
}

/* Copies a text of the runtime, which may lack a NUL. Characters that separate the options of a
 * source are '_' too. A text that this changes ends with "@" and its hash (FNV-1a), so that
 * different texts stay different. */
static void copy_text(const char *text, size_t size, char out_text[JC_TRACKER_NAME])
{
	size_t whole = strnlen(text, size);
	size_t length = whole < JC_TRACKER_NAME ? whole : JC_TRACKER_NAME - 1;
	uint32_t hash = 2166136261u;
	char mark[HASH_BYTES + 1];

	for (size_t i = 0; i < whole; i++) {
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	}
	for (size_t i = 0; i < length; i++) {
		bool is_plain = isalnum((unsigned char)text[i]) || strchr(" -._:()+/@", text[i]);

		out_text[i] = is_plain && (unsigned char)text[i] < 0x80 ? text[i] : '_';
	}
	out_text[length] = '\0';
	if (length < whole || memcmp(out_text, text, length) != 0) {
		size_t room = JC_TRACKER_NAME - sizeof(mark);

		snprintf(mark, sizeof(mark), "@%08x", hash);
		strcpy(out_text + (length < room ? length : room), mark);
	}
}

/* Whether a device with this name is worn: the head, hands and eyes come by other trackers. */
static bool is_named_tracker(const char *name)
{
	static const char *const others[] = { "head tracker", "hand tracker", "eye tracker",
		"face tracker", "body tracker" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcasestr(name, others[i])) {
			return false;
		}
	}
	return strcasestr(name, "tracker") != NULL;
}

static bool is_tracker(const struct jc_xr_xdev *xdev, const struct jc_xr_xdev_device *device)
{
	return is_named_tracker(device->name) ||
	       jc_tracker_roles_find(xdev->configured, device->serial) >= 0 ||
	       jc_tracker_roles_find(xdev->configured, device->name) >= 0;
}

/* Whether the text is a serial or name of this device alone. */
static bool is_unique(const struct jc_xr_xdev *xdev, size_t index, const char *text)
{
	for (size_t i = 0; i < xdev->count; i++) {
		if (i != index && (strcmp(xdev->devices[i].serial, text) == 0 ||
					  strcmp(xdev->devices[i].name, text) == 0)) {
			return false;
		}
	}
	return text[0] != '\0';
}

static bool is_free(const struct jc_xr_xdev *xdev, int role)
{
	for (size_t i = 0; i < xdev->count; i++) {
		int other = xdev->devices[i].role;

		if (other >= 0 && jc_tracker_role_joint(other) == jc_tracker_role_joint(role)) {
			return false;
		}
	}
	return true;
}

static void configure(struct jc_xr_xdev *xdev, size_t index)
{
	struct jc_xr_xdev_device *device = &xdev->devices[index];
	const char *names[] = { device->serial, device->name };

	device->id = NULL;
	device->role = -1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_unique(xdev, index, names[i])) {
			continue;
		}
		int role = jc_tracker_roles_find(xdev->configured, names[i]);

		device->id = device->id ? device->id : names[i];
		device->role = device->role < 0 ? role : device->role;
	}
	device->is_configured = device->role >= 0;
}

/* Roles of the configuration come first. */
static void assign(struct jc_xr_xdev *xdev)
{
	for (size_t i = 0; i < xdev->count; i++) {
		configure(xdev, i);
	}
	for (size_t i = 0; i < xdev->count; i++) {
		struct jc_xr_xdev_device *device = &xdev->devices[i];
		int role = device->id && !device->is_configured
				   ? jc_tracker_roles_find(&xdev->calibrated, device->id)
				   : -1;

		if (role >= 0 && is_free(xdev, role)) {
			device->role = role;
		}
	}
}

static void release(struct jc_xr_xdev *xdev, const struct jc_xr_session *session)
{
	for (size_t i = 0; i < xdev->count; i++) {
		session->instance->call.DestroySpace(xdev->devices[i].space);
	}
	xdev->count = xdev->ignored = xdev->worn.count = 0;
	xdev->has_list = false;
	xdev->located_ns = 0;
	xdev->base.advice[0] = '\0';
}

/* Adds a device of the list if it is a tracker. Fails only if the session is lost: a single device
 * that fails is left out. */
static XrResult add_device(struct jc_xr_xdev *xdev, const struct jc_xr_session *session,
	XrXDevListMNDX list, XrXDevIdMNDX id)
{
	const struct jc_xr_functions *call = &session->instance->call;
	const XrGetXDevInfoMNDX info = { .type = XR_TYPE_GET_XDEV_INFO_MNDX, .id = id };
	const XrCreateXDevSpaceInfoMNDX space = { .type = XR_TYPE_CREATE_XDEV_SPACE_INFO_MNDX,
		.xdevList = list,
		.id = id,
		.offset = { .orientation = { .w = 1.0f } } };
	XrXDevPropertiesMNDX properties = { .type = XR_TYPE_XDEV_PROPERTIES_MNDX };
	struct jc_xr_xdev_device device = { .role = -1 };
	XrResult result = call->GetXDevPropertiesMNDX(list, &info, &properties);

	copy_text(properties.serial, sizeof(properties.serial), device.serial);
	copy_text(properties.name, sizeof(properties.name), device.name);
	if (XR_FAILED(result) || !properties.canCreateSpace || !is_tracker(xdev, &device)) {
		return is_loss(result) ? result : XR_SUCCESS;
	}
	if (xdev->count == JC_WORN_TRACKERS) {
		xdev->ignored++;
		return XR_SUCCESS;
	}
	result = call->CreateXDevSpaceMNDX(session->handle, &space, &device.space);
	if (XR_SUCCEEDED(result) && device.space) {
		xdev->devices[xdev->count++] = device;
	}
	return is_loss(result) ? result : XR_SUCCESS;
}

/* Reads the ids of a list with `count` devices, and replaces the trackers. A list that fails leaves
 * the earlier trackers. */
static XrResult read_list(struct jc_xr_xdev *xdev, const struct jc_xr_session *session,
	XrXDevListMNDX list, uint32_t count)
{
	/* One more, because no device needs no memory. */
	XrXDevIdMNDX *ids = calloc(count + 1, sizeof(*ids));
	uint32_t written = 0;
	XrResult result = !ids         ? XR_ERROR_OUT_OF_MEMORY
			  : count == 0 ? XR_SUCCESS
				       : session->instance->call.EnumerateXDevsMNDX(
						 list, count, &written, ids);

	if (XR_SUCCEEDED(result)) {
		release(xdev, session);
	}
	for (uint32_t i = 0; XR_SUCCEEDED(result) && i < written && i < count; i++) {
		result = add_device(xdev, session, list, ids[i]);
	}
	free(ids);
	return result;
}

/* Reads a list if devices have come or gone since the last one. */
static XrResult compare_list(
	struct jc_xr_xdev *xdev, const struct jc_xr_session *session, XrXDevListMNDX list)
{
	const struct jc_xr_functions *call = &session->instance->call;
	uint64_t generation = 0;
	uint32_t count = 0;
	XrResult result = call->GetXDevListGenerationNumberMNDX(list, &generation);

	if (XR_SUCCEEDED(result)) {
		result = call->EnumerateXDevsMNDX(list, 0, &count, NULL);
	}
	if (XR_SUCCEEDED(result) && count > DEVICES_MOST) {
		result = XR_ERROR_LIMIT_REACHED;
	}
	if (XR_FAILED(result) ||
		(xdev->has_list && xdev->generation == generation && xdev->listed == count)) {
		return result;
	}
	result = read_list(xdev, session, list, count);
	xdev->has_list = XR_SUCCEEDED(result);
	xdev->generation = generation;
	xdev->listed = count;
	assign(xdev);
	return result;
}

/* Makes a list and compares it with the last one. Spaces outlive their list. */
static XrResult list_devices(struct jc_xr_xdev *xdev, const struct jc_xr_session *session)
{
	const struct jc_xr_functions *call = &session->instance->call;
	const XrCreateXDevListInfoMNDX info = { .type = XR_TYPE_CREATE_XDEV_LIST_INFO_MNDX };
	XrXDevListMNDX list = XR_NULL_HANDLE;
	XrResult result = call->CreateXDevListMNDX(session->handle, &info, &list);

	if (XR_SUCCEEDED(result)) {
		result = compare_list(xdev, session, list);
		call->DestroyXDevListMNDX(list);
	}
	return result;
}

static XrResult open_xdev(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_xdev *xdev = xdev_of(tracker);
	XrResult result = list_devices(xdev, session);

	if (XR_FAILED(result)) {
		release(xdev, session);
	}
	xdev->list_result = result;
	xdev->next_list_ns = 0;
	return result;
}

static void close_xdev(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	tracker->name = "trackers";
	release(xdev_of(tracker), session);
}

/* A tracker that is switched off has no pose, or fails. A calibration would keep an invalid pose.
 */
static XrResult locate_device(struct jc_xr_xdev *xdev, struct jc_xr_xdev_device *device,
	const struct jc_xr_session *session, XrTime time)
{
	XrSpaceLocation location = { .type = XR_TYPE_SPACE_LOCATION };
	XrResult result =
		session->instance->call.LocateSpace(device->space, session->base, time, &location);
	enum jc_state state =
		XR_SUCCEEDED(result) ? jc_xr_state_from(location.locationFlags) : JC_ABSENT;
	enum jc_joint joint =
		device->role < 0 ? JC_JOINT_NONE : jc_tracker_role_joint(device->role);
	struct jc_device_pose pose = jc_xr_pose_from(&location.pose);

	device->is_located = state != JC_ABSENT && jc_device_place_is_valid(pose);
	device->was_located = device->was_located || device->is_located;
	if (!device->is_located) {
		return is_loss(result) ? result : XR_SUCCESS;
	}
	pose.orientation = jc_quat_normalize(pose.orientation);
	if (joint != JC_JOINT_NONE) {
		xdev->base.part.joints[joint] = jc_device_place_tracker(joint, pose);
		xdev->base.part.joints[joint].state = (uint8_t)state;
	}
	if (device->id && !device->is_configured) {
		struct jc_worn_tracker *worn = &xdev->worn.list[xdev->worn.count++];

		*worn = (struct jc_worn_tracker){ .joint = joint,
			.position = pose.position,
			.turn = jc_device_place_turn(pose),
			.state = state };
		strcpy(worn->name, device->id);
	}
	return XR_SUCCESS;
}

static XrResult locate_xdev(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_xdev *xdev = xdev_of(tracker);
	XrResult result = XR_SUCCESS;
	unsigned count = 0;

	tracker->name = "trackers";
	tracker->part = (struct jc_xr_part){
		.profile = JC_PROFILE_WEBXR_SPEC, .time_ns = at->clock.now_ns, .confidence = 1.0f
	};
	if (at->clock.now_ns >= xdev->next_list_ns) {
		xdev->list_result = list_devices(xdev, session);
		xdev->next_list_ns = at->clock.now_ns + LIST_NS;
	}
	/* The spaces of earlier lists still work. */
	if (XR_FAILED(xdev->list_result) && (xdev->count == 0 || is_loss(xdev->list_result))) {
		result = xdev->list_result;
	}
	xdev->worn.count = 0;
	for (size_t i = 0; XR_SUCCEEDED(result) && i < xdev->count; i++) {
		struct jc_xr_xdev_device *device = &xdev->devices[i];

		result = locate_device(xdev, device, session, at->time);
		count += device->is_located && device->role >= 0;
	}
	if (XR_FAILED(result)) {
		return result;
	}
	tracker->part.live = count > 0;
	jc_xr_xdev_status_write(xdev, count, at->clock.now_ns);
	return result;
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_xdev,
	.locate = locate_xdev,
	.close = close_xdev,
};

void jc_xr_xdev_init(struct jc_xr_xdev *xdev, const struct jc_tracker_roles *configured)
{
	*xdev = (struct jc_xr_xdev){
		.base = { .ops = &ops, .is_worn = true, .name = "trackers" },
		.configured = configured,
	};
}

void jc_xr_xdev_set_roles(struct jc_xr_xdev *xdev, const struct jc_tracker_roles *roles)
{
	xdev->calibrated = *roles;
	assign(xdev);
}
