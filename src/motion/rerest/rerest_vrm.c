/* Expresses the extensions of VRM for a new rest. VRM 1.0 refers to meshes by the node that shows
 * them, VRM 0.x by the mesh itself. Materials and meta do not depend on the rest. */
#include "rerest_vrm.h"

#include <string.h>

#include <jansson.h>

#include "rerest_springs.h"
#include "vrm_vector.h"

/* Maximum number of entries that are added for copies of meshes. */
enum { REPEATS = 65536 };

/* Lets a list of objects refer to the nodes that show the meshes now. */
static void follow_nodes(struct jc_rerest_document *document, json_t *list)
{
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		int node = jc_vrm_vector_node(document, item, "node");

		if (node >= 0 && document->moved[node] >= 0) {
			jc_gltf_edit_set(
				&document->edit, item, "node", json_integer(document->moved[node]));
		}
	}
}

/* Repeats the entries of a list for each copy of their mesh. */
static int follow_meshes(struct jc_rerest_document *document, json_t *list, size_t *repeats)
{
	size_t count = json_array_size(list);

	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(list, i);
		const json_t *mesh = json_object_get(item, "mesh");

		for (size_t c = 0; json_is_integer(mesh) && c < document->copies.count; c++) {
			const struct jc_rerest_copy *copy = &document->copies.items[c];
			json_t *repeated;

			if (copy->mesh != json_integer_value(mesh)) {
				continue;
			}
			if (++*repeats > REPEATS) {
				return jc_diagnose(document->diagnostic, JC_ERROR_LIMIT, "VRM",
					"more than %d entries refer to meshes that several skins "
					"share",
					REPEATS);
			}
			repeated = json_deep_copy(item);
			jc_gltf_edit_set(
				&document->edit, repeated, "mesh", json_integer(copy->copy));
			jc_gltf_edit_append(&document->edit, list, repeated);
		}
	}
	return JC_OK;
}

/* Lists the bones of the skeleton, which a bone map may have changed. */
static void list_bones_1(struct jc_rerest_document *document, json_t *vrm)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *humanoid = jc_gltf_edit_object(edit, vrm, "humanoid");
	json_t *old = json_object_get(humanoid, "humanBones");
	json_t *bones = json_object();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const char *name = jc_bone_name((enum jc_bone)b);
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);
		json_t *bone = json_is_object(json_object_get(old, name))
				       ? json_incref(json_object_get(old, name))
				       : json_object();

		if (node < 0) {
			json_decref(bone);
			continue;
		}
		jc_gltf_edit_set(edit, bone, "node", json_integer(node));
		jc_gltf_edit_set(edit, bones, name, bone);
	}
	jc_gltf_edit_set(edit, humanoid, "humanBones", bones);
}

/* VRM 0.x counts the bones of thumbs as those of fingers. */
static const char *name_0(enum jc_bone bone)
{
	switch (bone) {
	case JC_BONE_LEFT_THUMB_METACARPAL:
		return "leftThumbProximal";
	case JC_BONE_LEFT_THUMB_PROXIMAL:
		return "leftThumbIntermediate";
	case JC_BONE_RIGHT_THUMB_METACARPAL:
		return "rightThumbProximal";
	case JC_BONE_RIGHT_THUMB_PROXIMAL:
		return "rightThumbIntermediate";
	default:
		return jc_bone_name(bone);
	}
}

/* The entry of a bone in a list of VRM 0.x, or a new one; a new reference. */
static json_t *find_entry(const json_t *list, const char *name)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);
		const char *other = json_string_value(json_object_get(entry, "bone"));

		if (other && strcmp(other, name) == 0) {
			return json_incref(entry);
		}
	}
	return json_pack("{s:s,s:b}", "bone", name, "useDefaultValues", 1);
}

static void list_bones_0(struct jc_rerest_document *document, json_t *vrm)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *humanoid = jc_gltf_edit_object(edit, vrm, "humanoid");
	json_t *old = json_object_get(humanoid, "humanBones");
	json_t *bones = json_array();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(document->skeleton, (enum jc_bone)b);
		json_t *entry = node < 0 ? NULL : find_entry(old, name_0((enum jc_bone)b));

		if (node >= 0) {
			jc_gltf_edit_set(edit, entry, "node", json_integer(node));
			jc_gltf_edit_append(edit, bones, entry);
		}
	}
	jc_gltf_edit_set(edit, humanoid, "humanBones", bones);
}

static void convert_vrm1(struct jc_rerest_document *document, json_t *vrm)
{
	json_t *expressions = json_object_get(vrm, "expressions");
	const char *kind, *name;
	json_t *list, *expression;

	list_bones_1(document, vrm);
	jc_vrm_vector_move_point(document, json_object_get(vrm, "lookAt"), "offsetFromHeadBone",
		jc_skeleton_bone_node(document->skeleton, JC_BONE_HEAD));
	follow_nodes(
		document, json_object_get(json_object_get(vrm, "firstPerson"), "meshAnnotations"));
	json_object_foreach(expressions, kind, list)
	{
		json_object_foreach(list, name, expression)
		{
			follow_nodes(document, json_object_get(expression, "morphTargetBinds"));
		}
	}
}

static int convert_vrm0(struct jc_rerest_document *document, json_t *vrm)
{
	json_t *person = json_object_get(vrm, "firstPerson");
	json_t *groups =
		json_object_get(json_object_get(vrm, "blendShapeMaster"), "blendShapeGroups");
	int node = jc_vrm_vector_node(document, person, "firstPersonBone");
	json_t *group;
	size_t repeats = 0;
	size_t i;
	int error;

	list_bones_0(document, vrm);
	jc_vrm_vector_move_point(document, person, "firstPersonBoneOffset",
		node >= 0 ? node : jc_skeleton_bone_node(document->skeleton, JC_BONE_HEAD));
	error = follow_meshes(document, json_object_get(person, "meshAnnotations"), &repeats);
	json_array_foreach(groups, i, group)
	{
		if (!error) {
			error = follow_meshes(document, json_object_get(group, "binds"), &repeats);
		}
	}
	return error;
}

int jc_rerest_vrm(struct jc_rerest_document *document)
{
	json_t *extensions = json_object_get(document->edit.root, "extensions");
	json_t *vrm0 = json_object_get(extensions, "VRM");
	int error = JC_OK;

	if (vrm0 && !document->plan.is_vrm0) {
		json_object_del(extensions, "VRM");
		jc_gltf_edit_forget_extension(&document->edit, "VRM");
		jc_lint_add(document->lint, JC_WARNING, "left-out",
			"VRM is left out: it demands a figure that faces -Z, and this one faces "
			"+Z");
		vrm0 = NULL;
	}
	if (json_is_object(json_object_get(extensions, "VRMC_vrm"))) {
		convert_vrm1(document, json_object_get(extensions, "VRMC_vrm"));
	}
	if (vrm0) {
		error = convert_vrm0(document, vrm0);
	}
	jc_rerest_springs(document);
	return error;
}
