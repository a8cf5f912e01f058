/* Builds motions in memory (takes). Poses are stored here, body frames in struct
 * jc_body_frames. */
#include "jointcast_private/take.h"

#include <stdlib.h>
#include <string.h>

#include "body_frames/body_frames.h"
#include "channel_track.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

struct take_poses {
	struct jc_motion motion;
	struct jc_channel_track channels;
	char *name; /* owned */
	size_t count, capacity;
	double *times;         /* owned; seconds after the first */
	struct jc_pose *poses; /* owned */
};

struct jc_take {
	struct take_poses *poses;      /* one of the two is set */
	struct jc_body_frames *frames; /* owned until jc_take_finish */
	double start, last;            /* as passed by the caller */
	size_t count;
};

static void destroy_poses(struct jc_motion *motion)
{
	struct take_poses *poses = (struct take_poses *)motion;

	jc_channel_track_finish(&poses->channels);
	free(poses->name);
	free(poses->times);
	free(poses->poses);
	free(poses);
}

/* Finds the last frame at or before t, and the position of t between it and the next. */
static size_t find(const struct take_poses *poses, double t, float *out_share)
{
	size_t low = 0;
	size_t high = poses->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (poses->times[middle] <= t) {
			low = middle;
		} else {
			high = middle;
		}
	}
	*out_share = 0.0f;
	if (low + 1 < poses->count && t > poses->times[low]) {
		*out_share = (float)((t - poses->times[low]) /
				     (poses->times[low + 1] - poses->times[low]));
	}
	return low;
}

static void sample_pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct take_poses *poses = (const struct take_poses *)motion;
	float share;
	size_t index = find(poses, t, &share);

	if (share > 0.0f) {
		jc_pose_interpolate(
			&poses->poses[index], &poses->poses[index + 1], share, out_pose);
	} else {
		*out_pose = poses->poses[index];
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (out_pose->states[b] == JC_ABSENT) {
			out_pose->rotations[b] = JC_QUAT_IDENTITY;
		}
	}
}

static void sample_channel(
	const struct jc_motion *motion, size_t channel, double t, float *out_values)
{
	const struct take_poses *poses = (const struct take_poses *)motion;
	float share;
	size_t index = find(poses, t, &share);

	jc_channel_track_sample(&poses->channels, channel, index, share, out_values);
}

static const struct jc_motion_ops poses_ops = {
	.destroy = destroy_poses,
	.pose = sample_pose,
	.channel = sample_channel,
};

static int create_poses(const struct jc_take_plan *plan, struct take_poses **out_poses)
{
	struct take_poses *poses = calloc(1, sizeof(*poses));

	if (!poses) {
		return JC_ERROR_MEMORY;
	}
	poses->motion.ops = &poses_ops;
	poses->name = strdup(plan->name);
	if (!poses->name ||
		jc_channel_track_init(&poses->channels, plan->channel_names, plan->channel_count)) {
		destroy_poses(&poses->motion);
		return JC_ERROR_MEMORY;
	}
	poses->motion.info = (struct jc_motion_info){
		.kind = JC_MOTION_POSES,
		.format = plan->format,
		.name = poses->name,
		.family = "",
		.confidence = 1.0f,
		.metres_per_unit = 1.0f,
	};
	poses->motion.channel_count = poses->channels.channel_count;
	poses->motion.channels = poses->channels.channels;
	*out_poses = poses;
	return JC_OK;
}

int jc_take_create(const struct jc_take_plan *plan, struct jc_take **out_take)
{
	struct jc_take *take;
	int error;

	if (plan->channel_count > JC_LIMIT_MOTION_CHANNELS) {
		return JC_ERROR_LIMIT;
	}
	take = calloc(1, sizeof(*take));
	if (!take) {
		return JC_ERROR_MEMORY;
	}
	error = plan->kind == JC_MOTION_POSES ? create_poses(plan, &take->poses)
					      : jc_body_frames_create(plan, &take->frames);
	if (error) {
		free(take);
		return error;
	}
	*out_take = take;
	return JC_OK;
}

void jc_take_destroy(struct jc_take *take)
{
	if (!take) {
		return;
	}
	if (take->poses) {
		destroy_poses(&take->poses->motion);
	}
	if (take->frames) {
		jc_motion_destroy(&take->frames->motion);
	}
	free(take);
}

size_t jc_take_value_count(const struct jc_take *take)
{
	return take->poses ? take->poses->channels.row_length : take->frames->channels.row_length;
}

/* Adding a frame has two steps: first its time, then its values. `out_t` is in seconds
 * after the first frame; false if the frame is left out, with the reason in `out_error`. */
static bool begin_frame(struct jc_take *take, double t, double *out_t, int *out_error)
{
	if (take->count > 0 && !(t > take->last)) {
		*out_error = JC_OK;
		return false;
	}
	take->start = take->count > 0 ? take->start : t;
	take->last = t;
	if (take->count == JC_LIMIT_BODY_FRAMES) {
		*out_error = JC_ERROR_LIMIT;
		return false;
	}
	*out_t = t - take->start;
	return true;
}

/* `error` is the result of storing the frame. */
static int end_frame(
	struct jc_take *take, int error, struct jc_channel_track *channels, const float *values)
{
	error = error ? error : jc_channel_track_append(channels, values);
	take->count += error == JC_OK;
	return error;
}

static int append_pose(struct take_poses *poses, double t, const struct jc_pose *pose)
{
	if (poses->count == poses->capacity) {
		size_t capacity = poses->capacity ? 2 * poses->capacity : 256;
		double *times = reallocarray(poses->times, capacity, sizeof(*times));
		struct jc_pose *grown;

		if (!times) {
			return JC_ERROR_MEMORY;
		}
		poses->times = times;
		grown = reallocarray(poses->poses, capacity, sizeof(*grown));
		if (!grown) {
			return JC_ERROR_MEMORY;
		}
		poses->poses = grown;
		poses->capacity = capacity;
	}
	poses->times[poses->count] = t;
	poses->poses[poses->count++] = *pose;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (pose->states[b] != JC_ABSENT) {
			poses->motion.info.bone_mask |= UINT64_C(1) << b;
		}
	}
	return JC_OK;
}

int jc_take_add_pose(
	struct jc_take *take, double t, const struct jc_pose *pose, const float *values)
{
	double since;
	int error;

	if (!begin_frame(take, t, &since, &error)) {
		return error;
	}
	error = append_pose(take->poses, since, pose);
	return end_frame(take, error, &take->poses->channels, values);
}

int jc_take_add_body_frame(
	struct jc_take *take, double t, const struct jc_body_frame *frame, const float *values)
{
	double since;
	int error;

	if (!begin_frame(take, t, &since, &error)) {
		return error;
	}
	error = jc_body_frames_append(take->frames, since, frame);
	return end_frame(take, error, &take->frames->channels, values);
}

int jc_take_finish(struct jc_take *take, struct jc_motion **out_motion)
{
	struct jc_motion *motion = take->poses ? &take->poses->motion : &take->frames->motion;
	double duration = take->last - take->start;

	if (take->count == 0) {
		return JC_ERROR_ABSENT;
	}
	motion->info.duration = duration;
	motion->info.frame_count = take->count;
	motion->info.fps = duration > 0.0 ? (double)(take->count - 1) / duration : 0.0;
	if (take->frames) {
		jc_body_frames_end(take->frames);
	}
	free(take);
	*out_motion = motion;
	return JC_OK;
}
