/* Converts animations to a new rest. With the old local transform l, the new one is A l
 * B. For a track by node, A undoes the change of its parent and B is its own change; for
 * a track relative to the rest, A undoes its own change. A and B are constant, so keys,
 * tangents and interpolated values stay exact.
 *
 * An expression (KHR_character_expression) starts at the rest of the file: A leads from the old
 * rest to the new one, and nodes without a track stay at rest. */
#include "rerest_animations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/transform.h"

#define EXTENSION "EXT_skeleton_humanoid"

/* Rests that differ by less are equal (radians, metres, relative scale). */
static const float same = 2e-5f;

enum path { ROTATION, TRANSLATION, SCALE, PATHS };

static const char *const path_names[PATHS] = { "rotation", "translation", "scale" };
static const size_t path_components[PATHS] = { 4, 3, 3 };

/* A node whose rest is wrong unless a track moves it. */
struct held {
	int node;
	enum path path;
	float key[4];
};

struct document {
	struct jc_gltf_edit *edit;
	const struct jc_skeleton *skeleton;
	const struct jc_rerest_plan *plan;
	const int *moved;
	bool relative;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
	bool *is_moved;     /* by PATHS * node + path: whether this animation has a track for it */
	bool moves_figure;  /* it moves bones or their ancestors */
	bool is_expression; /* as is this animation */
	size_t held_count;
	struct held *held; /* owned, as is is_moved */
	bool is_uneven;    /* a scale could not be kept */
	size_t pointers;   /* channels that point to nodes */
};

/* A and B as rotation, translation and scale; A also as a matrix, for translations. */
struct sides {
	struct jc_mat4 before;
	struct jc_transform a, b;
};

static struct sides make_sides(struct jc_mat4 undone, struct jc_mat4 own)
{
	struct sides sides = { .before = jc_mat4_invert(undone),
		.a = JC_TRANSFORM_IDENTITY,
		.b = JC_TRANSFORM_IDENTITY };

	jc_mat4_decompose(sides.before, &sides.a, NULL);
	jc_mat4_decompose(own, &sides.b, NULL);
	return sides;
}

static struct sides node_sides(const struct document *document, int node)
{
	return make_sides(document->plan->above[node], document->plan->change[node]);
}

/* Of an expression. A leads the rest of the file to the new one; a node that rests without size
 * is no bone, and its rest stays as it is. */
static struct sides rest_sides(const struct document *document, int node)
{
	struct jc_mat4 own = document->plan->change[node];
	struct jc_mat4 rest = jc_mat4_compose(jc_gltf_nodes(document->edit->gltf)[node].local);
	struct jc_mat4 now = jc_mat4_compose(document->plan->locals[node]);
	struct sides sides =
		make_sides(jc_mat4_multiply(jc_mat4_multiply(rest, own), jc_mat4_invert(now)), own);

	return jc_mat4_is_finite(sides.before) ? sides : node_sides(document, node);
}

static bool is_even(struct jc_vec3 s)
{
	return fabsf(s.x - s.y) <= same * fabsf(s.x) && fabsf(s.x - s.z) <= same * fabsf(s.x);
}

/* The scale along the new axes after a rotation. If these are not a permutation of the
 * old axes, an uneven scale becomes a shear, which cannot be stored. */
static struct jc_vec3 turn_scale(struct document *document, struct jc_quat turn, struct jc_vec3 s)
{
	struct jc_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	float out[3];

	if (is_even(s)) {
		return s;
	}
	for (int i = 0; i < 3; i++) {
		struct jc_vec3 old = jc_quat_rotate(turn, axes[i]);
		struct jc_vec3 scaled = jc_vec3_multiply(s, old);

		out[i] = jc_vec3_dot(scaled, old);
		document->is_uneven =
			document->is_uneven || jc_vec3_length(jc_vec3_subtract(
						       scaled, jc_vec3_scale(old, out[i]))) > 1e-3f;
	}
	return (struct jc_vec3){ out[0], out[1], out[2] };
}

static void convert_key(struct document *document, const struct sides *sides, enum path path,
	bool is_tangent, float *key)
{
	struct jc_vec3 v = { key[0], key[1], key[2] };
	struct jc_quat q;

	if (path == ROTATION) {
		q = jc_quat_multiply(sides->a.rotation,
			jc_quat_multiply((struct jc_quat){ key[0], key[1], key[2], key[3] },
				sides->b.rotation));
		key[0] = q.x;
		key[1] = q.y;
		key[2] = q.z;
		key[3] = q.w;
		return;
	}
	if (path == TRANSLATION) {
		v = jc_mat4_transform_point(sides->before, v);
		v = is_tangent ? jc_vec3_subtract(v, jc_mat4_translation(sides->before)) : v;
	} else {
		v = turn_scale(document, sides->b.rotation, v);
		v = jc_vec3_multiply(v, jc_vec3_multiply(sides->a.scale, sides->b.scale));
	}
	key[0] = v.x;
	key[1] = v.y;
	key[2] = v.z;
}

