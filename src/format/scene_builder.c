/* The one place where a scene grows, so that every cap and every rule about
 * DEF, USE and PROTO stands once for three syntaxes. */
#include "scene_builder.h"

#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "scene_memory.h"

/* A node whose end has not been read. The top of a file, of a PROTO interface
 * and of a PROTO body are such nodes too, though no one sees them. */
struct jc_scene_open {
	struct jc_scene_node *node;
	size_t first_field, first_child; /* in the builder's stacks */
	unsigned height;                 /* of the highest node in it */
	bool keeps_arrays;
};

struct jc_scene_child {
	const char *field;
	struct jc_scene_node *node;
};

/* A name that a scope defines; names are unique pointers. */
struct definition {
	const char *name;
	struct jc_scene_node *node;
	const struct jc_scene_proto *proto;
};

/* A file or a PROTO body: it sees the prototypes of the scopes around it, but
 * not their nodes. */
struct jc_scene_scope {
	void *nodes, *protos;             /* trees of struct definition */
	struct jc_scene_proto *declaring; /* the prototype whose interface or body this is */
};

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

static int fail_memory(struct jc_scene_builder *builder)
{
	return jc_scene_fail(builder, JC_ERROR_MEMORY, "out of memory");
}

/* Room for one more item; what an array may hold is checked by who adds. */
static int reserve(
	struct jc_scene_builder *builder, void *items, size_t *capacity, size_t count, size_t size)
{
	size_t wanted = *capacity ? *capacity * 2 : 64;
	void **array = items;
	void *grown;

	if (count < *capacity) {
		return JC_OK;
	}
	grown = realloc(*array, wanted * size);
	if (!grown) {
		return fail_memory(builder);
	}
	*array = grown;
	*capacity = wanted;
	return JC_OK;
}

static void *take(struct jc_scene_builder *builder, size_t size)
{
	return jc_scene_memory_take(builder->scene->memory, size);
}

static int take_copy(struct jc_scene_builder *builder, const void *items, size_t count, size_t size,
	void *out_copy)
{
	void *copy = NULL;

	if (count > 0) {
		copy = take(builder, count * size);
		if (!copy) {
			return fail_memory(builder);
		}
		memcpy(copy, items, count * size);
	}
	*(void **)out_copy = copy;
	return JC_OK;
}

static int intern(struct jc_scene_builder *builder, struct jc_span text, const char **out_name)
{
	if (text.length >= JC_LIMIT_NAME_BYTES) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "a name is longer than %u bytes",
			JC_LIMIT_NAME_BYTES - 1);
	}
	*out_name = jc_scene_memory_name(
		builder->scene->memory, text.length ? text.start : "", text.length);
	return *out_name ? JC_OK : fail_memory(builder);
}

static int compare_definitions(const void *left, const void *right)
{
	const struct definition *a = left;
	const struct definition *b = right;

	return (a->name > b->name) - (a->name < b->name);
}

static struct definition *find_definition(void **tree, const char *name)
{
	struct definition wanted = { .name = name };
	struct definition **found = tfind(&wanted, tree, compare_definitions);

	return found ? *found : NULL;
}

/* The latest definition of a name is the one that counts. */
static int define(struct jc_scene_builder *builder, void **tree, struct definition definition)
{
	struct definition *known = find_definition(tree, definition.name);

	if (known) {
		*known = definition;
		return JC_OK;
	}
	known = take(builder, sizeof(*known));
	if (!known) {
		return fail_memory(builder);
	}
	*known = definition;
	return tsearch(known, tree, compare_definitions) ? JC_OK : fail_memory(builder);
}

static struct jc_scene_open *top(struct jc_scene_builder *builder)
{
	return &builder->open[builder->open_count - 1];
}

