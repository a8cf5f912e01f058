/* Forward kinematics, trunk, head and fingers of the puppet behind the demo
 * motions; its limbs are in limb.c. */
#include "figure.h"

#include <math.h>

#include "jointcast/transform.h"
#include "limb.h"

static const struct jc_vec3 axis_x = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 axis_y = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 axis_z = { 0.0f, 0.0f, 1.0f };

struct jc_quat jc_figure_rotation(float turn, float bow, float lean)
{
	return jc_quat_multiply(jc_quat_from_axis_angle(axis_y, turn),
		jc_quat_multiply(jc_quat_from_axis_angle(axis_x, bow),
			jc_quat_from_axis_angle(axis_z, lean)));
}

void jc_figure_init(struct jc_figure *figure)
{
	jc_pose_init(&figure->pose);
	figure->hips = jc_bone_rest_position(JC_BONE_HIPS);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		figure->pose.states[bone] = bone == JC_BONE_JAW ? JC_ABSENT : JC_TRACKED;
	}
}

struct jc_vec3 jc_figure_offset(enum jc_bone bone)
{
	return jc_vec3_subtract(
		jc_bone_rest_position(bone), jc_bone_rest_position(jc_bone_parent(bone)));
}

struct jc_quat jc_figure_world_rotation(const struct jc_figure *figure, enum jc_bone bone)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;

	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		rotation = jc_quat_multiply(figure->pose.rotations[bone], rotation);
	}
	return rotation;
}

struct jc_vec3 jc_figure_world_position(const struct jc_figure *figure, enum jc_bone bone)
{
	struct jc_vec3 position = { 0.0f, 0.0f, 0.0f };

	while (bone != JC_BONE_HIPS) {
		enum jc_bone parent = jc_bone_parent(bone);

		position = jc_quat_rotate(figure->pose.rotations[parent],
			jc_vec3_add(jc_figure_offset(bone), position));
		bone = parent;
	}
	return jc_vec3_add(figure->hips, position);
}

void jc_figure_place_hips(
	struct jc_figure *figure, struct jc_vec3 position, struct jc_quat rotation)
{
	figure->hips = position;
	figure->pose.rotations[JC_BONE_HIPS] = rotation;
}

void jc_figure_bend_trunk(struct jc_figure *figure, float turn, float bow, float lean)
{
	static const struct {
		enum jc_bone bone;
		float share;
	} parts[] = {
		{ JC_BONE_SPINE, 0.30f },
		{ JC_BONE_CHEST, 0.35f },
		{ JC_BONE_UPPER_CHEST, 0.35f },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		float share = parts[i].share;

		figure->pose.rotations[parts[i].bone] =
			jc_figure_rotation(turn * share, bow * share, lean * share);
	}
}

void jc_figure_aim_head(struct jc_figure *figure, struct jc_quat rotation)
{
	struct jc_quat chest = jc_figure_world_rotation(figure, JC_BONE_UPPER_CHEST);
	struct jc_quat bend = jc_quat_multiply(jc_quat_conjugate(chest), rotation);
	struct jc_quat neck = jc_quat_slerp(JC_QUAT_IDENTITY, bend, 0.45f);

	figure->pose.rotations[JC_BONE_NECK] = neck;
	figure->pose.rotations[JC_BONE_HEAD] = jc_quat_multiply(jc_quat_conjugate(neck), bend);
}

void jc_figure_aim_eyes(struct jc_figure *figure, float turn, float bow)
{
	struct jc_quat gaze = jc_figure_rotation(turn, bow, 0.0f);

	figure->pose.rotations[JC_BONE_LEFT_EYE] = gaze;
	figure->pose.rotations[JC_BONE_RIGHT_EYE] = gaze;
}

struct jc_figure_hand jc_figure_relaxed_hand(void)
{
	return (struct jc_figure_hand){ { 0.25f, 0.20f, 0.27f, 0.32f, 0.36f }, 0.0f };
}

struct jc_figure_hand jc_figure_blend_hands(
	struct jc_figure_hand a, struct jc_figure_hand b, float share)
{
	for (int i = 0; i < 5; i++) {
		a.curl[i] += (b.curl[i] - a.curl[i]) * share;
	}
	a.spread += (b.spread - a.spread) * share;
	return a;
}

/* Fingers lie along +X on the left, palm down: they curl about -Z and spread
 * about -Y. The thumb, half way between +X and +Z, first sinks below the palm
 * and then bends about the vertical. */
void jc_figure_set_hand(struct jc_figure *figure, enum jc_side side, struct jc_figure_hand hand)
{
	static const float bends[3] = { JC_RADIANS(78.0f), JC_RADIANS(98.0f), JC_RADIANS(62.0f) };
	struct jc_quat *thumb =
		&figure->pose.rotations[jc_limb_bone(JC_BONE_LEFT_THUMB_METACARPAL, side)];
	struct jc_quat *fingers =
		&figure->pose.rotations[jc_limb_bone(JC_BONE_LEFT_INDEX_PROXIMAL, side)];
	float sign = side == JC_LEFT ? 1.0f : -1.0f;
	float curl = hand.curl[0];

	thumb[0] = jc_figure_rotation(sign * (JC_RADIANS(22.0f) * curl - 0.5f * hand.spread),
		JC_RADIANS(10.0f) + JC_RADIANS(35.0f) * curl, 0.0f);
	thumb[1] = jc_figure_rotation(sign * JC_RADIANS(48.0f) * curl, 0.0f, 0.0f);
	thumb[2] = jc_figure_rotation(sign * JC_RADIANS(60.0f) * curl, 0.0f, 0.0f);
	for (int finger = 0; finger < 4; finger++) {
		/* Away from the middle finger, and less so when bent. */
		float spread =
			hand.spread * (1.0f - (float)finger) * (1.0f - hand.curl[finger + 1]);

		for (int part = 0; part < 3; part++) {
			fingers[finger * 3 + part] =
				jc_figure_rotation(part == 0 ? -sign * spread : 0.0f, 0.0f,
					-sign * bends[part] * hand.curl[finger + 1]);
		}
	}
}

float jc_figure_hips_height(void)
{
	return jc_bone_rest_position(JC_BONE_HIPS).y -
	       fminf(jc_bone_rest_position(JC_BONE_LEFT_FOOT).y,
		       jc_bone_rest_position(JC_BONE_LEFT_TOES).y);
}

void jc_figure_finish(const struct jc_figure *figure, struct jc_pose *out_pose)
{
	struct jc_vec3 moved = jc_vec3_subtract(figure->hips, jc_bone_rest_position(JC_BONE_HIPS));

	*out_pose = figure->pose;
	out_pose->hips_translation = jc_vec3_scale(moved, 1.0f / jc_figure_hips_height());
}
