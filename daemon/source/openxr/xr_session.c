/* Draws nothing and therefore never waits for frames: xrWaitFrame of headless Monado returns at
 * once and without a time. */
#include "source/openxr/xr_session.h"

#define EVENTS_MOST    256 /* maximum per poll; the next poll reads further events */
#define SPACES_MOST    64u
#define EYES_OF_HEIGHT 0.9314f /* 1.63 m of 1.75 m, the proportions of the built-in figure */
#define USUAL_HEIGHT   1.75f
#define MOVE_WAIT_NS   INT64_C(1000000000) /* changes are announced at most this long in advance */

static bool is_there(const XrReferenceSpaceType *types, uint32_t count, XrReferenceSpaceType type)
{
	for (uint32_t i = 0; i < count; i++) {
		if (types[i] == type) {
			return true;
		}
	}
	return false;
}

static XrResult choose_base(struct jc_xr_session *session)
{
	const struct jc_xr_functions *call = &session->instance->call;
	XrReferenceSpaceType types[SPACES_MOST] = { 0 };
	uint32_t count = 0;
	XrResult result = call->EnumerateReferenceSpaces(session->handle, 0, &count, NULL);

	if (XR_SUCCEEDED(result) && count > SPACES_MOST) {
		result = XR_ERROR_RUNTIME_FAILURE;
	}
	if (XR_SUCCEEDED(result)) {
		uint32_t capacity = count;

		result = call->EnumerateReferenceSpaces(session->handle, capacity, &count, types);
		count = count < capacity ? count : capacity;
	}
	session->base_type = XR_REFERENCE_SPACE_TYPE_LOCAL;
	if (XR_SUCCEEDED(result) && is_there(types, count, XR_REFERENCE_SPACE_TYPE_STAGE)) {
		session->base_type = XR_REFERENCE_SPACE_TYPE_STAGE;
	} else if (XR_SUCCEEDED(result) && session->instance->has[JC_XR_LOCAL_FLOOR] &&
		   is_there(types, count, XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT)) {
		session->base_type = XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT;
	}
	return result;
}

static XrResult create_space(const struct jc_xr_session *session, XrReferenceSpaceType type,
	float height, XrSpace *out_space)
{
	const XrReferenceSpaceCreateInfo info = {
		.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO,
		.referenceSpaceType = type,
		.poseInReferenceSpace = { .orientation = { .w = 1.0f },
			.position = { .y = height } },
	};

	return session->instance->call.CreateReferenceSpace(session->handle, &info, out_space);
}

static XrResult create_spaces(struct jc_xr_session *session)
{
	XrResult result = choose_base(session);
	float height = session->options->height > 0.0f ? session->options->height : USUAL_HEIGHT;
	bool at_eyes = session->base_type == XR_REFERENCE_SPACE_TYPE_LOCAL;

	if (XR_SUCCEEDED(result)) {
		result = create_space(session, session->base_type,
			at_eyes ? -height * EYES_OF_HEIGHT : 0.0f, &session->base);
	}
	if (XR_SUCCEEDED(result)) {
		result = create_space(session, XR_REFERENCE_SPACE_TYPE_VIEW, 0.0f, &session->view);
	}
	return result;
}

XrResult jc_xr_session_create(const struct jc_xr_instance *instance,
	const struct jc_xr_options *options, struct jc_xr_session *out_session)
{
	struct jc_xr_session session = { .instance = instance, .options = options };
	const XrSessionCreateInfo info = { .type = XR_TYPE_SESSION_CREATE_INFO,
		.systemId = instance->system };
	XrResult result = instance->call.CreateSession(instance->handle, &info, &session.handle);

	if (XR_SUCCEEDED(result) && !session.handle) {
		result = XR_ERROR_RUNTIME_FAILURE;
	}
	if (XR_SUCCEEDED(result)) {
		result = create_spaces(&session);
	}
	if (XR_FAILED(result)) {
		jc_xr_session_destroy(&session);
		return result;
	}
	/* Bodies and hands are tracked even without devices. */
	jc_xr_actions_create(&session.actions, instance, session.handle);
	*out_session = session;
	return XR_SUCCESS;
}

