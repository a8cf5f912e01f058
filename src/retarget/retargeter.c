/* Retargets poses to one skeleton. Everything that depends only on the skeleton is computed once; a
 * frame takes two quaternion products per bone and no decisions about missing bones. */
#include "jointcast/retarget.h"

#include <stdlib.h>

#include "jointcast/transform.h"

/* A bone takes the rotation of a missing bone, or of a bone on another branch, that is above it
 * in the humanoid but not in the node tree. */
struct fold {
	uint8_t bone;
	uint8_t above;
};

#define DEPTH_MAX 11 /* maximum number of bones from the hips to a finger tip */

/* R = before * N * after. */
struct fitted_bone {
	struct jc_quat before; /* L^-1 P^-1 */
	struct jc_quat after;  /* O W */
	uint8_t bone;
};

struct jc_retargeter {
	uint64_t mask;     /* bones of the skeleton */
	float hips_height; /* metres; 0: hips not mapped */
	struct jc_vec3 hips_point;
	float horizontal, vertical;
	size_t fold_count;
	size_t bone_count;
	struct fold
		folds[JC_BONE_COUNT * DEPTH_MAX]; /* missing bones above each bone, nearest first */
	struct fitted_bone bones[JC_BONE_COUNT];
};

static void fit_bone(
	struct fitted_bone *fitted, const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(skeleton, bone);
	struct jc_quat rest = jc_skeleton_nodes(skeleton)[node].rest.rotation;
	struct jc_quat parent = jc_skeleton_parent_t_pose(skeleton, bone);

	fitted->before = jc_quat_normalize(jc_quat_conjugate(jc_quat_multiply(parent, rest)));
	fitted->after = jc_quat_multiply(
		jc_skeleton_offset(skeleton, bone), jc_skeleton_t_pose(skeleton, bone));
	fitted->bone = (uint8_t)bone;
}

static void fold_bone(
	struct jc_retargeter *retargeter, const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	enum jc_bone top = jc_skeleton_mapped_parent(skeleton, bone);
	enum jc_bone above = jc_bone_parent(bone);

	for (; above != top; above = jc_bone_parent(above)) {
		retargeter->folds[retargeter->fold_count++] =
			(struct fold){ (uint8_t)bone, (uint8_t)above };
	}
}

int jc_retargeter_create(const struct jc_skeleton *skeleton, struct jc_retargeter **out_retargeter)
{
	struct jc_retargeter *retargeter = calloc(1, sizeof(*retargeter));
	uint64_t mask = jc_skeleton_bone_mask(skeleton);

	if (!retargeter) {
		return JC_ERROR_MEMORY;
	}
	retargeter->mask = mask;
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		enum jc_bone bone = (enum jc_bone)i;

		if (mask >> bone & 1) {
			fold_bone(retargeter, skeleton, bone);
			fit_bone(&retargeter->bones[retargeter->bone_count++], skeleton, bone);
		}
	}
	if (mask >> JC_BONE_HIPS & 1) {
		retargeter->hips_height = jc_skeleton_hips_height(skeleton);
		retargeter->hips_point = jc_skeleton_hips_point(skeleton);
	}
	jc_retargeter_scale_hips(retargeter, 1.0f, 1.0f);
	*out_retargeter = retargeter;
	return JC_OK;
}

void jc_retargeter_destroy(struct jc_retargeter *retargeter)
{
	free(retargeter);
}

void jc_retargeter_scale_hips(struct jc_retargeter *retargeter, float horizontal, float vertical)
{
	retargeter->horizontal = horizontal;
	retargeter->vertical = vertical;
}

/* The lower of two states; an absent one is ignored. */
static uint8_t fold_states(uint8_t a, uint8_t b)
{
	if (a == JC_ABSENT || b == JC_ABSENT) {
		return a > b ? a : b;
	}
	return a < b ? a : b;
}

