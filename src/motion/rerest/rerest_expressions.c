/* Writes the expressions of a VRM as KHR_character_expression: an expression is an animation from
 * the state of the file to the full expression. */
#include "rerest_expressions.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define EXTENSION "KHR_character_expression"

/* Maxima of what one file makes. */
enum { EXPRESSIONS = 256, CHANNELS = 64, TARGETS = 4096 };

/* Counts of parts that the draft cannot hold, or that exceed a maximum. */
struct losses {
	size_t others; /* expressions with colours or texture transforms */
	size_t cut;    /* expressions beyond the maxima */
};

/* An expression under construction. */
struct expression {
	struct jc_rerest_document *document;
	struct losses *losses;
	json_t *channels, *samplers; /* owned until it is added */
	bool is_binary, is_cut;
	size_t count;
	struct channel {
		int node;
		size_t targets;
		float *weights; /* owned: the full expression */
		bool *is_bound; /* owned: by target */
	} items[CHANNELS];
};

static const json_t *mesh_of(const struct jc_rerest_document *document, int node)
{
	const json_t *mesh = json_object_get(json_array_get(document->nodes, (size_t)node), "mesh");

	return json_is_integer(mesh) && json_integer_value(mesh) >= 0
		       ? json_array_get(json_object_get(document->edit.root, "meshes"),
				 (size_t)json_integer_value(mesh))
		       : NULL;
}

static size_t count_targets(const struct jc_rerest_document *document, int node)
{
	return json_array_size(json_object_get(
		json_array_get(json_object_get(mesh_of(document, node), "primitives"), 0),
		"targets"));
}

/* The weights of a node in the file. */
static void read_weights(
	const struct jc_rerest_document *document, int node, size_t count, float *out_weights)
{
	const json_t *weights =
		json_object_get(json_array_get(document->nodes, (size_t)node), "weights");

	weights = weights ? weights : json_object_get(mesh_of(document, node), "weights");
	for (size_t i = 0; i < count; i++) {
		out_weights[i] = (float)json_number_value(json_array_get(weights, i));
	}
}

/* Adds the weight of a target of a node; the weights of VRM start at 0, whatever the file's are. */
static void bind(struct expression *expression, int node, json_int_t target, double weight)
{
	size_t targets = count_targets(expression->document, node);
	struct channel *channel = expression->items;

	if (target < 0 || (size_t)target >= targets || !isfinite(weight)) {
		return;
	}
	while (channel < expression->items + expression->count && channel->node != node) {
		channel++;
	}
	if (channel == expression->items + CHANNELS || targets > TARGETS) {
		expression->is_cut = true;
		return;
	}
	if (channel == expression->items + expression->count) {
		*channel = (struct channel){ node, targets, calloc(targets, sizeof(float)),
			calloc(targets, sizeof(bool)) };
		expression->count++;
		if (!channel->weights || !channel->is_bound) {
			expression->document->edit.error = JC_ERROR_MEMORY;
			return;
		}
		read_weights(expression->document, node, targets, channel->weights);
	}
	channel->weights[target] =
		(channel->is_bound[target] ? channel->weights[target] : 0.0f) + (float)weight;
	channel->is_bound[target] = true;
}

/* Adds a channel: from the state of the file to the full weights; a binary expression changes in
 * the middle. */
static void add_channel(struct expression *expression, const struct channel *channel)
{
	struct jc_gltf_edit *edit = &expression->document->edit;
	const float linear[] = { 0.0f, 1.0f }, binary[] = { 0.0f, 0.5f, 1.0f };
	size_t keys = expression->is_binary ? 3 : 2;
	float *values = calloc(keys * channel->targets + 1, sizeof(*values));
	int input, output;

	if (!values || edit->error) {
		free(values);
		edit->error = edit->error ? edit->error : JC_ERROR_MEMORY;
		return;
	}
	read_weights(expression->document, channel->node, channel->targets, values);
	for (size_t key = 1; key < keys; key++) {
		memcpy(values + key * channel->targets, channel->weights,
			channel->targets * sizeof(*values));
	}
	input = jc_gltf_edit_add(edit, (struct jc_gltf_floats){ "SCALAR", 1, keys,
					       expression->is_binary ? binary : linear, true });
	output = jc_gltf_edit_add(edit,
		(struct jc_gltf_floats){ "SCALAR", 1, keys * channel->targets, values, false });
	jc_gltf_edit_append(edit, expression->channels,
		json_pack("{s:I,s:{s:i,s:s}}", "sampler",
			(json_int_t)json_array_size(expression->samplers), "target", "node",
			channel->node, "path", "weights"));
	jc_gltf_edit_append(edit, expression->samplers,
		json_pack("{s:i,s:i,s:s}", "input", input, "output", output, "interpolation",
			expression->is_binary ? "STEP" : "LINEAR"));
	free(values);
}

