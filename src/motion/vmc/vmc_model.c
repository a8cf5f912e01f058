/* Names and axes of VMC for receiver and sender, and the rest of the model: a skeleton
 * posed so that every bone stands as in the T-pose, offsets aside. */
#include "jointcast/vmc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jointcast/transform.h"
#include "vmc_model.h"

static const char *const bone_names[JC_BONE_COUNT] = {
	[JC_BONE_HIPS] = "Hips",
	[JC_BONE_SPINE] = "Spine",
	[JC_BONE_CHEST] = "Chest",
	[JC_BONE_UPPER_CHEST] = "UpperChest",
	[JC_BONE_NECK] = "Neck",
	[JC_BONE_HEAD] = "Head",
	[JC_BONE_LEFT_SHOULDER] = "LeftShoulder",
	[JC_BONE_LEFT_UPPER_ARM] = "LeftUpperArm",
	[JC_BONE_LEFT_LOWER_ARM] = "LeftLowerArm",
	[JC_BONE_LEFT_HAND] = "LeftHand",
	[JC_BONE_RIGHT_SHOULDER] = "RightShoulder",
	[JC_BONE_RIGHT_UPPER_ARM] = "RightUpperArm",
	[JC_BONE_RIGHT_LOWER_ARM] = "RightLowerArm",
	[JC_BONE_RIGHT_HAND] = "RightHand",
	[JC_BONE_LEFT_UPPER_LEG] = "LeftUpperLeg",
	[JC_BONE_LEFT_LOWER_LEG] = "LeftLowerLeg",
	[JC_BONE_LEFT_FOOT] = "LeftFoot",
	[JC_BONE_LEFT_TOES] = "LeftToes",
	[JC_BONE_RIGHT_UPPER_LEG] = "RightUpperLeg",
	[JC_BONE_RIGHT_LOWER_LEG] = "RightLowerLeg",
	[JC_BONE_RIGHT_FOOT] = "RightFoot",
	[JC_BONE_RIGHT_TOES] = "RightToes",
	[JC_BONE_LEFT_EYE] = "LeftEye",
	[JC_BONE_RIGHT_EYE] = "RightEye",
	[JC_BONE_JAW] = "Jaw",
	[JC_BONE_LEFT_THUMB_METACARPAL] = "LeftThumbProximal",
	[JC_BONE_LEFT_THUMB_PROXIMAL] = "LeftThumbIntermediate",
	[JC_BONE_LEFT_THUMB_DISTAL] = "LeftThumbDistal",
	[JC_BONE_LEFT_INDEX_PROXIMAL] = "LeftIndexProximal",
	[JC_BONE_LEFT_INDEX_INTERMEDIATE] = "LeftIndexIntermediate",
	[JC_BONE_LEFT_INDEX_DISTAL] = "LeftIndexDistal",
	[JC_BONE_LEFT_MIDDLE_PROXIMAL] = "LeftMiddleProximal",
	[JC_BONE_LEFT_MIDDLE_INTERMEDIATE] = "LeftMiddleIntermediate",
	[JC_BONE_LEFT_MIDDLE_DISTAL] = "LeftMiddleDistal",
	[JC_BONE_LEFT_RING_PROXIMAL] = "LeftRingProximal",
	[JC_BONE_LEFT_RING_INTERMEDIATE] = "LeftRingIntermediate",
	[JC_BONE_LEFT_RING_DISTAL] = "LeftRingDistal",
	[JC_BONE_LEFT_LITTLE_PROXIMAL] = "LeftLittleProximal",
	[JC_BONE_LEFT_LITTLE_INTERMEDIATE] = "LeftLittleIntermediate",
	[JC_BONE_LEFT_LITTLE_DISTAL] = "LeftLittleDistal",
	[JC_BONE_RIGHT_THUMB_METACARPAL] = "RightThumbProximal",
	[JC_BONE_RIGHT_THUMB_PROXIMAL] = "RightThumbIntermediate",
	[JC_BONE_RIGHT_THUMB_DISTAL] = "RightThumbDistal",
	[JC_BONE_RIGHT_INDEX_PROXIMAL] = "RightIndexProximal",
	[JC_BONE_RIGHT_INDEX_INTERMEDIATE] = "RightIndexIntermediate",
	[JC_BONE_RIGHT_INDEX_DISTAL] = "RightIndexDistal",
	[JC_BONE_RIGHT_MIDDLE_PROXIMAL] = "RightMiddleProximal",
	[JC_BONE_RIGHT_MIDDLE_INTERMEDIATE] = "RightMiddleIntermediate",
	[JC_BONE_RIGHT_MIDDLE_DISTAL] = "RightMiddleDistal",
	[JC_BONE_RIGHT_RING_PROXIMAL] = "RightRingProximal",
	[JC_BONE_RIGHT_RING_INTERMEDIATE] = "RightRingIntermediate",
	[JC_BONE_RIGHT_RING_DISTAL] = "RightRingDistal",
	[JC_BONE_RIGHT_LITTLE_PROXIMAL] = "RightLittleProximal",
	[JC_BONE_RIGHT_LITTLE_INTERMEDIATE] = "RightLittleIntermediate",
	[JC_BONE_RIGHT_LITTLE_DISTAL] = "RightLittleDistal",
};

