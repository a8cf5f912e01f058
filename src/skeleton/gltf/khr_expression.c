/* Checks KHR_character_expression: each expression is an animation that begins in the state of the
 * file ("Authored initial state") and has two keys at least. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/humanoid.h"
#include "jointcast_private/json.h"
#include "khr_lint.h"

#define EXTENSION "KHR_character_expression"

enum {
	MESSAGE = 120,
	VALUES = 1 << 22,  /* numbers of all accessors that are compared */
	CHANNEL_COST = 64, /* as many numbers as checking a channel takes */
};

struct work {
	const struct jc_gltf *gltf;
	struct jc_lint *lint;
	size_t values; /* read so far */
	bool is_partial;
};

static const json_t *item(const json_t *array, const json_t *index)
{
	return json_is_integer(index) && json_integer_value(index) >= 0
		       ? json_array_get(array, (size_t)json_integer_value(index))
		       : NULL;
}

/* Reads an accessor if the numbers that may be read allow it. */
static bool read_values(struct work *work, const json_t *accessor, size_t *out_count,
	size_t *out_components, float **out_values)
{
	const json_t *json = item(json_object_get(jc_gltf_json(work->gltf), "accessors"), accessor);
	json_int_t count = json_integer_value(json_object_get(json, "count"));

	if (!json || count <= 0 || count > VALUES || work->values + (size_t)count > VALUES) {
		work->is_partial = work->is_partial || count > 0;
		return false;
	}
	work->values += (size_t)count;
	return jc_gltf_accessor_floats(work->gltf, (int)json_integer_value(accessor), out_count,
		       out_components, out_values, NULL) == JC_OK;
}

/* The weights of a node in the file, or NULL for zeros. */
static const json_t *authored_weights(const struct work *work, const json_t *node)
{
	const json_t *weights = json_object_get(node, "weights");

	return weights ? weights
		       : json_object_get(item(json_object_get(jc_gltf_json(work->gltf), "meshes"),
						 json_object_get(node, "mesh")),
				 "weights");
}

static float authored_value(const struct work *work, int node, const char *path, size_t i)
{
	const struct jc_transform *local = &jc_gltf_nodes(work->gltf)[node].local;
	const float rotation[] = { local->rotation.x, local->rotation.y, local->rotation.z,
		local->rotation.w };
	const float translation[] = { local->translation.x, local->translation.y,
		local->translation.z };
	const float scale[] = { local->scale.x, local->scale.y, local->scale.z };

	if (strcmp(path, "weights") == 0) {
		const json_t *weights = authored_weights(
			work, json_array_get(json_object_get(jc_gltf_json(work->gltf), "nodes"),
				      (size_t)node));

		return (float)json_number_value(json_array_get(weights, i));
	}
	return path[0] == 'r'   ? rotation[i & 3]
	       : path[0] == 't' ? translation[i % 3]
				: scale[i % 3];
}

/* Whether the first key is the state of the file; the tolerance covers normalised bytes. */
static bool begins_there(
	const struct work *work, int node, const char *path, const float *values, size_t count)
{
	const float tolerance = 0.005f;
	float sign = 1.0f, dot = 0.0f;

	for (size_t i = 0; i < count && strcmp(path, "rotation") == 0; i++) {
		dot += values[i] * authored_value(work, node, path, i);
	}
	sign = dot < 0.0f ? -1.0f : 1.0f;
	for (size_t i = 0; i < count; i++) {
		float authored = authored_value(work, node, path, i);

		if (!(fabsf(sign * values[i] - authored) <=
			    tolerance * fmaxf(1.0f, fabsf(authored)))) {
			return false;
		}
	}
	return true;
}

static bool is_rising(const float *times, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(times[i]) || times[i] < 0.0f || (i > 0 && times[i] <= times[i - 1])) {
			return false;
		}
	}
	return count >= 2;
}

/* Checks the keys of a channel; the reason in `fault`. */
static bool check_keys(
	struct work *work, const json_t *sampler, int node, const char *path, char fault[MESSAGE])
{
	const char *mode = json_string_value(json_object_get(sampler, "interpolation"));
	size_t keys = 0, count = 0, components = 0;
	float *times = NULL, *values = NULL;
	bool is_valid = true;

	if (read_values(work, json_object_get(sampler, "input"), &keys, &components, &times) &&
		(components != 1 || !is_rising(times, keys))) {
		snprintf(fault, MESSAGE, "its input does not have two rising times or more from 0");
		is_valid = false;
	}
	if (is_valid && times && node >= 0 &&
		read_values(
			work, json_object_get(sampler, "output"), &count, &components, &values)) {
		bool is_cubic = mode && strcmp(mode, "CUBICSPLINE") == 0;
		size_t width = count * components / keys / (is_cubic ? 3 : 1);

		if (width == 0 || width * keys * (is_cubic ? 3 : 1) != count * components) {
			snprintf(fault, MESSAGE, "its output does not fit its input");
			is_valid = false;
		} else if (!begins_there(
				   work, node, path, values + (is_cubic ? width : 0), width)) {
			snprintf(fault, MESSAGE, "%.20s of node %d does not begin as in the file",
				path, node);
			is_valid = false;
		}
	}
	free(times);
	free(values);
	return is_valid;
}

