/* Reads eyes and lips with the same functions; one may be refused while the other continues. */
#include "source/openxr/face/xr_face_htc.h"

#define EYES XR_FACIAL_EXPRESSION_EYE_COUNT_HTC
#define LIPS XR_FACIAL_EXPRESSION_LIP_COUNT_HTC

static struct jc_xr_face_htc *htc_of(struct jc_xr_tracker *tracker)
{
	return (struct jc_xr_face_htc *)tracker;
}

static bool has_functions(const struct jc_xr_instance *instance)
{
	return instance->call.CreateFacialTrackerHTC && instance->call.GetFacialExpressionsHTC &&
	       instance->call.DestroyFacialTrackerHTC;
}

static bool are_eyes_offered(const struct jc_xr_instance *instance)
{
	return instance->has_htc_eyes && has_functions(instance);
}

static bool are_lips_offered(const struct jc_xr_instance *instance)
{
	return instance->has_htc_lips && has_functions(instance);
}

static XrResult open_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	struct jc_xr_face_htc *htc = htc_of(tracker);
	const XrFacialTrackerCreateInfoHTC info = { .type = XR_TYPE_FACIAL_TRACKER_CREATE_INFO_HTC,
		.facialTrackingType = htc->type };

	htc->base.freshness = (struct jc_xr_freshness){ 0 };
	htc->handle = XR_NULL_HANDLE;
	return session->instance->call.CreateFacialTrackerHTC(session->handle, &info, &htc->handle);
}

static XrResult locate_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	const uint32_t lower = 1u << JC_XR_FACE_LOWER;
	struct jc_xr_face_htc *htc = htc_of(tracker);
	bool is_eyes = htc->type == XR_FACIAL_TRACKING_TYPE_EYE_DEFAULT_HTC;
	float parameters[EYES + LIPS] = { 0 };
	XrFacialExpressionsHTC found = { .type = XR_TYPE_FACIAL_EXPRESSIONS_HTC,
		.expressionCount = is_eyes ? EYES : LIPS,
		.expressionWeightings = parameters + (is_eyes ? 0 : EYES) };
	XrResult result = session->instance->call.GetFacialExpressionsHTC(htc->handle, &found);

	if (XR_SUCCEEDED(result)) {
		bool is_valid = found.isActive && jc_xr_face_map(&jc_xr_htc_shapes, parameters,
							  is_eyes ? JC_XR_FACE_ALL & ~lower : lower,
							  htc->base.face.shapes);

		jc_xr_face_finish(&htc->base, at, found.sampleTime, is_valid);
	}
	return result;
}

static void close_face(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	session->instance->call.DestroyFacialTrackerHTC(htc_of(tracker)->handle);
}

static void init(struct jc_xr_face_htc *htc, XrFacialTrackingTypeHTC type, const char *name,
	const struct jc_xr_tracker_ops *ops)
{
	*htc = (struct jc_xr_face_htc){ .type = type,
		.base = { .base = { .ops = ops,
				  .is_face = true,
				  .name = name,
				  .remedy = JC_XR_FACE_REMEDY },
			.face = { .has_shapes = true } } };
}

void jc_xr_eyes_htc_init(struct jc_xr_face_htc *eyes)
{
	static const struct jc_xr_tracker_ops ops = {
		.is_offered = are_eyes_offered,
		.open = open_face,
		.locate = locate_face,
		.close = close_face,
	};

	init(eyes, XR_FACIAL_TRACKING_TYPE_EYE_DEFAULT_HTC, "htc eyes", &ops);
}

void jc_xr_lips_htc_init(struct jc_xr_face_htc *lips)
{
	static const struct jc_xr_tracker_ops ops = {
		.is_offered = are_lips_offered,
		.open = open_face,
		.locate = locate_face,
		.close = close_face,
	};

	init(lips, XR_FACIAL_TRACKING_TYPE_LIP_DEFAULT_HTC, "htc lips", &ops);
}