const char *jc_vmc_bone_name(enum jc_bone bone)
{
	return bone_names[bone];
}

enum jc_bone jc_vmc_bone_find(const char *name)
{
	char first = (char)toupper((unsigned char)name[0]);

	for (int i = 0; i < JC_BONE_COUNT; i++) {
		if (first == bone_names[i][0] && strcmp(name + 1, bone_names[i] + 1) == 0) {
			return (enum jc_bone)i;
		}
	}
	return JC_BONE_NONE;
}

struct jc_vec3 jc_vmc_mirror_point(struct jc_vec3 point)
{
	return (struct jc_vec3){ -point.x, point.y, point.z };
}

struct jc_quat jc_vmc_mirror_rotation(struct jc_quat rotation)
{
	return (struct jc_quat){ rotation.x, -rotation.y, -rotation.z, rotation.w };
}

/* "VRM0 vs VRM1 incompatibility", and the other presets. VRM 0.x has no preset "Surprised", but
 * senders capitalise the one of VRM 1.0 like the others. */
static const struct {
	const char *vrm0, *vrm1;
} presets[] = {
	{ "Joy", "happy" },
	{ "Angry", "angry" },
	{ "Sorrow", "sad" },
	{ "Fun", "relaxed" },
	{ "A", "aa" },
	{ "I", "ih" },
	{ "U", "ou" },
	{ "E", "ee" },
	{ "O", "oh" },
	{ "Blink", "blink" },
	{ "Blink_L", "blinkLeft" },
	{ "Blink_R", "blinkRight" },
	{ "LookUp", "lookUp" },
	{ "LookDown", "lookDown" },
	{ "LookLeft", "lookLeft" },
	{ "LookRight", "lookRight" },
	{ "Neutral", "neutral" },
	{ "Surprised", "surprised" },
};

const char *jc_vmc_model_expression(const char *vrm0)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcasecmp(presets[i].vrm0, vrm0) == 0) {
			return presets[i].vrm1;
		}
	}
	return vrm0;
}

const char *jc_vmc_model_blend_shape(const char *vrm1)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcmp(presets[i].vrm1, vrm1) == 0) {
			return presets[i].vrm0;
		}
	}
	return vrm1;
}

int jc_vmc_model_rest_positions(
	const struct jc_skeleton *skeleton, struct jc_vec3 out_positions[JC_BONE_COUNT])
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	struct jc_skeleton_pose pose = { .rotations = { { 0 } } };
	int status = JC_ERROR_MEMORY;

	if (!locals || !worlds) {
		goto out;
	}
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)i);

		pose.rotations[i] = JC_QUAT_IDENTITY;
		if (node >= 0) {
			struct jc_quat rest = jc_quat_multiply(
				jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)i),
				jc_skeleton_nodes(skeleton)[node].rest.rotation);

			pose.rotations[i] =
				jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(rest),
					jc_skeleton_t_pose(skeleton, (enum jc_bone)i)));
		}
	}
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)i);

		if (node >= 0) {
			out_positions[i] =
				jc_quat_rotate(to_canonical, jc_mat4_translation(worlds[node]));
		}
	}
	status = JC_OK;
out:
	free(worlds);
	free(locals);
	return status;
}
