/* Clears its buffers before each call: an inactive tracker writes neither time nor
 * confidence, and clears only 70 of 84 flags. */
#include "source/openxr/xr_body_meta.h"

#include <math.h>
#include <stdio.h>

#include "source/openxr/xr_joints.h"

#define LEAST_HEIGHT 0.5f /* range of XR_META_body_tracking_calibration, metres */
#define MOST_HEIGHT  3.0f

static struct jc_xr_body_meta *meta_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_body_meta *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_FB_BODY] && instance->call.CreateBodyTrackerFB &&
	       instance->call.LocateBodyJointsFB && instance->call.DestroyBodyTrackerFB;
}

static XrResult create(
	const struct jc_xr_session *session, XrBodyJointSetFB set, XrBodyTrackerFB *out_handle)
{
	const XrBodyTrackerCreateInfoFB info = { .type = XR_TYPE_BODY_TRACKER_CREATE_INFO_FB,
		.bodyJointSet = set };

	return session->instance->call.CreateBodyTrackerFB(session->handle, &info, out_handle);
}

/* Both requests may fail without harm. */
static void wish(const struct jc_xr_body_meta *meta, const struct jc_xr_session *session)
{
	const struct jc_xr_instance *instance = session->instance;
	float height = session->options->height;
	const XrBodyTrackingCalibrationInfoMETA info = {
		.type = XR_TYPE_BODY_TRACKING_CALIBRATION_INFO_META, .bodyHeight = height
	};

	if (instance->has[JC_XR_META_FIDELITY] && instance->call.RequestBodyTrackingFidelityMETA) {
		instance->call.RequestBodyTrackingFidelityMETA(
			meta->handle, XR_BODY_TRACKING_FIDELITY_HIGH_META);
	}
	if (instance->has_height_override && height >= LEAST_HEIGHT && height <= MOST_HEIGHT &&
		instance->call.SuggestBodyTrackingCalibrationOverrideMETA) {
		instance->call.SuggestBodyTrackingCalibrationOverrideMETA(meta->handle, &info);
	}
}

static XrResult open_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_body_meta *meta = meta_of(tracker);
	XrResult result = XR_ERROR_FEATURE_UNSUPPORTED;

	meta->handle = XR_NULL_HANDLE;
	meta->freshness = (struct jc_xr_freshness){ 0 };
	meta->has_requested = false;
	if (session->instance->has[JC_XR_META_FULL_BODY]) {
		meta->count = XR_FULL_BODY_JOINT_COUNT_META;
		result = create(session, XR_BODY_JOINT_SET_FULL_BODY_META, &meta->handle);
	}
	if (result == XR_ERROR_FEATURE_UNSUPPORTED) {
		meta->count = XR_BODY_JOINT_COUNT_FB;
		result = create(session, XR_BODY_JOINT_SET_DEFAULT_FB, &meta->handle);
	}
	if (XR_FAILED(result)) {
		return result;
	}
	tracker->name = meta->count > XR_BODY_JOINT_COUNT_FB ? "meta body" : "fb body";
	wish(meta, session);
	return result;
}

static int place_of(const struct jc_xr_body_meta *meta, int joint)
{
	return meta->count > XR_BODY_JOINT_COUNT_FB ? jc_xr_joints[joint].meta
						    : jc_xr_joints[joint].fb;
}

/* Entries have any order; of duplicates the last one counts. */
static void read_rest(struct jc_xr_body_meta *meta, const struct jc_xr_session *session)
{
	struct jc_xr_tracker *tracker = &meta->base;
	XrBodySkeletonJointFB joints[XR_FULL_BODY_JOINT_COUNT_META] = { 0 };
	XrBodySkeletonFB skeleton = {
		.type = XR_TYPE_BODY_SKELETON_FB, .jointCount = meta->count, .joints = joints
	};
	const XrSpaceLocationFlags there =
		XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
	struct jc_body_frame rest = { .confidence = 1.0f };

	for (uint32_t i = 0; i < meta->count; i++) {
		joints[i].joint = XR_BODY_JOINT_NONE_FB;
	}
	if (!session->instance->call.GetBodySkeletonFB ||
		XR_FAILED(session->instance->call.GetBodySkeletonFB(meta->handle, &skeleton))) {
		return;
	}
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		for (uint32_t i = 0; i < meta->count; i++) {
			if (joints[i].joint == place_of(meta, joint) &&
				joints[i].joint != XR_BODY_JOINT_NONE_FB) {
				rest.joints[joint] = jc_xr_joint_from(there, &joints[i].pose);
			}
		}
	}
	if (jc_xr_rest_settle(&rest)) {
		tracker->rest = rest;
		tracker->rest_revision++;
	}
}