/* Makes a sampler with converted keys. */
static int convert_sampler(
	struct document *document, json_t *sampler, enum path path, const struct sides *sides)
{
	size_t count, components;
	float *values;
	const char *mode = json_string_value(json_object_get(sampler, "interpolation"));
	bool is_cubic = mode && strcmp(mode, "CUBICSPLINE") == 0;
	int output = (int)json_integer_value(json_object_get(sampler, "output"));
	int error = jc_gltf_accessor_floats(
		document->edit->gltf, output, &count, &components, &values, document->diagnostic);

	if (error) {
		return error;
	}
	if (components != path_components[path]) {
		free(values);
		return jc_diagnose(document->diagnostic, JC_ERROR_INVALID, "animations",
			"accessor %d does not contain %s", output, path_names[path]);
	}
	for (size_t i = 0; i < count; i++) {
		/* In-tangent, value and out-tangent (glTF 2.0, 3.11). */
		convert_key(document, sides, path, is_cubic && i % 3 != 1, values + components * i);
	}
	for (size_t i = 0; i < components * count; i++) {
		if (!isfinite(values[i])) {
			free(values);
			return jc_diagnose(document->diagnostic, JC_ERROR_INVALID, "animations",
				"accessor %d has keys out of range", output);
		}
	}
	jc_gltf_edit_set(document->edit, sampler, "output",
		json_integer(jc_gltf_edit_add(
			document->edit, (struct jc_gltf_floats){ path == ROTATION ? "VEC4" : "VEC3",
						components, count, values, false })));
	free(values);
	return JC_OK;
}

static enum path find_path(const json_t *target)
{
	const char *name = json_string_value(json_object_get(target, "path"));
	int path = 0;

	while (name && path < PATHS && strcmp(name, path_names[path]) != 0) {
		path++;
	}
	return name ? (enum path)path : PATHS;
}

/* Finds A and B for a track; false if it does not change. */
static bool find_sides(
	struct document *document, json_t *target, enum path path, struct sides *out_sides)
{
	const json_t *node = json_object_get(target, "node");
	const json_t *name =
		json_object_get(json_object_get(json_object_get(target, "extensions"), EXTENSION),
			"humanoidBoneName");
	enum jc_bone bone =
		json_is_string(name) ? jc_bone_find(json_string_value(name)) : JC_BONE_NONE;
	int index = -1;

	if (name) {
		index = bone == JC_BONE_NONE || !document->relative
				? -1
				: jc_skeleton_bone_node(document->skeleton, bone);
		if (index >= 0 && path != PATHS) {
			*out_sides = make_sides(
				document->plan->change[index], document->plan->change[index]);
		}
		return index >= 0 && path != PATHS;
	}
	if (!json_is_integer(node) || json_integer_value(node) < 0 ||
		(size_t)json_integer_value(node) >= document->plan->count) {
		return false;
	}
	index = (int)json_integer_value(node);
	if (path == PATHS) { /* weights follow the mesh */
		if (document->moved[index] >= 0) {
			jc_gltf_edit_set(document->edit, target, "node",
				json_integer(document->moved[index]));
		}
		return false;
	}
	document->is_moved[PATHS * (size_t)index + (size_t)path] = true;
	document->moves_figure = document->moves_figure || document->plan->is_carrier[index];
	*out_sides =
		document->is_expression ? rest_sides(document, index) : node_sides(document, index);
	return true;
}

/* Whether a channel of KHR_animation_pointer moves a node; these channels stay as they are. */
static bool points_to_node(const json_t *target)
{
	const json_t *extension =
		json_object_get(json_object_get(target, "extensions"), "KHR_animation_pointer");
	const char *pointer = json_string_value(json_object_get(extension, "pointer"));

	return pointer && strncmp(pointer, "/nodes/", 7) == 0;
}

/* Tracks that shared a sampler now differ, so each gets its own. */
static int convert_channel(
	struct document *document, json_t *channel, const json_t *old_samplers, json_t *samplers)
{
	json_t *target = json_object_get(channel, "target");
	json_int_t index = json_integer_value(json_object_get(channel, "sampler"));
	enum path path = find_path(target);
	struct sides sides;
	json_t *sampler;

	if (index < 0 || (size_t)index >= json_array_size(old_samplers)) {
		return jc_diagnose(document->diagnostic, JC_ERROR_INVALID, "animations",
			"a channel has no sampler");
	}
	document->pointers += points_to_node(target);
	sampler = json_deep_copy(json_array_get(old_samplers, (size_t)index));
	jc_gltf_edit_set(document->edit, channel, "sampler",
		json_integer((json_int_t)json_array_size(samplers)));
	jc_gltf_edit_append(document->edit, samplers, sampler);
	if (document->edit->error || !find_sides(document, target, path, &sides)) {
		return JC_OK;
	}
	return convert_sampler(document, sampler, path, &sides);
}

