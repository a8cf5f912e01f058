/* Writes a clip as a body-frame file (proto/BODY-FRAMES.md). */
#include "file_buffer.h"
#include "jointcast/limits.h"
#include "jointcast/write.h"
#include "write_losses.h"

static void put_joint(struct jc_file_buffer *output, const struct jc_body_joint *joint)
{
	const float values[] = { joint->position.x, joint->position.y, joint->position.z,
		joint->orientation.x, joint->orientation.y, joint->orientation.z,
		joint->orientation.w };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		jc_file_buffer_put(output, i > 0 ? "," : "[", 1);
		jc_file_buffer_number(output, (double)values[i], 9);
	}
	jc_file_buffer_text(output, ",%u]", (unsigned)joint->state);
}

static void put_joints(struct jc_file_buffer *output, const struct jc_body_frame *frame,
	const bool dropped[JC_JOINT_COUNT])
{
	jc_file_buffer_text(output, "\"joints\":[");
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		jc_file_buffer_put(output, ",", joint > 0);
		if (dropped[joint] || frame->joints[joint].state == JC_ABSENT) {
			jc_file_buffer_text(output, "null");
		} else {
			put_joint(output, &frame->joints[joint]);
		}
	}
	jc_file_buffer_text(output, "]}");
}

static void put_header(
	struct jc_file_buffer *output, enum jc_profile profile, const bool dropped[JC_JOINT_COUNT])
{
	struct jc_body_frame rest;
	struct jc_pose t_pose;

	jc_file_buffer_text(output,
		"{\"jointcast\":\"body-frames\",\"profile\":\"%s\",\"joints\":[",
		jc_profile_name(profile));
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		jc_file_buffer_text(output, "%s\"%s\"", joint > 0 ? "," : "",
			jc_joint_name((enum jc_joint)joint));
	}
	jc_pose_init(&t_pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		t_pose.states[bone] = JC_TRACKED;
	}
	jc_pose_to_body_frame(&t_pose, profile, &rest);
	jc_file_buffer_text(output, "],\"rest\":{");
	put_joints(output, &rest, dropped);
	jc_file_buffer_text(output, "}\n");
}

static uint64_t bones_kept(const bool dropped[JC_JOINT_COUNT])
{
	uint64_t kept = 0;

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)joint);

		if (bone != JC_BONE_NONE && !dropped[joint]) {
			kept |= UINT64_C(1) << bone;
		}
	}
	return kept;
}

int jc_write_body_frames(const struct jc_clip *clip, enum jc_profile profile,
	const bool dropped[JC_JOINT_COUNT], struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_file_buffer output = { 0 };
	struct jc_write_losses losses = { 0 };
	int error;

	if (clip->frame_count > JC_LIMIT_BODY_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"%zu frames, more than the %u of a body-frame file", clip->frame_count,
			JC_LIMIT_BODY_FRAMES);
	}
	put_header(&output, profile, dropped);
	for (size_t i = 0; i < clip->frame_count && !output.error; i++) {
		struct jc_body_frame frame;
		struct jc_pose pose;

		clip->pose(clip->context, i, &pose);
		jc_write_losses_add(&losses, &pose);
		jc_pose_to_body_frame(&pose, profile, &frame);
		jc_file_buffer_text(&output, "{\"t\":");
		jc_file_buffer_number(&output, (double)i * clip->frame_seconds, 15);
		jc_file_buffer_put(&output, ",", 1);
		put_joints(&output, &frame, dropped);
		jc_file_buffer_put(&output, "\n", 1);
	}
	error = jc_file_buffer_finish(&output, out_file, diagnostic);
	if (!error) {
		jc_write_losses_report(&losses, clip, bones_kept(dropped), false, true, lint);
	}
	return error;
}
