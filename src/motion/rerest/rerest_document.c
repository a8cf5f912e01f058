/* Writes EXT_skeleton_humanoid. It demands a root above all bones and bones that are
 * joints; adds both if they are missing. */
#include "rerest_document.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/transform.h"

#define EXTENSION "EXT_skeleton_humanoid"

static void set_numbers(struct jc_rerest_document *document, json_t *object, const char *key,
	const float *values, size_t count)
{
	jc_gltf_edit_set(&document->edit, object, key, jc_gltf_edit_numbers(values, count));
}

void jc_rerest_document_place(
	struct jc_rerest_document *document, json_t *object, struct jc_transform t)
{
	json_object_del(object, "matrix");
	json_object_del(object, "translation");
	json_object_del(object, "rotation");
	json_object_del(object, "scale");
	if (jc_vec3_length(t.translation) > 0.0f) {
		set_numbers(document, object, "translation",
			(const float[]){ t.translation.x, t.translation.y, t.translation.z }, 3);
	}
	if (jc_quat_angle(t.rotation, JC_QUAT_IDENTITY) > 0.0f) {
		set_numbers(document, object, "rotation",
			(const float[]){ t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w },
			4);
	}
	if (t.scale.x != 1.0f || t.scale.y != 1.0f || t.scale.z != 1.0f) {
		set_numbers(document, object, "scale",
			(const float[]){ t.scale.x, t.scale.y, t.scale.z }, 3);
	}
}

int jc_rerest_document_append_node(struct jc_rerest_document *document, json_t *node)
{
	int index = (int)json_array_size(document->nodes);

	jc_gltf_edit_append(&document->edit, document->nodes, node);
	return index;
}

void jc_rerest_document_append_child(struct jc_rerest_document *document, json_t *node, int child)
{
	json_t *children = json_object_get(node, "children");

	if (!children) {
		jc_gltf_edit_set(&document->edit, node, "children", json_array());
		children = json_object_get(node, "children");
	}
	jc_gltf_edit_append(&document->edit, children, json_integer(child));
}

static bool is_above(const struct jc_skeleton *skeleton, int above, int node)
{
	for (; node >= 0; node = jc_skeleton_nodes(skeleton)[node].parent) {
		if (node == above) {
			return true;
		}
	}
	return false;
}

static bool is_above_all(const struct jc_skeleton *skeleton, int above)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		if (node >= 0 && !is_above(skeleton, above, node)) {
			return false;
		}
	}
	return true;
}

static bool lists(const json_t *list, json_int_t node)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (json_integer_value(json_array_get(list, i)) == node) {
			return true;
		}
	}
	return false;
}

/* The root above a root of the file: a constraint may have got nodes above it, the upper ones
 * first. */
static int find_top(const struct jc_rerest_document *document, int node)
{
	for (size_t i = json_array_size(document->nodes); i-- > document->plan.count;) {
		if (lists(json_object_get(json_array_get(document->nodes, i), "children"), node)) {
			node = (int)i;
		}
	}
	return node;
}

/* Moves the trees of the bones below a new node. */
static int add_root(struct jc_rerest_document *document)
{
	json_t *scenes = json_object_get(document->edit.root, "scenes");
	json_t *root = json_pack("{s:s,s:[]}", "name", "skeleton", "children");
	const json_t *children = json_object_get(root, "children");
	int index = jc_rerest_document_append_node(document, root);
	bool is_listed = false;

	for (size_t i = 0; i < document->plan.count; i++) {
		if (document->plan.is_carrier[i] &&
			jc_skeleton_nodes(document->skeleton)[i].parent < 0) {
			jc_rerest_document_append_child(document, root, find_top(document, (int)i));
		}
	}
	for (size_t s = 0; s < json_array_size(scenes); s++) {
		json_t *list = json_object_get(json_array_get(scenes, s), "nodes");

		is_listed = false;
		for (size_t i = json_array_size(list); i-- > 0;) {
			if (lists(children, json_integer_value(json_array_get(list, i)))) {
				json_array_remove(list, i);
				is_listed = true;
			}
		}
		if (is_listed) {
			jc_gltf_edit_append(&document->edit, list, json_integer(index));
		}
	}
	return index;
}

/* "Skeleton definition": the referred nodes MUST be joints. Bones that are no joints
 * become joints of a skin without a mesh. */
static int add_skin(struct jc_rerest_document *document, int root)
{
	float matrices[JC_BONE_COUNT][16];
	json_t *joints = json_array();
	size_t count = 0;

	if (!joints) {
		return jc_diagnose(document->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);

		if (node >= 0 && !document->is_joint[node]) {
			struct jc_mat4 inverse = jc_mat4_invert(document->plan.after[node]);

			inverse.m[3] = inverse.m[7] = inverse.m[11] = 0.0f;
			inverse.m[15] = 1.0f;
			memcpy(matrices[count++], inverse.m, sizeof(inverse.m));
			jc_gltf_edit_append(&document->edit, joints, json_integer(node));
		}
	}
	if (count == 0) {
		json_decref(joints);
		return JC_OK;
	}
	jc_gltf_edit_append(&document->edit, jc_gltf_edit_array(&document->edit, "skins"),
		json_pack("{s:s,s:i,s:i,s:o}", "name", "humanoid", "skeleton", root,
			"inverseBindMatrices",
			jc_gltf_edit_add(&document->edit,
				(struct jc_gltf_floats){ "MAT4", 16, count, matrices[0], false }),
			"joints", joints));
	return JC_OK;
}

/* Puts the skeleton in its place in the list, or alone. The height of the ground, which a
 * VRM file has and this extension does not, goes to extras. */
static void define_skeleton(struct jc_rerest_document *document, int root)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *extensions = jc_gltf_edit_object(edit, edit->root, "extensions");
	json_t *extension = jc_gltf_edit_object(edit, extensions, EXTENSION);
	json_t *list = json_object_get(extension, "humanoidSkeletons");
	json_t *bones = json_object();
	json_t *skeleton = json_pack("{s:i,s:o}", "rootNode", root, "humanoidBones", bones);

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);

		if (node >= 0) {
			jc_gltf_edit_set(
				edit, bones, jc_bone_name((enum jc_bone)b), json_integer(node));
		}
	}
	if (jc_skeleton_has_floor(document->skeleton) && !document->plan.is_turned) {
		jc_gltf_edit_set(edit, skeleton, "extras",
			json_pack("{s:f}", "floor", (double)jc_skeleton_floor(document->skeleton)));
	}
	if (!json_is_array(list)) {
		json_object_clear(extension);
		jc_gltf_edit_set(edit, extension, "humanoidSkeletons", json_array());
		list = json_object_get(extension, "humanoidSkeletons");
	}
	if (document->index < json_array_size(list)) {
		json_array_set_new(list, document->index, skeleton);
	} else {
		jc_gltf_edit_append(edit, list, skeleton);
	}
	jc_gltf_edit_use_extension(edit, EXTENSION);
}

int jc_rerest_document_root(struct jc_rerest_document *document)
{
	int node = -1;

	for (int b = 0; b < JC_BONE_COUNT && node < 0; b++) {
		node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);
	}
	while (node >= 0 && !is_above_all(document->skeleton, node)) {
		node = jc_skeleton_nodes(document->skeleton)[node].parent;
	}
	return node >= 0 ? node : add_root(document);
}

int jc_rerest_document_define(struct jc_rerest_document *document, int root)
{
	define_skeleton(document, root);
	return add_skin(document, root);
}