static struct jc_scene_scope *scope(struct jc_scene_builder *builder)
{
	return &builder->scopes[builder->scope_count - 1];
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
	if (reserve(builder, &builder->open, &builder->open_capacity, builder->open_count,
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

static int open_hidden_node(struct jc_scene_builder *builder, const char *type)
{
	struct jc_scene_node *node = take(builder, sizeof(*node));

	return node ? open_node(builder, node, type) : fail_memory(builder);
}

static int open_scope(struct jc_scene_builder *builder, struct jc_scene_proto *declaring)
{
	if (builder->scope_count > JC_LIMIT_SCENE_PROTO_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "prototypes are nested too deeply");
	}
	if (reserve(builder, &builder->scopes, &builder->scope_capacity, builder->scope_count,
		    sizeof(*builder->scopes))) {
		return JC_ERROR_MEMORY;
	}
	builder->scopes[builder->scope_count++] = (struct jc_scene_scope){ .declaring = declaring };
	return JC_OK;
}

static void keep(void *definition)
{
	(void)definition; /* in the scene's memory */
}

static void close_scope(struct jc_scene_builder *builder)
{
	struct jc_scene_scope *closed = &builder->scopes[--builder->scope_count];

	tdestroy(closed->nodes, keep);
	tdestroy(closed->protos, keep);
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
		return fail_memory(builder);
	}
	builder->scene->syntax = syntax;
	builder->scene->metres_per_unit = 1.0;
	builder->scene->memory = jc_scene_memory_create();
	error = builder->scene->memory ? JC_OK : fail_memory(builder);
	/* Never NULL, so that an empty stretch of them has an address. */
	if (!error) {
		error = reserve(builder, &builder->fields, &builder->field_capacity, 0,
			sizeof(*builder->fields));
	}
	if (!error) {
		error = reserve(builder, &builder->children, &builder->child_capacity, 0,
			sizeof(*builder->children));
	}
	if (!error) {
		error = open_scope(builder, NULL);
	}
	if (!error) {
		error = open_hidden_node(builder, "");
	}
	if (error) {
		jc_scene_builder_finish(builder);
	}
	return error;
}

void jc_scene_builder_finish(struct jc_scene_builder *builder)
{
	while (builder->scope_count > 0) {
		close_scope(builder);
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

static const struct jc_scene_proto *find_proto(struct jc_scene_builder *builder, const char *type)
{
	for (size_t i = builder->scope_count; i-- > 0;) {
		struct definition *found = find_definition(&builder->scopes[i].protos, type);

		if (found) {
			return found->proto;
		}
	}
	return NULL;
}

static bool is_being_declared(const struct jc_scene_builder *builder, const char *type)
{
	for (size_t i = 0; i < builder->scope_count; i++) {
		const struct jc_scene_proto *proto = builder->scopes[i].declaring;

		if (proto && proto->name == type) {
			return true;
		}
	}
	return false;
}

/* A walk that enters bodies and defaults goes as deep as they do. */
static int count_prototype(struct jc_scene_builder *builder, const struct jc_scene_proto *proto)
{
	struct jc_scene_open *instance = top(builder);

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
	int error = intern(builder, type, &name);

	if (error) {
		return error;
	}
	if (builder->scene->node_count >= JC_LIMIT_SCENE_NODES) {
		return jc_scene_fail(
			builder, JC_ERROR_LIMIT, "more than %u nodes", JC_LIMIT_SCENE_NODES);
	}
	node = take(builder, sizeof(*node));
	if (!node) {
		return fail_memory(builder);
	}
	node->proto = find_proto(builder, name);
	if (!node->proto && is_being_declared(builder, name)) {
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
	error = intern(builder, def, &node->def);
	return error ? error
		     : define(builder, &scope(builder)->nodes,
			       (struct definition){ .name = node->def, .node = node });
}

/* The pending field of that name of the open node. */
static int find_field(
	struct jc_scene_builder *builder, const char *name, struct jc_scene_field **out_field)
{
	size_t first = top(builder)->first_field;

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
	if (reserve(builder, &builder->fields, &builder->field_capacity, builder->field_count,
		    sizeof(*builder->fields))) {
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
	struct jc_scene_child *children = builder->children + top(builder)->first_child;
	size_t count = builder->child_count - top(builder)->first_child;
	struct jc_scene_field *field = NULL;
	int error;

	for (size_t i = 0; i < count; i++) {
		if (!field || field->name != children[i].field) {
			error = find_field(builder, children[i].field, &field);
			if (error) {
				return error;
			}
		}
		field->node_count++;
	}
	for (size_t i = 0; i < count; i++) {
		struct jc_scene_node **nodes;

		if (field->name != children[i].field) {
			error = find_field(builder, children[i].field, &field);
			if (error) {
				return error;
			}
		}
		if (field->kind != JC_SCENE_NODES) {
			nodes = take(builder, field->node_count * sizeof(struct jc_scene_node *));
			if (!nodes) {
				return fail_memory(builder);
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

/* Closes the top node: its fields leave the stacks for the scene. */
static int close_node(struct jc_scene_builder *builder, struct jc_scene_node **out_node)
{
	int error = gather_children(builder);
	struct jc_scene_open *closed = top(builder);
	struct jc_scene_node *node = closed->node;

	if (error) {
		return error;
	}
	node->field_count = builder->field_count - closed->first_field;
	error = take_copy(builder, builder->fields + closed->first_field, node->field_count,
		sizeof(*builder->fields), &node->fields);
	if (error) {
		return error;
	}
	builder->field_count = closed->first_field;
	builder->child_count = closed->first_child;
	node->height = closed->height + 1;
	builder->open_count--;
	*out_node = node;
	return JC_OK;
}

int jc_scene_end_node(struct jc_scene_builder *builder, struct jc_scene_node **out_node)
{
	return close_node(builder, out_node);
}

const char *jc_scene_open_type(const struct jc_scene_builder *builder)
{
	return builder->open[builder->open_count - 1].node->type;
}

int jc_scene_use(
	struct jc_scene_builder *builder, struct jc_span def, struct jc_scene_node **out_node)
{
	struct definition *found;
	const char *name;
	int error = intern(builder, def, &name);

	if (error) {
		return error;
	}
	found = find_definition(&scope(builder)->nodes, name);
	if (!found) {
		return jc_scene_fail(builder, JC_ERROR_INVALID,
			"USE of '%s', which is not defined before", name);
	}
	if (found->node->height == 0) {
		return jc_scene_fail(builder, JC_ERROR_INVALID, "node '%s' contains itself", name);
	}
	*out_node = found->node;
	return JC_OK;
}

int jc_scene_add_node(
	struct jc_scene_builder *builder, struct jc_span field, struct jc_scene_node *node)
{
	struct jc_scene_open *parent = top(builder);
	const char *name;
	int error = intern(builder, field, &name);

	if (error) {
		return error;
	}
	/* USE can stack finished nodes higher than any nesting of the text. */
	if (builder->open_count + node->height > JC_LIMIT_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "nodes are nested too deeply");
	}
	if (builder->child_count >= JC_LIMIT_SCENE_NODES * 4u) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "too many nodes in one place");
	}
	if (reserve(builder, &builder->children, &builder->child_capacity, builder->child_count,
		    sizeof(*builder->children))) {
		return JC_ERROR_MEMORY;
	}
	builder->children[builder->child_count++] = (struct jc_scene_child){ name, node };
	if (node->height > parent->height) {
		parent->height = node->height;
	}
	return JC_OK;
}

int jc_scene_begin_field(struct jc_scene_builder *builder, struct jc_span name)
{
	int error = intern(builder, name, &builder->field.name);

	if (error) {
		return error;
	}
	builder->field = (struct jc_scene_field){ .name = builder->field.name };
	builder->booleans = false;
	builder->number_count = 0;
	builder->string_count = 0;
	/* PROTO wrappers of interpolators have these too. */
	builder->keeps_arrays = top(builder)->keeps_arrays ||
				strcmp(builder->field.name, "key") == 0 ||
				strcmp(builder->field.name, "keyValue") == 0;
	return JC_OK;
}

static int add_number(struct jc_scene_builder *builder, double value)
{
	if (reserve(builder, &builder->numbers, &builder->number_capacity, builder->number_count,
		    sizeof(*builder->numbers))) {
		return JC_ERROR_MEMORY;
	}
	builder->numbers[builder->number_count++] = value;
	return JC_OK;
}

int jc_scene_push_number(struct jc_scene_builder *builder, double value)
{
	if (!isfinite(value)) {
		return jc_scene_fail(builder, JC_ERROR_INVALID,
			"a number of field '%s' is not finite", builder->field.name);
	}
	if (builder->field.omitted > 0) {
		builder->field.omitted++;
		return JC_OK;
	}
	if (!builder->keeps_arrays && builder->number_count >= JC_LIMIT_SCENE_PLAIN_VALUES) {
		builder->field.omitted = builder->number_count + 1;
		builder->number_count = 0;
		return JC_OK;
	}
	if (builder->numbers_kept + builder->number_count >= JC_LIMIT_SCENE_NUMBERS) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT,
			"more than %u numbers of motions and humanoids", JC_LIMIT_SCENE_NUMBERS);
	}
	return add_number(builder, value);
}

int jc_scene_push_boolean(struct jc_scene_builder *builder, bool value)
{
	builder->booleans = true;
	return jc_scene_push_number(builder, value ? 1.0 : 0.0);
}

int jc_scene_push_string(struct jc_scene_builder *builder, struct jc_span text, bool escaped)
{
	size_t length = 0;
	char *copy;

	if (text.length > JC_LIMIT_SCENE_STRING_BYTES ||
		builder->string_count >= JC_LIMIT_SCENE_STRINGS) {
		builder->field.omitted++;
		return JC_OK;
	}
	if (reserve(builder, &builder->strings, &builder->string_capacity, builder->string_count,
		    sizeof(*builder->strings))) {
		return JC_ERROR_MEMORY;
	}
	copy = take(builder, text.length + 1);
	if (!copy) {
		return fail_memory(builder);
	}
	for (size_t i = 0; i < text.length; i++) {
		if (escaped && text.start[i] == '\\' && i + 1 < text.length) {
			i++;
		}
		copy[length++] = text.start[i];
	}
	builder->strings[builder->string_count++] = copy;
	return JC_OK;
}

int jc_scene_end_field(struct jc_scene_builder *builder)
{
	struct jc_scene_field field = builder->field;
	struct jc_scene_field *place;
	int error;

	field.number_count = builder->number_count;
	field.string_count = builder->string_count;
	error = take_copy(
		builder, builder->numbers, field.number_count, sizeof(double), &field.numbers);
	if (!error) {
		error = take_copy(builder, builder->strings, field.string_count,
			sizeof(const char *), &field.strings);
	}
	if (!error) {
		error = find_field(builder, field.name, &place);
	}
	if (error) {
		return error;
	}
	if (field.number_count > 0) {
		field.kind = builder->booleans ? JC_SCENE_BOOLEANS : JC_SCENE_NUMBERS;
	} else if (field.string_count > 0) {
		field.kind = JC_SCENE_STRINGS;
	}
	builder->numbers_kept += field.number_count;
	*place = field;
	return JC_OK;
}

int jc_scene_begin_proto(struct jc_scene_builder *builder, struct jc_span name)
{
	struct jc_scene_proto *proto = take(builder, sizeof(*proto));
	int error;

	if (!proto) {
		return fail_memory(builder);
	}
	error = intern(builder, name, &proto->name);
	if (!error) {
		error = open_scope(builder, proto);
	}
	return error ? error : open_hidden_node(builder, proto->name);
}

static int close_interface(struct jc_scene_builder *builder)
{
	struct jc_scene_node *interface;
	int error = close_node(builder, &interface);

	if (!error) {
		scope(builder)->declaring->interface = interface;
	}
	return error;
}

int jc_scene_begin_body(struct jc_scene_builder *builder)
{
	int error = close_interface(builder);

	return error ? error : open_hidden_node(builder, "");
}

int jc_scene_end_proto(struct jc_scene_builder *builder)
{
	struct jc_scene_proto *proto = scope(builder)->declaring;
	struct jc_scene_node *body;
	int error;

	if (!proto->interface) {
		error = close_interface(builder);
	} else {
		error = close_node(builder, &body);
		if (!error && body->field_count > 0) {
			proto->body = body->fields[0].nodes[0];
		}
	}
	if (error) {
		return error;
	}
	close_scope(builder);
	return define(builder, &scope(builder)->protos,
		(struct definition){ .name = proto->name, .proto = proto });
}

static int find_route_end(
	struct jc_scene_builder *builder, struct jc_span def, const struct jc_scene_node **out_node)
{
	struct definition *found;
	const char *name;
	int error = intern(builder, def, &name);

	if (error) {
		return error;
	}
	found = find_definition(&scope(builder)->nodes, name);
	*out_node = found ? found->node : NULL;
	if (!found) {
		jc_lint_add(builder->lint, JC_WARNING, "scene-route",
			"line %u: ROUTE names '%s', which is not defined before: left out",
			builder->line, name);
	}
	return JC_OK;
}

int jc_scene_add_route(struct jc_scene_builder *builder, struct jc_span from,
	struct jc_span from_field, struct jc_span to, struct jc_span to_field)
{
	struct jc_scene_route route;
	int error = find_route_end(builder, from, &route.from);

	if (!error) {
		error = find_route_end(builder, to, &route.to);
	}
	if (!error) {
		error = intern(builder, from_field, &route.from_field);
	}
	if (!error) {
		error = intern(builder, to_field, &route.to_field);
	}
	if (error || !route.from || !route.to) {
		return error;
	}
	if (builder->route_count >= JC_LIMIT_SCENE_ROUTES) {
		return jc_scene_fail(
			builder, JC_ERROR_LIMIT, "more than %u routes", JC_LIMIT_SCENE_ROUTES);
	}
	if (reserve(builder, &builder->routes, &builder->route_capacity, builder->route_count,
		    sizeof(*builder->routes))) {
		return JC_ERROR_MEMORY;
	}
	builder->routes[builder->route_count++] = route;
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
	int error = close_node(builder, &file);

	if (!error) {
		error = take_copy(builder, builder->routes, builder->route_count,
			sizeof(*builder->routes), &scene->routes);
	}
	if (error) {
		return error;
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
