/* Writes the drafts of glTF's KHR_character family (pull request 2512): the rest of the written
 * figure is its reference pose, the roles name its bones. */
#include "rerest_character.h"

#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/khr_character.h"
#include "rerest_expressions.h"
#include "vrm_vector.h"

#define POSE   "KHR_character_reference_pose"
#define TARGET "KHR_node_lookat_target"

/* {"node": n, "name": …}: the name is a copy of the node's and left out where it has none. */
static json_t *make_role(const struct jc_rerest_document *document, int node)
{
	const json_t *name = json_object_get(json_array_get(document->nodes, (size_t)node), "name");
	json_t *role = json_pack("{s:i}", "node", node);

	if (role && json_string_length(name) > 0) {
		json_object_set(role, "name", (json_t *)name);
	}
	return role;
}

static void write_mapping(struct jc_rerest_document *document, json_t *extensions)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *vrm = json_object();
	json_t *hanim = json_object();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);
		struct jc_hanim_label label;

		if (node < 0) {
			continue;
		}
		jc_hanim_label_bone((enum jc_bone)b, JC_HANIM_SPELLING_2, &label);
		jc_gltf_edit_set(
			edit, vrm, jc_bone_name((enum jc_bone)b), make_role(document, node));
		jc_gltf_edit_set(edit, hanim, label.joint, make_role(document, node));
	}
	jc_gltf_edit_set(edit, extensions, "KHR_character_skeleton_mapping",
		json_pack("{s:{s:o,s:o}}", "skeletalRigMappings", JC_KHR_VRM_ROLES, vrm,
			JC_KHR_HANIM_ROLES, hanim));
	jc_gltf_edit_use_extension(edit, "KHR_character_skeleton_mapping");
}

static void add_channel(struct jc_gltf_edit *edit, json_t *animation, int input, int node,
	const char *path, const float *values, size_t components)
{
	json_t *samplers = json_object_get(animation, "samplers");
	int output =
		jc_gltf_edit_add(edit, (struct jc_gltf_floats){ components == 4 ? "VEC4" : "VEC3",
					       components, 1, values, false });

	jc_gltf_edit_append(edit, json_object_get(animation, "channels"),
		json_pack("{s:I,s:{s:i,s:s}}", "sampler", (json_int_t)json_array_size(samplers),
			"target", "node", node, "path", path));
	jc_gltf_edit_append(edit, samplers,
		json_pack("{s:i,s:i,s:s}", "input", input, "output", output, "interpolation",
			"STEP"));
}

/* Takes the tag from all T-poses of the file; returns the index of the first, or the number of
 * animations. */
static size_t take_t_poses(json_t *animations)
{
	size_t first = json_array_size(animations);

	for (size_t i = json_array_size(animations); i-- > 0;) {
		json_t *animation = json_array_get(animations, i);
		json_t *extensions = json_object_get(animation, "extensions");
		const json_t *tag = json_object_get(extensions, POSE);
		const char *type = json_string_value(json_object_get(tag, "poseType"));

		if (tag && (!type || strcmp(type, "TPose") == 0)) {
			json_object_del(extensions, POSE);
			if (json_object_size(extensions) == 0) {
				json_object_del(animation, "extensions");
			}
			first = i;
		}
	}
	return first;
}

/* The T-pose, which is the rest: rotations of all bones, and the place of the hips. Replaces the
 * T-pose of the file. */
