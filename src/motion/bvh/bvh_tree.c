/* Copies BVH joints into a joint tree; an End Site becomes a tip below its joint. */
#include "bvh_tree.h"

#include <math.h>
#include <stdlib.h>

#include "bvh_frame.h"
#include "jointcast/transform.h"

void jc_bvh_tree_rest(struct jc_bvh_tree *tree, const struct jc_bvh *bvh)
{
	jc_bvh_frame_zero_positions(bvh, tree->positions);
	for (size_t i = bvh->joint_count; i < tree->tree.count; i++) {
		int joint = tree->parents[i];

		tree->positions[i] = jc_vec3_add(tree->positions[joint], bvh->joints[joint].end);
	}
	for (size_t i = 0; i < bvh->joint_count; i++) {
		tree->rotations[i] = JC_QUAT_IDENTITY;
	}
}

int jc_bvh_tree_init(struct jc_bvh_tree *tree, const struct jc_bvh *bvh)
{
	size_t most = 2 * bvh->joint_count;
	size_t count = bvh->joint_count;

	*tree = (struct jc_bvh_tree){
		.names = calloc(most, sizeof(*tree->names)),
		.parents = calloc(most, sizeof(*tree->parents)),
		.positions = calloc(most, sizeof(*tree->positions)),
		.rotations = calloc(bvh->joint_count, sizeof(*tree->rotations)),
	};
	if (!tree->names || !tree->parents || !tree->positions || !tree->rotations) {
		jc_bvh_tree_finish(tree);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];

		tree->names[i] = joint->name;
		tree->parents[i] = joint->parent;
		if (joint->has_end) {
			tree->names[count] = "";
			tree->parents[count++] = (int)i;
		}
	}
	tree->tree = (struct jc_joint_tree){
		.count = count,
		.joint_count = bvh->joint_count,
		.names = tree->names,
		.parents = tree->parents,
		.positions = tree->positions,
	};
	jc_bvh_tree_rest(tree, bvh);
	return JC_OK;
}

void jc_bvh_tree_finish(struct jc_bvh_tree *tree)
{
	free(tree->names);
	free(tree->parents);
	free(tree->positions);
	free(tree->rotations);
}

int jc_bvh_tree_pose(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, size_t frame)
{
	struct jc_transform *worlds = calloc(bvh->joint_count, sizeof(*worlds));

	if (!worlds) {
		return JC_ERROR_MEMORY;
	}
	jc_bvh_frame_worlds(bvh, frame, worlds);
	for (size_t i = 0; i < tree->tree.count; i++) {
		const struct jc_transform *above;

		if (i < bvh->joint_count) {
			tree->positions[i] = worlds[i].translation;
			tree->rotations[i] = worlds[i].rotation;
			continue;
		}
		above = &worlds[tree->parents[i]];
		tree->positions[i] = jc_vec3_add(above->translation,
			jc_quat_rotate(above->rotation, bvh->joints[tree->parents[i]].end));
	}
	free(worlds);
	return JC_OK;
}

/* Cosines of the angles that a T-pose may miss. */
#define NEARLY_STRAIGHT 0.94f /* 20 degrees */
#define STANDING        0.5f  /* 60 degrees between trunk and legs */

/* Unit direction from a bone to the next of these that is there; zero if none is. */
static struct jc_vec3 toward(const struct jc_bvh_tree *tree, const int *bones, enum jc_bone from,
	const enum jc_bone *to, size_t count)
{
	for (size_t i = 0; i < count && bones[from] >= 0; i++) {
		if (bones[to[i]] >= 0) {
			return jc_vec3_normalize(jc_vec3_subtract(
				tree->positions[bones[to[i]]], tree->positions[bones[from]]));
		}
	}
	return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
}

static struct jc_vec3 between(
	const struct jc_bvh_tree *tree, const int *bones, enum jc_bone from, enum jc_bone to)
{
	return toward(tree, bones, from, &to, 1);
}

static struct jc_vec3 trunk_of(const struct jc_bvh_tree *tree, const int *bones)
{
	static const enum jc_bone tops[] = { JC_BONE_HEAD, JC_BONE_NECK, JC_BONE_UPPER_CHEST,
		JC_BONE_CHEST, JC_BONE_SPINE };

	return toward(tree, bones, JC_BONE_HIPS, tops, sizeof(tops) / sizeof(tops[0]));
}

/* Sum of the unit directions of both limbs of a pair, from the first bone to the first of two. */
static struct jc_vec3 pair_of(const struct jc_bvh_tree *tree, const int *bones, enum jc_bone left,
	const enum jc_bone ends[2])
{
	enum jc_bone mirrored[2] = { jc_bone_mirror(ends[0]), jc_bone_mirror(ends[1]) };

	return jc_vec3_add(toward(tree, bones, left, ends, 2),
		toward(tree, bones, jc_bone_mirror(left), mirrored, 2));
}

bool jc_bvh_tree_stands(const struct jc_bvh_tree *tree, const int *bones)
{
	static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_LOWER_LEG };
	static const enum jc_bone hands[] = { JC_BONE_LEFT_HAND, JC_BONE_LEFT_LOWER_ARM };
	struct jc_vec3 trunk = trunk_of(tree, bones);
	struct jc_vec3 legs = pair_of(tree, bones, JC_BONE_LEFT_UPPER_LEG, feet);
	struct jc_vec3 arms = pair_of(tree, bones, JC_BONE_LEFT_UPPER_ARM, hands);

	if (!(jc_vec3_length(trunk) > 0.0f)) {
		return true;
	}
	if (!(jc_vec3_length(legs) > 0.0f)) {
		return jc_vec3_dot(trunk, jc_vec3_normalize(arms)) < STANDING;
	}
	return jc_vec3_dot(trunk, jc_vec3_normalize(legs)) < -STANDING;
}

/* Whether both bones of a limb point along a direction. */
static bool lies_along(const struct jc_bvh_tree *tree, const int *bones, enum jc_bone upper,
	struct jc_vec3 direction)
{
	enum jc_bone lower = (enum jc_bone)(upper + 1);

	return jc_vec3_dot(between(tree, bones, upper, lower), direction) > NEARLY_STRAIGHT &&
	       jc_vec3_dot(between(tree, bones, lower, (enum jc_bone)(upper + 2)), direction) >
		       NEARLY_STRAIGHT;
}

bool jc_bvh_tree_is_t_pose(const struct jc_bvh_tree *tree, const int *bones)
{
	struct jc_vec3 left = between(tree, bones, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_LEFT_UPPER_LEG);
	struct jc_vec3 right = jc_vec3_scale(left, -1.0f);
	struct jc_vec3 up = trunk_of(tree, bones);
	struct jc_vec3 down = jc_vec3_scale(up, -1.0f);

	return fabsf(jc_vec3_dot(left, up)) < 1.0f - NEARLY_STRAIGHT &&
	       lies_along(tree, bones, JC_BONE_LEFT_UPPER_LEG, down) &&
	       lies_along(tree, bones, JC_BONE_RIGHT_UPPER_LEG, down) &&
	       lies_along(tree, bones, JC_BONE_LEFT_UPPER_ARM, left) &&
	       lies_along(tree, bones, JC_BONE_RIGHT_UPPER_ARM, right);
}
