/* Leaves the choice between cameras and microphone to the runtime, which takes the best one. */
#include "source/openxr/face/xr_face_fb.h"

static struct jc_xr_face_fb *fb_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_face_fb *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_FB_FACE_TRACKING] && instance->call.CreateFaceTracker2FB &&
	       instance->call.GetFaceExpressionWeights2FB && instance->call.DestroyFaceTracker2FB;
}

static XrResult open_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	const XrFaceTrackerCreateInfo2FB info = { .type = XR_TYPE_FACE_TRACKER_CREATE_INFO2_FB,
		.faceExpressionSet = XR_FACE_EXPRESSION_SET2_DEFAULT_FB };
	struct jc_xr_face_fb *fb = fb_of(tracker);

	fb->base.freshness = (struct jc_xr_freshness){ 0 };
	fb->handle = XR_NULL_HANDLE;
	return session->instance->call.CreateFaceTracker2FB(session->handle, &info, &fb->handle);
}

/* Regions without any confidence count as lost. A comparison with NaN is false. */
static uint32_t find_regions(const XrFaceExpressionWeights2FB *weights,
	const float confidences[XR_FACE_CONFIDENCE2_COUNT_FB])
{
	const uint32_t lower = 1u << JC_XR_FACE_LOWER;
	uint32_t regions = 0;

	if (confidences[XR_FACE_CONFIDENCE2_LOWER_FACE_FB] > 0.0f) {
		regions |= lower;
	}
	if (confidences[XR_FACE_CONFIDENCE2_UPPER_FACE_FB] > 0.0f) {
		regions |= JC_XR_FACE_ALL & ~lower;
	}
	return weights->isEyeFollowingBlendshapesValid ? regions : regions & ~JC_XR_FACE_LOOKS;
}

static XrResult locate_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_face_fb *fb = fb_of(tracker);
	float parameters[XR_FACE_EXPRESSION2_COUNT_FB] = { 0 };
	float confidences[XR_FACE_CONFIDENCE2_COUNT_FB] = { 0 };
	const XrFaceExpressionInfo2FB info = { .type = XR_TYPE_FACE_EXPRESSION_INFO2_FB,
		.time = at->time };
	XrFaceExpressionWeights2FB weights = { .type = XR_TYPE_FACE_EXPRESSION_WEIGHTS2_FB,
		.weightCount = XR_FACE_EXPRESSION2_COUNT_FB,
		.weights = parameters,
		.confidenceCount = XR_FACE_CONFIDENCE2_COUNT_FB,
		.confidences = confidences };
	XrResult result =
		session->instance->call.GetFaceExpressionWeights2FB(fb->handle, &info, &weights);

	if (XR_SUCCEEDED(result)) {
		bool is_valid = weights.isValid &&
				jc_xr_face_map(&jc_xr_fb_shapes, parameters,
					find_regions(&weights, confidences), fb->base.face.shapes);

		jc_xr_face_finish(&fb->base, at, weights.time, is_valid);
	}
	return result;
}

static void close_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyFaceTracker2FB(fb_of(tracker)->handle);
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_face,
	.locate = locate_face,
	.close = close_face,
};

void jc_xr_face_fb_init(struct jc_xr_face_fb *fb)
{
	*fb = (struct jc_xr_face_fb){ .base = { .base = { .ops = &ops,
							.is_face = true,
							.name = "fb face",
							.remedy = JC_XR_FACE_REMEDY },
					      .face = { .has_shapes = true } } };
}
