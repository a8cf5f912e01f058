/* Generated motions and motion files are both a struct jc_motion. */
#include "source/motion_source.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "source/capture_intake.h"

#define SAMPLES 64 /* samples that measure the reach of a motion */

/* A motion jumps away from its first frame if a bone turns at least this much, in radians, and this
 * many times as much as any does to the next frame. */
#define JUMP_LEAST 0.35f
#define JUMP_RATIO 8.0f

struct motion_source {
	struct jc_source base;
	struct jc_motion *motion; /* owned */
	struct jc_solver solver;
	struct jc_motion_source_options options;
	double duration;
	double jump; /* time of the second frame if the motion jumps to it; 0: it does not */
	bool begun;
	uint64_t turn;                           /* repetition of the loop at the last sample */
	bool live;                               /* at the last sample */
	size_t channels[JC_LIMIT_STREAM_VALUES]; /* indices of the motion's channels that the source
						    has */
};

void jc_motion_source_locate(const struct jc_motion_source_options *options, double duration,
	int64_t now_ns, struct jc_motion_cursor *out_cursor)
{
	double elapsed = fmax((double)(now_ns - options->start_ns) * 1e-9, 0.0) * options->speed;

	*out_cursor = (struct jc_motion_cursor){ .t = elapsed, .live = true, .capture_ns = now_ns };
	if (duration <= 0.0) {
		out_cursor->t = 0.0;
	} else if (options->loop) {
		double turns = floor(elapsed / duration);
		out_cursor->turn = (uint64_t)turns;
		out_cursor->t = fmin(fmax(elapsed - turns * duration, 0.0), duration);
	} else if (elapsed > duration) {
		out_cursor->t = duration;
		out_cursor->live = false;
		out_cursor->capture_ns =
			options->start_ns + (int64_t)(duration / options->speed * 1e9);
	}
}

float jc_motion_source_heading(struct jc_quat hips)
{
	struct jc_vec3 front = jc_quat_rotate(hips, (struct jc_vec3){ 0.0f, 0.0f, 1.0f });

	if (hypotf(front.x, front.z) >= 0.5f) {
		return atan2f(front.x, front.z);
	}
	struct jc_vec3 left = jc_quat_rotate(hips, (struct jc_vec3){ 1.0f, 0.0f, 0.0f });

	return atan2f(-left.z, left.x);
}

/* Adds as many channels as a stream can carry. */
static int add_channels(struct motion_source *source)
{
	const struct jc_motion_channel *channels = jc_motion_channels(source->motion);
	size_t value_count = 0;
	int error = JC_OK;

	for (size_t i = 0; i < jc_motion_channel_count(source->motion) && !error; i++) {
		if (channels[i].value_count <= JC_LIMIT_STREAM_VALUES - value_count) {
			source->channels[source->base.channels.count] = i;
			value_count += channels[i].value_count;
			error = jc_capture_intake_add_channel(
				source->base.intake, &source->base, channels[i].name);
		}
	}
	return error;
}

static void find_values(const struct motion_source *source, double t, float *out_values)
{
	const struct jc_source_channels *channels = &source->base.channels;

	for (size_t i = 0; i < channels->count; i++) {
		float values[JC_MOTION_CHANNEL_VALUES];

		jc_motion_channel_values(source->motion, source->channels[i], t, values);
		memcpy(out_values, values, channels->value_counts[i] * sizeof(values[0]));
		out_values += channels->value_counts[i];
	}
}

static bool is_cut(const struct motion_source *source, const struct jc_motion_cursor *cursor)
{
	return source->begun &&
	       (cursor->turn != source->turn ||
		       (source->base.motion_t < source->jump && cursor->t >= source->jump));
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct motion_source *source = (struct motion_source *)base;
	float values[JC_LIMIT_STREAM_VALUES];
	struct jc_motion_cursor cursor;
	struct jc_pose pose;

	jc_motion_source_locate(&source->options, source->duration, now_ns, &cursor);
	jc_solver_sample(&source->solver, source->motion, cursor.t, &pose);
	find_values(source, cursor.t, values);
	jc_capture_intake_put_pose(
		base->intake, &pose, cursor.capture_ns, is_cut(source, &cursor), values);
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	out_sample->live = cursor.live;
	source->live = cursor.live;
	base->motion_t = cursor.t;
	source->begun = true;
	source->turn = cursor.turn;
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct motion_source *source = (const struct motion_source *)base;
	const struct jc_motion_info *info = jc_motion_info(source->motion);

	*out_status = (struct jc_source_status){
		.kind = source->options.recorded ? "file" : "demo",
		.condition = source->live || !source->begun ? JC_SOURCE_LIVE : JC_SOURCE_STALE,
	};
	snprintf(out_status->detail, sizeof(out_status->detail), "%s, %.1f s%s", info->format,
		info->duration, source->options.loop ? ", looped" : "");
}