/* Where a list has an expression of this name; at its end if it has none. */
static size_t find_entry(const json_t *list, const char *name)
{
	size_t i = 0;

	for (; i < json_array_size(list); i++) {
		const char *other =
			json_string_value(json_object_get(json_array_get(list, i), "expression"));

		if (other && strcmp(other, name) == 0) {
			break;
		}
	}
	return i;
}

/* Puts a value into an array, or at its end; steals it. */
static void put(struct jc_gltf_edit *edit, json_t *array, size_t index, json_t *value)
{
	if (index >= json_array_size(array)) {
		jc_gltf_edit_append(edit, array, value);
	} else if (json_array_set_new(array, index, value)) {
		edit->error = edit->error ? edit->error : JC_ERROR_MEMORY;
	}
}

/* Writes the animation and the entry of an expression in place of those that the file has under
 * its name. */
static void write_entry(
	struct expression *expression, const char *name, json_t *list, json_t *indices)
{
	struct jc_gltf_edit *edit = &expression->document->edit;
	json_t *animations = jc_gltf_edit_array(edit, "animations");
	size_t entry = find_entry(list, name);
	const json_t *old = json_object_get(json_array_get(list, entry), "animation");
	size_t animation = json_is_integer(old) && json_integer_value(old) >= 0
				   ? (size_t)json_integer_value(old)
				   : SIZE_MAX;

	animation =
		animation < json_array_size(animations) ? animation : json_array_size(animations);
	put(edit, list, entry,
		json_pack("{s:s,s:I,s:{s:{s:O}}}", "expression", name, "animation",
			(json_int_t)animation, "extensions", EXTENSION "_morphtarget", "channels",
			indices));
	put(edit, animations, animation,
		json_pack("{s:s,s:O,s:O}", "name", name, "channels", expression->channels,
			"samplers", expression->samplers));
}

/* Adds an expression to the list, and frees its channels. An expression without channels or name
 * is not added. */
static void add(struct expression *expression, const char *name, json_t *list)
{
	struct jc_gltf_edit *edit = &expression->document->edit;
	bool is_written = expression->count > 0 && *name;
	json_t *indices = json_array();

	expression->channels = json_array();
	expression->samplers = json_array();
	for (size_t i = 0; i < expression->count; i++) {
		if (is_written) {
			add_channel(expression, &expression->items[i]);
		}
		jc_gltf_edit_append(edit, indices, json_integer((json_int_t)i));
		free(expression->items[i].weights);
		free(expression->items[i].is_bound);
	}
	expression->losses->cut += expression->is_cut;
	if (is_written) {
		write_entry(expression, name, list, indices);
	}
	json_decref(indices);
	json_decref(expression->channels);
	json_decref(expression->samplers);
}

static bool has_other_binds(const json_t *expression)
{
	return json_array_size(json_object_get(expression, "materialColorBinds")) +
		       json_array_size(json_object_get(expression, "textureTransformBinds")) +
		       json_array_size(json_object_get(expression, "materialValues")) >
	       0;
}

/* VRM 1.0: binds refer to nodes. */
static void write_vrm1(
	struct jc_rerest_document *document, const json_t *vrm, json_t *list, struct losses *losses)
{
	json_t *kinds = json_object_get(vrm, "expressions");
	const char *kind, *name;
	json_t *group, *json;

	json_object_foreach(kinds, kind, group)
	{
		json_object_foreach(group, name, json)
		{
			const json_t *binds = json_object_get(json, "morphTargetBinds");
			struct expression expression = { .document = document,
				.losses = losses,
				.is_binary = json_is_true(json_object_get(json, "isBinary")) };

			losses->others += has_other_binds(json);
			for (size_t i = 0; i < json_array_size(binds); i++) {
				const json_t *item = json_array_get(binds, i);
				const json_t *node = json_object_get(item, "node");

				if (json_is_integer(node) && json_integer_value(node) >= 0 &&
					(size_t)json_integer_value(node) <
						json_array_size(document->nodes)) {
					bind(&expression, (int)json_integer_value(node),
						json_integer_value(json_object_get(item, "index")),
						json_number_value(json_object_get(item, "weight")));
				}
			}
			add(&expression, json_array_size(list) < EXPRESSIONS ? name : "", list);
		}
	}
}

/* The name that VRM 1.0 gives a preset of VRM 0.x; other groups keep their own. */
static const char *preset_name(const json_t *group)
{
	static const char *const presets[][2] = { { "joy", "happy" }, { "sorrow", "sad" },
		{ "fun", "relaxed" }, { "angry", "angry" }, { "neutral", "neutral" }, { "a", "aa" },
		{ "i", "ih" }, { "u", "ou" }, { "e", "ee" }, { "o", "oh" }, { "blink", "blink" },
		{ "blink_l", "blinkLeft" }, { "blink_r", "blinkRight" }, { "lookup", "lookUp" },
		{ "lookdown", "lookDown" }, { "lookleft", "lookLeft" },
		{ "lookright", "lookRight" } };
	const char *preset = json_string_value(json_object_get(group, "presetName"));
	const char *name = json_string_value(json_object_get(group, "name"));

	for (size_t i = 0; preset && i < sizeof(presets) / sizeof(*presets); i++) {
		if (strcmp(preset, presets[i][0]) == 0) {
			return presets[i][1];
		}
	}
	return name ? name : "";
}

