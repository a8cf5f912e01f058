/* Suggests bindings for the controllers of core OpenXR; runtimes map other controllers to one
 * of these. */
#include "source/openxr/xr_actions.h"

#include <stdio.h>
#include <string.h>

#define PATH_BYTES 128

static const char *const controllers[] = {
	"/interaction_profiles/khr/simple_controller",
	"/interaction_profiles/oculus/touch_controller",
	"/interaction_profiles/valve/index_controller",
	"/interaction_profiles/htc/vive_controller",
	"/interaction_profiles/microsoft/motion_controller",
};

static const char gaze_profile[] = "/interaction_profiles/ext/eye_gaze_interaction";

static const char tracker_profile[] = "/interaction_profiles/htc/vive_tracker_htcx";

/* Roles that runtimes may not know: revision 3 of XR_HTCX_vive_tracker_interaction added them. */
#define NEW_ROLES 4

static void user_path(int device, char out_path[PATH_BYTES])
{
	if (device == JC_XR_EYES) {
		snprintf(out_path, PATH_BYTES, "/user/eyes_ext");
	} else if (device >= JC_XR_FIRST_ROLE) {
		snprintf(out_path, PATH_BYTES, "/user/vive_tracker_htcx/role/%s",
			jc_tracker_role_name(device - JC_XR_FIRST_ROLE));
	} else {
		bool left = device == JC_XR_LEFT_GRIP || device == JC_XR_LEFT_AIM;

		snprintf(out_path, PATH_BYTES, "/user/hand/%s", left ? "left" : "right");
	}
}

static XrResult path_of(const struct jc_xr_instance *instance, const char *text, XrPath *out_path)
{
	return instance->call.StringToPath(instance->handle, text, out_path);
}

/* One action for devices first..last; the action of the eyes has one device and needs no paths. */
static XrResult create_action(struct jc_xr_actions *actions, const struct jc_xr_instance *instance,
	const char *name, int first, int last)
{
	XrPath users[JC_XR_DEVICE_COUNT];
	XrActionCreateInfo info = { .type = XR_TYPE_ACTION_CREATE_INFO,
		.actionType = XR_ACTION_TYPE_POSE_INPUT,
		.subactionPaths = users };
	XrAction action = XR_NULL_HANDLE;

	for (int i = first; i <= last && i != JC_XR_EYES; i++) {
		char text[PATH_BYTES];

		user_path(i, text);
		XrResult result = path_of(instance, text, &actions->devices[i].user);

		if (XR_FAILED(result)) {
			return result;
		}
		users[info.countSubactionPaths++] = actions->devices[i].user;
	}
	snprintf(info.actionName, sizeof(info.actionName), "%s", name);
	snprintf(info.localizedActionName, sizeof(info.localizedActionName), "jointcast: %s", name);
	XrResult result = instance->call.CreateAction(actions->set, &info, &action);

	for (int i = first; XR_SUCCEEDED(result) && i <= last; i++) {
		actions->devices[i].action = action;
	}
	return result;
}

/* The part of a binding's path after the user. */
static const char *input_path(int device)
{
	return device == JC_XR_EYES                                    ? "/input/gaze_ext/pose"
	       : device == JC_XR_LEFT_AIM || device == JC_XR_RIGHT_AIM ? "/input/aim/pose"
								       : "/input/grip/pose";
}

static XrResult suggest(const struct jc_xr_actions *actions, const struct jc_xr_instance *instance,
	const char *profile, int first, int last)
{
	XrActionSuggestedBinding bindings[JC_XR_DEVICE_COUNT];
	XrInteractionProfileSuggestedBinding suggestion = {
		.type = XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING,
		.suggestedBindings = bindings,
	};
	XrResult result = path_of(instance, profile, &suggestion.interactionProfile);

	for (int i = first; XR_SUCCEEDED(result) && i <= last; i++) {
		char text[PATH_BYTES];

		if (!actions->devices[i].action) {
			continue;
		}
		user_path(i, text);
		strncat(text, input_path(i), sizeof(text) - strlen(text) - 1);
		XrActionSuggestedBinding *binding = &bindings[suggestion.countSuggestedBindings++];

		binding->action = actions->devices[i].action;
		result = path_of(instance, text, &binding->binding);
	}
	if (XR_FAILED(result) || suggestion.countSuggestedBindings == 0) {
		return result;
	}
	return instance->call.SuggestInteractionProfileBindings(instance->handle, &suggestion);
}

/* A runtime that does not know one path refuses the whole suggestion, so the second attempt
 * suggests fewer paths. */
static void suggest_all(const struct jc_xr_actions *actions, const struct jc_xr_instance *instance)
{
	for (size_t i = 0; i < sizeof(controllers) / sizeof(controllers[0]); i++) {
		suggest(actions, instance, controllers[i], JC_XR_LEFT_GRIP, JC_XR_RIGHT_AIM);
	}
	if (instance->has[JC_XR_VIVE_TRACKERS] &&
		XR_FAILED(suggest(
			actions, instance, tracker_profile, JC_XR_FIRST_ROLE, JC_XR_EYES - 1))) {
		suggest(actions, instance, tracker_profile, JC_XR_FIRST_ROLE,
			JC_XR_EYES - 1 - NEW_ROLES);
	}
	if (instance->offers[JC_XR_EYE_GAZE]) {
		suggest(actions, instance, gaze_profile, JC_XR_EYES, JC_XR_EYES);
	}
}

