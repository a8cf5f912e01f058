/* Clears its buffers before each call: an inactive tracker writes neither time nor
 * confidence, and clears only 70 of 84 flags. */
#include "source/openxr/trackers/xr_body_meta.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "source/openxr/trackers/xr_joints.h"

#define LEAST_HEIGHT 0.5f /* range of XR_META_body_tracking_calibration, metres */
#define MOST_HEIGHT  3.0f

/* Optional structures of xrLocateBodyJointsFB. Monado 25.1 fails if the device lacks the feature
 * of one of them. */
#define CALIBRATION_STATUS UINT32_C(1)
#define FIDELITY_STATUS    UINT32_C(2)

/* The specification: such joints must not be interpreted as a body. */
#define UNCALIBRATED "the runtime's body calibration is invalid: calibrate in the headset"

static const char *const statuses[] = { "calibration status", "fidelity status" };

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
	if (instance->has[JC_XR_META_CALIBRATION] && height >= LEAST_HEIGHT &&
		height <= MOST_HEIGHT &&
		instance->call.SuggestBodyTrackingCalibrationOverrideMETA) {
		instance->call.SuggestBodyTrackingCalibrationOverrideMETA(meta->handle, &info);
	}
}

static XrResult open_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_body_meta *meta = meta_of(tracker);
	bool has_legs = session->instance->has[JC_XR_META_FULL_BODY];

	meta->handle = XR_NULL_HANDLE;
	meta->freshness = (struct jc_xr_freshness){ 0 };
	meta->has_requested = false;
	meta->legs_refusal = XR_SUCCESS;
	meta->count = has_legs ? XR_FULL_BODY_JOINT_COUNT_META : XR_BODY_JOINT_COUNT_FB;
	XrResult result = create(session,
		has_legs ? XR_BODY_JOINT_SET_FULL_BODY_META : XR_BODY_JOINT_SET_DEFAULT_FB,
		&meta->handle);

	if (has_legs && jc_xr_result_is_refusal(result)) {
		meta->legs_refusal = result;
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

	int length = snprintf(meta->base.notes, sizeof(meta->base.notes), "%u joints%s%s",
		meta->count, fidelities[f], calibrations[c]);

	if (XR_FAILED(meta->legs_refusal)) {
		struct jc_xr_result_name why = jc_xr_result_name(meta->legs_refusal);

		snprintf(meta->base.notes + length, sizeof(meta->base.notes) - (size_t)length,
			", without legs (%s)", why.text);
	}
	meta->base.quality = c << 2 | f;
}

/* The buffers of a call of xrLocateBodyJointsFB. */
struct location {
	const struct jc_xr_body_meta *meta;
	const struct jc_xr_session *session;
	XrTime time;
	XrBodyJointLocationFB joints[XR_FULL_BODY_JOINT_COUNT_META];
	XrBodyTrackingCalibrationStatusMETA calibration;
	XrBodyTrackingFidelityStatusMETA fidelity;
	XrBodyJointLocationsFB all;
};

static XrResult locate_with(void *context, uint32_t structures)
{
	struct location *to = context;
	const XrBodyJointsLocateInfoFB info = { .type = XR_TYPE_BODY_JOINTS_LOCATE_INFO_FB,
		.baseSpace = to->session->base,
		.time = to->time };

	memset(to->joints, 0, sizeof(to->joints));
	to->calibration = (XrBodyTrackingCalibrationStatusMETA){
		.type = XR_TYPE_BODY_TRACKING_CALIBRATION_STATUS_META
	};
	to->fidelity = (XrBodyTrackingFidelityStatusMETA){
		.type = XR_TYPE_BODY_TRACKING_FIDELITY_STATUS_META
	};
	to->all = (XrBodyJointLocationsFB){ .type = XR_TYPE_BODY_JOINT_LOCATIONS_FB,
		.jointCount = to->meta->count,
		.jointLocations = to->joints };
	if (structures & CALIBRATION_STATUS) {
		to->all.next = &to->calibration;
	}
	if (structures & FIDELITY_STATUS) {
		to->fidelity.next = to->all.next;
		to->all.next = &to->fidelity;
	}
	return to->session->instance->call.LocateBodyJointsFB(to->meta->handle, &info, &to->all);
}

static uint32_t statuses_of(const struct jc_xr_instance *instance)
{
	return (instance->has[JC_XR_META_CALIBRATION] ? CALIBRATION_STATUS : 0) |
	       (instance->has[JC_XR_META_FIDELITY] ? FIDELITY_STATUS : 0);
}

static void take_joints(struct jc_xr_part *part, const struct location *from)
{
	/* A comparison with NaN is false. */
	part->confidence = from->all.confidence > 0.0f ? fminf(from->all.confidence, 1.0f) : 0.0f;
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		int i = place_of(from->meta, joint);

		part->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
		if (i >= 0) {
			part->joints[joint] = jc_xr_joint_from(
				from->joints[i].locationFlags, &from->joints[i].pose);
		}
	}
}

static XrResult locate_body(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_body_meta *meta = meta_of(tracker);
	struct location location = { .meta = meta, .session = session, .time = at->time };
	XrResult result = jc_xr_chain_call(
		&tracker->chain, statuses_of(session->instance), locate_with, &location);

	if (XR_FAILED(result) || !location.all.isActive) {
		tracker->is_stale = false;
		return result;
	}
	struct jc_xr_part *part = &tracker->part;

	note(meta, location.calibration.status, location.fidelity.fidelity);
	if (location.calibration.status == XR_BODY_TRACKING_CALIBRATION_STATE_INVALID_META) {
		tracker->is_stale = false;
		tracker->fault = UNCALIBRATED;
		return result;
	}
	part->time_ns = jc_xr_freshness_take(&meta->freshness, &at->clock, location.all.time,
		JC_XR_STALE_NS, &tracker->is_stale);
	take_joints(part, &location);
	bool there = jc_xr_part_has_joints(part);

	part->live = there && !tracker->is_stale;
	tracker->is_stale = there && tracker->is_stale;
	tracker->age_ns = at->clock.now_ns - part->time_ns;
	if (there &&
		(!meta->has_requested || meta->skeleton != location.all.skeletonChangedCount)) {
		meta->has_requested = true;
		meta->skeleton = location.all.skeletonChangedCount;
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
			.chain = { .names = statuses,
				.count = sizeof(statuses) / sizeof(statuses[0]) },
			.part = { .profile = JC_PROFILE_META } },
	};
}