static void note(struct jc_xr_body_meta *meta, XrBodyTrackingCalibrationStateMETA calibration,
	XrBodyTrackingFidelityMETA fidelity)
{
	static const char *const fidelities[] = { "", ", low fidelity", ", high fidelity" };
	static const char *const calibrations[] = { "", ", calibrated", ", calibrating",
		", calibration invalid" };
	unsigned f = fidelity <= XR_BODY_TRACKING_FIDELITY_HIGH_META ? fidelity : 0;
	unsigned c =
		calibration <= XR_BODY_TRACKING_CALIBRATION_STATE_INVALID_META ? calibration : 0;

	snprintf(meta->base.notes, sizeof(meta->base.notes), "%u joints%s%s", meta->count,
		fidelities[f], calibrations[c]);
	meta->base.quality = c << 2 | f;
}

static XrResult locate_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_body_meta *meta = meta_of(tracker);
	const struct jc_xr_instance *instance = session->instance;
	XrBodyJointLocationFB joints[XR_FULL_BODY_JOINT_COUNT_META] = { 0 };
	XrBodyTrackingCalibrationStatusMETA calibration = {
		.type = XR_TYPE_BODY_TRACKING_CALIBRATION_STATUS_META
	};
	XrBodyTrackingFidelityStatusMETA fidelity = {
		.type = XR_TYPE_BODY_TRACKING_FIDELITY_STATUS_META
	};
	const XrBodyJointsLocateInfoFB info = { .type = XR_TYPE_BODY_JOINTS_LOCATE_INFO_FB,
		.baseSpace = session->base,
		.time = at->time };
	XrBodyJointLocationsFB locations = { .type = XR_TYPE_BODY_JOINT_LOCATIONS_FB,
		.jointCount = meta->count,
		.jointLocations = joints };

	if (instance->has[JC_XR_META_CALIBRATION]) {
		locations.next = &calibration;
	}
	if (instance->has[JC_XR_META_FIDELITY]) {
		fidelity.next = locations.next;
		locations.next = &fidelity;
	}
	XrResult result = instance->call.LocateBodyJointsFB(meta->handle, &info, &locations);

	if (XR_FAILED(result) || !locations.isActive) {
		tracker->is_stale = false;
		return result;
	}
	struct jc_xr_part *part = &tracker->part;
	bool doubtful = calibration.status == XR_BODY_TRACKING_CALIBRATION_STATE_INVALID_META;

	note(meta, calibration.status, fidelity.fidelity);
	part->time_ns = jc_xr_freshness_take(
		&meta->freshness, &at->clock, locations.time, JC_XR_STALE_NS, &tracker->is_stale);
	/* A comparison with NaN is false. */
	part->confidence = locations.confidence > 0.0f ? fminf(locations.confidence, 1.0f) : 0.0f;
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		int i = place_of(meta, joint);

		part->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
		if (i >= 0) {
			part->joints[joint] =
				jc_xr_joint_from(joints[i].locationFlags, &joints[i].pose);
		}
		if (doubtful && part->joints[joint].state == JC_TRACKED) {
			part->joints[joint].state = JC_ESTIMATED;
		}
	}
	bool there = jc_xr_part_has_joints(part);

	part->live = there && !tracker->is_stale;
	tracker->is_stale = there && tracker->is_stale;
	if (there && (!meta->has_requested || meta->skeleton != locations.skeletonChangedCount)) {
		meta->has_requested = true;
		meta->skeleton = locations.skeletonChangedCount;
		read_rest(meta, session);
	}
	return result;
}

static void close_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyBodyTrackerFB(meta_of(tracker)->handle);
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_body,
	.locate = locate_body,
	.close = close_body,
};

void jc_xr_body_meta_init(struct jc_xr_body_meta *meta)
{
	*meta = (struct jc_xr_body_meta){
		.base = { .ops = &ops,
			.is_body = true,
			.name = "meta body",
			.part = { .profile = JC_PROFILE_META } },
	};
}
