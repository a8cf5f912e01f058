/* Locates the eyes in the view space, so that the gaze is relative to the head. */
#include "source/openxr/face/xr_gaze.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define RADIANS (float)(M_PI / 180.0)
#define SIDE    (52.0f * RADIANS)
#define UP      (36.0f * RADIANS)
#define DOWN    (55.0f * RADIANS)

/* Optional structure of xrLocateSpace. */
#define SAMPLE_TIME UINT32_C(1)

static const char *const structures[] = { "gaze sample time" };

static bool is_offered(const struct jc_xr_instance *instance)
{
	return instance->has[JC_XR_EYE_GAZE];
}

static XrResult open_gaze(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	((struct jc_xr_face_tracker *)tracker)->freshness = (struct jc_xr_freshness){ 0 };
	return session->actions.devices[JC_XR_EYES].space ? XR_SUCCESS
							  : XR_ERROR_FEATURE_UNSUPPORTED;
}

struct location {
	const struct jc_xr_session *session;
	XrTime time;
	XrSpaceLocation eyes;
	XrEyeGazeSampleTimeEXT sample;
};

static XrResult locate_with(void *context, uint32_t wanted)
{
	struct location *to = context;
	const struct jc_xr_locating where = { .call = &to->session->instance->call,
		.session = to->session->handle,
		.base = to->session->view,
		.time = to->time,
		.next = wanted & SAMPLE_TIME ? &to->sample : NULL };

	to->sample = (XrEyeGazeSampleTimeEXT){ .type = XR_TYPE_EYE_GAZE_SAMPLE_TIME_EXT };
	return jc_xr_actions_locate(&to->session->actions, JC_XR_EYES, &where, &to->eyes);
}

struct jc_quat jc_xr_gaze_look(struct jc_quat in_view)
{
	struct jc_vec3 ahead = jc_quat_rotate(in_view, (struct jc_vec3){ 0.0f, 0.0f, -1.0f });
	/* Half a turn about +Y: a head has +Z ahead and +X on its left. */
	float yaw = atan2f(-ahead.x, -ahead.z);
	float pitch = atan2f(-ahead.y, hypotf(ahead.x, ahead.z));

	yaw = fminf(fmaxf(yaw, -SIDE), SIDE);
	pitch = fminf(fmaxf(pitch, -UP), DOWN);
	return jc_quat_multiply(jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, yaw),
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, pitch));
}

/* A sub-nominal gaze, which is not tracked, is good enough for a figure. */
static bool is_usable(const XrSpaceLocation *eyes, struct jc_quat rotation)
{
	float length = sqrtf(rotation.x * rotation.x + rotation.y * rotation.y +
			     rotation.z * rotation.z + rotation.w * rotation.w);

	return eyes->locationFlags & XR_SPACE_LOCATION_ORIENTATION_VALID_BIT &&
	       fabsf(length - 1.0f) <= JC_LIMIT_UNIT_ERROR;
}

static XrResult locate_gaze(struct jc_xr_tracker *tracker, const struct jc_xr_session *session,
	const struct jc_xr_poll_time *at)
{
	struct jc_xr_face_tracker *gaze = (struct jc_xr_face_tracker *)tracker;
	struct location location = { .session = session, .time = at->time };
	XrResult result = jc_xr_chain_call(&tracker->chain, SAMPLE_TIME, locate_with, &location);

	if (XR_SUCCEEDED(result)) {
		struct jc_quat rotation = jc_xr_pose_from(&location.eyes.pose).orientation;
		bool is_valid = is_usable(&location.eyes, rotation);

		if (is_valid) {
			gaze->face.gaze = jc_xr_gaze_look(jc_quat_normalize(rotation));
		}
		jc_xr_face_finish(gaze, at, location.sample.time, is_valid);
	}
	return result;
}

/* The session owns space and action. */
static void close_gaze(struct jc_xr_tracker *tracker, const struct jc_xr_session *session)
{
	(void)tracker;
	(void)session;
}

static const struct jc_xr_tracker_ops ops = {
	.is_offered = is_offered,
	.open = open_gaze,
	.locate = locate_gaze,
	.close = close_gaze,
};

void jc_xr_gaze_init(struct jc_xr_face_tracker *gaze)
{
	*gaze = (struct jc_xr_face_tracker){
		.base = { .ops = &ops,
			.is_face = true,
			.name = "gaze",
			.remedy = "permit eye tracking in the headset's settings",
			.chain = { .names = structures,
				.count = sizeof(structures) / sizeof(structures[0]) } },
		.face = { .has_gaze = true },
	};
}
