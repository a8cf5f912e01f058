/* Rigs repeat names, so the name of a joint is not enough: the order of the joints decides. */
#include "limb_order.h"

#include <string.h>

#include "branches.h"
#include "trunk.h"

/* Whether the bone is below the first joint of an arm or a leg. */
static bool is_of_limb(enum jc_bone bone)
{
	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		enum jc_bone parent = jc_bone_parent(bone);

		if (parent == JC_BONE_LEFT_UPPER_LEG || parent == JC_BONE_RIGHT_UPPER_LEG ||
			parent == JC_BONE_LEFT_UPPER_ARM || parent == JC_BONE_RIGHT_UPPER_ARM) {
			return true;
		}
	}
	return false;
}

int jc_limb_order_above(const int *bones, enum jc_bone bone)
{
	while (is_of_limb(bone)) {
		bone = jc_bone_parent(bone);
		if (bones[bone] >= 0) {
			return bones[bone];
		}
	}
	return -1;
}

bool jc_limb_order_is_below(const struct jc_joint_tree *tree, int joint, int above)
{
	for (int steps = 0; steps < JC_BRANCH_CHAIN_LENGTH && joint > above; steps++) {
		joint = tree->parents[joint];
		if (joint == above) {
			return true;
		}
	}
	return false;
}

bool jc_limb_order_is_middle(enum jc_bone bone)
{
	return bone == JC_BONE_LEFT_LOWER_LEG || bone == JC_BONE_RIGHT_LOWER_LEG ||
	       bone == JC_BONE_LEFT_LOWER_ARM || bone == JC_BONE_RIGHT_LOWER_ARM;
}

static bool is_same_name(const struct jc_joint_name *a, const struct jc_joint_name *b)
{
	return a->side == b->side && strcmp(a->core, b->core) == 0;
}

/* The lowest joint with the name of `joint` on the path from `end` up to it. */
static int lowest_namesake(
	const struct jc_joint_tree *tree, const struct jc_joint_name *names, int joint, int end)
{
	if (jc_trunk_steps_up(tree, end, joint) < 0) {
		return joint;
	}
	for (int at = tree->parents[end]; at > joint; at = tree->parents[at]) {
		if (is_same_name(&names[at], &names[joint])) {
			return at;
		}
	}
	return joint;
}

void jc_limb_order_settle(
	const struct jc_joint_tree *tree, const struct jc_joint_name *names, int *bones)
{
	static const enum jc_bone uppers[] = { JC_BONE_LEFT_UPPER_LEG, JC_BONE_RIGHT_UPPER_LEG,
		JC_BONE_LEFT_UPPER_ARM, JC_BONE_RIGHT_UPPER_ARM };
	int neck = bones[JC_BONE_NECK];

	for (size_t i = 0; i < sizeof(uppers) / sizeof(*uppers); i++) {
		/* Upper and lower part: each carries the next bone. */
		for (int b = (int)uppers[i]; b < (int)uppers[i] + 2; b++) {
			if (bones[b] >= 0 && bones[b + 1] >= 0) {
				bones[b] = lowest_namesake(tree, names, bones[b], bones[b + 1]);
			}
		}
	}
	if (neck >= 0 && jc_trunk_steps_up(tree, bones[JC_BONE_LEFT_UPPER_ARM], neck) > 0 &&
		jc_trunk_steps_up(tree, bones[JC_BONE_RIGHT_UPPER_ARM], neck) > 0) {
		bones[JC_BONE_NECK] = -1;
	}
}

int jc_limb_order_hips(const struct jc_joint_tree *tree, const int *bones)
{
	int left = bones[JC_BONE_LEFT_UPPER_LEG];
	int right = bones[JC_BONE_RIGHT_UPPER_LEG];
	int hips = jc_trunk_common_ancestor(tree, left, right);

	return hips == left || hips == right ? -1 : hips;
}

static bool is_bone_above(enum jc_bone ancestor, enum jc_bone bone)
{
	while (bone != JC_BONE_NONE && bone != ancestor) {
		bone = jc_bone_parent(bone);
	}
	return bone == ancestor;
}

/* The nearest bone above the joint of `bone`. */
static enum jc_bone mapped_above(const struct jc_joint_tree *tree, const int *bones, int bone)
{
	int best_steps = 0;
	enum jc_bone best = JC_BONE_NONE;

	for (int other = 0; other < JC_BONE_COUNT; other++) {
		int steps = bones[other] < 0 || other == bone
				    ? -1
				    : jc_trunk_steps_up(tree, bones[bone], bones[other]);

		if (steps >= 0 && (best == JC_BONE_NONE || steps < best_steps)) {
			best = (enum jc_bone)other;
			best_steps = steps;
		}
	}
	return best;
}

void jc_limb_order_drop_misplaced(const struct jc_joint_tree *tree, int *bones)
{
	enum jc_bone above;

	while ((above = mapped_above(tree, bones, JC_BONE_HIPS)) != JC_BONE_NONE) {
		bones[above] = -1;
	}
	for (int bone = JC_BONE_HIPS + 1; bone < JC_BONE_COUNT; bone++) {
		if (bones[bone] < 0) {
			continue;
		}
		above = mapped_above(tree, bones, bone);
		if (above != JC_BONE_NONE && (!is_bone_above(above, (enum jc_bone)bone) ||
						     bones[above] == bones[bone])) {
			bones[bone] = -1;
		}
	}
}
