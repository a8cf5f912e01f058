/* Reads X3D XML (ISO/IEC 19776-1): elements are nodes, attributes their fields; containerField
 * names the field of the parent. expat parses the XML; external entities are never loaded. */
#include "scene_private.h"

#include <expat.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/array.h"

/* Role of an open element for its children. */
enum element {
	ELEMENT_SKIP, /* nothing in it is read */
	ELEMENT_X3D,  /* the document */
	ELEMENT_HEAD,
	ELEMENT_SCENE, /* nodes belong to no field */
	ELEMENT_NODE,
	ELEMENT_VALUE, /* field, fieldValue: nodes belong to a named field */
	ELEMENT_PROTO, /* ProtoDeclare, ExternProtoDeclare */
	ELEMENT_INTERFACE,
	ELEMENT_BODY,
	ELEMENT_IS, /* its connections */
};

struct level {
	enum element element;
	/* For a node, its field in the parent; for a value, the field itself. */
	char field[JC_LIMIT_NAME_BYTES];
	bool has_body; /* of a PROTO */
};

struct reader {
	struct jc_scene_builder *builder;
	XML_Parser parser;
	struct level *levels;
	size_t level_count, level_capacity;
	size_t skipped; /* number of open elements inside a skipped one */
	int error;
};

static struct jc_span span(const char *text)
{
	return (struct jc_span){ text, strlen(text) };
}

static const char *attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2) {
		if (strcmp(attributes[0], name) == 0) {
			return attributes[1];
		}
	}
	return NULL;
}

static int read_attributes(struct reader *reader, const char **attributes)
{
	static const char *const reserved[] = { "DEF", "USE", "containerField", "class", "id",
		"style" };

	for (; *attributes; attributes += 2) {
		bool is_field = !strchr(attributes[0], ':');
		int error;

		for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
			is_field = is_field && strcmp(attributes[0], reserved[i]) != 0;
		}
		if (!is_field) {
			continue;
		}
		error = jc_x3d_read_value(
			reader->builder, span(attributes[0]), span(attributes[1]));
		if (error) {
			return error;
		}
	}
	return JC_OK;
}

static struct level *top(struct reader *reader)
{
	return &reader->levels[reader->level_count - 1];
}

static int push(struct reader *reader, enum element element, struct jc_span field)
{
	struct level level = { .element = element };

	if (reader->level_count > JC_LIMIT_DEPTH * 2) {
		return jc_scene_fail(
			reader->builder, JC_ERROR_LIMIT, "elements are nested too deeply");
	}
	if (field.length >= sizeof(level.field)) {
		return jc_scene_fail(reader->builder, JC_ERROR_LIMIT,
			"a name is longer than %u bytes", JC_LIMIT_NAME_BYTES - 1);
	}
	memcpy(level.field, field.start, field.length); /* levels may contain these elements */
	if (!jc_array_grow(&reader->levels, &reader->level_capacity, reader->level_count + 1,
		    SIZE_MAX, sizeof(level))) {
		return jc_scene_fail(reader->builder, JC_ERROR_MEMORY, "out of memory");
	}
	reader->levels[reader->level_count++] = level;
	return JC_OK;
}

/* Default containerField of a node type: the part of the standard's table that humanoids need;
 * other nodes are children. */
static const char *default_container(const char *type, const char *parent)
{
	if (strncmp(type, "Metadata", 8) == 0) {
		return strcmp(parent, "MetadataSet") == 0 ? "value" : "metadata";
	}
	if (strcmp(type, "HAnimMotion") == 0) {
		return "motions";
	}
	if (strcmp(type, "HAnimDisplacer") == 0) {
		return "displacers";
	}
	return "children";
}

static struct jc_span container(struct reader *reader, const char *type, const char **attributes)
{
	const char *given = attribute(attributes, "containerField");

	switch (top(reader)->element) {
	case ELEMENT_SCENE:
	case ELEMENT_BODY:
		return span("");
	case ELEMENT_VALUE:
		return span(top(reader)->field);
	default:
		return span(given && *given
				    ? given
				    : default_container(type, jc_scene_open_type(reader->builder)));
	}
}

/* Attributes of a node are its fields; those of an instance are not, which has
 * them as fieldValue: fields is NULL there. */
static int begin_node(
	struct reader *reader, const char *type, const char **attributes, const char **fields)
{
	const char *use = attribute(attributes, "USE");
	const char *def = attribute(attributes, "DEF");
	struct jc_span field = container(reader, type, attributes);
	int error;

