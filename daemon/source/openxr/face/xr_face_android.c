/* Creation fails without the permission FACE_TRACKING of the device. */
#include "source/openxr/face/xr_face_android.h"

static struct jc_xr_face_android *android_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_face_android *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_ANDROID_FACE_TRACKING] &&
	       instance->call.CreateFaceTrackerANDROID && instance->call.GetFaceStateANDROID &&
	       instance->call.DestroyFaceTrackerANDROID;
}

static XrResult open_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	const XrFaceTrackerCreateInfoANDROID info = {
		.type = XR_TYPE_FACE_TRACKER_CREATE_INFO_ANDROID
	};
	struct jc_xr_face_android *android = android_of(tracker);

	android->base.freshness = (struct jc_xr_freshness){ 0 };
	android->handle = XR_NULL_HANDLE;
	return session->instance->call.CreateFaceTrackerANDROID(
		session->handle, &info, &android->handle);
}

/* Regions without any confidence count as lost. A comparison with NaN is false. */
static uint32_t find_regions(const float confidences[XR_FACE_REGION_CONFIDENCE_COUNT_ANDROID])
{
	bool left = confidences[XR_FACE_CONFIDENCE_REGIONS_LEFT_UPPER_ANDROID] > 0.0f;
	bool right = confidences[XR_FACE_CONFIDENCE_REGIONS_RIGHT_UPPER_ANDROID] > 0.0f;
	uint32_t regions = 0;

	if (confidences[XR_FACE_CONFIDENCE_REGIONS_LOWER_ANDROID] > 0.0f) {
		regions |= 1u << JC_XR_FACE_LOWER;
	}
	if (left) {
		regions |= 1u << JC_XR_FACE_UPPER_LEFT | 1u << JC_XR_FACE_LOOK_LEFT;
	}
	if (right) {
		regions |= 1u << JC_XR_FACE_UPPER_RIGHT | 1u << JC_XR_FACE_LOOK_RIGHT;
	}
	return left && right ? regions | 1u << JC_XR_FACE_UPPER_MIDDLE : regions;
}

static XrResult locate_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_face_android *android = android_of(tracker);
	float parameters[XR_FACE_PARAMETER_COUNT_ANDROID] = { 0 };
	float confidences[XR_FACE_REGION_CONFIDENCE_COUNT_ANDROID] = { 0 };
	const XrFaceStateGetInfoANDROID info = { .type = XR_TYPE_FACE_STATE_GET_INFO_ANDROID,
		.time = at->time };
	XrFaceStateANDROID state = { .type = XR_TYPE_FACE_STATE_ANDROID,
		.parametersCapacityInput = XR_FACE_PARAMETER_COUNT_ANDROID,
		.parameters = parameters,
		.regionConfidencesCapacityInput = XR_FACE_REGION_CONFIDENCE_COUNT_ANDROID,
		.regionConfidences = confidences };
	XrResult result =
		session->instance->call.GetFaceStateANDROID(android->handle, &info, &state);

	if (XR_SUCCEEDED(result)) {
		/* A paused tracker may repeat a valid face. */
		bool is_valid =
			state.isValid &&
			state.faceTrackingState == XR_FACE_TRACKING_STATE_TRACKING_ANDROID &&
			jc_xr_face_map(&jc_xr_android_shapes, parameters, find_regions(confidences),
				android->base.face.shapes);

		jc_xr_face_finish(&android->base, at, state.sampleTime, is_valid);
	}
	return result;
}

static void close_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyFaceTrackerANDROID(android_of(tracker)->handle);
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_face,
	.locate = locate_face,
	.close = close_face,
};

void jc_xr_face_android_init(struct jc_xr_face_android *android)
{
	*android = (struct jc_xr_face_android){ .base = { .base = { .ops = &ops,
								  .is_face = true,
								  .name = "android face",
								  .remedy = JC_XR_FACE_REMEDY },
							.face = { .has_shapes = true } } };
}
