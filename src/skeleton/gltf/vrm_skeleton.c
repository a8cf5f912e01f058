/* Reads VRM 0.x and 1.0. The file has the bone map, and by specification the rest pose is
 * the T-pose (VRMC_vrm-1.0, humanoid.md; VRM 0.x, "humanoid"), so nothing is recognised
 * or measured. */
#include "gltf_skeletons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "constraint_list.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_bone_map.h"
#include "jointcast_private/json.h"
#include "virtual_transform_list.h"

/* VRM 0.x and betas of 1.0 name three phalanges of the thumb; the first is the metacarpal. */
static enum jc_bone find_bone(const char *name, bool old_thumbs)
{
	static const struct {
		const char *name;
		enum jc_bone bone;
	} thumbs[] = {
		{ "leftThumbProximal", JC_BONE_LEFT_THUMB_METACARPAL },
		{ "leftThumbIntermediate", JC_BONE_LEFT_THUMB_PROXIMAL },
		{ "rightThumbProximal", JC_BONE_RIGHT_THUMB_METACARPAL },
		{ "rightThumbIntermediate", JC_BONE_RIGHT_THUMB_PROXIMAL },
	};

	for (size_t i = 0; old_thumbs && i < sizeof(thumbs) / sizeof(*thumbs); i++) {
		if (strcmp(name, thumbs[i].name) == 0) {
			return thumbs[i].bone;
		}
	}
	return jc_bone_find(name);
}

struct reader {
	const struct jc_gltf *gltf;
	bool old_thumbs;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
	struct jc_skeleton_description description;
};

static int map_bone(struct reader *reader, const char *name, const json_t *json,
	const struct jc_json_place *place)
{
	enum jc_bone bone = find_bone(name, reader->old_thumbs);
	int node = -1;
	int error;

	if (!json_is_object(json)) {
		return jc_json_refuse(reader->diagnostic, JC_ERROR_INVALID, place, "not an object");
	}
	/* Old versions of UniVRM write -1 for a missing bone. */
	error = jc_json_read_index(json, "node", place, -1, jc_gltf_node_count(reader->gltf), &node,
		reader->diagnostic);
	if (error || node < 0) {
		return error;
	}
	if (bone == JC_BONE_NONE) {
		jc_lint_add(reader->lint, JC_WARNING, "unknown-bone",
			"'%s' is not a humanoid bone; ignored", name);
		return JC_OK;
	}
	if (reader->description.bones[bone] >= 0) {
		jc_lint_add(reader->lint, JC_WARNING, "bone-twice",
			"'%s' is mapped twice; the last mapping is used", name);
	}
	reader->description.bones[bone] = node;
	return JC_OK;
}

/* VRM 1.0: { "hips": { "node": 1 }, … }. */
static int map_bones_1(struct reader *reader, const json_t *bones)
{
	struct jc_json_place extension = { .key = "VRMC_vrm" };
	struct jc_json_place humanoid = { .outer = &extension, .key = "humanoid" };
	struct jc_json_place map = { .outer = &humanoid, .key = "humanBones" };
	const char *name;
	json_t *value;
	int error = JC_OK;

	reader->old_thumbs = json_object_get(bones, "leftThumbIntermediate") ||
			     json_object_get(bones, "rightThumbIntermediate");
	json_object_foreach((json_t *)bones, name, value)
	{
		struct jc_json_place place = { .outer = &map, .key = name };

		error = map_bone(reader, name, value, &place);
		if (error) {
			break;
		}
	}
	return error;
}

/* VRM 0.x: [{ "bone": "hips", "node": 1 }, …]. */
static int map_bones_0(struct reader *reader, const json_t *bones)
{
	struct jc_json_place extension = { .key = "VRM" };
	struct jc_json_place humanoid = { .outer = &extension, .key = "humanoid" };
	struct jc_json_place list = { .outer = &humanoid, .key = "humanBones" };

	reader->old_thumbs = true;
	for (size_t i = 0; i < json_array_size(bones); i++) {
		struct jc_json_place place = { .outer = &list, .index = i };
		const json_t *value = json_array_get(bones, i);
		const char *name = json_string_value(json_object_get(value, "bone"));
		int error;

		if (!name) {
			return jc_json_refuse(
				reader->diagnostic, JC_ERROR_INVALID, &place, "a bone has no name");
		}
		error = map_bone(reader, name, value, &place);
		if (error) {
			return error;
		}
	}
	return JC_OK;
}

/* A title may have any length; one that is too long is not used as a name. */
static const char *short_name(const json_t *extension, const char *key)
{
	const char *name =
		json_string_value(json_object_get(json_object_get(extension, "meta"), key));

	return name && strlen(name) < JC_LIMIT_NAME_BYTES ? name : "";
}

static int read_bones(struct reader *reader)
{
	const json_t *vrm1 = jc_gltf_extension(reader->gltf, "VRMC_vrm");
	const json_t *vrm0 = jc_gltf_extension(reader->gltf, "VRM");
	const json_t *bones =
		json_object_get(json_object_get(vrm1 ? vrm1 : vrm0, "humanoid"), "humanBones");

	if (vrm1 && json_is_object(bones)) {
		reader->description.format = JC_SKELETON_VRM1;
		reader->description.name = short_name(vrm1, "name");
		return map_bones_1(reader, bones);
	}
	if (!vrm1 && json_is_array(bones)) {
		reader->description.format = JC_SKELETON_VRM0;
		reader->description.name = short_name(vrm0, "title");
		reader->description.facing = (struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
		return map_bones_0(reader, bones);
	}
	return jc_diagnose(reader->diagnostic, JC_ERROR_NO_HUMANOID,
		vrm1 ? "VRMC_vrm.humanoid" : "VRM.humanoid", "no humanoid: no valid humanBones");
}

bool jc_vrm_skeleton_applies(const struct jc_gltf *gltf)
{
	return jc_gltf_extension(gltf, "VRMC_vrm") || jc_gltf_extension(gltf, "VRM");
}

int jc_vrm_skeleton_read(const struct jc_gltf *gltf, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct reader reader = { .gltf = gltf, .lint = lint, .diagnostic = diagnostic };
	struct jc_virtual_transform_list virtuals = { .count = 0 };
	struct jc_constraint_list constraints = { .count = 0 };
	size_t count = jc_gltf_node_count(gltf);
	struct jc_skeleton_node *nodes = calloc(count + 1, sizeof(*nodes));
	struct jc_skeleton *skeleton;
	int error = JC_ERROR_MEMORY;

	jc_skeleton_description_init(&reader.description);
	if (!nodes || jc_virtual_transform_list_read_gltf(&virtuals, gltf, lint) ||
		jc_constraint_list_read(&constraints, gltf, lint)) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, node->local };
	}
	error = read_bones(&reader);
	if (!error && map) {
		error = jc_gltf_bone_map_match(gltf, map, reader.description.bones, diagnostic);
	}
	if (error) {
		goto out;
	}
	/* VRM 1.0, "VRM T-pose": the ground is at y = 0. */
	reader.description.has_floor = true;
	reader.description.node_count = count;
	reader.description.nodes = nodes;
	reader.description.virtual_transform_count = virtuals.count;
	reader.description.virtual_transforms = virtuals.items;
	reader.description.constraint_count = constraints.count;
	reader.description.constraints = constraints.items;
	error = jc_skeleton_create(&reader.description, &skeleton, diagnostic);
	if (error) {
		goto out;
	}
	*out_skeleton = skeleton;
out:
	jc_virtual_transform_list_finish(&virtuals);
	jc_constraint_list_finish(&constraints);
	free(nodes);
	return error;
}