void jc_retargeter_fold(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_quat out_rotations[JC_BONE_COUNT], uint8_t out_states[JC_BONE_COUNT],
	struct jc_vec3 *out_hips_translation)
{
	const struct jc_vec3 scale = { retargeter->horizontal, retargeter->vertical,
		retargeter->horizontal };

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		bool is_there = retargeter->mask >> bone & 1;

		out_rotations[bone] = is_there ? pose->rotations[bone] : JC_QUAT_IDENTITY;
		out_states[bone] = is_there ? pose->states[bone] : (uint8_t)JC_ABSENT;
	}
	for (size_t i = 0; i < retargeter->fold_count; i++) {
		uint8_t bone = retargeter->folds[i].bone;
		uint8_t above = retargeter->folds[i].above;

		out_rotations[bone] = jc_quat_multiply(pose->rotations[above], out_rotations[bone]);
		out_states[bone] = fold_states(pose->states[above], out_states[bone]);
	}
	*out_hips_translation =
		jc_vec3_subtract(jc_vec3_scale(jc_vec3_multiply(pose->hips_translation, scale),
					 retargeter->hips_height),
			jc_quat_displace(out_rotations[JC_BONE_HIPS], retargeter->hips_point));
}

/* Takes the rotations of bones on other branches out of those that skip them. The bones above a
 * bone come before it; missing ones are at rest. */
static void take_folds_back(
	const struct jc_retargeter *retargeter, struct jc_quat rotations[JC_BONE_COUNT])
{
	for (size_t first = 0, end; first < retargeter->fold_count; first = end) {
		struct jc_quat *rotation = &rotations[retargeter->folds[first].bone];

		for (end = first; end < retargeter->fold_count &&
				  retargeter->folds[end].bone == retargeter->folds[first].bone;) {
			end++;
		}
		for (size_t i = end; i-- > first;) {
			*rotation = jc_quat_multiply(
				jc_quat_conjugate(rotations[retargeter->folds[i].above]),
				*rotation);
		}
	}
}

void jc_retargeter_unfold(const struct jc_retargeter *retargeter,
	const struct jc_quat rotations[JC_BONE_COUNT], const uint8_t states[JC_BONE_COUNT],
	struct jc_vec3 hips_translation, struct jc_pose *out_pose)
{
	float height = retargeter->hips_height;

	jc_pose_init(out_pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (retargeter->mask >> bone & 1) {
			out_pose->rotations[bone] = rotations[bone];
			out_pose->states[bone] = states[bone];
		}
	}
	take_folds_back(retargeter, out_pose->rotations);
	if (height > 0.0f && retargeter->horizontal > 0.0f && retargeter->vertical > 0.0f) {
		struct jc_vec3 back = { 1.0f / (height * retargeter->horizontal),
			1.0f / (height * retargeter->vertical),
			1.0f / (height * retargeter->horizontal) };

		out_pose->hips_translation = jc_vec3_multiply(
			jc_vec3_add(hips_translation,
				jc_quat_displace(rotations[JC_BONE_HIPS], retargeter->hips_point)),
			back);
	}
}

void jc_retargeter_relate(
	const struct jc_retargeter *retargeter, struct jc_quat rotations[JC_BONE_COUNT])
{
	for (size_t i = 0; i < retargeter->bone_count; i++) {
		const struct fitted_bone *fitted = &retargeter->bones[i];
		struct jc_quat *rotation = &rotations[fitted->bone];

		*rotation = jc_quat_multiply(
			fitted->before, jc_quat_multiply(*rotation, fitted->after));
	}
}

void jc_retargeter_apply(const struct jc_retargeter *retargeter, const struct jc_pose *pose,
	struct jc_skeleton_pose *out_pose)
{
	jc_retargeter_fold(retargeter, pose, out_pose->rotations, out_pose->states,
		&out_pose->hips_translation);
	jc_retargeter_relate(retargeter, out_pose->rotations);
}
