/* Reads and checks KHR_character_reference_pose: animations of one key that store a pose. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/transform.h"
#include "jointcast_private/json.h"
#include "jointcast_private/khr_character.h"
#include "khr_lint.h"

#define EXTENSION "KHR_character_reference_pose"

enum { MESSAGE = 120 };

static const json_t *tag_of(const json_t *animation)
{
	return json_object_get(json_object_get(animation, "extensions"), EXTENSION);
}

/* Sets one property of a transform; false if the path or the number of values is wrong. */
static bool set_property(struct jc_transform *local, const char *path, const float *values,
	size_t count, size_t components)
{
	struct jc_vec3 v = { 0.0f, 0.0f, 0.0f };

	if (count != 1 || components != (strcmp(path, "rotation") == 0 ? 4u : 3u)) {
		return false;
	}
	v = (struct jc_vec3){ values[0], values[1], values[2] };
	if (strcmp(path, "rotation") == 0) {
		local->rotation = jc_quat_normalize(
			(struct jc_quat){ values[0], values[1], values[2], values[3] });
		return jc_quat_is_finite(local->rotation);
	}
	if (strcmp(path, "translation") == 0) {
		local->translation = v;
	} else if (strcmp(path, "scale") == 0) {
		local->scale = v;
	} else {
		return false;
	}
	return jc_vec3_is_finite(v);
}

/* Number of elements of an accessor, from the document alone; -1 if it does not exist. */
static json_int_t count_of(const struct jc_gltf *gltf, const json_t *accessor)
{
	const json_t *count = json_object_get(
		json_array_get(json_object_get(jc_gltf_json(gltf), "accessors"),
			json_is_integer(accessor) && json_integer_value(accessor) >= 0
				? (size_t)json_integer_value(accessor)
				: SIZE_MAX),
		"count");

	return json_is_integer(count) ? json_integer_value(count) : -1;
}

/* Applies a channel to the pose; the reason in `fault` if it is not valid ("Reference-pose
 * validity"). */
static bool apply(const struct jc_gltf *gltf, const json_t *animation, const json_t *channel,
	struct jc_transform *locals, char fault[MESSAGE])
{
	const json_t *target = json_object_get(channel, "target");
	const json_t *index = json_object_get(channel, "sampler");
	const json_t *sampler = json_array_get(json_object_get(animation, "samplers"),
		json_is_integer(index) && json_integer_value(index) >= 0
			? (size_t)json_integer_value(index)
			: SIZE_MAX);
	const char *mode = json_string_value(json_object_get(sampler, "interpolation"));
	const char *path = json_string_value(json_object_get(target, "path"));
	size_t count = 0, components = 0;
	float *values = NULL;
	int node = -1;
	bool is_valid;

	if (jc_json_read_index(target, "node", NULL, 0, jc_gltf_node_count(gltf), &node, NULL) ||
		node < 0 || !path) {
		snprintf(fault, MESSAGE, "a channel names no node");
		return false;
	}
	if (mode && strcmp(mode, "LINEAR") != 0 && strcmp(mode, "STEP") != 0) {
		snprintf(fault, MESSAGE, "interpolation '%.20s' is not LINEAR or STEP", mode);
		return false;
	}
	if (count_of(gltf, json_object_get(sampler, "input")) != 1 ||
		count_of(gltf, json_object_get(sampler, "output")) != 1) {
		snprintf(fault, MESSAGE, "a channel does not have exactly one key");
		return false;
	}
	is_valid = jc_gltf_accessor_floats(gltf,
			   (int)json_integer_value(json_object_get(sampler, "output")), &count,
			   &components, &values, NULL) == JC_OK &&
		   set_property(&locals[node], path, values, count, components);
	free(values);
	if (!is_valid) {
		snprintf(fault, MESSAGE,
			"a channel is no valid translation, rotation or scale of node %d", node);
	}
	return is_valid;
}

/* Applies the pose of a tagged animation. */
static bool apply_pose(const struct jc_gltf *gltf, const json_t *animation,
	struct jc_transform *locals, char fault[MESSAGE])
{
	const json_t *type = json_object_get(tag_of(animation), "poseType");
	const json_t *channels = json_object_get(animation, "channels");

	if (type && json_string_length(type) == 0) {
		snprintf(fault, MESSAGE, "poseType is no name");
		return false;
	}
	if (json_array_size(channels) == 0) {
		snprintf(fault, MESSAGE, "the animation has no channel");
		return false;
	}
	for (size_t i = 0; i < json_array_size(channels); i++) {
		if (!apply(gltf, animation, json_array_get(channels, i), locals, fault)) {
			return false;
		}
	}
	return true;
}

bool jc_khr_character_t_pose(const struct jc_gltf *gltf, struct jc_transform *out_locals)
{
	const json_t *animations = json_object_get(jc_gltf_json(gltf), "animations");
	char fault[MESSAGE];

	for (size_t i = 0; i < jc_gltf_node_count(gltf); i++) {
		out_locals[i] = jc_gltf_nodes(gltf)[i].local;
	}
	for (size_t i = 0; i < json_array_size(animations); i++) {
		const json_t *animation = json_array_get(animations, i);
		const char *type =
			json_string_value(json_object_get(tag_of(animation), "poseType"));

		if (tag_of(animation) && (!type || strcmp(type, "TPose") == 0)) {
			return apply_pose(gltf, animation, out_locals, fault);
		}
	}
	return false;
}

void jc_khr_reference_pose_lint(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *animations = json_object_get(jc_gltf_json(gltf), "animations");
	struct jc_transform *locals = NULL;
	char fault[MESSAGE];

	for (size_t i = 0; i < json_array_size(animations); i++) {
		const json_t *animation = json_array_get(animations, i);

		if (!tag_of(animation)) {
			continue;
		}
		locals = locals ? locals : calloc(jc_gltf_node_count(gltf) + 1, sizeof(*locals));
		if (locals && !apply_pose(gltf, animation, locals, fault)) {
			jc_lint_add(lint, JC_WARNING, "khr-reference-pose",
				"animations[%zu] is no valid reference pose: %s", i, fault);
		}
	}
	free(locals);
}