	if (use && *use) {
		struct jc_scene_node *node;

		error = jc_scene_use(reader->builder, span(use), &node);
		if (!error) {
			error = jc_scene_add_node(reader->builder, field, node);
		}
		reader->skipped = 1;
		return error;
	}
	error = jc_scene_begin_node(reader->builder, span(type), span(def ? def : ""));
	if (!error && fields) {
		error = read_attributes(reader, fields);
	}
	return error ? error : push(reader, ELEMENT_NODE, field);
}

static int add_route(struct reader *reader, const char **attributes)
{
	static const char *const names[] = { "fromNode", "fromField", "toNode", "toField" };
	struct jc_span ends[4];

	reader->skipped = 1;
	for (int i = 0; i < 4; i++) {
		const char *value = attribute(attributes, names[i]);

		if (!value) {
			return jc_scene_fail(
				reader->builder, JC_ERROR_INVALID, "ROUTE without '%s'", names[i]);
		}
		ends[i] = span(value);
	}
	return jc_scene_add_route(reader->builder, ends[0], ends[1], ends[2], ends[3]);
}

static int set_unit(struct reader *reader, const char **attributes)
{
	const char *category = attribute(attributes, "category");
	const char *factor = attribute(attributes, "conversionFactor");
	double metres;

	reader->skipped = 1;
	if (!category || !factor || strcmp(category, "length") != 0) {
		return JC_OK;
	}
	if (jc_span_number(span(factor), &metres) == 0) {
		return jc_scene_fail(
			reader->builder, JC_ERROR_INVALID, "a conversion factor is not a number");
	}
	return jc_scene_set_unit(reader->builder, metres);
}

/* A declared field without a value gets the default of its type. */
static bool declares_field(const char **attributes)
{
	const char *access = attribute(attributes, "accessType");

	return access &&
	       (strcmp(access, "initializeOnly") == 0 || strcmp(access, "inputOutput") == 0);
}

/* field and fieldValue: a value as an attribute, or nodes as children. */
static int begin_value(struct reader *reader, const char **attributes)
{
	const char *name = attribute(attributes, "name");
	const char *value = attribute(attributes, "value");
	int error = JC_OK;

	if (!name || !*name) {
		return jc_scene_fail(reader->builder, JC_ERROR_INVALID, "a field without a name");
	}
	if (value) {
		error = jc_x3d_read_value(reader->builder, span(name), span(value));
	} else if (declares_field(attributes)) {
		error = jc_scene_begin_field(reader->builder, span(name));
		if (!error) {
			error = jc_scene_end_field(reader->builder);
		}
	}
	return error ? error : push(reader, ELEMENT_VALUE, span(name));
}

static int begin_proto(struct reader *reader, const char **attributes)
{
	const char *name = attribute(attributes, "name");
	int error;

	if (!name || !*name) {
		return jc_scene_fail(
			reader->builder, JC_ERROR_INVALID, "a prototype without a name");
	}
	error = jc_scene_begin_proto(reader->builder, span(name));
	return error ? error : push(reader, ELEMENT_PROTO, span(""));
}

static int begin_body(struct reader *reader)
{
	int error;

	if (top(reader)->has_body) {
		return jc_scene_fail(
			reader->builder, JC_ERROR_INVALID, "a prototype with two bodies");
	}
	top(reader)->has_body = true;
	error = jc_scene_begin_body(reader->builder);
	return error ? error : push(reader, ELEMENT_BODY, span(""));
}

static int begin_instance(struct reader *reader, const char **attributes)
{
	const char *name = attribute(attributes, "name");
	const char *use = attribute(attributes, "USE");

	if ((!name || !*name) && !use) {
		return jc_scene_fail(
			reader->builder, JC_ERROR_INVALID, "an instance without a name");
	}
	return begin_node(reader, name ? name : "", attributes, NULL);
}

static int begin_in_node(struct reader *reader, const char *type, const char **attributes)
{
	static const char *const silent[] = { "IMPORT", "EXPORT", "component", "meta" };

	for (size_t i = 0; i < sizeof(silent) / sizeof(*silent); i++) {
		if (strcmp(type, silent[i]) == 0) {
			reader->skipped = 1;
			return JC_OK;
		}
	}
	if (strcmp(type, "IS") == 0) {
		return push(reader, ELEMENT_IS, span(""));
	}
	if (strcmp(type, "ROUTE") == 0) {
		return add_route(reader, attributes);
	}
	if (strcmp(type, "ProtoDeclare") == 0 || strcmp(type, "ExternProtoDeclare") == 0) {
		return begin_proto(reader, attributes);
	}
	if (strcmp(type, "ProtoInstance") == 0) {
		return begin_instance(reader, attributes);
	}
	if (top(reader)->element == ELEMENT_NODE &&
		(strcmp(type, "field") == 0 || strcmp(type, "fieldValue") == 0)) {
		return begin_value(reader, attributes);
	}
	return begin_node(reader, type, attributes, attributes);
}

