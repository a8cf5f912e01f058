/* Detects the syntax of a scene file and looks up field values. */
#include "jointcast_private/scene.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "scene_memory.h"
#include "scene_private.h"

static bool begins(const char *text, size_t length, const char *start)
{
	size_t wanted = strlen(start);

	return length >= wanted && memcmp(text, start, wanted) == 0;
}

static bool is_gzip(const char *text, size_t length)
{
	return begins(text, length, "\x1f\x8b");
}

static size_t mark_length(const char *text, size_t length)
{
	return begins(text, length, "\xef\xbb\xbf") ? 3 : 0;
}

/* A UTF-16 document can only be XML. */
static bool is_xml(const char *text, size_t length)
{
	size_t at = mark_length(text, length);

	while (at < length && strchr(" \t\r\n", text[at]) && text[at]) {
		at++;
	}
	return begins(text, length, "\xff\xfe") || begins(text, length, "\xfe\xff") ||
	       (at < length && text[at] == '<');
}

bool jc_scene_is(const void *bytes, size_t length)
{
	const char *text = bytes;
	size_t mark = mark_length(text, length);

	return is_gzip(text, length) || is_xml(text, length) ||
	       begins(text + mark, length - mark, "#VRML") ||
	       begins(text + mark, length - mark, "#X3D");
}

static int find_syntax(const char *text, size_t length, enum jc_scene_syntax *out_syntax,
	struct jc_diagnostic *diagnostic)
{
	if (begins(text, length, "#VRML V1.0")) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, "line 1",
			"is VRML 1.0, which has no humanoids");
	}
	if (begins(text, length, "#VRML")) {
		*out_syntax = JC_SCENE_VRML97;
	} else if (begins(text, length, "#X3D")) {
		*out_syntax = JC_SCENE_X3D_CLASSIC;
	} else if (is_xml(text, length)) {
		*out_syntax = JC_SCENE_X3D_XML;
	} else {
		return jc_diagnose(
			diagnostic, JC_ERROR_SYNTAX, "line 1", "is neither VRML nor X3D");
	}
	return JC_OK;
}

static int read_text(const char *text, size_t length, struct jc_scene **out_scene,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t mark = mark_length(text, length);
	struct jc_scene_builder builder;
	enum jc_scene_syntax syntax = JC_SCENE_X3D_XML;
	int error;

	text += mark;
	length -= mark;
	error = find_syntax(text, length, &syntax, diagnostic);
	if (!error) {
		error = jc_scene_builder_init(&builder, syntax, lint, diagnostic);
	}
	if (error) {
		return error;
	}
	error = syntax == JC_SCENE_X3D_XML ? jc_x3d_read(&builder, text, length)
					   : jc_vrml_read(&builder, text, length);
	if (!error) {
		error = jc_scene_builder_take(&builder, out_scene);
	}
	jc_scene_builder_finish(&builder);
	return error;
}

int jc_scene_read(const void *bytes, size_t length, struct jc_scene **out_scene,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	void *inflated;
	int error;

	if (length == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, NULL, "is empty");
	}
	if (length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "is larger than %u MiB",
			JC_LIMIT_FILE_BYTES >> 20);
	}
	if (!is_gzip(bytes, length)) {
		return read_text(bytes, length, out_scene, lint, diagnostic);
	}
	error = jc_gzip_inflate(bytes, length, &inflated, &length, diagnostic);
	if (!error) {
		error = read_text(inflated, length, out_scene, lint, diagnostic);
		free(inflated);
	}
	return error;
}

void jc_scene_destroy(struct jc_scene *scene)
{
	if (scene) {
		jc_scene_memory_destroy(scene->memory);
		free(scene);
	}
}

static const struct jc_scene_field *own_field(const struct jc_scene_node *node, const char *name)
{
	for (size_t i = 0; i < node->field_count; i++) {
		if (strcmp(node->fields[i].name, name) == 0) {
			return &node->fields[i];
		}
	}
	return NULL;
}

const struct jc_scene_field *jc_scene_field(const struct jc_scene_node *node, const char *name)
{
	const struct jc_scene_field *field = own_field(node, name);

	return field || !node->proto ? field : own_field(node->proto->interface, name);
}

const char *jc_scene_string(
	const struct jc_scene_node *node, const char *name, const char *fallback)
{
	const struct jc_scene_field *field = jc_scene_field(node, name);

	return field && field->string_count > 0 ? field->strings[0] : fallback;
}

bool jc_scene_numbers(
	const struct jc_scene_node *node, const char *name, size_t count, double *out_numbers)
{
	const struct jc_scene_field *field = jc_scene_field(node, name);

	if (!field || field->number_count < count) {
		return false;
	}
	memcpy(out_numbers, field->numbers, count * sizeof(*out_numbers));
	return true;
}

size_t jc_scene_nodes(
	const struct jc_scene_node *node, const char *name, struct jc_scene_node *const **out_nodes)
{
	const struct jc_scene_field *field = jc_scene_field(node, name);

	*out_nodes = field ? field->nodes : NULL;
	return field ? field->node_count : 0;
}
