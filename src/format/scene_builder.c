/* Builds scenes for all three syntaxes; all limits and rules about nodes are checked here. */
#include "scene_builder.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"
#include "scene_memory.h"
#include "scene_parts.h"

int jc_scene_fail(struct jc_scene_builder *builder, int error, const char *format, ...)
{
	char where[32];
	char what[sizeof(builder->diagnostic->what)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	snprintf(where, sizeof(where), "line %u", builder->line);
	return jc_diagnose(builder->diagnostic, error, where, "%s", what);
}

int jc_scene_out_of_memory(struct jc_scene_builder *builder)
{
	return jc_scene_fail(builder, JC_ERROR_MEMORY, "out of memory");
}

int jc_scene_reserve(
	struct jc_scene_builder *builder, void *array, size_t *capacity, size_t count, size_t size)
{
	return jc_array_grow(array, capacity, count + 1, SIZE_MAX, size)
		       ? JC_OK
		       : jc_scene_out_of_memory(builder);
}

void *jc_scene_take(struct jc_scene_builder *builder, size_t size)
{
	void *bytes = jc_scene_memory_take(builder->scene->memory, size);

	if (!bytes) {
		jc_scene_out_of_memory(builder);
	}
	return bytes;
}

void *jc_scene_copy(struct jc_scene_builder *builder, const void *items, size_t count, size_t size)
{
	void *copy = jc_scene_take(builder, count * size);

	if (copy && count > 0) {
		memcpy(copy, items, count * size);
	}
	return copy;
}

int jc_scene_intern(struct jc_scene_builder *builder, struct jc_span text, const char **out_name)
{
	if (text.length >= JC_LIMIT_NAME_BYTES) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "a name is longer than %u bytes",
			JC_LIMIT_NAME_BYTES - 1);
	}
	*out_name = jc_scene_memory_name(
		builder->scene->memory, text.length ? text.start : "", text.length);
	return *out_name ? JC_OK : jc_scene_out_of_memory(builder);
}

struct jc_scene_open *jc_scene_top(struct jc_scene_builder *builder)
{
	return &builder->open[builder->open_count - 1];
}

/* Interpolators, their users and H-Anim nodes (1.0 and 1.1 call them plainly)
 * are what this house reads; other long arrays are geometry. */
static bool keeps_arrays(const char *type)
{
	static const char *const types[] = { "Joint", "Segment", "Humanoid", "Site" };
	const char *interpolator = strstr(type, "Interpolator");

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(type, types[i]) == 0) {
			return true;
		}
	}
	return strncmp(type, "HAnim", 5) == 0 || (interpolator && interpolator[12] == '\0');
}

static int open_node(struct jc_scene_builder *builder, struct jc_scene_node *node, const char *type)
{
	if (builder->open_count >= JC_LIMIT_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "nodes are nested too deeply");
	}
	if (jc_scene_reserve(builder, &builder->open, &builder->open_capacity, builder->open_count,
		    sizeof(*builder->open))) {
		return JC_ERROR_MEMORY;
	}
	node->type = type;
	node->def = "";
	node->line = builder->line;
	builder->open[builder->open_count++] = (struct jc_scene_open){
		.node = node,
		.first_field = builder->field_count,
		.first_child = builder->child_count,
		.keeps_arrays = keeps_arrays(type),
	};
	return JC_OK;
}

int jc_scene_open_hidden(struct jc_scene_builder *builder, const char *type)
{
	struct jc_scene_node *node = jc_scene_take(builder, sizeof(*node));

	return node ? open_node(builder, node, type) : JC_ERROR_MEMORY;
}

