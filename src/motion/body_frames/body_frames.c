/* Samples body-frame files: one tracker frame on each line, so that profiles and the
 * solver can be tested from outside. Format: proto/BODY-FRAMES.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_frames.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"

static void frames_destroy(struct jc_motion *motion)
{
	struct jc_body_frames *frames = (struct jc_body_frames *)motion;

	free(frames->samples);
	free(frames->frames);
	jc_channel_track_finish(&frames->channels);
	free(frames->name);
	free(frames);
}

static void spread_samples(
	const struct jc_body_frames *frames, size_t index, struct jc_body_joint *out_joints)
{
	const struct jc_body_frames_frame *frame = &frames->frames[index];

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		out_joints[joint] = (struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY };
	}
	for (size_t i = 0; i < frame->count; i++) {
		const struct jc_body_frames_sample *sample = &frames->samples[frame->first + i];

		out_joints[sample->joint] = (struct jc_body_joint){
			.position = sample->position,
			.orientation = sample->orientation,
			.state = sample->state,
		};
	}
}

static void blend_joint(struct jc_body_joint *joint, const struct jc_body_joint *other, float share)
{
	if (joint->state == JC_ABSENT || other->state == JC_ABSENT) {
		*joint = (struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY };
		return;
	}
	joint->position = jc_vec3_lerp(joint->position, other->position, share);
	joint->orientation = jc_quat_slerp(joint->orientation, other->orientation, share);
	joint->state = joint->state < other->state ? joint->state : other->state;
}

/* The last frame at or before t. */
static size_t find_frame(const struct jc_body_frames *frames, double t)
{
	size_t low = 0;
	size_t high = frames->frame_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (frames->frames[middle].t <= t) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

static void frames_body_frame(
	const struct jc_motion *motion, double t, struct jc_body_frame *out_frame)
{
	const struct jc_body_frames *frames = (const struct jc_body_frames *)motion;
	size_t index = find_frame(frames, t);
	const struct jc_body_frames_frame *frame = &frames->frames[index];
	struct jc_body_joint next[JC_JOINT_COUNT];
	float share;

	spread_samples(frames, index, out_frame->joints);
	out_frame->time_ns = llround(t * 1e9);
	out_frame->confidence = frame->confidence;
	if (index + 1 == frames->frame_count || t <= frame->t) {
		return;
	}
	share = (float)((t - frame->t) / (frame[1].t - frame->t));
	spread_samples(frames, index + 1, next);
	out_frame->confidence += (frame[1].confidence - frame->confidence) * share;
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		blend_joint(&out_frame->joints[joint], &next[joint], share);
	}
}

static void frames_channel(
	const struct jc_motion *motion, size_t channel, double t, float *out_values)
{
	const struct jc_body_frames *frames = (const struct jc_body_frames *)motion;
	size_t index = find_frame(frames, t);
	const struct jc_body_frames_frame *frame = &frames->frames[index];
	float share = 0.0f;

	if (index + 1 < frames->frame_count && t > frame->t) {
		share = (float)((t - frame->t) / (frame[1].t - frame->t));
	}
	jc_channel_track_sample(&frames->channels, channel, index, share, out_values);
}

static const struct jc_motion_ops frames_ops = {
	.destroy = frames_destroy,
	.body_frame = frames_body_frame,
	.channel = frames_channel,
};

static uint64_t driven_bones(const struct jc_body_frames *frames)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < frames->sample_count; i++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)frames->samples[i].joint);

		if (bone != JC_BONE_NONE) {
			mask |= (uint64_t)1 << bone;
		}
	}
	return mask;
}

int jc_body_frames_append(
	struct jc_body_frames *frames, double t, const struct jc_body_frame *frame)
{
	struct jc_body_frames_frame *kept;

	if (!jc_array_grow(&frames->frames, &frames->frame_capacity, frames->frame_count + 1,
		    SIZE_MAX, sizeof(frames->frames[0])) ||
		!jc_array_grow(&frames->samples, &frames->sample_capacity,
			frames->sample_count + JC_JOINT_COUNT, SIZE_MAX,
			sizeof(frames->samples[0]))) {
		return JC_ERROR_MEMORY;
	}
	kept = &frames->frames[frames->frame_count++];
	*kept = (struct jc_body_frames_frame){
		.t = t, .confidence = frame->confidence, .first = frames->sample_count
	};
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame->joints[j];