/* Channels of extensions (KHR_animation_pointer) have no node; only their times are checked. */
static bool check_channel(
	struct work *work, const json_t *animation, const json_t *channel, char fault[MESSAGE])
{
	static const char *const paths[] = { "translation", "rotation", "scale", "weights" };
	const json_t *target = json_object_get(channel, "target");
	const char *path = json_string_value(json_object_get(target, "path"));
	const json_t *sampler =
		item(json_object_get(animation, "samplers"), json_object_get(channel, "sampler"));
	bool is_core = false;
	int node = -1;

	for (size_t i = 0; path && i < sizeof(paths) / sizeof(*paths); i++) {
		is_core = is_core || strcmp(path, paths[i]) == 0;
	}
	if (jc_json_read_index(
		    target, "node", NULL, 0, jc_gltf_node_count(work->gltf), &node, NULL) ||
		!sampler || (is_core && node < 0) ||
		(!is_core && !json_object_get(target, "extensions"))) {
		snprintf(fault, MESSAGE, "a channel has no sampler or no property to animate");
		return false;
	}
	return check_keys(work, sampler, is_core ? node : -1, path, fault);
}

/* Checks the channels that an extension of an expression lists; `used` counts them. */
static bool check_list(const json_t *animation, const json_t *expression, const char *name,
	unsigned char *used, char fault[MESSAGE])
{
	const json_t *channels = json_object_get(animation, "channels");
	const json_t *extension = json_object_get(json_object_get(expression, "extensions"), name);
	const json_t *list = json_object_get(extension, "channels");
	bool is_weights = strcmp(name, EXTENSION "_morphtarget") == 0;
	bool is_joint = strcmp(name, EXTENSION "_joint") == 0;

	if (!extension) {
		return true;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *channel = item(channels, json_array_get(list, i));
		const char *path = json_string_value(
			json_object_get(json_object_get(channel, "target"), "path"));
		size_t index = (size_t)json_integer_value(json_array_get(list, i));

		if (!path || used[index]++) {
			snprintf(fault, MESSAGE, "%s lists channel %zu, which %s", name, i,
				path ? "is listed twice" : "does not exist");
			return false;
		}
		if ((is_weights || is_joint) && strcmp(path, "pointer") != 0 &&
			(strcmp(path, "weights") == 0) != is_weights) {
			snprintf(fault, MESSAGE, "%s lists a channel of '%.20s'", name, path);
			return false;
		}
	}
	if (json_array_size(list) == 0) {
		snprintf(fault, MESSAGE, "%s lists no channels", name);
		return false;
	}
	return true;
}

static bool check_lists(const json_t *animation, const json_t *expression, char fault[MESSAGE])
{
	static const char *const types[] = { EXTENSION "_joint", EXTENSION "_morphtarget",
		EXTENSION "_texture" };
	unsigned char *used =
		calloc(json_array_size(json_object_get(animation, "channels")) + 1, sizeof(*used));
	bool is_valid = true;

	for (size_t i = 0; used && is_valid && i < sizeof(types) / sizeof(*types); i++) {
		is_valid = check_list(animation, expression, types[i], used, fault);
	}
	free(used);
	return is_valid;
}

static bool check_expression(struct work *work, const json_t *expression, char fault[MESSAGE])
{
	const json_t *animation = item(json_object_get(jc_gltf_json(work->gltf), "animations"),
		json_object_get(expression, "animation"));
	const json_t *channels = json_object_get(animation, "channels");

	if (json_string_length(json_object_get(expression, "expression")) == 0) {
		snprintf(fault, MESSAGE, "it has no name");
		return false;
	}
	if (json_array_size(channels) == 0) {
		snprintf(fault, MESSAGE, "its animation does not exist or has no channels");
		return false;
	}
	work->values += CHANNEL_COST * json_array_size(channels);
	if (work->values > VALUES) {
		work->is_partial = true;
		return true;
	}
	for (size_t i = 0; i < json_array_size(channels); i++) {
		if (!check_channel(work, animation, json_array_get(channels, i), fault)) {
			return false;
		}
	}
	return check_lists(animation, expression, fault);
}

void jc_khr_expression_lint(const struct jc_gltf *gltf, struct jc_lint *lint)
{
	const json_t *extension = jc_gltf_extension(gltf, EXTENSION);
	const json_t *list = json_object_get(extension, "expressions");
	struct work work = { .gltf = gltf, .lint = lint };
	char fault[MESSAGE];

	if (extension && json_array_size(list) == 0) {
		jc_lint_add(lint, JC_WARNING, "khr-expression",
			EXTENSION ".expressions holds no expression, but at least 1 is required");
	}
	for (size_t i = 0; i < json_array_size(list) && !work.is_partial; i++) {
		if (!check_expression(&work, json_array_get(list, i), fault)) {
			jc_lint_add(lint, JC_WARNING, "khr-expression",
				EXTENSION ".expressions[%zu]: %s", i, fault);
		}
	}
	if (work.is_partial) {
		jc_lint_add(lint, JC_NOTE, "khr-expression",
			"the keys of expressions have more than %d numbers: not all were compared",
			VALUES);
	}
}
