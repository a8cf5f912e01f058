/* Writes a clip as BVH: centimetres, common joint names, the T-pose as zero pose, the floor at y =
 * 0. The reader recognises these files by their end sites (bvh_signature.h).
 *
 * The root's OFFSET is zero because some readers add it to the position and some do not. */
#include <math.h>

#include "bvh_zero_pose.h"
#include "euler.h"
#include "file_buffer.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "t_pose_figure.h"
#include "write_losses.h"

#define CENTIMETRES 100.0f
#define DECIMALS    6

/* The names of MotionBuilder. */
static const char *const names[JC_BONE_COUNT] = {
	[JC_BONE_HIPS] = "Hips",
	[JC_BONE_NECK] = "Neck",
	[JC_BONE_HEAD] = "Head",
	[JC_BONE_JAW] = "Jaw",
	[JC_BONE_LEFT_SHOULDER] = "Shoulder",
	[JC_BONE_LEFT_UPPER_ARM] = "Arm",
	[JC_BONE_LEFT_LOWER_ARM] = "ForeArm",
	[JC_BONE_LEFT_HAND] = "Hand",
	[JC_BONE_LEFT_UPPER_LEG] = "UpLeg",
	[JC_BONE_LEFT_LOWER_LEG] = "Leg",
	[JC_BONE_LEFT_FOOT] = "Foot",
	[JC_BONE_LEFT_TOES] = "ToeBase",
	[JC_BONE_LEFT_EYE] = "Eye",
	[JC_BONE_LEFT_THUMB_METACARPAL] = "HandThumb1",
	[JC_BONE_LEFT_THUMB_PROXIMAL] = "HandThumb2",
	[JC_BONE_LEFT_THUMB_DISTAL] = "HandThumb3",
	[JC_BONE_LEFT_INDEX_PROXIMAL] = "HandIndex1",
	[JC_BONE_LEFT_INDEX_INTERMEDIATE] = "HandIndex2",
	[JC_BONE_LEFT_INDEX_DISTAL] = "HandIndex3",
	[JC_BONE_LEFT_MIDDLE_PROXIMAL] = "HandMiddle1",
	[JC_BONE_LEFT_MIDDLE_INTERMEDIATE] = "HandMiddle2",
	[JC_BONE_LEFT_MIDDLE_DISTAL] = "HandMiddle3",
	[JC_BONE_LEFT_RING_PROXIMAL] = "HandRing1",
	[JC_BONE_LEFT_RING_INTERMEDIATE] = "HandRing2",
	[JC_BONE_LEFT_RING_DISTAL] = "HandRing3",
	[JC_BONE_LEFT_LITTLE_PROXIMAL] = "HandPinky1",
	[JC_BONE_LEFT_LITTLE_INTERMEDIATE] = "HandPinky2",
	[JC_BONE_LEFT_LITTLE_DISTAL] = "HandPinky3",
};

static const char *const trunk_names[] = { "Spine", "Spine1", "Spine2" };

struct writer {
	struct jc_file_buffer output;
	struct jc_t_pose_figure t_pose;
	struct jc_euler angles[JC_BONE_COUNT]; /* of the previous frame */
	enum jc_bone order[JC_BONE_COUNT];     /* in the order of the hierarchy */
	size_t count;
};

/* Readers identify trunk joints by counting from the hips, so no joint below the topmost
 * may be missing: interpolates the ones that the skeleton lacks. */
static void fill_trunk(struct jc_t_pose_figure *t_pose)
{
	int above = JC_BONE_NECK;

	for (int bone = JC_BONE_UPPER_CHEST; bone >= JC_BONE_SPINE; bone--) {
		const struct jc_vec3 *positions = t_pose->positions;
		enum jc_bone below = t_pose->parents[bone];

		if (jc_t_pose_figure_has(t_pose, (enum jc_bone)bone)) {
			above = bone;
		} else if (above != JC_BONE_NECK) {
			int steps = bone - (int)below;

			t_pose->positions[bone] = jc_vec3_lerp(positions[below], positions[above],
				(float)steps / (float)(steps + 1));
			t_pose->parents[above] = (enum jc_bone)bone;
			t_pose->bones |= UINT64_C(1) << bone;
			above = bone;
		}
	}
}

static void put_vector(struct jc_file_buffer *output, struct jc_vec3 metres)
{
	const float values[] = { metres.x, metres.y, metres.z };

	for (int i = 0; i < 3; i++) {
		jc_file_buffer_put(output, " ", i > 0);
		jc_file_buffer_fixed(output, (double)(values[i] * CENTIMETRES), DECIMALS);
	}
}

