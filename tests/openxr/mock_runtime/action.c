/* Actions and paths: enough for poses of controllers and trackers by role. */
#include <stdio.h>
#include <string.h>

#include "mock.h"

XrPath mock_path(const char *text)
{
	for (size_t i = 0; i < mock.path_count; i++) {
		if (strcmp(mock.paths[i], text) == 0) {
			return i + 1;
		}
	}
	if (text[0] != '/' || strlen(text) >= XR_MAX_PATH_LENGTH || mock.path_count == MOCK_PATHS) {
		return XR_NULL_PATH;
	}
	strcpy(mock.paths[mock.path_count], text);
	return ++mock.path_count;
}

const char *mock_path_text(XrPath path)
{
	return path >= 1 && path <= mock.path_count ? mock.paths[path - 1] : NULL;
}

static XrResult XRAPI_CALL create_action_set(
	XrInstance instance, const XrActionSetCreateInfo *info, XrActionSet *set)
{
	static const char name[] = "xrCreateActionSet";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_ACTION_SET_CREATE_INFO, 0) ||
		!info->actionSetName[0] || !info->localizedActionSetName[0]) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	*set = (XrActionSet)(uintptr_t)mock_create(MOCK_ACTION_SET, ID(instance));
	return mock_leave(*set ? XR_SUCCESS : XR_ERROR_LIMIT_REACHED);
}

static XrResult XRAPI_CALL destroy_action_set(XrActionSet set)
{
	return mock_end("xrDestroyActionSet", MOCK_ACTION_SET, ID(set));
}

static XrResult XRAPI_CALL create_action(
	XrActionSet set, const XrActionCreateInfo *info, XrAction *action)
{
	static const char name[] = "xrCreateAction";
	XrResult result = mock_enter(name, MOCK_ACTION_SET, ID(set));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_ACTION_CREATE_INFO, 0) || !info->actionName[0] ||
		!info->localizedActionName[0]) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	uint64_t handle = mock_create(MOCK_ACTION, ID(set));

	if (!handle) {
		return mock_leave(XR_ERROR_LIMIT_REACHED);
	}
	mock_object(handle)->value = (int32_t)info->actionType;
	*action = (XrAction)(uintptr_t)handle;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL destroy_action(XrAction action)
{
	return mock_end("xrDestroyAction", MOCK_ACTION, ID(action));
}

static bool is_profile_known(const char *profile)
{
	static const char vive_tracker[] = "/interaction_profiles/htc/vive_tracker_htcx";
	static const char gaze[] = "/interaction_profiles/ext/eye_gaze_interaction";

	if (!profile || strncmp(profile, "/interaction_profiles/", 22) != 0) {
		return false;
	}
	if (strcmp(profile, gaze) == 0) {
		return mock_is_enabled("XR_EXT_eye_gaze_interaction");
	}
	return strcmp(profile, vive_tracker) != 0 ||
	       mock_is_enabled("XR_HTCX_vive_tracker_interaction");
}

/* Whether the profile has the input: gaze has one, and no other profile has it. */
static bool is_input_known(const char *profile, const char *path)
{
	bool is_gaze = strcmp(path, MOCK_GAZE) == 0;

	return is_gaze == (strcmp(profile, "/interaction_profiles/ext/eye_gaze_interaction") == 0);
}