static void write_pose(struct jc_rerest_document *document)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *animations = jc_gltf_edit_array(edit, "animations");
	json_t *animation = json_pack("{s:s,s:{s:{s:s}},s:[],s:[]}", "name", "TPose", "extensions",
		POSE, "poseType", "TPose", "channels", "samplers");
	size_t place = take_t_poses(animations);
	const float start = 0.0f;
	int input;

	input = jc_gltf_edit_add(edit, (struct jc_gltf_floats){ "SCALAR", 1, 1, &start, true });
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);
		struct jc_transform local;

		if (node < 0) {
			continue;
		}
		local = document->plan.locals[node];
		add_channel(edit, animation, input, node, "rotation",
			(const float[]){ local.rotation.x, local.rotation.y, local.rotation.z,
				local.rotation.w },
			4);
		if (b == JC_BONE_HIPS) {
			add_channel(edit, animation, input, node, "translation",
				(const float[]){ local.translation.x, local.translation.y,
					local.translation.z },
				3);
		}
	}
	if (place == json_array_size(animations)) {
		jc_gltf_edit_append(edit, animations, animation);
	} else if (json_array_set_new(animations, place, animation)) {
		edit->error = JC_ERROR_MEMORY;
	}
	jc_gltf_edit_use_extension(edit, POSE);
}

/* The point between the eyes relative to the head: VRM's offset, else the middle of the eye bones.
 */
static bool find_eyes(struct jc_rerest_document *document, int head, struct jc_vec3 *out_eyes)
{
	const json_t *extensions = json_object_get(document->edit.root, "extensions");
	const json_t *vrm1 = json_object_get(json_object_get(extensions, "VRMC_vrm"), "lookAt");
	const json_t *vrm0 = json_object_get(json_object_get(extensions, "VRM"), "firstPerson");
	int left = jc_skeleton_bone_node(document->skeleton, JC_BONE_LEFT_EYE);
	int right = jc_skeleton_bone_node(document->skeleton, JC_BONE_RIGHT_EYE);

	if (jc_vrm_vector_read(json_object_get(vrm1, "offsetFromHeadBone"), out_eyes)) {
		return true;
	}
	if (jc_vrm_vector_read(json_object_get(vrm0, "firstPersonBoneOffset"), out_eyes)) {
		out_eyes->z = -out_eyes->z;
		return true;
	}
	if (left < 0 || right < 0) {
		return false;
	}
	*out_eyes = jc_mat4_transform_point(jc_mat4_invert(document->plan.after[head]),
		jc_vec3_lerp(jc_mat4_translation(document->plan.after[left]),
			jc_mat4_translation(document->plan.after[right]), 0.5f));
	return jc_vec3_is_finite(*out_eyes);
}

static bool has_target(const json_t *nodes)
{
	for (size_t i = 0; i < json_array_size(nodes); i++) {
		const char *hint = json_string_value(json_object_get(
			json_object_get(
				json_object_get(json_array_get(nodes, i), "extensions"), TARGET),
			"hint"));

		if (hint && strcmp(hint, "eyes") == 0) {
			return true;
		}
	}
	return false;
}

/* Keeps the target of the file. Readers refuse a place that is too far away. */
static void write_target(struct jc_rerest_document *document)
{
	int head = jc_skeleton_bone_node(document->skeleton, JC_BONE_HEAD);
	struct jc_transform place = JC_TRANSFORM_IDENTITY;
	json_t *node;

	if (head < 0 || has_target(document->nodes) ||
		!find_eyes(document, head, &place.translation) ||
		!(jc_vec3_length(place.translation) <= JC_LIMIT_COORDINATE)) {
		return;
	}
	node = json_pack("{s:s,s:{s:{s:s}}}", "name", "eyes", "extensions", TARGET, "hint", "eyes");
	jc_rerest_document_place(document, node, place);
	jc_rerest_document_append_child(document, json_array_get(document->nodes, (size_t)head),
		jc_rerest_document_append_node(document, node));
	jc_gltf_edit_use_extension(&document->edit, TARGET);
}

void jc_rerest_character(struct jc_rerest_document *document, int root)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *extensions = jc_gltf_edit_object(edit, edit->root, "extensions");

	jc_gltf_edit_set(edit, extensions, "KHR_character", json_pack("{s:i}", "rootNode", root));
	jc_gltf_edit_use_extension(edit, "KHR_character");
	write_mapping(document, extensions);
	jc_rerest_expressions(document);
	write_pose(document);
	write_target(document);
}