static int begin_in_proto(struct reader *reader, const char *type, const char **attributes)
{
	if (strcmp(type, "ProtoInterface") == 0 && !top(reader)->has_body) {
		return push(reader, ELEMENT_INTERFACE, span(""));
	}
	if (strcmp(type, "ProtoBody") == 0) {
		return begin_body(reader);
	}
	if (strcmp(type, "field") == 0 && !top(reader)->has_body) {
		return begin_value(reader, attributes);
	}
	reader->skipped = 1;
	return JC_OK;
}

static int begin_in_is(struct reader *reader, const char *type, const char **attributes)
{
	const char *name = attribute(attributes, "protoField");

	reader->skipped = 1;
	if (!name || strcmp(type, "connect") != 0) {
		return JC_OK;
	}
	return jc_scene_connect(reader->builder, span(name));
}

static int begin_element(struct reader *reader, const char *type, const char **attributes)
{
	if (reader->level_count == 0) {
		if (strcmp(type, "X3D") != 0) {
			return jc_scene_fail(
				reader->builder, JC_ERROR_SYNTAX, "the document is not X3D");
		}
		return push(reader, ELEMENT_X3D, span(""));
	}
	switch (top(reader)->element) {
	case ELEMENT_X3D:
		if (strcmp(type, "Scene") == 0) {
			return push(reader, ELEMENT_SCENE, span(""));
		}
		if (strcmp(type, "head") == 0) {
			return push(reader, ELEMENT_HEAD, span(""));
		}
		break;
	case ELEMENT_HEAD:
		if (strcmp(type, "unit") == 0) {
			return set_unit(reader, attributes);
		}
		break;
	case ELEMENT_PROTO:
		return begin_in_proto(reader, type, attributes);
	case ELEMENT_INTERFACE:
		if (strcmp(type, "field") == 0) {
			return begin_value(reader, attributes);
		}
		break;
	case ELEMENT_IS:
		return begin_in_is(reader, type, attributes);
	default:
		return begin_in_node(reader, type, attributes);
	}
	reader->skipped = 1;
	return JC_OK;
}

static void keep_line(struct reader *reader)
{
	XML_Size line = XML_GetCurrentLineNumber(reader->parser);

	reader->builder->line = line < UINT_MAX ? (unsigned)line : UINT_MAX;
}

static void stop_on(struct reader *reader, int error)
{
	if (error) {
		reader->error = error;
		XML_StopParser(reader->parser, XML_FALSE);
	}
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
	struct reader *reader = context;
	const char *prefix = strchr(name, ':');

	if (reader->error) {
		return;
	}
	if (reader->skipped > 0) {
		reader->skipped++;
		return;
	}
	keep_line(reader);
	stop_on(reader, begin_element(reader, prefix ? prefix + 1 : name, attributes));
}

static int end_element(struct reader *reader)
{
	struct level *ended = top(reader);
	struct jc_scene_node *node;
	int error = JC_OK;

	if (ended->element == ELEMENT_NODE) {
		error = jc_scene_end_node(reader->builder, &node);
		if (!error) {
			error = jc_scene_add_node(reader->builder, span(ended->field), node);
		}
	} else if (ended->element == ELEMENT_PROTO) {
		error = jc_scene_end_proto(reader->builder);
	}
	reader->level_count--;
	return error;
}

static void XMLCALL on_end(void *context, const char *name)
{
	struct reader *reader = context;

	(void)name;
	if (reader->error) {
		return;
	}
	if (reader->skipped > 0) {
		reader->skipped--;
		return;
	}
	keep_line(reader);
	stop_on(reader, end_element(reader));
}

int jc_x3d_read(struct jc_scene_builder *builder, const char *text, size_t length)
{
	struct reader reader = { .builder = builder, .parser = XML_ParserCreate(NULL) };

	if (!reader.parser) {
		return jc_scene_fail(builder, JC_ERROR_MEMORY, "out of memory");
	}
	XML_SetUserData(reader.parser, &reader);
	XML_SetElementHandler(reader.parser, on_start, on_end);
	if (XML_Parse(reader.parser, text, (int)length, XML_TRUE) != XML_STATUS_OK &&
		!reader.error) {
		enum XML_Error code = XML_GetErrorCode(reader.parser);

		keep_line(&reader);
		reader.error = jc_scene_fail(builder,
			code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN
				? JC_ERROR_TRUNCATED
				: JC_ERROR_SYNTAX,
			"XML: %s", XML_ErrorString(code));
	}
	XML_ParserFree(reader.parser);
	free(reader.levels);
	return reader.error;
}
