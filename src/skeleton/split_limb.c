/* Finds the joints between two bones of a limb and measures how they bend. */
#include "split_limb.h"

#include "jointcast/transform.h"
#include "skeleton_private.h"

/* The local transform of a node: of the rest pose without locals. */
static struct jc_transform local_of(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals, int node)
{
	return locals ? locals[node] : skeleton->nodes[node].rest;
}

static struct jc_quat rotation_below(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals, int node, int above)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;

	for (; node != above; node = skeleton->nodes[node].parent) {
		rotation = jc_quat_multiply(local_of(skeleton, locals, node).rotation, rotation);
	}
	return jc_quat_normalize(rotation);
}

/* From a bone to the node of the next one, in the axes of the last joint between. */
static struct jc_vec3 reach(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	enum jc_bone bone, int next)
{
	int first = skeleton->bones[bone];
	int last = skeleton->nodes[next].parent;
	struct jc_vec3 p = { 0.0f, 0.0f, 0.0f };

	for (int node = next; node != first; node = skeleton->nodes[node].parent) {
		struct jc_transform local = local_of(skeleton, locals, node);

		p = jc_vec3_add(local.translation,
			jc_quat_rotate(local.rotation, jc_vec3_multiply(local.scale, p)));
	}
	return jc_quat_rotate(jc_quat_conjugate(rotation_below(skeleton, locals, last, first)), p);
}

/* The node of the next bone of a limb if joints are between; else -1. */
static int find_next(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	enum jc_bone next = (enum jc_bone)(bone + 1);
	int node = skeleton->bones[next];

	if (skeleton->bones[bone] < 0 || node < 0 || skeleton->mapped_parents[next] != bone ||
		skeleton->nodes[node].parent == skeleton->bones[bone]) {
		return -1;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (b != (int)next && skeleton->bones[b] >= 0 &&
			skeleton->mapped_parents[b] == bone) {
			return -1;
		}
	}
	return node;
}

void jc_split_limb_analyse(struct jc_skeleton *skeleton)
{
	static const enum jc_bone bones[] = { JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM,
		JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG, JC_BONE_RIGHT_UPPER_ARM,
		JC_BONE_RIGHT_LOWER_ARM, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		skeleton->limbs[b].next = -1;
	}
	for (size_t i = 0; i < sizeof(bones) / sizeof(*bones); i++) {
		enum jc_bone bone = bones[i];
		int next = find_next(skeleton, bone);

		if (next >= 0) {
			int last = skeleton->nodes[next].parent;

			skeleton->limbs[bone] =
				(struct jc_split_limb){ next, reach(skeleton, NULL, bone, next) };
			skeleton->ends[bone] = last;
			skeleton->end_t_pose[bone] = jc_quat_normalize(jc_quat_multiply(
				skeleton->t_pose[bone],
				rotation_below(skeleton, NULL, last, skeleton->bones[bone])));
		}
	}
}

struct jc_quat jc_split_limb_swing(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals, enum jc_bone bone)
{
	const struct jc_split_limb *limb = &skeleton->limbs[bone];
	struct jc_vec3 hint = { 1.0f, 0.0f, 0.0f };

	return limb->next < 0 ? JC_QUAT_IDENTITY
			      : jc_quat_between(limb->offset,
					reach(skeleton, locals, bone, limb->next), hint);
}