int jc_scene_builder_init(struct jc_scene_builder *builder, enum jc_scene_syntax syntax,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	int error;

	*builder = (struct jc_scene_builder){
		.line = 1,
		.lint = lint,
		.diagnostic = diagnostic,
		.scene = calloc(1, sizeof(*builder->scene)),
	};
	if (!builder->scene) {
		return jc_scene_out_of_memory(builder);
	}
	builder->scene->syntax = syntax;
	builder->scene->metres_per_unit = 1.0;
	builder->scene->memory = jc_scene_memory_create();
	error = builder->scene->memory ? JC_OK : jc_scene_out_of_memory(builder);
	if (!error) {
		error = jc_scene_open_scope(builder, NULL);
	}
	if (!error) {
		error = jc_scene_open_hidden(builder, "");
	}
	if (error) {
		jc_scene_builder_finish(builder);
	}
	return error;
}

void jc_scene_builder_finish(struct jc_scene_builder *builder)
{
	while (builder->scope_count > 0) {
		jc_scene_close_scope(builder);
	}
	free(builder->open);
	free(builder->fields);
	free(builder->children);
	free(builder->scopes);
	free(builder->numbers);
	free(builder->strings);
	free(builder->routes);
	jc_scene_destroy(builder->scene);
	*builder = (struct jc_scene_builder){ 0 };
}

/* Recursion also enters bodies and defaults, so their depth counts. */
static int count_prototype(struct jc_scene_builder *builder, const struct jc_scene_proto *proto)
{
	struct jc_scene_open *instance = jc_scene_top(builder);

	if (!proto) {
		return JC_OK;
	}
	instance->height = proto->interface->height;
	if (proto->body && proto->body->height > instance->height) {
		instance->height = proto->body->height;
	}
	if (builder->open_count + instance->height > JC_LIMIT_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "nodes are nested too deeply");
	}
	return JC_OK;
}

int jc_scene_begin_node(struct jc_scene_builder *builder, struct jc_span type, struct jc_span def)
{
	struct jc_scene_node *node;
	const char *name;
	int error = jc_scene_intern(builder, type, &name);

	if (error) {
		return error;
	}
	if (builder->scene->node_count >= JC_LIMIT_SCENE_NODES) {
		return jc_scene_fail(
			builder, JC_ERROR_LIMIT, "more than %u nodes", JC_LIMIT_SCENE_NODES);
	}
	node = jc_scene_take(builder, sizeof(*node));
	if (!node) {
		return JC_ERROR_MEMORY;
	}
	node->proto = jc_scene_find_proto(builder, name);
	if (!node->proto && jc_scene_is_declaring(builder, name)) {
		return jc_scene_fail(
			builder, JC_ERROR_INVALID, "prototype '%s' contains itself", name);
	}
	error = open_node(builder, node, name);
	if (error) {
		return error;
	}
	node->index = builder->scene->node_count++;
	error = count_prototype(builder, node->proto);
	if (error) {
		return error;
	}
	if (def.length == 0) {
		return JC_OK;
	}
	error = jc_scene_intern(builder, def, &node->def);
	return error ? error : jc_scene_define_node(builder, node);
}

/* The pending field of that name of the open node. */
int jc_scene_place_field(
	struct jc_scene_builder *builder, const char *name, struct jc_scene_field **out_field)
{
	size_t first = jc_scene_top(builder)->first_field;

	for (size_t i = first; i < builder->field_count; i++) {
		if (builder->fields[i].name == name) {
			*out_field = &builder->fields[i];
			return JC_OK;
		}
	}
	if (builder->field_count - first >= JC_LIMIT_SCENE_FIELDS) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "a node has more than %u fields",
			JC_LIMIT_SCENE_FIELDS);
	}
	if (jc_scene_reserve(builder, &builder->fields, &builder->field_capacity,
		    builder->field_count, sizeof(*builder->fields))) {
		return JC_ERROR_MEMORY;
	}
	*out_field = &builder->fields[builder->field_count++];
	**out_field = (struct jc_scene_field){ .name = name };
	return JC_OK;
}

/* Sorts the children of the top node into its fields, in two passes: count,
 * then fill. */
