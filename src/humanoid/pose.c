/* Initialises, interpolates and mirrors poses and body frames. */
#include <string.h>

#include "jointcast/humanoid.h"
#include "jointcast/transform.h"

void jc_pose_init(struct jc_pose *pose)
{
	memset(pose, 0, sizeof(*pose));
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose->rotations[i] = JC_QUAT_IDENTITY;
	}
}

void jc_pose_interpolate(
	const struct jc_pose *a, const struct jc_pose *b, float t, struct jc_pose *out_pose)
{
	struct jc_pose pose;

	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose.rotations[i] = jc_quat_slerp(a->rotations[i], b->rotations[i], t);
		pose.states[i] = a->states[i] < b->states[i] ? a->states[i] : b->states[i];
	}
	pose.hips_translation = jc_vec3_lerp(a->hips_translation, b->hips_translation, t);
	*out_pose = pose;
}

static struct jc_quat reflect(struct jc_quat q)
{
	return (struct jc_quat){ q.x, -q.y, -q.z, q.w };
}

void jc_pose_mirror(struct jc_pose *pose)
{
	struct jc_pose source = *pose;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone other = jc_bone_mirror((enum jc_bone)b);

		pose->rotations[other] = reflect(source.rotations[b]);
		pose->states[other] = source.states[b];
	}
	pose->hips_translation.x = -source.hips_translation.x;
}

static void share_twist(struct jc_pose *pose, enum jc_bone lower, enum jc_bone hand, float share)
{
	struct jc_vec3 along = jc_quat_rotate(
		jc_bone_reference_rotation(lower), (struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	struct jc_quat swing, twist, part;

	if (pose->states[lower] == JC_ABSENT || pose->states[hand] == JC_ABSENT) {
		return;
	}
	/* The twist is the same whether it is taken off before or behind. */
	jc_quat_swing_twist(pose->rotations[hand], along, &swing, &twist);
	part = jc_quat_slerp(JC_QUAT_IDENTITY, twist, share);
	pose->rotations[lower] = jc_quat_normalize(jc_quat_multiply(pose->rotations[lower], part));
	pose->rotations[hand] =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(part), pose->rotations[hand]));
}

void jc_pose_share_twist(struct jc_pose *pose, float share)
{
	share_twist(pose, JC_BONE_LEFT_LOWER_ARM, JC_BONE_LEFT_HAND, share);
	share_twist(pose, JC_BONE_RIGHT_LOWER_ARM, JC_BONE_RIGHT_HAND, share);
}