		if (joint->state != JC_ABSENT) {
			frames->samples[frames->sample_count++] = (struct jc_body_frames_sample){
				.position = joint->position,
				.orientation = joint->orientation,
				.joint = (uint8_t)j,
				.state = joint->state,
			};
		}
	}
	kept->count = frames->sample_count - kept->first;
	return JC_OK;
}

int jc_motion_change_frames(struct jc_motion *motion,
	void (*change)(void *context, struct jc_body_frame *frame), void *context)
{
	struct jc_body_frames *frames = (struct jc_body_frames *)motion;
	struct jc_body_frames changed = { 0 };
	int error = JC_OK;

	if (motion->ops != &frames_ops) {
		return JC_ERROR_UNSUPPORTED;
	}
	for (size_t i = 0; i < frames->frame_count && !error; i++) {
		struct jc_body_frame frame;

		frames_body_frame(motion, frames->frames[i].t, &frame);
		change(context, &frame);
		error = jc_body_frames_append(&changed, frames->frames[i].t, &frame);
	}
	if (error) {
		free(changed.frames);
		free(changed.samples);
		return error;
	}
	free(frames->frames);
	free(frames->samples);
	frames->frames = changed.frames;
	frames->frame_capacity = changed.frame_capacity;
	frames->samples = changed.samples;
	frames->sample_count = changed.sample_count;
	frames->sample_capacity = changed.sample_capacity;
	motion->info.bone_mask = driven_bones(frames);
	return JC_OK;
}

int jc_body_frames_create(const struct jc_take_plan *plan, struct jc_body_frames **out_frames)
{
	struct jc_body_frames *frames = calloc(1, sizeof(*frames));

	if (!frames) {
		return JC_ERROR_MEMORY;
	}
	frames->motion.ops = &frames_ops;
	frames->name = strdup(plan->name);
	if (!frames->name || jc_channel_track_init(
				     &frames->channels, plan->channel_names, plan->channel_count)) {
		frames_destroy(&frames->motion);
		return JC_ERROR_MEMORY;
	}
	frames->motion.profile = plan->profile;
	if (plan->rest) {
		frames->rest = *plan->rest;
		frames->motion.rest = &frames->rest;
	}
	frames->motion.channel_count = frames->channels.channel_count;
	frames->motion.channels = frames->channels.channels;
	frames->motion.info = (struct jc_motion_info){
		.kind = JC_MOTION_BODY_FRAMES,
		.format = plan->format,
		.confidence = 1.0f,
		.name = frames->name,
		.family = jc_profile_name(plan->profile),
		.metres_per_unit = 1.0f,
	};
	*out_frames = frames;
	return JC_OK;
}

void jc_body_frames_end(struct jc_body_frames *frames)
{
	frames->motion.info.bone_mask = driven_bones(frames);
}

bool jc_motion_set_rest(struct jc_motion *motion, const struct jc_body_frame *rest)
{
	struct jc_body_frames *frames = (struct jc_body_frames *)motion;

	if (motion->ops != &frames_ops) {
		return false;
	}
	frames->rest = *rest;
	motion->rest = &frames->rest;
	return true;
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_body_frames *frames = calloc(1, sizeof(*frames));
	double duration;
	int error;

	if (!frames) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	frames->motion.ops = &frames_ops;
	error = jc_body_frames_parse(file->bytes, file->length, frames, lint, diagnostic);
	if (error) {
		frames_destroy(&frames->motion);
		return error;
	}
	duration = frames->frames[frames->frame_count - 1].t;
	frames->motion.info = (struct jc_motion_info){
		.kind = JC_MOTION_BODY_FRAMES,
		.format = "body-frames",
		.confidence = 1.0f,
		.name = "",
		.family = jc_profile_name(frames->motion.profile),
		.duration = duration,
		.fps = duration > 0.0 ? (double)(frames->frame_count - 1) / duration : 0.0,
		.frame_count = frames->frame_count,
		.metres_per_unit = 1.0f,
		.bone_mask = driven_bones(frames),
	};
	*out_motion = &frames->motion;
	return JC_OK;
}

static bool accepts(const struct jc_motion_file *file)
{
	return *file->text == '{';
}

const struct jc_motion_reader jc_body_frames_reader = {
	.holds_one_motion = true, .accepts = accepts, .read = read_file
};
