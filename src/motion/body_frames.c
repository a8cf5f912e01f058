/* Body-frame files: what a tracker delivered, a line a frame, so that profiles
 * and solving can be tested from outside. The format: proto/BODY-FRAMES.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_frames.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "motion_private.h"

static void frames_destroy(struct jc_motion *motion)
{
	struct jc_body_frames *frames = (struct jc_body_frames *)motion;

	free(frames->samples);
	free(frames->frames);
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

static const struct jc_motion_ops frames_ops = {
	.destroy = frames_destroy,
	.body_frame = frames_body_frame,
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

/* What is left of a frame, with the memory that it takes. */
static int keep_frame(struct jc_body_frames *changed, const struct jc_body_frames_frame *source,
	const struct jc_body_frame *frame)
{
	struct jc_body_frames_frame *kept = &changed->frames[changed->frame_count++];

	*kept = (struct jc_body_frames_frame){
		.t = source->t, .confidence = frame->confidence, .first = changed->sample_count
	};
	if (changed->sample_capacity - changed->sample_count < JC_JOINT_COUNT) {
		size_t capacity = changed->sample_capacity * 2 + 64 * JC_JOINT_COUNT;
		struct jc_body_frames_sample *samples =
			reallocarray(changed->samples, capacity, sizeof(*samples));

		if (!samples) {
			return JC_ERROR_MEMORY;
		}
		changed->samples = samples;
		changed->sample_capacity = capacity;
	}
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame->joints[j];

		if (joint->state != JC_ABSENT) {
			changed->samples[changed->sample_count++] = (struct jc_body_frames_sample){
				.position = joint->position,
				.orientation = joint->orientation,
				.joint = (uint8_t)j,
				.state = joint->state,
			};
		}
	}
	kept->count = changed->sample_count - kept->first;
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
	changed.frames = calloc(frames->frame_count, sizeof(*changed.frames));
	if (!changed.frames) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < frames->frame_count && !error; i++) {
		struct jc_body_frame frame;

		frames_body_frame(motion, frames->frames[i].t, &frame);
		change(context, &frame);
		error = keep_frame(&changed, &frames->frames[i], &frame);
	}
	if (error) {
		free(changed.frames);
		free(changed.samples);
		return error;
	}
	free(frames->frames);
	free(frames->samples);
	frames->frames = changed.frames;
	frames->frame_capacity = frames->frame_count;
	frames->samples = changed.samples;
	frames->sample_count = changed.sample_count;
	frames->sample_capacity = changed.sample_capacity;
	motion->info.bone_mask = driven_bones(frames);
	return JC_OK;
}

int jc_motion_read_body_frames(const void *bytes, size_t length, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_body_frames *frames = calloc(1, sizeof(*frames));
	double duration;
	int error;

	if (!frames) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	frames->motion.ops = &frames_ops;
	error = jc_body_frames_parse(bytes, length, frames, lint, diagnostic);
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