static XrResult create_set(struct jc_xr_actions *actions, const struct jc_xr_instance *instance)
{
	const XrActionSetCreateInfo info = { .type = XR_TYPE_ACTION_SET_CREATE_INFO,
		.actionSetName = "jointcast",
		.localizedActionSetName = "jointcast" };
	XrResult result = instance->call.CreateActionSet(instance->handle, &info, &actions->set);

	if (XR_SUCCEEDED(result)) {
		result =
			create_action(actions, instance, "grip", JC_XR_LEFT_GRIP, JC_XR_RIGHT_GRIP);
	}
	if (XR_SUCCEEDED(result)) {
		result = create_action(actions, instance, "aim", JC_XR_LEFT_AIM, JC_XR_RIGHT_AIM);
	}
	/* A failure of tracker actions does not affect controllers. */
	if (XR_SUCCEEDED(result) && instance->has[JC_XR_VIVE_TRACKERS] &&
		XR_FAILED(create_action(
			actions, instance, "tracker", JC_XR_FIRST_ROLE, JC_XR_EYES - 1))) {
		create_action(
			actions, instance, "tracker", JC_XR_FIRST_ROLE, JC_XR_EYES - 1 - NEW_ROLES);
	}
	/* Bindings are final once attached: the device may get eyes later. */
	if (XR_SUCCEEDED(result) && instance->offers[JC_XR_EYE_GAZE]) {
		create_action(actions, instance, "gaze", JC_XR_EYES, JC_XR_EYES);
	}
	return result;
}

static void create_spaces(
	struct jc_xr_actions *actions, const struct jc_xr_instance *instance, XrSession session)
{
	for (int i = 0; i < JC_XR_DEVICE_COUNT; i++) {
		struct jc_xr_action *device = &actions->devices[i];
		const XrActionSpaceCreateInfo info = {
			.type = XR_TYPE_ACTION_SPACE_CREATE_INFO,
			.action = device->action,
			.subactionPath = device->user,
			.poseInActionSpace = { .orientation = { .w = 1.0f } },
		};

		if (device->action && XR_FAILED(instance->call.CreateActionSpace(
					      session, &info, &device->space))) {
			device->space = XR_NULL_HANDLE;
		}
	}
}

XrResult jc_xr_actions_create(
	struct jc_xr_actions *actions, const struct jc_xr_instance *instance, XrSession session)
{
	const XrSessionActionSetsAttachInfo attachment = {
		.type = XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO,
		.countActionSets = 1,
		.actionSets = &actions->set,
	};
	XrResult result = create_set(actions, instance);

	if (XR_SUCCEEDED(result)) {
		suggest_all(actions, instance);
		result = instance->call.AttachSessionActionSets(session, &attachment);
	}
	if (XR_FAILED(result)) {
		jc_xr_actions_destroy(actions, &instance->call);
		return result;
	}
	create_spaces(actions, instance, session);
	return result;
}

XrResult jc_xr_actions_sync(
	const struct jc_xr_actions *actions, const struct jc_xr_functions *call, XrSession session)
{
	const XrActiveActionSet active = { .actionSet = actions->set };
	const XrActionsSyncInfo info = { .type = XR_TYPE_ACTIONS_SYNC_INFO,
		.countActiveActionSets = 1,
		.activeActionSets = &active };

	return actions->set ? call->SyncActions(session, &info) : XR_SESSION_NOT_FOCUSED;
}

XrResult jc_xr_actions_locate(const struct jc_xr_actions *actions, enum jc_xr_device device,
	const struct jc_xr_locating *at, XrSpaceLocation *out_location)
{
	const struct jc_xr_action *known = &actions->devices[device];
	const XrActionStateGetInfo info = { .type = XR_TYPE_ACTION_STATE_GET_INFO,
		.action = known->action,
		.subactionPath = known->user };
	XrActionStatePose state = { .type = XR_TYPE_ACTION_STATE_POSE };
	XrSpaceLocation location = { .type = XR_TYPE_SPACE_LOCATION, .next = at->next };

	*out_location = location;
	if (!known->space) {
		return XR_SUCCESS;
	}
	XrResult result = at->call->GetActionStatePose(at->session, &info, &state);

	if (XR_SUCCEEDED(result) && state.isActive) {
		result = at->call->LocateSpace(known->space, at->base, at->time, &location);
	}
	if (XR_SUCCEEDED(result)) {
		*out_location = location;
	}
	return result;
}

void jc_xr_actions_destroy(struct jc_xr_actions *actions, const struct jc_xr_functions *call)
{
	for (int i = 0; i < JC_XR_DEVICE_COUNT; i++) {
		if (actions->devices[i].space) {
			call->DestroySpace(actions->devices[i].space);
		}
	}
	for (int i = 0; i < JC_XR_DEVICE_COUNT; i++) {
		XrAction action = actions->devices[i].action;

		if (action && (i == 0 || action != actions->devices[i - 1].action)) {
			call->DestroyAction(action);
		}
	}
	if (actions->set) {
		call->DestroyActionSet(actions->set);
	}
	*actions = (struct jc_xr_actions){ .set = XR_NULL_HANDLE };
}
