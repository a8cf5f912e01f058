/* Recursive descent parser of VRML97 (ISO/IEC 14772-1, annex A) and X3D Classic (ISO/IEC 19776-2).
 * It has no table of node types: the type of a value follows from its syntax, so that scenes with
 * unknown nodes can be read. */
#include "scene_private.h"
#include "vrml_lexer.h"

struct parser {
	struct jc_scene_builder *builder;
	struct jc_vrml_lexer lexer;
	struct jc_vrml_token token; /* the current token */
};

/* An internal status: the requested item is not here. */
#define NO_STATEMENT 1

static const struct jc_span no_name = { "", 0 };

static int parse_node_value(struct parser *parser, struct jc_span field);
static int parse_declaration(struct parser *parser);

static void advance(struct parser *parser)
{
	jc_vrml_next(&parser->lexer, &parser->token);
	parser->builder->line = parser->token.line;
}

static void advance_to_name(struct parser *parser)
{
	jc_vrml_next_name(&parser->lexer, &parser->token);
	parser->builder->line = parser->token.line;
}

static bool is(const struct parser *parser, const char *name)
{
	return jc_vrml_is(&parser->token, name);
}

static int fail_expected(struct parser *parser, const char *what)
{
	const struct jc_vrml_token *token = &parser->token;

	if (token->kind == JC_VRML_BROKEN) {
		return jc_scene_fail(parser->builder, JC_ERROR_SYNTAX, "%.*s",
			(int)token->text.length, token->text.start);
	}
	if (token->kind == JC_VRML_END) {
		return jc_scene_fail(
			parser->builder, JC_ERROR_TRUNCATED, "ends where %s is expected", what);
	}
	return jc_scene_fail(parser->builder, JC_ERROR_SYNTAX, "%s is expected instead of '%.*s'",
		what, token->text.length < 40 ? (int)token->text.length : 40, token->text.start);
}

static int expect(struct parser *parser, enum jc_vrml_kind kind, const char *what)
{
	if (parser->token.kind != kind) {
		return fail_expected(parser, what);
	}
	advance(parser);
	return JC_OK;
}

/* Reads the name behind the current token and leaves that name current. */
static int parse_name(struct parser *parser, struct jc_span *out_name)
{
	advance_to_name(parser);
	if (parser->token.kind != JC_VRML_NAME) {
		return fail_expected(parser, "a name");
	}
	*out_name = parser->token.text;
	return JC_OK;
}

/* ROUTE from.field TO to.field */
static int parse_route(struct parser *parser)
{
	struct jc_span names[4];
	int error;

	for (int i = 0; i < 4; i++) {
		error = parse_name(parser, &names[i]);
		if (error) {
			return error;
		}
		if (i == 1) {
			advance(parser);
			if (!is(parser, "TO")) {
				return fail_expected(parser, "TO");
			}
		} else if (i != 3) {
			advance(parser);
			if (parser->token.kind != JC_VRML_DOT) {
				return fail_expected(parser, "'.'");
			}
		}
	}
	error = jc_scene_add_route(parser->builder, names[0], names[1], names[2], names[3]);
	advance(parser);
	return error;
}

static bool is_boolean(const struct parser *parser)
{
	return is(parser, "TRUE") || is(parser, "FALSE") || is(parser, "true") ||
	       is(parser, "false");
}

static bool is_value(const struct parser *parser)
{
	return parser->token.kind == JC_VRML_NUMBER || parser->token.kind == JC_VRML_STRING ||
	       is_boolean(parser);
}

/* Reads values of one kind, with or without brackets. */
static int parse_plain_values(struct parser *parser, struct jc_span field)
{
	enum jc_vrml_kind kind = parser->token.kind;
	int error = jc_scene_begin_field(parser->builder, field);

	while (!error && is_value(parser) && parser->token.kind == kind) {
		if (kind == JC_VRML_NUMBER) {
			error = jc_scene_push_number(parser->builder, parser->token.number);
		} else if (kind == JC_VRML_STRING) {
			error = jc_scene_push_string(parser->builder, parser->token.text, true);
		} else {
			error = jc_scene_push_boolean(
				parser->builder, (parser->token.text.start[0] | 0x20) == 't');
		}
		advance(parser);
	}
	return error ? error : jc_scene_end_field(parser->builder);
}

static int set_empty(struct parser *parser, struct jc_span field)
{
	int error = jc_scene_begin_field(parser->builder, field);

	return error ? error : jc_scene_end_field(parser->builder);
}

