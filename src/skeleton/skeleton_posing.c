/* Converts a pose to node transforms and back, each the exact inverse of the other. Runs
 * for every frame; allocates nothing. */
#include "jointcast/transform.h"
#include "skeleton_private.h"

/* P L and O W. */
static struct jc_quat bone_before(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return jc_quat_multiply(jc_skeleton_parent_t_pose(skeleton, bone),
		skeleton->nodes[skeleton->bones[bone]].rest.rotation);
}

static struct jc_quat bone_after(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	return jc_quat_multiply(skeleton->offsets[bone], jc_skeleton_t_pose(skeleton, bone));
}

void jc_skeleton_normalized(const struct jc_skeleton *skeleton,
	const struct jc_quat rotations[JC_BONE_COUNT], struct jc_quat out_normalized[JC_BONE_COUNT])
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;

		out_normalized[b] = JC_QUAT_IDENTITY;
		if (skeleton->bones[b] >= 0) {
			struct jc_quat turned =
				jc_quat_multiply(bone_before(skeleton, bone), rotations[b]);

			out_normalized[b] = jc_quat_normalize(jc_quat_multiply(
				turned, jc_quat_conjugate(bone_after(skeleton, bone))));
		}
	}
}

void jc_skeleton_relative(const struct jc_skeleton *skeleton,
	const struct jc_quat normalized[JC_BONE_COUNT], struct jc_quat out_rotations[JC_BONE_COUNT])
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone bone = (enum jc_bone)b;

		out_rotations[b] = JC_QUAT_IDENTITY;
		if (skeleton->bones[b] >= 0) {
			struct jc_quat turned =
				jc_quat_multiply(normalized[b], bone_after(skeleton, bone));

			out_rotations[b] = jc_quat_normalize(jc_quat_multiply(
				jc_quat_conjugate(bone_before(skeleton, bone)), turned));
		}
	}
}

void jc_skeleton_locals(const struct jc_skeleton *skeleton, const struct jc_skeleton_pose *pose,
	struct jc_transform *out_locals)
{
	int hips = skeleton->bones[JC_BONE_HIPS];

	for (size_t i = 0; i < skeleton->node_count; i++) {
		out_locals[i] = skeleton->nodes[i].rest;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] >= 0) {
			struct jc_quat *rotation = &out_locals[skeleton->bones[b]].rotation;

			*rotation =
				jc_quat_normalize(jc_quat_multiply(*rotation, pose->rotations[b]));
		}
	}
	if (hips >= 0) {
		out_locals[hips].translation = jc_vec3_add(out_locals[hips].translation,
			jc_mat4_transform_point(
				skeleton->hips_from_canonical, pose->hips_translation));
	}
}

void jc_skeleton_worlds(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_mat4 *out_worlds)
{
	for (size_t i = 0; i < skeleton->node_count; i++) {
		int node = skeleton->order[i];
		int parent = skeleton->nodes[node].parent;
		struct jc_mat4 local = jc_mat4_compose(locals[node]);

		out_worlds[node] = parent < 0 ? local : jc_mat4_multiply(out_worlds[parent], local);
	}
}

/* World rotation of the node where the rotation of a bone is complete. Goes up only to
 * the next bone above, which is computed already because parents come first. */
static struct jc_quat world_rotation(const struct jc_skeleton *skeleton,
	const struct jc_transform *locals, enum jc_bone bone, const struct jc_quat *worlds)
{
	enum jc_bone above = skeleton->mapped_parents[bone];
	int stop = above == JC_BONE_NONE ? -1 : skeleton->ends[above];
	int node = skeleton->ends[bone];
	struct jc_quat rotation = locals[node].rotation;

	for (node = skeleton->nodes[node].parent; node != stop;
		node = skeleton->nodes[node].parent) {
		rotation = jc_quat_multiply(locals[node].rotation, rotation);
	}
	return above == JC_BONE_NONE ? rotation : jc_quat_multiply(worlds[above], rotation);
}

static struct jc_vec3 world_position(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals, int node)
{
	struct jc_vec3 p = { 0.0f, 0.0f, 0.0f };

	for (; node >= 0; node = skeleton->nodes[node].parent) {
		const struct jc_transform *local = &locals[node];

		p = jc_vec3_add(local->translation,
			jc_quat_rotate(local->rotation, jc_vec3_multiply(local->scale, p)));
	}
	return p;
}

void jc_skeleton_normalize(const struct jc_skeleton *skeleton, const struct jc_transform *locals,
	struct jc_pose *out_pose)
{
	struct jc_quat to_canonical = jc_quat_conjugate(skeleton->facing);
	struct jc_quat worlds[JC_BONE_COUNT];
	struct jc_quat deltas[JC_BONE_COUNT]; /* D; for absent bones that of the parent */
	int hips = skeleton->bones[JC_BONE_HIPS];

	jc_pose_init(out_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)b);
		struct jc_quat above = parent == JC_BONE_NONE ? JC_QUAT_IDENTITY : deltas[parent];

		deltas[b] = above;
		if (skeleton->bones[b] < 0) {
			continue;
		}
		worlds[b] = jc_quat_normalize(
			world_rotation(skeleton, locals, (enum jc_bone)b, worlds));
		struct jc_quat straight = jc_quat_multiply(
			worlds[b], jc_split_limb_swing(skeleton, locals, (enum jc_bone)b));

		deltas[b] = jc_quat_multiply(jc_quat_multiply(to_canonical, straight),
			jc_quat_conjugate(skeleton->end_t_pose[b]));
		out_pose->rotations[b] = jc_quat_normalize(
			jc_quat_multiply(jc_quat_multiply(jc_quat_conjugate(above), deltas[b]),
				jc_quat_conjugate(skeleton->offsets[b])));
		out_pose->states[b] = JC_TRACKED;
	}
	if (hips >= 0) {
		struct jc_vec3 moved = jc_vec3_subtract(world_position(skeleton, locals, hips),
			jc_mat4_translation(skeleton->rest_worlds[hips]));

		moved = jc_vec3_add(jc_quat_rotate(to_canonical, moved),
			jc_quat_displace(out_pose->rotations[JC_BONE_HIPS], skeleton->hips_point));
		out_pose->hips_translation = jc_vec3_scale(moved, 1.0f / skeleton->hips_height);
	}
}