/* Adds a track of one key if A l B of the rest in the file is not the new rest. */
static void find_held(struct document *document, int node, enum path path)
{
	const struct jc_transform *rest = &jc_gltf_nodes(document->edit->gltf)[node].local;
	const struct jc_transform *now = &document->plan->locals[node];
	struct sides sides = node_sides(document, node);
	struct held held = { .node = node, .path = path };
	struct jc_vec3 moved = path == SCALE ? rest->scale : rest->translation;
	float difference;

	if (path == ROTATION) {
		memcpy(held.key, &rest->rotation, sizeof(held.key));
	} else {
		memcpy(held.key, &moved, sizeof(moved));
	}
	convert_key(document, &sides, path, false, held.key);
	moved = (struct jc_vec3){ held.key[0], held.key[1], held.key[2] };
	if (path == ROTATION) {
		struct jc_quat turned = { moved.x, moved.y, moved.z, held.key[3] };

		difference = jc_quat_angle(turned, now->rotation);
	} else {
		difference = jc_vec3_length(
			jc_vec3_subtract(moved, path == SCALE ? now->scale : now->translation));
	}
	if (difference > same) {
		document->held[document->held_count++] = held;
	}
}

static void hold(struct document *document, const struct held *held, int *input, json_t *channels,
	json_t *samplers)
{
	int output;

	if (*input < 0) {
		*input = jc_gltf_edit_add(document->edit,
			(struct jc_gltf_floats){ "SCALAR", 1, 1, (const float[]){ 0.0f }, true });
	}
	output = jc_gltf_edit_add(
		document->edit, (struct jc_gltf_floats){ held->path == ROTATION ? "VEC4" : "VEC3",
					path_components[held->path], 1, held->key, false });
	jc_gltf_edit_append(document->edit, channels,
		json_pack("{s:I,s:{s:i,s:s}}", "sampler", (json_int_t)json_array_size(samplers),
			"target", "node", held->node, "path", path_names[held->path]));
	jc_gltf_edit_append(document->edit, samplers,
		json_pack("{s:i,s:i}", "input", *input, "output", output));
}

static int convert_animation(struct document *document, json_t *animation)
{
	json_t *channels = json_object_get(animation, "channels");
	json_t *samplers = json_array();
	int input = -1;
	int error = samplers ? JC_OK
			     : jc_diagnose(document->diagnostic, JC_ERROR_MEMORY, NULL,
				       "out of memory");

	document->moves_figure = false;
	memset(document->is_moved, 0, PATHS * document->plan->count * sizeof(bool));
	for (size_t i = 0; i < json_array_size(channels) && !error; i++) {
		error = convert_channel(document, json_array_get(channels, i),
			json_object_get(animation, "samplers"), samplers);
	}
	for (size_t i = 0; i < document->held_count && !error; i++) {
		const struct held *held = &document->held[i];

		if (document->moves_figure && !document->is_expression && !document->edit->error &&
			!document->is_moved[PATHS * (size_t)held->node + (size_t)held->path]) {
			hold(document, held, &input, channels, samplers);
		}
	}
	if (samplers) {
		jc_gltf_edit_set(document->edit, animation, "samplers", samplers);
	}
	return error;
}

/* Marks the animations that expressions play. */
static void find_expressions(const json_t *root, size_t count, bool *out_expressions)
{
	const json_t *list = json_object_get(
		json_object_get(json_object_get(root, "extensions"), "KHR_character_expression"),
		"expressions");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *index = json_object_get(json_array_get(list, i), "animation");

		if (json_is_integer(index) && json_integer_value(index) >= 0 &&
			(size_t)json_integer_value(index) < count) {
			out_expressions[json_integer_value(index)] = true;
		}
	}
}

int jc_rerest_animations(struct jc_gltf_edit *edit, const struct jc_skeleton *skeleton,
	const struct jc_rerest_plan *plan, const int *moved, bool relative, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct document document = {
		.edit = edit,
		.skeleton = skeleton,
		.plan = plan,
		.moved = moved,
		.relative = relative,
		.lint = lint,
		.diagnostic = diagnostic,
		.is_moved = calloc(plan->count + 1, PATHS * sizeof(bool)),
		.held = calloc(plan->count + 1, PATHS * sizeof(struct held)),
	};
	json_t *animations = json_object_get(edit->root, "animations");
	size_t count = json_array_size(animations);
	bool *expressions = calloc(count + 1, sizeof(*expressions));
	int error = JC_OK;

	if (!document.is_moved || !document.held || !expressions) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < PATHS * plan->count && animations; i++) {
		find_held(&document, (int)(i / PATHS), (enum path)(i % PATHS));
	}
	document.is_uneven = false;
	find_expressions(edit->root, count, expressions);
	for (size_t i = 0; i < count && !error; i++) {
		document.is_expression = expressions[i];
		error = convert_animation(&document, json_array_get(animations, i));
	}
	if (document.pointers) {
		jc_lint_add(lint, JC_WARNING, "animation-pointer",
			"%zu channels of KHR_animation_pointer move nodes and are those of the old "
			"rest",
			document.pointers);
	}
	if (document.is_uneven) {
		jc_lint_add(lint, JC_WARNING, "uneven-scale",
			"animations scale nodes unevenly along axes that no longer exist; the "
			"scale is kept along the nearest axes");
	}
out:
	free(expressions);
	free(document.is_moved);
	free(document.held);
	return error;
}
