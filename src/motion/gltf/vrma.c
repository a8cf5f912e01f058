/* Reads VRMC_vrm_animation 1.0: the file has the bone map, and by specification its nodes
 * rest in the T-pose. Other rests are used without correction, as all readers do. */
#include "vrma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_motion.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_bone_map.h"

#define EXTENSION "VRMC_vrm_animation"

static const struct jc_json_place extension_place = { .key = EXTENSION };

static int map_bones(const struct jc_gltf *gltf, const json_t *extension, int *out_bones,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place humanoid_place = { .outer = &extension_place, .key = "humanoid" };
	struct jc_json_place map_place = { .outer = &humanoid_place, .key = "humanBones" };
	const json_t *map = json_object_get(json_object_get(extension, "humanoid"), "humanBones");
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)map, name, value)
	{
		struct jc_json_place place = { .outer = &map_place, .key = name };
		enum jc_bone bone = jc_bone_find(name);
		int node = -1;
		int error;

		if (!json_is_object(value)) {
			return jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, &place, "not an object");
		}
		error = jc_json_read_index(
			value, "node", &place, 0, jc_gltf_node_count(gltf), &node, diagnostic);
		if (error) {
			return error;
		}
		if (bone == JC_BONE_NONE) {
			jc_lint_add(lint, JC_WARNING, "unknown-bone",
				"'%s' is not a humanoid bone; ignored", name);
		} else {
			out_bones[bone] = node;
		}
	}
	return JC_OK;
}

/* Named channels while they are collected. */
struct signals {
	size_t count;
	struct jc_gltf_signal items[JC_LIMIT_MOTION_CHANNELS];
	char names[JC_LIMIT_MOTION_CHANNELS][JC_LIMIT_NAME_BYTES + 16];
};

static int add_signal(struct signals *signals, const struct jc_gltf *gltf, const json_t *json,
	const char *prefix, const char *name, enum jc_gltf_path path,
	const struct jc_json_place *place, struct jc_diagnostic *diagnostic)
{
	char *full = signals->names[signals->count];
	int node = -1;
	int error;

	if (signals->count == JC_LIMIT_MOTION_CHANNELS) {
		return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, place, "more than %u expressions",
			JC_LIMIT_MOTION_CHANNELS);
	}
	if (!json_is_object(json) || strlen(name) >= JC_LIMIT_NAME_BYTES) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"not an object with a name of acceptable length");
	}
	error = jc_json_read_index(
		json, "node", place, 0, jc_gltf_node_count(gltf), &node, diagnostic);
	if (error || node < 0) {
		return error;
	}
	snprintf(full, sizeof(signals->names[0]), "%s%s", prefix, name);
	signals->items[signals->count++] = (struct jc_gltf_signal){
		.channel = { full, path == JC_GLTF_ROTATION ? 4 : 1 },
		.node = node,
		.path = path,
	};
	return JC_OK;
}

/* expressions: { preset: { happy: { node } }, custom: { … } }. */
static int read_expressions(struct signals *signals, const struct jc_gltf *gltf,
	const json_t *extension, struct jc_diagnostic *diagnostic)
{
	static const char *const kinds[] = { "preset", "custom" };
	struct jc_json_place expressions_place = { .outer = &extension_place,
		.key = "expressions" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct jc_json_place kind_place = { .outer = &expressions_place, .key = kinds[i] };
		const json_t *map =
			json_object_get(json_object_get(extension, "expressions"), kinds[i]);
		const char *name;
		json_t *value;

		json_object_foreach((json_t *)map, name, value)
		{
			struct jc_json_place place = { .outer = &kind_place, .key = name };
			int error = add_signal(signals, gltf, value, "expression/", name,
				JC_GLTF_TRANSLATION, &place, diagnostic);

			if (error) {
				return error;
			}
		}
	}
	return JC_OK;
}

static int read_signals(struct signals *signals, const struct jc_gltf *gltf,
	const json_t *extension, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = &extension_place, .key = "lookAt" };
	const json_t *look_at = json_object_get(extension, "lookAt");
	int error = read_expressions(signals, gltf, extension, diagnostic);

	if (!error && look_at) {
		error = add_signal(
			signals, gltf, look_at, "", "lookAt", JC_GLTF_ROTATION, &place, diagnostic);
	}
	return error;
}

static void lint_file(const json_t *extension, const int *bones, struct jc_lint *lint)
{
	const char *version = json_string_value(json_object_get(extension, "specVersion"));

	if (!version || strncmp(version, "1.0", 3) != 0) {
		jc_lint_add(lint, JC_WARNING, "version",
			"specVersion is '%.32s', not 1.0; read as 1.0", version ? version : "");
	}
	if (bones[JC_BONE_HIPS] < 0) {
		jc_lint_add(lint, JC_WARNING, "missing-bones", "the animation has no hips");
	}
}

bool jc_vrma_is_animation(const struct jc_gltf *gltf)
{
	return jc_gltf_extension(gltf, EXTENSION) != NULL;
}

int jc_vrma_bones(const struct jc_gltf *gltf, int *out_bones, struct jc_diagnostic *diagnostic)
{
	int bones[JC_BONE_COUNT];
	int error;

	memset(bones, -1, sizeof(bones));
	error = map_bones(gltf, jc_gltf_extension(gltf, EXTENSION), bones, NULL, diagnostic);
	if (!error) {
		memcpy(out_bones, bones, sizeof(bones));
	}
	return error;
}

int jc_vrma_read(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_bone_map *map, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	const json_t *extension = jc_gltf_extension(gltf, EXTENSION);
	size_t count = jc_gltf_node_count(gltf);
	struct jc_skeleton_node *nodes = calloc(count + 1, sizeof(*nodes));
	struct signals *signals = calloc(1, sizeof(*signals));
	struct jc_skeleton_description description;
	/* "Humanoid": the data are the animations of the bone nodes. */
	struct jc_gltf_figure figure = {
		.format = "vrma",
		.family = "",
		.confidence = 1.0f,
		.skeleton = &description,
		.bones_only = true,
	};
	int error;

	if (!nodes || !signals) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(gltf)[i];

		nodes[i] = (struct jc_skeleton_node){ node->name, node->parent, node->local };
	}
	jc_skeleton_description_init(&description);
	description.node_count = count;
	description.nodes = nodes;
	description.has_floor = true; /* at 0: its humanoid is that of VRM 1.0 */
	error = map ? jc_gltf_bone_map_match(gltf, map, description.bones, diagnostic)
		    : map_bones(gltf, extension, description.bones, lint, diagnostic);
	if (!error) {
		error = read_signals(signals, gltf, extension, diagnostic);
	}
	if (!error) {
		error = jc_gltf_motion_create(gltf, clip, &figure, signals->count, signals->items,
			out_motion, lint, diagnostic);
	}
	if (!error) {
		lint_file(extension, description.bones, lint);
	}
out:
	free(signals);
	free(nodes);
	return error;
}
