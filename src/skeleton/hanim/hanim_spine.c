/* Distributes the rotation of a bone over vertebrae: H-Anim has up to 24 joints where the
 * humanoid has four bones. Weights are the lengths of the segments, so that a bent spine
 * is an even curve. */
#include "hanim_spine.h"

#include "hanim_names.h"
#include "jointcast/transform.h"
#include "skeleton_private.h"

static bool is_vertebra(const struct jc_skeleton *skeleton, int node)
{
	struct jc_hanim_name name;

	return jc_hanim_names_find(skeleton->nodes[node].name, &name) && name.vertebra >= 0;
}

static bool is_above(const struct jc_skeleton *skeleton, int above, int node)
{
	while (node >= 0 && node != above) {
		node = skeleton->nodes[node].parent;
	}
	return node == above;
}

/* Whether the node is above every child of the bone. */
static bool carries_all(const struct jc_skeleton *skeleton, enum jc_bone bone, int node)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] >= 0 && skeleton->mapped_parents[b] == bone &&
			!is_above(skeleton, node, skeleton->bones[b])) {
			return false;
		}
	}
	return true;
}

static struct jc_vec3 position(const struct jc_skeleton *skeleton, int node)
{
	return jc_mat4_translation(skeleton->rest_worlds[node]);
}

/* Collects the vertebrae from the bone's own to below that of the next bone, and the node
 * at the end of the last segment. False if there are none to distribute to, or too many
 * for a spine. */
static bool collect(const struct jc_skeleton *skeleton, enum jc_bone next,
	struct jc_hanim_spine_chain *chain, int *out_end)
{
	int first = skeleton->bones[chain->bone];
	int found[JC_HANIM_SPINE_VERTEBRAE];
	size_t count = 0;

	*out_end = skeleton->bones[next];
	for (int node = skeleton->nodes[skeleton->bones[next]].parent; node != first;
		node = skeleton->nodes[node].parent) {
		if (!is_vertebra(skeleton, node)) {
			continue;
		}
		if (!carries_all(skeleton, chain->bone, node)) {
			*out_end = node;
			continue;
		}
		if (count + 1 == JC_HANIM_SPINE_VERTEBRAE) {
			return false;
		}
		found[count++] = node;
	}
	chain->nodes[chain->count++] = first;
	while (count > 0) {
		chain->nodes[chain->count++] = found[--count];
	}
	return chain->count > 1;
}

/* False if the vertebrae are all at one point. */
static bool weigh(const struct jc_skeleton *skeleton, int last, struct jc_hanim_spine_chain *chain)
{
	float sum = 0.0f;

	for (size_t i = 0; i < chain->count; i++) {
		int end = i + 1 < chain->count ? chain->nodes[i + 1] : last;

		chain->weights[i] = jc_vec3_length(jc_vec3_subtract(
			position(skeleton, end), position(skeleton, chain->nodes[i])));
		sum += chain->weights[i];
	}
	for (size_t i = 0; i < chain->count; i++) {
		chain->weights[i] /= sum;
	}
	return sum > 0.0f;
}

/* In the T-pose nodes that are not mapped to a bone do not turn. */
static void find_t_poses(const struct jc_skeleton *skeleton, struct jc_hanim_spine_chain *chain)
{
	int first = chain->nodes[0];

	for (size_t i = 0; i < chain->count; i++) {
		struct jc_quat rotation = JC_QUAT_IDENTITY;

		for (int node = chain->nodes[i]; node != first;
			node = skeleton->nodes[node].parent) {
			rotation = jc_quat_multiply(skeleton->nodes[node].rest.rotation, rotation);
		}
		chain->t_poses[i] = jc_quat_normalize(
			jc_quat_multiply(skeleton->t_pose[chain->bone], rotation));
	}
}

static bool has_chain(const struct jc_hanim_spine *spine, enum jc_bone bone)
{
	for (size_t c = 0; c < spine->chain_count; c++) {
		if (spine->chains[c].bone == bone) {
			return true;
		}
	}
	return false;
}

void jc_hanim_spine_analyse(struct jc_skeleton *skeleton)
{
	static const enum jc_bone bones[] = { JC_BONE_SPINE, JC_BONE_CHEST, JC_BONE_UPPER_CHEST,
		JC_BONE_NECK, JC_BONE_HEAD };

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		skeleton->ends[b] = skeleton->bones[b];
		skeleton->end_t_pose[b] = skeleton->t_pose[b];
	}
	for (size_t i = 1; skeleton->format == JC_SKELETON_HANIM && i < 5; i++) {
		enum jc_bone next = bones[i];
		struct jc_hanim_spine_chain chain = { .bone = skeleton->mapped_parents[next] };
		int end;

		if (skeleton->bones[next] < 0 || chain.bone < JC_BONE_SPINE ||
			chain.bone > JC_BONE_NECK || has_chain(&skeleton->spine, chain.bone) ||
			!collect(skeleton, next, &chain, &end) || !weigh(skeleton, end, &chain)) {
			continue;
		}
		find_t_poses(skeleton, &chain);
		skeleton->ends[chain.bone] = chain.nodes[chain.count - 1];
		skeleton->end_t_pose[chain.bone] = chain.t_poses[chain.count - 1];
		skeleton->spine.chains[skeleton->spine.chain_count++] = chain;
	}
}

/* local = P^-1 N W for the node of a bone; L W^-1 N W for a vertebra that follows it. */
void jc_skeleton_split_spine(const struct jc_skeleton *skeleton, struct jc_transform *locals)
{
	for (size_t c = 0; c < skeleton->spine.chain_count; c++) {
		const struct jc_hanim_spine_chain *chain = &skeleton->spine.chains[c];
		struct jc_quat parent = skeleton->parent_t_pose[chain->bone];
		struct jc_quat whole =
			jc_quat_multiply(jc_quat_multiply(parent, locals[chain->nodes[0]].rotation),
				jc_quat_conjugate(chain->t_poses[0]));

		for (size_t i = 0; i < chain->count; i++) {
			int node = chain->nodes[i];
			struct jc_quat before = jc_quat_conjugate(parent);
			struct jc_quat part =
				jc_quat_slerp(JC_QUAT_IDENTITY, whole, chain->weights[i]);

			if (i > 0) {
				before = jc_quat_multiply(skeleton->nodes[node].rest.rotation,
					jc_quat_conjugate(chain->t_poses[i]));
			}
			locals[node].rotation = jc_quat_normalize(jc_quat_multiply(
				before, jc_quat_multiply(part, chain->t_poses[i])));
		}
	}
}
