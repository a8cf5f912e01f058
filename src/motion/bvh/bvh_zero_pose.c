/* Changes the shape of a written figure into a T-pose. Its rest rotations are identity
 * whatever the shape, so the shape is free; only what would make readers see another pose
 * is changed. */
#include "bvh_zero_pose.h"

#include <string.h>

#include "jointcast/transform.h"

/* Readers that correct zero poses tolerate 25 degrees for a hand and 35 for a figure. */
#define ASKEW 0.34906585f /* 20 degrees */

static const struct jc_vec3 x_axis = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 y_axis = { 0.0f, 1.0f, 0.0f };

static bool is_askew(struct jc_vec3 direction, struct jc_vec3 wanted)
{
	return jc_vec3_angle(direction, wanted) > ASKEW;
}

/* From one joint to another; zero if one is absent. */
static struct jc_vec3 span(
	const struct jc_t_pose_figure *t_pose, enum jc_bone from, enum jc_bone to)
{
	if (!jc_t_pose_figure_has(t_pose, from) || !jc_t_pose_figure_has(t_pose, to)) {
		return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	return jc_vec3_subtract(t_pose->positions[to], t_pose->positions[from]);
}

static struct jc_vec3 trunk(const struct jc_t_pose_figure *t_pose)
{
	for (int bone = JC_BONE_HEAD; bone > JC_BONE_HIPS; bone--) {
		if (jc_t_pose_figure_has(t_pose, (enum jc_bone)bone)) {
			return span(t_pose, JC_BONE_HIPS, (enum jc_bone)bone);
		}
	}
	return jc_vec3_add(span(t_pose, JC_BONE_LEFT_FOOT, JC_BONE_HIPS),
		span(t_pose, JC_BONE_RIGHT_FOOT, JC_BONE_HIPS));
}

static void stand_upright(struct jc_t_pose_figure *t_pose)
{
	struct jc_vec3 up = jc_vec3_normalize(trunk(t_pose));
	struct jc_vec3 left =
		jc_vec3_add(span(t_pose, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_LEFT_UPPER_LEG),
			span(t_pose, JC_BONE_RIGHT_UPPER_ARM, JC_BONE_LEFT_UPPER_ARM));
	struct jc_quat turn;

	left = jc_vec3_subtract(left, jc_vec3_scale(up, jc_vec3_dot(left, up)));
	if (!(jc_vec3_length(up) > 0.0f) || !(jc_vec3_length(left) > 1e-6f)) {
		return;
	}
	left = jc_vec3_normalize(left);
	if (!is_askew(up, y_axis) && !is_askew(left, x_axis)) {
		return;
	}
	turn = jc_quat_conjugate(jc_quat_from_axes(left, up, jc_vec3_cross(left, up)));
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		t_pose->positions[b] = jc_quat_rotate(turn, t_pose->positions[b]);
	}
}

/* The four fingers show the direction of a hand and the roll of its palm. */
static bool is_hand_askew(const struct jc_t_pose_figure *t_pose, enum jc_bone hand)
{
	int first = hand == JC_BONE_LEFT_HAND ? JC_BONE_LEFT_INDEX_PROXIMAL
					      : JC_BONE_RIGHT_INDEX_PROXIMAL;
	int last = hand == JC_BONE_LEFT_HAND ? JC_BONE_LEFT_LITTLE_PROXIMAL
					     : JC_BONE_RIGHT_LITTLE_PROXIMAL;
	struct jc_vec3 across = span(t_pose, (enum jc_bone)last, (enum jc_bone)first);
	struct jc_vec3 along = { 0.0f, 0.0f, 0.0f };

	for (int finger = first; finger <= last; finger += 3) {
		along = jc_vec3_add(along, span(t_pose, hand, (enum jc_bone)finger));
	}
	across.x = 0.0f;
	return is_askew(along, jc_bone_is_right(hand) ? jc_vec3_scale(x_axis, -1.0f) : x_axis) ||
	       is_askew(across, (struct jc_vec3){ 0.0f, 0.0f, 1.0f });
}

/* Direction of a bone from its parent in the T-pose; false if the bone may stay. */
static bool must_lie(const struct jc_t_pose_figure *t_pose, enum jc_bone bone,
	struct jc_vec3 offset, struct jc_vec3 *out_direction)
{
	enum jc_bone parent = t_pose->parents[bone];

	*out_direction =
		jc_vec3_subtract(jc_bone_rest_position(bone), jc_bone_rest_position(parent));
	if (bone >= JC_BONE_CHEST && bone <= JC_BONE_HEAD) {
		return parent != JC_BONE_HIPS && is_askew(offset, *out_direction);
	}
	if (parent != jc_bone_parent(bone)) {
		return false;
	}
	switch (jc_bone_left_of(bone)) {
	case JC_BONE_LEFT_LOWER_ARM:
	case JC_BONE_LEFT_HAND:
		*out_direction = jc_vec3_scale(x_axis, jc_bone_is_right(bone) ? -1.0f : 1.0f);
		return true;
	case JC_BONE_LEFT_LOWER_LEG:
	case JC_BONE_LEFT_FOOT:
		*out_direction = jc_vec3_scale(y_axis, -1.0f);
		return true;
	case JC_BONE_LEFT_INDEX_PROXIMAL:
	case JC_BONE_LEFT_MIDDLE_PROXIMAL:
	case JC_BONE_LEFT_RING_PROXIMAL:
	case JC_BONE_LEFT_LITTLE_PROXIMAL:
		return is_hand_askew(t_pose, parent);
	case JC_BONE_SPINE:
	case JC_BONE_LEFT_SHOULDER:
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_EYE:
	case JC_BONE_JAW:
		return false; /* where bones branch, no bone points there */
	default:
		return is_askew(offset, *out_direction);
	}
}

void jc_bvh_zero_pose_lay(struct jc_t_pose_figure *t_pose)
{
	struct jc_vec3 laid[JC_BONE_COUNT];

	stand_upright(t_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = t_pose->parents[b];
		struct jc_vec3 offset, direction;

		laid[b] = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
		if (parent == JC_BONE_NONE) {
			continue;
		}
		offset = jc_t_pose_figure_offset(t_pose, (enum jc_bone)b);
		if (must_lie(t_pose, (enum jc_bone)b, offset, &direction)) {
			offset =
				jc_vec3_scale(jc_vec3_normalize(direction), jc_vec3_length(offset));
		}
		laid[b] = jc_vec3_add(laid[parent], offset);
	}
	memcpy(t_pose->positions, laid, sizeof(laid));
	jc_t_pose_figure_set_down(t_pose);
}