static int parse_list(struct parser *parser, struct jc_span field)
{
	int error = JC_OK;

	advance(parser);
	if (parser->token.kind == JC_VRML_CLOSE_BRACKET) {
		error = set_empty(parser, field);
	} else if (is_value(parser)) {
		error = parse_plain_values(parser, field);
	} else {
		while (!error && parser->token.kind == JC_VRML_NAME && !is_value(parser)) {
			error = parse_declaration(parser);
			if (error == NO_STATEMENT) {
				error = parse_node_value(parser, field);
			}
		}
	}
	return error ? error : expect(parser, JC_VRML_CLOSE_BRACKET, "']' or a value");
}

static int parse_value(struct parser *parser, struct jc_span field)
{
	if (parser->token.kind == JC_VRML_OPEN_BRACKET) {
		return parse_list(parser, field);
	}
	if (is_value(parser)) {
		return parse_plain_values(parser, field);
	}
	if (is(parser, "IS")) {
		struct jc_span name;
		int error = parse_name(parser, &name);

		if (!error) {
			error = jc_scene_connect(parser->builder, name);
		}
		advance(parser);
		return error;
	}
	if (parser->token.kind == JC_VRML_NAME) {
		return parse_node_value(parser, field);
	}
	return fail_expected(parser, "a value");
}

/* Whether the current word declares a field, in VRML97 or X3D; *out_has_value is false for events.
 */
static bool is_access(const struct parser *parser, bool *out_has_value)
{
	static const char *const events[] = { "eventIn", "eventOut", "inputOnly", "outputOnly" };
	static const char *const fields[] = { "field", "exposedField", "initializeOnly",
		"inputOutput" };

	for (size_t i = 0; i < 4; i++) {
		if (is(parser, events[i]) || is(parser, fields[i])) {
			*out_has_value = is(parser, fields[i]);
			return true;
		}
	}
	return false;
}

/* access Type name [value | IS name] */
static int parse_interface(struct parser *parser, bool has_value)
{
	struct jc_span type, name;
	int error = parse_name(parser, &type);

	if (!error) {
		error = parse_name(parser, &name);
	}
	if (error) {
		return error;
	}
	advance(parser);
	if (has_value || is(parser, "IS")) {
		return parse_value(parser, name);
	}
	return JC_OK;
}

static int parse_body(struct parser *parser)
{
	while (parser->token.kind == JC_VRML_NAME) {
		struct jc_span name = parser->token.text;
		bool has_value;
		int error;

		if (is_access(parser, &has_value)) {
			error = parse_interface(parser, has_value);
		} else {
			error = parse_declaration(parser);
			if (error == NO_STATEMENT) {
				advance(parser);
				error = parse_value(parser, name);
			}
		}
		if (error) {
			return error;
		}
	}
	return expect(parser, JC_VRML_CLOSE_BRACE, "'}' or a field");
}

/* Type { ... }, the current token being Type. */
static int parse_node(struct parser *parser, struct jc_span field, struct jc_span def)
{
	struct jc_span type = parser->token.text;
	struct jc_scene_node *node;
	int error;

	if (parser->token.kind != JC_VRML_NAME) {
		return fail_expected(parser, "a node");
	}
	error = jc_scene_begin_node(parser->builder, type, def);
	if (error) {
		return error;
	}
	advance(parser);
	error = expect(parser, JC_VRML_OPEN_BRACE, "'{'");
	if (!error) {
		error = parse_body(parser);
	}
	if (!error) {
		error = jc_scene_end_node(parser->builder, &node);
	}
	return error ? error : jc_scene_add_node(parser->builder, field, node);
}

/* A node, DEF, USE or NULL */
static int parse_node_value(struct parser *parser, struct jc_span field)
{
	struct jc_span def = no_name;
	struct jc_scene_node *node;
	int error;

	if (is(parser, "NULL")) {
		advance(parser);
		return field.length ? set_empty(parser, field) : JC_OK;
	}
	if (is(parser, "USE")) {
		error = parse_name(parser, &def);
		if (!error) {
			error = jc_scene_use(parser->builder, def, &node);
		}
		advance(parser);
		return error ? error : jc_scene_add_node(parser->builder, field, node);
	}
	if (is(parser, "DEF")) {
		error = parse_name(parser, &def);
		if (error) {
			return error;
		}
		advance(parser);
	}
	return parse_node(parser, field, def);
}

static int parse_statements(struct parser *parser, enum jc_vrml_kind end)
{
	int error = JC_OK;

	while (!error && parser->token.kind == JC_VRML_NAME) {
		error = parse_declaration(parser);
		if (error == NO_STATEMENT) {
			error = parse_node_value(parser, no_name);
		}
	}
	if (!error && parser->token.kind != end) {
		error = fail_expected(parser, "a node");
	}
	return error;
}