static void destroy(struct jc_source *base)
{
	struct motion_source *source = (struct motion_source *)base;

	jc_capture_intake_destroy(base->intake);
	jc_motion_destroy(source->motion);
	free(source);
}

static const struct jc_source_ops motion_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

/* Finds the start position and heading. The heading is a mean over the first second, which
 * cancels the sway of a stride. */
static void find_start(struct motion_source *source)
{
	struct jc_pose pose;
	float sine = 0.0f;
	float cosine = 0.0f;
	double seconds = fmin(source->duration, 1.0);

	for (int i = SAMPLES - 1; i >= 0; i--) {
		jc_solver_sample(&source->solver, source->motion, seconds * i / SAMPLES, &pose);
		float heading = jc_motion_source_heading(pose.rotations[JC_BONE_HIPS]);
		sine += sinf(heading);
		cosine += cosf(heading);
	}
	source->base.start_translation = pose.hips_translation;
	source->base.start_yaw = atan2f(sine, cosine);
}

static void find_reach(struct motion_source *source)
{
	struct jc_vec3 start = source->base.start_translation;
	struct jc_pose pose;

	for (int i = 0; i <= SAMPLES; i++) {
		jc_solver_sample(
			&source->solver, source->motion, source->duration * i / SAMPLES, &pose);
		float distance = hypotf(
			pose.hips_translation.x - start.x, pose.hips_translation.z - start.z);
		source->base.reach = fmaxf(source->base.reach, distance);
	}
}

/* Largest angle of a bone between two frames. */
static float find_turn(const struct motion_source *source, double from, double until)
{
	struct jc_pose a, b;
	float most = 0.0f;

	jc_solver_sample(&source->solver, source->motion, from, &a);
	jc_solver_sample(&source->solver, source->motion, until, &b);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (a.states[bone] != JC_ABSENT && b.states[bone] != JC_ABSENT) {
			most = fmaxf(most, jc_quat_angle(a.rotations[bone], b.rotations[bone]));
		}
	}
	return most;
}

/* Many BVH files, such as those of the CMU database, have the T-pose as their first frame. */
static void find_jump(struct motion_source *source)
{
	const struct jc_motion_info *info = jc_motion_info(source->motion);

	if (info->frame_count < 3 || info->fps <= 0.0) {
		return;
	}
	double step = 1.0 / info->fps;
	float first = find_turn(source, 0.0, step);

	if (first >= JUMP_LEAST && first >= JUMP_RATIO * find_turn(source, step, 2.0 * step)) {
		source->jump = step;
	}
}

int jc_motion_source_create(struct jc_motion *motion,
	const struct jc_motion_source_options *options, struct jc_source **out_source)
{
	assert(options->speed > 0.0);
	const struct jc_capture_form form = { .kind = JC_CAPTURE_POSE, .is_direct = true };
	struct motion_source *source = calloc(1, sizeof(*source));
	int error = JC_ERROR_MEMORY;

	if (!source) {
		return error;
	}
	source->base.ops = &motion_source_ops;
	source->base.motion = motion;
	source->base.figure = jc_motion_skeleton(motion);
	source->base.seat_height = options->seat_height;
	source->motion = motion;
	source->options = *options;
	source->duration = jc_motion_info(motion)->duration;
	jc_solver_init_motion(&source->solver, motion);
	source->solver.forearm_twist = options->forearm_twist;
	if (options->recorded) {
		find_start(source);
	}
	find_reach(source);
	find_jump(source);
	error = jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake);
	error = error ? error : add_channels(source);
	if (error) {
		jc_capture_intake_destroy(source->base.intake);
		free(source);
		return error;
	}
	jc_capture_intake_restart(source->base.intake);
	*out_source = &source->base;
	return JC_OK;
}
