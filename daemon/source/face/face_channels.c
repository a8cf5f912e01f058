/* Keeps the last tracked value of each shape, and fades it by its age. */
#include "source/face/face_channels.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/continuity.h"

_Static_assert(JC_FACE_VALUES <= JC_LIMIT_STREAM_VALUES, "a stream carries all values of a face");

bool jc_face_channels_are_new(const struct jc_face_channels *channels, const struct jc_face *face)
{
	return (face->has_shapes && !channels->has_shapes) ||
	       (face->has_gaze && !channels->has_gaze);
}

/* source: NULL if the channels are lent. Channels keep their index once they are declared: those of
 * faces and gaze come in any order. */
static void declare(
	struct jc_face_channels *channels, struct jc_source *source, const struct jc_face *face)
{
	if (face->has_shapes && !channels->has_shapes) {
		channels->has_shapes = true;
		channels->shapes_at = channels->has_gaze ? 4 : 0;
		for (int i = 0; source && i < JC_FACE_CHANNELS; i++) {
			jc_capture_intake_add_channel(
				source->intake, source, jc_face_channel_names[i]);
		}
	}
	if (face->has_gaze && !channels->has_gaze) {
		channels->has_gaze = true;
		channels->gaze_at = channels->has_shapes ? JC_FACE_CHANNELS : 0;
		if (source) {
			jc_capture_intake_add_channel(source->intake, source, "lookAt");
		}
	}
}

static void remember(struct jc_face_channels *channels, const struct jc_face *face, int64_t time_ns)
{
	for (int i = 0; face->has_shapes && i < JC_FACE_SHAPES; i++) {
		if (!isnan(face->shapes[i])) {
			channels->shapes[i] = face->shapes[i];
			channels->shapes_ns[i] = time_ns;
		}
	}
	if (face->has_gaze) {
		channels->gaze = face->gaze;
		channels->gaze_ns = time_ns;
	}
}

/* The part of a value that remains at this age. */
static float remain(int64_t age_ns)
{
	float t = (float)(age_ns - JC_CONTINUITY_HOLD_NS) / (float)JC_CONTINUITY_DECAY_NS;

	return t <= 0.0f ? 1.0f : t >= 1.0f ? 0.0f : 1.0f - t;
}

static const float *compute(struct jc_face_channels *channels, int64_t time_ns)
{
	float *shapes = channels->values + channels->shapes_at;
	float *gaze = channels->values + channels->gaze_at;
	bool is_at_rest = true;

	if (channels->has_shapes) {
		for (int i = 0; i < JC_FACE_SHAPES; i++) {
			shapes[i] = channels->shapes[i] * remain(time_ns - channels->shapes_ns[i]);
			is_at_rest = is_at_rest && shapes[i] == 0.0f;
		}
		jc_face_derive(shapes);
	}
	if (channels->has_gaze) {
		float left = remain(time_ns - channels->gaze_ns);
		struct jc_quat q = jc_quat_slerp(JC_QUAT_IDENTITY, channels->gaze, left);

		memcpy(gaze, (float[4]){ q.x, q.y, q.z, q.w }, 4 * sizeof(*gaze));
		is_at_rest = is_at_rest && left == 0.0f;
	}
	channels->is_at_rest = is_at_rest;
	return channels->values;
}

const float *jc_face_channels_take(struct jc_face_channels *channels, struct jc_source *source,
	const struct jc_face *face, int64_t time_ns)
{
	channels->frame_ns = time_ns;
	declare(channels, source, face);
	remember(channels, face, time_ns);
	return channels->has_shapes || channels->has_gaze ? compute(channels, time_ns) : NULL;
}

const float *jc_face_channels_settle(struct jc_face_channels *channels, int64_t now_ns)
{
	bool is_declared = channels->has_shapes || channels->has_gaze;

	return is_declared && !channels->is_at_rest &&
			       now_ns - channels->frame_ns > JC_CONTINUITY_FRESH_NS
		       ? compute(channels, now_ns)
		       : NULL;
}

const float *jc_face_channels_note(
	struct jc_face_channels *channels, const struct jc_face *face, int64_t time_ns)
{
	return jc_face_channels_take(channels, NULL, face, time_ns);
}