static int gather_children(struct jc_scene_builder *builder)
{
	size_t first = jc_scene_top(builder)->first_child;
	size_t count = builder->child_count - first;
	struct jc_scene_child *children;
	struct jc_scene_field *field = NULL;
	int error;

	if (count == 0) {
		return JC_OK;
	}
	children = builder->children + first;
	for (size_t i = 0; i < count; i++) {
		if (!field || field->name != children[i].field) {
			error = jc_scene_place_field(builder, children[i].field, &field);
			if (error) {
				return error;
			}
		}
		field->node_count++;
	}
	for (size_t i = 0; i < count; i++) {
		struct jc_scene_node **nodes;

		if (field->name != children[i].field) {
			error = jc_scene_place_field(builder, children[i].field, &field);
			if (error) {
				return error;
			}
		}
		if (field->kind != JC_SCENE_NODES) {
			nodes = jc_scene_take(
				builder, field->node_count * sizeof(struct jc_scene_node *));
			if (!nodes) {
				return JC_ERROR_MEMORY;
			}
			*field = (struct jc_scene_field){
				.name = field->name, .kind = JC_SCENE_NODES, .nodes = nodes
			};
		}
		nodes = (struct jc_scene_node **)field->nodes;
		nodes[field->node_count++] = children[i].node;
	}
	return JC_OK;
}

/* Closes the top node and moves its fields from the stacks to the scene. */
int jc_scene_end_node(struct jc_scene_builder *builder, struct jc_scene_node **out_node)
{
	int error = gather_children(builder);
	struct jc_scene_open *closed = jc_scene_top(builder);
	struct jc_scene_node *node = closed->node;

	if (error) {
		return error;
	}
	node->field_count = builder->field_count - closed->first_field;
	if (node->field_count > 0) {
		node->fields = jc_scene_copy(builder, builder->fields + closed->first_field,
			node->field_count, sizeof(*builder->fields));
		if (!node->fields) {
			return JC_ERROR_MEMORY;
		}
	}
	builder->field_count = closed->first_field;
	builder->child_count = closed->first_child;
	node->height = closed->height + 1;
	builder->open_count--;
	*out_node = node;
	return JC_OK;
}

const char *jc_scene_open_type(const struct jc_scene_builder *builder)
{
	return builder->open[builder->open_count - 1].node->type;
}

int jc_scene_add_node(
	struct jc_scene_builder *builder, struct jc_span field, struct jc_scene_node *node)
{
	struct jc_scene_open *parent = jc_scene_top(builder);
	const char *name;
	int error = jc_scene_intern(builder, field, &name);

	if (error) {
		return error;
	}
	/* USE can nest finished nodes deeper than the text. */
	if (builder->open_count + node->height > JC_LIMIT_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "nodes are nested too deeply");
	}
	if (builder->child_count >= JC_LIMIT_SCENE_NODES * 4u) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "too many nodes in one place");
	}
	if (jc_scene_reserve(builder, &builder->children, &builder->child_capacity,
		    builder->child_count, sizeof(*builder->children))) {
		return JC_ERROR_MEMORY;
	}
	builder->children[builder->child_count++] = (struct jc_scene_child){ name, node };
	if (node->height > parent->height) {
		parent->height = node->height;
	}
	return JC_OK;
}

int jc_scene_set_unit(struct jc_scene_builder *builder, double metres)
{
	if (!(metres > 0.0) || !isfinite(metres)) {
		return jc_scene_fail(builder, JC_ERROR_INVALID, "a unit of length is not positive");
	}
	builder->scene->metres_per_unit = metres;
	return JC_OK;
}

int jc_scene_builder_take(struct jc_scene_builder *builder, struct jc_scene **out_scene)
{
	struct jc_scene *scene = builder->scene;
	struct jc_scene_node *file;
	int error = jc_scene_end_node(builder, &file);

	if (error) {
		return error;
	}
	scene->routes = jc_scene_copy(
		builder, builder->routes, builder->route_count, sizeof(*builder->routes));
	if (!scene->routes) {
		return JC_ERROR_MEMORY;
	}
	scene->route_count = builder->route_count;
	if (file->field_count > 0) {
		scene->root_count = file->fields[0].node_count;
		scene->roots = file->fields[0].nodes;
	}
	builder->scene = NULL;
	*out_scene = scene;
	return JC_OK;
}