/* PROTO Name [ interface ] { body } or EXTERNPROTO Name [ interface ] urls */
static int parse_proto(struct parser *parser)
{
	bool is_extern = is(parser, "EXTERNPROTO");
	struct jc_span name;
	bool has_value;
	int error = parse_name(parser, &name);

	if (!error) {
		error = jc_scene_begin_proto(parser->builder, name);
	}
	if (error) {
		return error;
	}
	advance(parser);
	error = expect(parser, JC_VRML_OPEN_BRACKET, "'['");
	while (!error && is_access(parser, &has_value)) {
		error = parse_interface(parser, has_value && !is_extern);
	}
	if (!error) {
		error = expect(parser, JC_VRML_CLOSE_BRACKET, "']' or a field");
	}
	if (error) {
		return error;
	}
	if (is_extern) {
		/* The addresses are not a value of an instance. */
		bool list = parser->token.kind == JC_VRML_OPEN_BRACKET;

		if (list) {
			advance(parser);
		}
		while (parser->token.kind == JC_VRML_STRING) {
			advance(parser);
		}
		error = list ? expect(parser, JC_VRML_CLOSE_BRACKET, "']' or an address") : JC_OK;
	} else {
		error = expect(parser, JC_VRML_OPEN_BRACE, "'{'");
		if (!error) {
			error = jc_scene_begin_body(parser->builder);
		}
		if (!error) {
			error = parse_statements(parser, JC_VRML_CLOSE_BRACE);
		}
		advance(parser);
	}
	return error ? error : jc_scene_end_proto(parser->builder);
}

/* Skips names, dots, strings and numbers of a statement without effect on the scene. */
static int skip_words(struct parser *parser, int count)
{
	for (int i = 0; i < count; i++) {
		advance(parser);
		if (parser->token.kind == JC_VRML_END || parser->token.kind == JC_VRML_BROKEN) {
			return fail_expected(parser, "the rest of a statement");
		}
	}
	advance(parser);
	return JC_OK;
}

/* UNIT category name factor */
static int parse_unit(struct parser *parser)
{
	struct jc_span category, name;
	int error = parse_name(parser, &category);

	if (!error) {
		error = parse_name(parser, &name);
	}
	if (error) {
		return error;
	}
	advance(parser);
	if (parser->token.kind != JC_VRML_NUMBER) {
		return fail_expected(parser, "a conversion factor");
	}
	if (jc_span_is(category, "length")) {
		error = jc_scene_set_unit(parser->builder, parser->token.number);
	}
	advance(parser);
	return error;
}

/* EXPORT name [AS name], IMPORT inline.name [AS name] */
static int skip_transfer(struct parser *parser)
{
	int error = skip_words(parser, is(parser, "IMPORT") ? 3 : 1);

	return !error && is(parser, "AS") ? skip_words(parser, 1) : error;
}

/* Everything that may stand where a node or field may and is neither;
 * NO_STATEMENT when the current word begins none. */
static int parse_declaration(struct parser *parser)
{
	if (is(parser, "ROUTE")) {
		return parse_route(parser);
	}
	if (is(parser, "PROTO") || is(parser, "EXTERNPROTO")) {
		return parse_proto(parser);
	}
	return NO_STATEMENT;
}

/* The statements of X3D Classic that come before the nodes, and the two that
 * may stand between them; NO_STATEMENT when
 * the current word begins none. */
static int parse_x3d_statement(struct parser *parser)
{
	if (is(parser, "UNIT")) {
		return parse_unit(parser);
	}
	if (is(parser, "META")) {
		return skip_words(parser, 2);
	}
	if (is(parser, "IMPORT") || is(parser, "EXPORT")) {
		return skip_transfer(parser);
	}
	if (is(parser, "PROFILE")) {
		return skip_words(parser, 1);
	}
	if (is(parser, "COMPONENT")) {
		int error = skip_words(parser, 1);

		/* The level may stand apart: COMPONENT HAnim : 1 */
		while (!error && (parser->token.kind == JC_VRML_NUMBER ||
					 (parser->token.kind == JC_VRML_NAME &&
						 parser->token.text.start[0] == ':'))) {
			advance(parser);
		}
		return error;
	}
	return NO_STATEMENT;
}

int jc_vrml_read(struct jc_scene_builder *builder, const char *text, size_t length)
{
	struct parser parser = { .builder = builder };
	int error = JC_OK;

	jc_vrml_lexer_init(&parser.lexer, text, length);
	advance(&parser);
	while (!error && parser.token.kind == JC_VRML_NAME) {
		error = parse_x3d_statement(&parser);
		if (error == NO_STATEMENT) {
			error = parse_declaration(&parser);
		}
		if (error == NO_STATEMENT) {
			error = parse_node_value(&parser, no_name);
		}
	}
	if (!error && parser.token.kind != JC_VRML_END) {
		error = fail_expected(&parser, "a node");
	}
	return error;
}