/* The nodes that show a mesh, as indices plus one; 0 ends a list. */
struct shown {
	size_t mesh_count;
	size_t *first; /* by mesh; owned, as is next */
	size_t *next;  /* by node */
};

static int shown_init(struct shown *shown, const struct jc_rerest_document *document)
{
	size_t node_count = json_array_size(document->nodes);

	shown->mesh_count = json_array_size(json_object_get(document->edit.root, "meshes"));
	shown->first = calloc(shown->mesh_count + 1, sizeof(*shown->first));
	shown->next = calloc(node_count + 1, sizeof(*shown->next));
	if (!shown->first || !shown->next) {
		return JC_ERROR_MEMORY;
	}
	for (size_t n = node_count; n-- > 0;) {
		const json_t *mesh = json_object_get(json_array_get(document->nodes, n), "mesh");
		json_int_t index = json_is_integer(mesh) ? json_integer_value(mesh) : -1;

		if (index >= 0 && (size_t)index < shown->mesh_count) {
			shown->next[n] = shown->first[index];
			shown->first[index] = n + 1;
		}
	}
	return JC_OK;
}

static void shown_finish(struct shown *shown)
{
	free(shown->first);
	free(shown->next);
}

/* VRM 0.x: binds refer to meshes, weights are percentages. */
static void bind_mesh(struct expression *expression, const struct shown *shown, const json_t *item)
{
	const json_t *mesh = json_object_get(item, "mesh");
	json_int_t index = json_is_integer(mesh) ? json_integer_value(mesh) : -1;
	size_t node = index >= 0 && (size_t)index < shown->mesh_count ? shown->first[index] : 0;

	for (size_t i = 0; node && i <= CHANNELS; i++) {
		bind(expression, (int)node - 1, json_integer_value(json_object_get(item, "index")),
			json_number_value(json_object_get(item, "weight")) / 100.0);
		node = shown->next[node - 1];
	}
}

static void write_vrm0(
	struct jc_rerest_document *document, const json_t *vrm, json_t *list, struct losses *losses)
{
	const json_t *groups =
		json_object_get(json_object_get(vrm, "blendShapeMaster"), "blendShapeGroups");
	struct shown shown;

	if (shown_init(&shown, document)) {
		document->edit.error = JC_ERROR_MEMORY;
		shown_finish(&shown);
		return;
	}
	for (size_t g = 0; g < json_array_size(groups) && g < EXPRESSIONS; g++) {
		const json_t *group = json_array_get(groups, g);
		const json_t *binds = json_object_get(group, "binds");
		struct expression expression = { .document = document,
			.losses = losses,
			.is_binary = json_is_true(json_object_get(group, "isBinary")) };

		losses->others += has_other_binds(group);
		for (size_t i = 0; i < json_array_size(binds) && i < TARGETS; i++) {
			bind_mesh(&expression, &shown, json_array_get(binds, i));
		}
		add(&expression, preset_name(group), list);
	}
	shown_finish(&shown);
}

void jc_rerest_expressions(struct jc_rerest_document *document)
{
	struct jc_gltf_edit *edit = &document->edit;
	json_t *extensions = json_object_get(edit->root, "extensions");
	const json_t *vrm1 = json_object_get(extensions, "VRMC_vrm");
	const json_t *vrm0 = json_object_get(extensions, "VRM");
	struct losses losses = { .others = 0 };
	json_t *list;

	if (!vrm1 && !vrm0) {
		return;
	}
	list = json_deep_copy(
		json_object_get(json_object_get(extensions, EXTENSION), "expressions"));
	if (!json_is_array(list)) {
		json_decref(list);
		list = json_array();
	}
	(vrm1 ? write_vrm1 : write_vrm0)(document, vrm1 ? vrm1 : vrm0, list, &losses);
	if (json_array_size(list)) {
		jc_gltf_edit_set(
			edit, extensions, EXTENSION, json_pack("{s:O}", "expressions", list));
		jc_gltf_edit_use_extension(edit, EXTENSION);
		jc_gltf_edit_use_extension(edit, EXTENSION "_morphtarget");
	}
	json_decref(list);
	if (losses.others) {
		jc_lint_add(document->lint, JC_WARNING, "left-out",
			"colours and texture transforms of %zu expressions are not in " EXTENSION
			": they need KHR_animation_pointer",
			losses.others);
	}
	if (losses.cut) {
		jc_lint_add(document->lint, JC_WARNING, "left-out",
			"weights of %zu expressions are not in " EXTENSION
			": beyond %d meshes, or of a mesh with more than %d targets",
			losses.cut, CHANNELS, TARGETS);
	}
}
