/* This extension reports neither a time nor a skeleton. Some runtimes support it and always
 * return flags of 0: no body is tracked then. */
#include "source/openxr/trackers/xr_body_bd.h"

#include <stdio.h>

#include "source/openxr/trackers/xr_joints.h"

#define DOUBTFUL 0.5f /* confidence when tracking is limited, or not of all joints */

static struct jc_xr_body_bd *bd_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_body_bd *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_BD_BODY] && instance->call.CreateBodyTrackerBD &&
	       instance->call.LocateBodyJointsBD && instance->call.DestroyBodyTrackerBD;
}

static XrResult open_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_body_bd *bd = bd_of(tracker);
	const struct jc_xr_functions *call = &session->instance->call;
	XrBodyTrackerCreateInfoBD info = { .type = XR_TYPE_BODY_TRACKER_CREATE_INFO_BD,
		.jointSet = XR_BODY_JOINT_SET_FULL_BODY_JOINTS_BD };

	bd->handle = XR_NULL_HANDLE;
	bd->count = XR_BODY_JOINT_COUNT_BD;
	XrResult result = call->CreateBodyTrackerBD(session->handle, &info, &bd->handle);

	snprintf(tracker->notes, sizeof(tracker->notes), "%u joints", bd->count);
	if (jc_xr_result_is_refusal(result)) {
		struct jc_xr_result_name why = jc_xr_result_name(result);

		info.jointSet = XR_BODY_JOINT_SET_BODY_WITHOUT_ARM_BD;
		bd->count = XR_BODY_JOINT_WITHOUT_ARM_COUNT_BD;
		snprintf(tracker->notes, sizeof(tracker->notes), "%u joints, without arms (%s)",
			bd->count, why.text);
		result = call->CreateBodyTrackerBD(session->handle, &info, &bd->handle);
	}
	return result;
}

static const char *fault_of(XrBodyTrackingMessageBD message)
{
	switch (message) {
	case XR_BODY_TRACKING_MESSAGE_TRACKER_NOT_CALIBRATED_BD:
		return "the body trackers are not calibrated: calibrate in the headset";
	case XR_BODY_TRACKING_MESSAGE_TRACKER_NUM_NOT_ENOUGH_BD:
		return "body trackers are missing: connect all of them";
	case XR_BODY_TRACKING_MESSAGE_TRACKER_STATE_NOT_SATISFIED_BD:
		return "a body tracker is not in tracking mode: end its charging";
	case XR_BODY_TRACKING_MESSAGE_TRACKER_PERSISTENT_INVISIBILITY_BD:
		return "the headset does not see a body tracker: look at the trackers";
	case XR_BODY_TRACKING_MESSAGE_TRACKER_DATA_ERROR_BD:
		return "a body tracker sends wrong data: restart the trackers";
	case XR_BODY_TRACKING_MESSAGE_USER_CHANGE_BD:
		return "another person wears the body trackers: calibrate in the headset";
	default:
		return "the runtime's body tracking is invalid: calibrate in the headset";
	}
}

/* Returns whether tracking is limited; sets the fault of the tracker if the joints are invalid. */
static bool look_at_state(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	const struct jc_xr_instance *instance = session->instance;
	XrBodyTrackingStateBD state = { .type = XR_TYPE_BODY_TRACKING_STATE_BD };

	if (!instance->has[JC_XR_BD_METRICS] || !instance->call.GetBodyTrackingStateBD ||
		XR_FAILED(instance->call.GetBodyTrackingStateBD(session->handle, &state))) {
		return false;
	}
	if (state.status == XR_BODY_TRACKING_STATUS_INVALID_BD) {
		tracker->fault = fault_of(state.message);
	}
	return state.status == XR_BODY_TRACKING_STATUS_LIMITED_BD;
}

static XrResult locate_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_body_bd *bd = bd_of(tracker);
	struct jc_xr_part *part = &tracker->part;
	XrBodyJointLocationBD joints[XR_BODY_JOINT_COUNT_BD] = { 0 };
	const XrBodyJointsLocateInfoBD info = { .type = XR_TYPE_BODY_JOINTS_LOCATE_INFO_BD,
		.baseSpace = session->base,
		.time = at->time };
	XrBodyJointLocationsBD locations = { .type = XR_TYPE_BODY_JOINT_LOCATIONS_BD,
		.jointLocationCount = bd->count,
		.jointLocations = joints };
	XrResult result = session->instance->call.LocateBodyJointsBD(bd->handle, &info, &locations);

	if (XR_FAILED(result)) {
		return result;
	}
	bool is_limited = look_at_state(tracker, session);

	part->time_ns = at->clock.now_ns;
	part->confidence = locations.allJointPosesTracked && !is_limited ? 1.0f : DOUBTFUL;
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		int i = jc_xr_joints[joint].bd;

		part->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
		if (i >= 0 && (uint32_t)i < bd->count) {
			part->joints[joint] =
				jc_xr_joint_from(joints[i].locationFlags, &joints[i].pose);
		}
	}
	part->live = !tracker->fault && jc_xr_part_has_joints(part);
	return result;
}

static void close_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyBodyTrackerBD(bd_of(tracker)->handle);
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_body,
	.locate = locate_body,
	.close = close_body,
};

void jc_xr_body_bd_init(struct jc_xr_body_bd *bd)
{
	*bd = (struct jc_xr_body_bd){
		.base = { .ops = &ops,
			.is_body = true,
			.name = "bd body",
			.part = { .profile = JC_PROFILE_PICO } },
	};
}
