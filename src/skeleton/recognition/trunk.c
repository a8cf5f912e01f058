/* Maps the trunk: the path from the joint that carries the legs to the one that carries
 * the arms. */
#include "trunk.h"

#include <stdbool.h>

/* The hips move up by at most this many joints. */
#define STEPS_TO_HIPS 2

int jc_trunk_steps_up(const struct jc_joint_tree *tree, int joint, int ancestor)
{
	for (int steps = 0; joint >= 0; steps++) {
		if (joint == ancestor) {
			return steps;
		}
		joint = tree->parents[joint];
	}
	return -1;
}

static int climb(const struct jc_joint_tree *tree, int joint, int steps)
{
	while (steps-- > 0 && joint >= 0) {
		joint = tree->parents[joint];
	}
	return joint;
}

/* Parents have smaller indices, so the larger index is never the ancestor. */
int jc_trunk_common_ancestor(const struct jc_joint_tree *tree, int a, int b)
{
	while (a != b && a >= 0 && b >= 0) {
		if (a > b) {
			a = tree->parents[a];
		} else {
			b = tree->parents[b];
		}
	}
	return a == b ? a : -1;
}

static int first_of(int a, int b)
{
	return a >= 0 ? a : b;
}

static void raise_hips(const struct jc_joint_tree *tree, int *bones)
{
	const int carried[] = {
		bones[JC_BONE_LEFT_UPPER_LEG],
		bones[JC_BONE_RIGHT_UPPER_LEG],
		first_of(bones[JC_BONE_NECK], bones[JC_BONE_HEAD]),
		bones[JC_BONE_LEFT_UPPER_ARM],
		bones[JC_BONE_RIGHT_UPPER_ARM],
	};
	int top = bones[JC_BONE_HIPS];
	int steps;

	for (size_t i = 0; i < sizeof(carried) / sizeof(*carried); i++) {
		if (carried[i] >= 0) {
			top = jc_trunk_common_ancestor(tree, top, carried[i]);
		}
	}
	steps = top < 0 ? -1 : jc_trunk_steps_up(tree, bones[JC_BONE_HIPS], top);
	if (steps > 0 && steps <= STEPS_TO_HIPS) {
		bones[JC_BONE_HIPS] = top;
	}
}

/* The joint that carries neck and shoulders: the top of the trunk. If the arms are
 * children of the hips, the joint that carries the neck. */
static int find_top(const struct jc_joint_tree *tree, const int *bones)
{
	const int carried[] = {
		first_of(bones[JC_BONE_NECK], bones[JC_BONE_HEAD]),
		first_of(bones[JC_BONE_LEFT_SHOULDER], bones[JC_BONE_LEFT_UPPER_ARM]),
		first_of(bones[JC_BONE_RIGHT_SHOULDER], bones[JC_BONE_RIGHT_UPPER_ARM]),
	};
	int hips = bones[JC_BONE_HIPS];
	int top = -1;
	bool any = false;

	for (size_t i = 0; i < sizeof(carried) / sizeof(*carried); i++) {
		if (carried[i] < 0) {
			continue;
		}
		top = any ? jc_trunk_common_ancestor(tree, top, tree->parents[carried[i]])
			  : tree->parents[carried[i]];
		any = true;
	}
	if (jc_trunk_steps_up(tree, top, hips) > 0) {
		return top;
	}
	return carried[0] >= 0 ? tree->parents[carried[0]] : -1;
}

void jc_trunk_map(const struct jc_joint_tree *tree, int *bones)
{
	int top, count, above;

	raise_hips(tree, bones);
	top = find_top(tree, bones);
	count = jc_trunk_steps_up(tree, top, bones[JC_BONE_HIPS]);
	above = jc_trunk_steps_up(tree, bones[JC_BONE_HEAD], top);
	if (bones[JC_BONE_NECK] < 0 && top >= 0 && above > 1) {
		bones[JC_BONE_NECK] = climb(tree, bones[JC_BONE_HEAD], above - 1);
	}
	if (count >= 1) {
		bones[JC_BONE_SPINE] = climb(tree, top, count - 1);
	}
	if (count == 2) {
		bones[JC_BONE_CHEST] = top;
	}
	if (count >= 3) {
		bones[JC_BONE_CHEST] = climb(tree, top, count - 1 - count / 2);
		bones[JC_BONE_UPPER_CHEST] = top;
	}
}
