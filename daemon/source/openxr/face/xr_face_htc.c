/* Reads eyes and lips with a tracker each; one may be lost while the other continues. */
#include "source/openxr/face/xr_face_htc.h"

#define EYES XR_FACIAL_EXPRESSION_EYE_COUNT_HTC
#define LIPS XR_FACIAL_EXPRESSION_LIP_COUNT_HTC

static struct jc_xr_face_htc *htc_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_face_htc *)tracker;
}

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_HTC_FACIAL_TRACKING] && instance->call.CreateFacialTrackerHTC &&
	       instance->call.GetFacialExpressionsHTC && instance->call.DestroyFacialTrackerHTC;
}

static XrResult create(const struct jc_xr_session *session, XrFacialTrackingTypeHTC type,
	XrFacialTrackerHTC *out_handle)
{
	const XrFacialTrackerCreateInfoHTC info = { .type = XR_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC,
		.facialTrackingType = type };

	*out_handle = XR_NULL_HANDLE;
	return session->instance->call.CreateFacialTrackerHTC(session->handle, &info, out_handle);
}

/* Succeeds with one of both. */
static XrResult open_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_face_htc *htc = htc_of(tracker);

	htc->base.freshness = (struct jc_xr_freshness){ 0 };
	htc->lips_freshness = (struct jc_xr_freshness){ 0 };
	XrResult eyes = create(session, XR_FACIAL_TRACKING_TYPE_EYE_DEFAULT_HTC, &htc->eyes);
	XrResult lips = create(session, XR_FACIAL_TRACKING_TYPE_LIP_DEFAULT_HTC, &htc->lips);

	if (XR_FAILED(eyes)) {
		htc->eyes = XR_NULL_HANDLE;
	}
	if (XR_FAILED(lips)) {
		htc->lips = XR_NULL_HANDLE;
	}
	return XR_SUCCEEDED(eyes) ? eyes : lips;
}

/* The sample of one tracker. */
struct sample {
	XrFacialTrackerHTC handle;
	float *weights;
	uint32_t count;
	struct jc_xr_freshness *freshness;
	int64_t time_ns; /* of a live one */
	bool is_live, is_stale;
};

static XrResult take(struct sample *sample, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	XrFacialExpressionsHTC found = { .type = XR_TYPE_FACIAL_EXPRESSIONS_HTC,
		.expressionCount = sample->count,
		.expressionWeightings = sample->weights };
	XrResult result = XR_SUCCESS;

	if (sample->handle) {
		result = session->instance->call.GetFacialExpressionsHTC(sample->handle, &found);
	}
	if (XR_SUCCEEDED(result) && found.isActive) {
		sample->time_ns = jc_xr_freshness_take(sample->freshness, &at->clock,
			found.sampleTime, JC_XR_STALE_NS, &sample->is_stale);
		sample->is_live = !sample->is_stale;
	}
	return result;
}

static XrResult locate_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	const uint32_t lower = 1u << JC_XR_FACE_LOWER;
	struct jc_xr_face_htc *htc = htc_of(tracker);
	float parameters[EYES + LIPS] = { 0 };
	struct sample eyes = { .handle = htc->eyes,
		.weights = parameters,
		.count = EYES,
		.freshness = &htc->base.freshness };
	struct sample lips = { .handle = htc->lips,
		.weights = parameters + EYES,
		.count = LIPS,
		.freshness = &htc->lips_freshness };
	XrResult result = take(&eyes, session, at);

	if (XR_SUCCEEDED(result)) {
		result = take(&lips, session, at);
	}
	if (XR_FAILED(result)) {
		return result;
	}
	uint32_t regions =
		(eyes.is_live ? JC_XR_FACE_ALL & ~lower : 0) | (lips.is_live ? lower : 0);

	tracker->part.live =
		jc_xr_face_map(&jc_xr_htc_shapes, parameters, regions, htc->base.face.shapes);
	tracker->part.time_ns = lips.time_ns > eyes.time_ns ? lips.time_ns : eyes.time_ns;
	tracker->is_stale = !tracker->part.live && (eyes.is_stale || lips.is_stale);
	return result;
}

static void close_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_face_htc *htc = htc_of(tracker);

	if (htc->eyes) {
		session->instance->call.DestroyFacialTrackerHTC(htc->eyes);
	}
	if (htc->lips) {
		session->instance->call.DestroyFacialTrackerHTC(htc->lips);
	}
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_face,
	.locate = locate_face,
	.close = close_face,
};

void jc_xr_face_htc_init(struct jc_xr_face_htc *htc)
{
	*htc = (struct jc_xr_face_htc){ .base = { .base = { .ops = &ops,
							  .is_face = true,
							  .name = "htc face",
							  .remedy = JC_XR_FACE_REMEDY },
						.face = { .has_shapes = true } } };
}
