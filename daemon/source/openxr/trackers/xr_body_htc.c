/* Reads XR_HTC_body_tracking. Its confidence has three steps; at "none" no body is tracked. Its
 * skeleton has no parents, which are not needed here. */
#include "source/openxr/trackers/xr_body_htc.h"

#include "source/openxr/trackers/xr_joints.h"

static struct jc_xr_body_htc *htc_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_body_htc *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_HTC_BODY] && instance->call.CreateBodyTrackerHTC &&
	       instance->call.LocateBodyJointsHTC && instance->call.DestroyBodyTrackerHTC;
}

static XrResult open_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_body_htc *htc = htc_of(tracker);
	const XrBodyTrackerCreateInfoHTC info = { .type = XR_TYPE_BODY_TRACKER_CREATE_INFO_HTC,
		.bodyJointSet = XR_BODY_JOINT_SET_FULL_HTC };

	htc->handle = XR_NULL_HANDLE;
	htc->has_requested = false;
	return session->instance->call.CreateBodyTrackerHTC(session->handle, &info, &htc->handle);
}

static void read_rest(
	struct jc_xr_body_htc *htc, const struct jc_xr_session *session, uint32_t generation)
{
	XrBodySkeletonJointHTC joints[XR_BODY_JOINT_COUNT_HTC] = { 0 };
	XrBodySkeletonHTC skeleton = { .type = XR_TYPE_BODY_SKELETON_HTC,
		.jointCount = XR_BODY_JOINT_COUNT_HTC,
		.joints = joints };
	const XrSpaceLocationFlags there =
		XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
	const struct jc_xr_functions *call = &session->instance->call;
	struct jc_body_frame rest = { .confidence = 1.0f };

	if (!call->GetBodySkeletonHTC || XR_FAILED(call->GetBodySkeletonHTC(htc->handle,
						 session->base, generation, &skeleton))) {
		return;
	}
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		if (jc_xr_joints[joint].htc >= 0) {
			rest.joints[joint] =
				jc_xr_joint_from(there, &joints[jc_xr_joints[joint].htc].pose);
		}
	}
	if (jc_xr_rest_settle(&rest)) {
		htc->base.rest = rest;
		htc->base.rest_revision++;
	}
}

static float confidence_of(XrBodyJointConfidenceHTC level)
{
	return level == XR_BODY_JOINT_CONFIDENCE_HIGH_HTC ? 1.0f : 0.5f;
}

static XrResult locate_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_body_htc *htc = htc_of(tracker);
	struct jc_xr_part *part = &tracker->part;
	XrBodyJointLocationHTC joints[XR_BODY_JOINT_COUNT_HTC] = { 0 };
	const XrBodyJointsLocateInfoHTC info = { .type = XR_TYPE_BODY_JOINTS_LOCATE_INFO_HTC,
		.baseSpace = session->base,
		.time = at->time };
	XrBodyJointLocationsHTC locations = { .type = XR_TYPE_BODY_JOINT_LOCATIONS_HTC,
		.jointLocationCount = XR_BODY_JOINT_COUNT_HTC,
		.jointLocations = joints };
	XrResult result =
		session->instance->call.LocateBodyJointsHTC(htc->handle, &info, &locations);

	if (XR_FAILED(result) || locations.confidenceLevel == XR_BODY_JOINT_CONFIDENCE_NONE_HTC) {
		return result;
	}
	part->time_ns = at->clock.now_ns;
	part->confidence = confidence_of(locations.confidenceLevel);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		int i = jc_xr_joints[joint].htc;

		part->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
		if (i >= 0) {
			part->joints[joint] =
				jc_xr_joint_from(joints[i].locationFlags, &joints[i].pose);
		}
	}
	part->live = jc_xr_part_has_joints(part);
	if (part->live &&
		(!htc->has_requested || htc->skeleton != locations.skeletonGenerationId)) {
		htc->has_requested = true;
		htc->skeleton = locations.skeletonGenerationId;
		read_rest(htc, session, locations.skeletonGenerationId);
	}
	return result;
}

static void close_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyBodyTrackerHTC(htc_of(tracker)->handle);
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_body,
	.locate = locate_body,
	.close = close_body,
};

void jc_xr_body_htc_init(struct jc_xr_body_htc *htc)
{
	*htc = (struct jc_xr_body_htc){
		.base = { .ops = &ops,
			.is_body = true,
			.name = "htc body",
			.notes = "26 joints",
			.part = { .profile = JC_PROFILE_HTC } },
	};
}