static void put_name(struct writer *writer, enum jc_bone bone)
{
	const char *name = names[jc_bone_left_of(bone)];
	const char *side = jc_bone_is_right(bone)         ? "Right"
			   : jc_bone_mirror(bone) != bone ? "Left"
							  : "";

	jc_file_buffer_text(
		&writer->output, "%s%s", side, name ? name : trunk_names[bone - JC_BONE_SPINE]);
}

static void put_end(struct writer *writer, enum jc_bone bone, int depth)
{
	jc_file_buffer_text(&writer->output, "%*sEnd Site\n%*s{\n%*sOFFSET ", 2 * depth, "",
		2 * depth, "", 2 * depth + 2, "");
	put_vector(&writer->output, jc_t_pose_figure_tip(&writer->t_pose, bone));
	jc_file_buffer_text(&writer->output, "\n%*s}\n", 2 * depth, "");
}

/* Recursion is as deep as bones are nested, about twelve levels. */
static void put_joint(struct writer *writer, enum jc_bone bone, int depth)
{
	struct jc_file_buffer *output = &writer->output;
	bool is_root = bone == JC_BONE_HIPS;
	bool is_leaf = true;

	writer->order[writer->count++] = bone;
	jc_file_buffer_text(output, "%*s%s ", 2 * depth, "", is_root ? "ROOT" : "JOINT");
	put_name(writer, bone);
	jc_file_buffer_text(output, "\n%*s{\n%*sOFFSET ", 2 * depth, "", 2 * depth + 2, "");
	put_vector(output, is_root ? (struct jc_vec3){ 0.0f, 0.0f, 0.0f }
				   : jc_t_pose_figure_offset(&writer->t_pose, bone));
	jc_file_buffer_text(output, "\n%*sCHANNELS %sZrotation Xrotation Yrotation\n",
		2 * depth + 2, "", is_root ? "6 Xposition Yposition Zposition " : "3 ");
	for (int b = (int)bone + 1; b < JC_BONE_COUNT; b++) {
		if (jc_t_pose_figure_has(&writer->t_pose, (enum jc_bone)b) &&
			writer->t_pose.parents[b] == bone) {
			put_joint(writer, (enum jc_bone)b, depth + 1);
			is_leaf = false;
		}
	}
	if (is_leaf) {
		put_end(writer, bone, depth + 1);
	}
	jc_file_buffer_text(output, "%*s}\n", 2 * depth, "");
}

static void put_frame(struct writer *writer, const struct jc_pose *pose)
{
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips;

	jc_t_pose_figure_pose(&writer->t_pose, pose, rotations, &hips);
	put_vector(&writer->output, hips);
	for (size_t i = 0; i < writer->count; i++) {
		enum jc_bone bone = writer->order[i];
		struct jc_euler angles = jc_euler_from_quat(rotations[bone], writer->angles[bone]);
		const double values[] = { angles.z, angles.x, angles.y };

		writer->angles[bone] = angles;
		for (int axis = 0; axis < 3; axis++) {
			jc_file_buffer_put(&writer->output, " ", 1);
			jc_file_buffer_fixed(&writer->output, values[axis], DECIMALS);
		}
	}
	jc_file_buffer_put(&writer->output, "\n", 1);
}

int jc_write_bvh(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct writer writer = { .count = 0 };
	struct jc_write_losses losses = { 0 };
	int error = jc_t_pose_figure_init(&writer.t_pose, clip->skeleton, diagnostic);

	if (error) {
		return error;
	}
	if (clip->frame_count > JC_LIMIT_BVH_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"%zu frames, more than the %u of a BVH", clip->frame_count,
			JC_LIMIT_BVH_FRAMES);
	}
	fill_trunk(&writer.t_pose);
	jc_bvh_zero_pose_lay(&writer.t_pose);
	jc_file_buffer_text(&writer.output, "HIERARCHY\n");
	put_joint(&writer, JC_BONE_HIPS, 0);
	jc_file_buffer_text(&writer.output, "MOTION\nFrames: %zu\nFrame Time: ", clip->frame_count);
	jc_file_buffer_fixed(&writer.output, clip->frame_seconds, 9);
	jc_file_buffer_put(&writer.output, "\n", 1);
	for (size_t i = 0; i < clip->frame_count && !writer.output.error; i++) {
		struct jc_pose pose;

		clip->pose(clip->context, i, &pose);
		jc_write_losses_add(&losses, &pose);
		put_frame(&writer, &pose);
	}
	error = jc_file_buffer_finish(&writer.output, out_file, diagnostic);
	if (!error) {
		jc_write_losses_report(&losses, clip, writer.t_pose.bones, false, false, lint);
		jc_write_losses_report_virtuals(clip->skeleton, lint);
		jc_write_losses_report_info(clip->skeleton, lint);
		jc_write_losses_report_body(clip->skeleton, lint);
	}
	return error;
}
