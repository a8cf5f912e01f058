/* Computes the direction of each bone. A bone points at the next bone, a foot at the tip of
 * its toes, a hand along its fingers. A bone without a next bone points at the mean of its
 * child joints that are not bones. */
#include "rest_direction.h"

#include <math.h>

#include "jointcast/transform.h"

static const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };

bool jc_rest_direction_is_zero(struct jc_vec3 direction)
{
	return !(jc_vec3_length(direction) > 1e-6f);
}

struct jc_vec3 jc_rest_direction_axis(struct jc_vec3 v)
{
	float x = fabsf(v.x);
	float y = fabsf(v.y);
	float z = fabsf(v.z);

	if (x >= y && x >= z) {
		return (struct jc_vec3){ copysignf(1.0f, v.x), 0.0f, 0.0f };
	}
	if (y >= z) {
		return (struct jc_vec3){ 0.0f, copysignf(1.0f, v.y), 0.0f };
	}
	return (struct jc_vec3){ 0.0f, 0.0f, copysignf(1.0f, v.z) };
}

struct jc_vec3 jc_rest_direction_between(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone from, enum jc_bone to)
{
	if (bones[from] < 0 || bones[to] < 0) {
		return zero;
	}
	return jc_vec3_subtract(tree->positions[bones[to]], tree->positions[bones[from]]);
}

static bool is_bone(const int *bones, int joint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (bones[b] == joint) {
			return true;
		}
	}
	return false;
}

/* The sum of the offsets from a joint to its child joints; only its direction matters. Child
 * joints that are bones branch off, like eyes in front of a head, and are left out. */
static struct jc_vec3 tip(const struct jc_joint_tree *tree, const int *bones, int joint)
{
	struct jc_vec3 sum = zero;

	for (size_t i = (size_t)joint + 1; i < tree->count; i++) {
		if (tree->parents[i] == joint && !is_bone(bones, (int)i)) {
			sum = jc_vec3_add(
				sum, jc_vec3_subtract(tree->positions[i], tree->positions[joint]));
		}
	}
	return sum;
}

/* The bone that a left or middle bone points at. */
static enum jc_bone next_bone(const int *bones, enum jc_bone bone)
{
	static const enum jc_bone trunk[] = { JC_BONE_SPINE, JC_BONE_CHEST, JC_BONE_UPPER_CHEST,
		JC_BONE_NECK, JC_BONE_HEAD };

	if (bone >= JC_BONE_SPINE && bone < JC_BONE_HEAD) {
		for (int i = bone - JC_BONE_SPINE + 1; i < 5; i++) {
			if (bones[trunk[i]] >= 0) {
				return trunk[i];
			}
		}
		return JC_BONE_NONE;
	}
	switch (bone) {
	case JC_BONE_LEFT_SHOULDER:
	case JC_BONE_LEFT_UPPER_ARM:
	case JC_BONE_LEFT_LOWER_ARM:
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_LOWER_LEG:
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_THUMB_PROXIMAL:
	case JC_BONE_LEFT_INDEX_PROXIMAL:
	case JC_BONE_LEFT_INDEX_INTERMEDIATE:
	case JC_BONE_LEFT_MIDDLE_PROXIMAL:
	case JC_BONE_LEFT_MIDDLE_INTERMEDIATE:
	case JC_BONE_LEFT_RING_PROXIMAL:
	case JC_BONE_LEFT_RING_INTERMEDIATE:
	case JC_BONE_LEFT_LITTLE_PROXIMAL:
	case JC_BONE_LEFT_LITTLE_INTERMEDIATE:
		return (enum jc_bone)(bone + 1);
	default:
		return JC_BONE_NONE;
	}
}

/* Along the fingers if there are any. */
static struct jc_vec3 hand_direction(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone hand)
{
	static const enum jc_bone fingers[] = { JC_BONE_LEFT_INDEX_PROXIMAL,
		JC_BONE_LEFT_MIDDLE_PROXIMAL, JC_BONE_LEFT_RING_PROXIMAL,
		JC_BONE_LEFT_LITTLE_PROXIMAL };
	struct jc_vec3 sum = zero;

	for (size_t i = 0; i < 4; i++) {
		enum jc_bone finger =
			jc_bone_is_right(hand) ? jc_bone_mirror(fingers[i]) : fingers[i];

		sum = jc_vec3_add(sum, jc_rest_direction_between(tree, bones, hand, finger));
	}
	return jc_rest_direction_is_zero(sum) ? tip(tree, bones, bones[hand]) : sum;
}

/* To the tip of the toes, because some files have the ball exactly below the ankle. */
static struct jc_vec3 foot_direction(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone foot)
{
	enum jc_bone toes = jc_bone_is_right(foot) ? JC_BONE_RIGHT_TOES : JC_BONE_LEFT_TOES;

	if (bones[toes] < 0) {
		return tip(tree, bones, bones[foot]);
	}
	return jc_vec3_add(
		jc_rest_direction_between(tree, bones, foot, toes), tip(tree, bones, bones[toes]));
}

struct jc_vec3 jc_rest_direction_of(
	const struct jc_joint_tree *tree, const int *bones, enum jc_bone bone)
{
	enum jc_bone left = jc_bone_left_of(bone);
	enum jc_bone next = next_bone(bones, left);
	struct jc_vec3 direction;

	if (left == JC_BONE_LEFT_HAND) {
		return hand_direction(tree, bones, bone);
	}
	if (left == JC_BONE_LEFT_FOOT) {
		return foot_direction(tree, bones, bone);
	}
	if (next != JC_BONE_NONE) {
		return jc_rest_direction_between(
			tree, bones, bone, jc_bone_is_right(bone) ? jc_bone_mirror(next) : next);
	}
	direction = tip(tree, bones, bones[bone]);
	if (jc_rest_direction_is_zero(direction) && left == JC_BONE_LEFT_TOES) {
		/* Toes without a tip continue the direction of the foot. */
		return jc_rest_direction_between(tree, bones, jc_bone_parent(bone), bone);
	}
	return direction;
}

struct jc_vec3 jc_rest_direction_in_t_pose(enum jc_bone bone)
{
	switch (bone) {
	case JC_BONE_HIPS:
	case JC_BONE_LEFT_EYE:
	case JC_BONE_JAW:
		return zero;
	case JC_BONE_SPINE:
	case JC_BONE_CHEST:
	case JC_BONE_UPPER_CHEST:
	case JC_BONE_NECK:
	case JC_BONE_HEAD:
		return (struct jc_vec3){ 0.0f, 1.0f, 0.0f };
	case JC_BONE_LEFT_UPPER_LEG:
	case JC_BONE_LEFT_LOWER_LEG:
		return (struct jc_vec3){ 0.0f, -1.0f, 0.0f };
	case JC_BONE_LEFT_FOOT:
		return jc_vec3_subtract(jc_bone_rest_position(JC_BONE_LEFT_TOES),
			jc_bone_rest_position(JC_BONE_LEFT_FOOT));
	case JC_BONE_LEFT_TOES:
		return (struct jc_vec3){ 0.0f, 0.0f, 1.0f };
	case JC_BONE_LEFT_THUMB_METACARPAL:
	case JC_BONE_LEFT_THUMB_PROXIMAL:
	case JC_BONE_LEFT_THUMB_DISTAL:
		return (struct jc_vec3){ 1.0f, 0.0f, 1.0f };
	default:
		return (struct jc_vec3){ 1.0f, 0.0f, 0.0f };
	}
}
