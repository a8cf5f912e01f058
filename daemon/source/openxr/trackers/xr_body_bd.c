/* This extension reports neither a time nor a skeleton. Some runtimes support it and always
 * return flags of 0: no body is tracked then. */
#include "source/openxr/trackers/xr_body_bd.h"

#include <stdio.h>

#include "source/openxr/trackers/xr_joints.h"

#define DOUBTFUL 0.5f /* confidence when not all joints are tracked */

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
	part->time_ns = at->clock.now_ns;
	part->confidence = locations.allJointPosesTracked ? 1.0f : DOUBTFUL;
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		int i = jc_xr_joints[joint].bd;

		part->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
		if (i >= 0 && (uint32_t)i < bd->count) {
			part->joints[joint] =
				jc_xr_joint_from(joints[i].locationFlags, &joints[i].pose);
		}
	}
	part->live = jc_xr_part_has_joints(part);
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
