/* Interface between the readers of the three syntaxes and the scene under construction: open nodes,
 * DEF and USE, PROTO scopes, routes and limits. A function that fails fills the diagnostic with
 * the line in `line`. */
#ifndef JC_FORMAT_SCENE_BUILDER_H
#define JC_FORMAT_SCENE_BUILDER_H

#include <stdbool.h>

#include "jointcast_private/scene.h"
#include "scanner.h"

struct jc_scene_builder {
	unsigned line;
	struct jc_scene *scene;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;

	/* Stacks: what belongs to nodes that are still open. */
	struct jc_scene_open *open;
	size_t open_count, open_capacity;
	struct jc_scene_field *fields;
	size_t field_count, field_capacity;
	struct jc_scene_child *children;
	size_t child_count, child_capacity;
	struct jc_scene_scope *scopes;
	size_t scope_count, scope_capacity;

	/* The values of the field being read. */
	struct jc_scene_field field;
	bool booleans;
	double *numbers;
	size_t number_count, number_capacity;
	const char **strings;
	size_t string_count, string_capacity;
	bool keeps_arrays; /* they are worth keeping at any length */

	struct jc_scene_route *routes;
	size_t route_count, route_capacity;
	size_t number_total;
};

int jc_scene_builder_init(struct jc_scene_builder *builder, enum jc_scene_syntax syntax,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_scene_builder_finish(struct jc_scene_builder *builder);

/* Hands the scene over to the caller. */
int jc_scene_builder_take(struct jc_scene_builder *builder, struct jc_scene **out_scene);

/* An error at the current line. */
int jc_scene_fail(struct jc_scene_builder *builder, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Opens a node; def may be empty. Following additions belong to it. */
int jc_scene_begin_node(struct jc_scene_builder *builder, struct jc_span type, struct jc_span def);
int jc_scene_end_node(struct jc_scene_builder *builder, struct jc_scene_node **out_node);

/* The type of the open node, "" at the top. */
const char *jc_scene_open_type(const struct jc_scene_builder *builder);

/* A node defined earlier. */
int jc_scene_use(
	struct jc_scene_builder *builder, struct jc_span def, struct jc_scene_node **out_node);

/* Appends to a node-valued field of the open node; an empty field name at the
 * top of a file or PROTO body. */
int jc_scene_add_node(
	struct jc_scene_builder *builder, struct jc_span field, struct jc_scene_node *node);

/* A field with values. A field given twice holds what came last. */
int jc_scene_begin_field(struct jc_scene_builder *builder, struct jc_span name);
int jc_scene_push_number(struct jc_scene_builder *builder, double value);
int jc_scene_push_boolean(struct jc_scene_builder *builder, bool value);
/* escaped: a backslash stands for the character behind it. */
int jc_scene_push_string(struct jc_scene_builder *builder, struct jc_span text, bool escaped);
int jc_scene_end_field(struct jc_scene_builder *builder);

/* A declaration: between begin and body, fields are the interface. An
 * EXTERNPROTO has no body. */
int jc_scene_begin_proto(struct jc_scene_builder *builder, struct jc_span name);
int jc_scene_begin_body(struct jc_scene_builder *builder);
int jc_scene_end_proto(struct jc_scene_builder *builder);

/* A field in a body IS that of the interface. */
int jc_scene_connect(struct jc_scene_builder *builder, struct jc_span name);

int jc_scene_add_route(struct jc_scene_builder *builder, struct jc_span from,
	struct jc_span from_field, struct jc_span to, struct jc_span to_field);

/* Metres in one unit of length. */
int jc_scene_set_unit(struct jc_scene_builder *builder, double metres);

#endif