static XrResult change_state(
	struct jc_xr_session *session, const XrEventDataSessionStateChanged *event)
{
	const XrSessionBeginInfo info = { .type = XR_TYPE_SESSION_BEGIN_INFO,
		.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO };
	XrResult result = XR_SUCCESS;

	if (event->session != session->handle) {
		return XR_SUCCESS;
	}
	switch (event->state) {
	case XR_SESSION_STATE_READY:
		result = session->instance->call.BeginSession(session->handle, &info);
		session->running = XR_SUCCEEDED(result);
		break;
	case XR_SESSION_STATE_STOPPING:
		result = session->instance->call.EndSession(session->handle);
		session->running = false;
		break;
	case XR_SESSION_STATE_EXITING:
	case XR_SESSION_STATE_LOSS_PENDING:
		return XR_ERROR_SESSION_LOST;
	default:
		break;
	}
	return result;
}

/* A session also begins with this event; without the extension a person counts as present. */
static void change_presence(
	struct jc_xr_session *session, const XrEventDataUserPresenceChangedEXT *event)
{
	if (event->session == session->handle) {
		session->is_unworn = !event->isUserPresent;
		session->has_newcomer |= event->isUserPresent != XR_FALSE;
	}
}

static XrResult handle_event(struct jc_xr_session *session, const XrEventDataBuffer *event)
{
	switch ((int)event->type) {
	case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED:
		return change_state(session, (const XrEventDataSessionStateChanged *)event);
	case XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING:
		return XR_ERROR_INSTANCE_LOST;
	case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING: {
		const XrEventDataReferenceSpaceChangePending *change =
			(const XrEventDataReferenceSpaceChangePending *)event;

		if (change->referenceSpaceType == session->base_type) {
			session->is_moving = true;
			session->moves_at = change->changeTime;
		}
		return XR_SUCCESS;
	}
	case (int)XR_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT:
		change_presence(session, (const XrEventDataUserPresenceChangedEXT *)event);
		return XR_SUCCESS;
	default:
		return XR_SUCCESS; /* other events do not matter here */
	}
}

XrResult jc_xr_session_poll(struct jc_xr_session *session)
{
	const struct jc_xr_instance *instance = session->instance;

	for (int i = 0; i < EVENTS_MOST; i++) {
		XrEventDataBuffer event = { .type = XR_TYPE_EVENT_DATA_BUFFER };
		XrResult result = instance->call.PollEvent(instance->handle, &event);

		if (result == XR_EVENT_UNAVAILABLE) {
			return XR_SUCCESS;
		}
		if (XR_SUCCEEDED(result)) {
			result = handle_event(session, &event);
		}
		if (XR_FAILED(result)) {
			return result;
		}
	}
	return XR_SUCCESS;
}

bool jc_xr_session_has_moved(struct jc_xr_session *session, XrTime now)
{
	XrTime ahead;
	bool soon = !__builtin_sub_overflow(session->moves_at, now, &ahead) && ahead > 0 &&
		    ahead < MOVE_WAIT_NS;

	if (!session->is_moving || soon) {
		return false;
	}
	session->is_moving = false;
	return true;
}

bool jc_xr_session_has_newcomer(struct jc_xr_session *session)
{
	bool has = session->has_newcomer;

	session->has_newcomer = false;
	return has;
}

void jc_xr_session_destroy(struct jc_xr_session *session)
{
	if (!session->handle) {
		return;
	}
	const struct jc_xr_functions *call = &session->instance->call;

	jc_xr_actions_destroy(&session->actions, call);
	if (session->view) {
		call->DestroySpace(session->view);
	}
	if (session->base) {
		call->DestroySpace(session->base);
	}
	call->DestroySession(session->handle);
	*session = (struct jc_xr_session){ .handle = XR_NULL_HANDLE };
}