static XrResult XRAPI_CALL suggest_bindings(
	XrInstance instance, const XrInteractionProfileSuggestedBinding *suggested)
{
	static const char name[] = "xrSuggestInteractionProfileBindings";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, suggested, XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!is_profile_known(mock_path_text(suggested->interactionProfile))) {
		return mock_leave(XR_ERROR_PATH_UNSUPPORTED);
	}
	if (mock.is_attached) {
		mock_blame(name, "the session's action sets are attached already");
		return mock_leave(XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
	}
	for (uint32_t i = 0; i < suggested->countSuggestedBindings; i++) {
		const XrActionSuggestedBinding *binding = &suggested->suggestedBindings[i];

		if (!mock_path_text(binding->binding) || mock.binding_count == MOCK_BINDINGS) {
			return mock_leave(XR_ERROR_PATH_INVALID);
		}
		if (!is_input_known(mock_path_text(suggested->interactionProfile),
			    mock_path_text(binding->binding))) {
			mock_blame(
				name, "the profile has no '%s'", mock_path_text(binding->binding));
			return mock_leave(XR_ERROR_PATH_UNSUPPORTED);
		}
		mock.bindings[mock.binding_count++] = (struct mock_binding){
			.action = (uint32_t)ID(binding->action),
			.path = binding->binding,
		};
	}
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL attach_action_sets(
	XrSession session, const XrSessionActionSetsAttachInfo *info)
{
	static const char name[] = "xrAttachSessionActionSets";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (mock.is_attached) {
		mock_blame(name, "attached twice");
		return mock_leave(XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
	}
	mock.is_attached = true;
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL sync_actions(XrSession session, const XrActionsSyncInfo *info)
{
	static const char name[] = "xrSyncActions";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_ACTIONS_SYNC_INFO, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	if (!mock.is_attached) {
		mock_blame(name, "nothing is attached");
		return mock_leave(XR_ERROR_ACTIONSET_NOT_ATTACHED);
	}
	mock.is_synced = mock.session_state == XR_SESSION_STATE_FOCUSED;
	return mock_leave(mock.is_synced ? XR_SUCCESS : XR_SESSION_NOT_FOCUSED);
}

static XrResult XRAPI_CALL get_pose_state(
	XrSession session, const XrActionStateGetInfo *info, XrActionStatePose *state)
{
	static const char name[] = "xrGetActionStatePose";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_expect(name, info, XR_TYPE_ACTION_STATE_GET_INFO, 0) ||
		!mock_expect(name, state, XR_TYPE_ACTION_STATE_POSE, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	state->isActive = mock.is_synced &&
			  (mock.knobs.gaze_active != 0.0 || !mock_is_gaze(ID(info->action)));
	return mock_leave(XR_SUCCESS);
}

static XrResult XRAPI_CALL current_profile(
	XrSession session, XrPath user, XrInteractionProfileState *state)
{
	static const char name[] = "xrGetCurrentInteractionProfile";
	XrResult result = mock_enter(name, MOCK_SESSION, ID(session));

	if (result != XR_SUCCESS) {
		return result;
	}
	if (!mock_path_text(user) ||
		!mock_expect(name, state, XR_TYPE_INTERACTION_PROFILE_STATE, 0)) {
		return mock_leave(XR_ERROR_VALIDATION_FAILURE);
	}
	state->interactionProfile = mock_path("/interaction_profiles/khr/simple_controller");
	return mock_leave(XR_SUCCESS);
}

/* Roles of the trackers that the motion of the devices has. */
static uint32_t find_roles(XrPath *out_roles, uint32_t capacity)
{
	static const char prefix[] = "/user/vive_tracker_htcx/role/";
	const struct mock_motion *motion = mock.streams[MOCK_STREAM_DEVICES].motion;
	uint32_t count = 0;

	for (size_t i = 0; motion && i < motion->joint_count; i++) {
		char role[XR_MAX_PATH_LENGTH];

		if (strncmp(motion->names[i], prefix, strlen(prefix)) == 0) {
			snprintf(role, sizeof(role), "%s", motion->names[i]);
			role[strlen(prefix) + strcspn(role + strlen(prefix), "/")] = '\0';
			if (count < capacity) {
				out_roles[count] = mock_path(role);
			}
			count++;
		}
	}
	return count;
}

static XrResult XRAPI_CALL enumerate_trackers(
	XrInstance instance, uint32_t capacity, uint32_t *count, XrViveTrackerPathsHTCX *paths)
{
	static const char name[] = "xrEnumerateViveTrackerPathsHTCX";
	XrResult result = mock_enter(name, MOCK_INSTANCE, ID(instance));
	XrPath roles[16];

	if (result != XR_SUCCESS) {
		return result;
	}
	*count = find_roles(roles, 16);
	if (capacity == 0) {
		return mock_leave(XR_SUCCESS);
	}
	for (uint32_t i = 0; i < *count && i < capacity; i++) {
		char serial[64];

		if (!mock_expect(name, &paths[i], XR_TYPE_VIVE_TRACKER_PATHS_HTCX, 0)) {
			return mock_leave(XR_ERROR_VALIDATION_FAILURE);
		}
		snprintf(serial, sizeof(serial), "/devices/htc/vive_tracker%u", i);
		paths[i].persistentPath = mock_path(serial);
		paths[i].rolePath = roles[i];
	}
	return mock_leave(capacity < *count ? XR_ERROR_SIZE_INSUFFICIENT : XR_SUCCESS);
}

const struct mock_function mock_action_functions[] = {
	{ "xrCreateActionSet", NULL, (PFN_xrVoidFunction)create_action_set },
	{ "xrDestroyActionSet", NULL, (PFN_xrVoidFunction)destroy_action_set },
	{ "xrCreateAction", NULL, (PFN_xrVoidFunction)create_action },
	{ "xrDestroyAction", NULL, (PFN_xrVoidFunction)destroy_action },
	{ "xrSuggestInteractionProfileBindings", NULL, (PFN_xrVoidFunction)suggest_bindings },
	{ "xrAttachSessionActionSets", NULL, (PFN_xrVoidFunction)attach_action_sets },
	{ "xrSyncActions", NULL, (PFN_xrVoidFunction)sync_actions },
	{ "xrGetActionStatePose", NULL, (PFN_xrVoidFunction)get_pose_state },
	{ "xrGetCurrentInteractionProfile", NULL, (PFN_xrVoidFunction)current_profile },
	{ "xrEnumerateViveTrackerPathsHTCX", "XR_HTCX_vive_tracker_interaction",
		(PFN_xrVoidFunction)enumerate_trackers },
	{ NULL, NULL, NULL },
};
