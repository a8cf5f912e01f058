/* Resolves names: DEF, prototypes and routes. */
#include "scene_parts.h"

#include <search.h>

#include "jointcast/limits.h"

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
	known = jc_scene_take(builder, sizeof(*known));
	if (!known) {
		return JC_ERROR_MEMORY;
	}
	*known = definition;
	return tsearch(known, tree, compare_definitions) ? JC_OK : jc_scene_out_of_memory(builder);
}

static struct jc_scene_scope *innermost(struct jc_scene_builder *builder)
{
	return &builder->scopes[builder->scope_count - 1];
}

int jc_scene_define_node(struct jc_scene_builder *builder, struct jc_scene_node *node)
{
	return define(builder, &innermost(builder)->nodes,
		(struct definition){ .name = node->def, .node = node });
}

int jc_scene_open_scope(struct jc_scene_builder *builder, struct jc_scene_proto *declaring)
{
	if (builder->scope_count > JC_LIMIT_SCENE_PROTO_DEPTH) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT, "prototypes are nested too deeply");
	}
	if (jc_scene_reserve(builder, &builder->scopes, &builder->scope_capacity,
		    builder->scope_count, sizeof(*builder->scopes))) {
		return JC_ERROR_MEMORY;
	}
	builder->scopes[builder->scope_count++] = (struct jc_scene_scope){ .declaring = declaring };
	return JC_OK;
}

static void keep(void *definition)
{
	(void)definition; /* in the scene's memory */
}

void jc_scene_close_scope(struct jc_scene_builder *builder)
{
	struct jc_scene_scope *closed = &builder->scopes[--builder->scope_count];

	tdestroy(closed->nodes, keep);
	tdestroy(closed->protos, keep);
}

const struct jc_scene_proto *jc_scene_find_proto(struct jc_scene_builder *builder, const char *type)
{
	for (size_t i = builder->scope_count; i-- > 0;) {
		struct definition *found = find_definition(&builder->scopes[i].protos, type);

		if (found) {
			return found->proto;
		}
	}
	return NULL;
}

bool jc_scene_is_declaring(const struct jc_scene_builder *builder, const char *type)
{
	for (size_t i = 0; i < builder->scope_count; i++) {
		const struct jc_scene_proto *proto = builder->scopes[i].declaring;

		if (proto && proto->name == type) {
			return true;
		}
	}
	return false;
}

int jc_scene_use(
	struct jc_scene_builder *builder, struct jc_span def, struct jc_scene_node **out_node)
{
	struct definition *found;
	const char *name;
	int error = jc_scene_intern(builder, def, &name);

	if (error) {
		return error;
	}
	found = find_definition(&innermost(builder)->nodes, name);
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

int jc_scene_begin_proto(struct jc_scene_builder *builder, struct jc_span name)
{
	struct jc_scene_proto *proto = jc_scene_take(builder, sizeof(*proto));
	int error;

	if (!proto) {
		return JC_ERROR_MEMORY;
	}
	error = jc_scene_intern(builder, name, &proto->name);
	if (!error) {
		error = jc_scene_open_scope(builder, proto);
	}
	return error ? error : jc_scene_open_hidden(builder, proto->name);
}

static int close_interface(struct jc_scene_builder *builder)
{
	struct jc_scene_node *interface;
	int error = jc_scene_end_node(builder, &interface);

	if (!error) {
		innermost(builder)->declaring->interface = interface;
	}
	return error;
}

int jc_scene_begin_body(struct jc_scene_builder *builder)
{
	int error = close_interface(builder);

	return error ? error : jc_scene_open_hidden(builder, "");
}

int jc_scene_end_proto(struct jc_scene_builder *builder)
{
	struct jc_scene_proto *proto = innermost(builder)->declaring;
	struct jc_scene_node *body;
	int error;

	if (!proto->interface) {
		error = close_interface(builder);
	} else {
		error = jc_scene_end_node(builder, &body);
		if (!error && body->field_count > 0) {
			proto->body = body->fields[0].nodes[0];
		}
	}
	if (error) {
		return error;
	}
	jc_scene_close_scope(builder);
	return define(builder, &innermost(builder)->protos,
		(struct definition){ .name = proto->name, .proto = proto });
}

int jc_scene_connect(struct jc_scene_builder *builder, struct jc_span name)
{
	struct jc_scene_proto *proto = innermost(builder)->declaring;
	const char *known;
	int error = jc_scene_intern(builder, name, &known);

	if (!error && proto && proto->interface && jc_scene_field(proto->interface, known)) {
		proto->is_connected = true;
	}
	return error;
}

static int find_route_end(
	struct jc_scene_builder *builder, struct jc_span def, const struct jc_scene_node **out_node)
{
	struct definition *found;
	const char *name;
	int error = jc_scene_intern(builder, def, &name);

	if (error) {
		return error;
	}
	found = find_definition(&innermost(builder)->nodes, name);
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
		error = jc_scene_intern(builder, from_field, &route.from_field);
	}
	if (!error) {
		error = jc_scene_intern(builder, to_field, &route.to_field);
	}
	if (error || !route.from || !route.to) {
		return error;
	}
	if (builder->route_count >= JC_LIMIT_SCENE_ROUTES) {
		return jc_scene_fail(
			builder, JC_ERROR_LIMIT, "more than %u routes", JC_LIMIT_SCENE_ROUTES);
	}
	if (jc_scene_reserve(builder, &builder->routes, &builder->route_capacity,
		    builder->route_count, sizeof(*builder->routes))) {
		return JC_ERROR_MEMORY;
	}
	builder->routes[builder->route_count++] = route;
	return JC_OK;
}
