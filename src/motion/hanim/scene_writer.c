/* Writes scene graphs. In XML a start tag stays open until the first child node, because
 * fields are attributes. */
#include "scene_writer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_LINE 8 /* values */

static bool is_xml(const struct jc_scene_writer *writer)
{
	return writer->syntax == JC_SCENE_X3D_XML;
}

static void put(struct jc_scene_writer *writer, const char *text)
{
	jc_file_buffer_put(&writer->output, text, strlen(text));
}

static void put_margin(struct jc_scene_writer *writer)
{
	for (unsigned i = 0; i < writer->depth; i++) {
		put(writer, " ");
	}
}

size_t jc_scene_writer_identifier(const char *name, char *out, size_t capacity)
{
	size_t length = 0;

	for (; name[length] && length + 1 < capacity; length++) {
		bool is_plain = (unsigned char)name[length] < 0x80 && isalnum(name[length]);

		out[length] = is_plain ? name[length] : '_';
	}
	out[length] = '\0';
	return length;
}

/* Begins the line of the next node. */
static void start_node(struct jc_scene_writer *writer)
{
	if (writer->is_tag_open) {
		put(writer, ">\n");
		writer->is_tag_open = false;
	}
	if (!writer->is_line_begun) {
		put_margin(writer);
	}
	writer->is_line_begun = false;
}

static void put_container(struct jc_scene_writer *writer, const char *container)
{
	if (container) {
		jc_file_buffer_text(&writer->output, " containerField='%s'", container);
	}
}

void jc_scene_writer_begin(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container)
{
	start_node(writer);
	if (is_xml(writer)) {
		jc_file_buffer_text(&writer->output, "<%s", type);
		if (def) {
			jc_file_buffer_text(&writer->output, " DEF='%s'", def);
		}
		put_container(writer, container);
		writer->is_tag_open = true;
	} else {
		if (def) {
			jc_file_buffer_text(&writer->output, "DEF %s ", def);
		}
		jc_file_buffer_text(&writer->output, "%s {\n", type);
	}
	writer->depth++;
}

void jc_scene_writer_end(struct jc_scene_writer *writer, const char *type)
{
	writer->depth--;
	if (writer->is_tag_open) {
		put(writer, "/>\n");
		writer->is_tag_open = false;
		return;
	}
	put_margin(writer);
	if (is_xml(writer)) {
		jc_file_buffer_text(&writer->output, "</%s>\n", type);
	} else {
		put(writer, "}\n");
	}
}

void jc_scene_writer_use(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container)
{
	start_node(writer);
	if (is_xml(writer)) {
		jc_file_buffer_text(&writer->output, "<%s USE='%s'", type, def);
		put_container(writer, container);
		put(writer, "/>\n");
	} else {
		jc_file_buffer_text(&writer->output, "USE %s\n", def);
	}
}

void jc_scene_writer_list(struct jc_scene_writer *writer, const char *field)
{
	if (!is_xml(writer)) {
		put_margin(writer);
		jc_file_buffer_text(&writer->output, "%s [\n", field);
	}
}

void jc_scene_writer_list_end(struct jc_scene_writer *writer)
{
	if (!is_xml(writer)) {
		put_margin(writer);
		put(writer, "]\n");
	}
}

void jc_scene_writer_single(struct jc_scene_writer *writer, const char *field)
{
	if (!is_xml(writer)) {
		put_margin(writer);
		jc_file_buffer_text(&writer->output, "%s ", field);
		writer->is_line_begun = true;
	}
}

static void begin_field(struct jc_scene_writer *writer, const char *field)
{
	if (is_xml(writer)) {
		jc_file_buffer_text(&writer->output, " %s='", field);
	} else {
		put_margin(writer);
		jc_file_buffer_text(&writer->output, "%s ", field);
	}
}

static void end_field(struct jc_scene_writer *writer)
{
	put(writer, is_xml(writer) ? "'" : "\n");
}

/* Writes six digits if they are exact, else nine, which distinguish all floats. */
static void put_number(struct jc_scene_writer *writer, float number)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6g", (double)number);
	jc_file_buffer_number(
		&writer->output, (double)number, strtof(text, NULL) == number ? 6 : 9);
}

static void put_numbers(struct jc_scene_writer *writer, const float *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0) {
			put(writer, " ");
		}
		put_number(writer, numbers[i]);
	}
}

void jc_scene_writer_axis_angle(struct jc_quat q, float inout_rotation[4])
{
	const double least = 1e-12;
	double x = (double)q.x, y = (double)q.y, z = (double)q.z;
	double sine = sqrt(x * x + y * y + z * z);

	if (sine > least) {
		inout_rotation[0] = (float)(x / sine);
		inout_rotation[1] = (float)(y / sine);
		inout_rotation[2] = (float)(z / sine);
	}
	inout_rotation[3] = sine > least ? (float)(2.0 * atan2(sine, (double)q.w)) : 0.0f;
}

void jc_scene_writer_value(
	struct jc_scene_writer *writer, const char *field, const float *numbers, size_t count)
{
	begin_field(writer, field);
	put_numbers(writer, numbers, count);
	end_field(writer);
}

void jc_scene_writer_values_begin(struct jc_scene_writer *writer, const char *field)
{
	begin_field(writer, field);
	put(writer, is_xml(writer) ? "" : "[ ");
}

void jc_scene_writer_values_put(
	struct jc_scene_writer *writer, const float *numbers, size_t width, size_t index)
{
	if (index > 0) {
		put(writer, index % PER_LINE ? ", " : ",\n");
	}
	put_numbers(writer, numbers, width);
}

void jc_scene_writer_values_end(struct jc_scene_writer *writer)
{
	put(writer, is_xml(writer) ? "" : " ]");
	end_field(writer);
}

void jc_scene_writer_time(struct jc_scene_writer *writer, const char *field, double seconds)
{
	begin_field(writer, field);
	jc_file_buffer_number(&writer->output, seconds, 17);
	end_field(writer);
}

void jc_scene_writer_boolean(struct jc_scene_writer *writer, const char *field, bool value)
{
	begin_field(writer, field);
	put(writer, is_xml(writer) ? (value ? "true" : "false") : (value ? "TRUE" : "FALSE"));
	end_field(writer);
}

/* Writes a blank for characters that neither syntax allows. */
static void put_escaped(struct jc_scene_writer *writer, const char *text, bool is_quoted)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f) {
			put(writer, " ");
		} else if (is_quoted && (c == '"' || c == '\\')) {
			jc_file_buffer_put(&writer->output, "\\", 1);
			jc_file_buffer_put(&writer->output, text, 1);
		} else if (is_xml(writer) && (c == '&' || c == '<' || c == '\'')) {
			put(writer, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&apos;");
		} else {
			jc_file_buffer_put(&writer->output, text, 1);
		}
	}
}

static void put_quoted(struct jc_scene_writer *writer, const char *text)
{
	put(writer, "\"");
	put_escaped(writer, text, true);
	put(writer, "\"");
}

void jc_scene_writer_string(struct jc_scene_writer *writer, const char *field, const char *text)
{
	begin_field(writer, field);
	if (is_xml(writer)) {
		put_escaped(writer, text, false);
	} else {
		put_quoted(writer, text);
	}
	end_field(writer);
}

void jc_scene_writer_strings(
	struct jc_scene_writer *writer, const char *field, const char *const *texts, size_t count)
{
	jc_scene_writer_values_begin(writer, field);
	for (size_t i = 0; i < count; i++) {
		put(writer, i > 0 ? " " : "");
		put_quoted(writer, texts[i]);
	}
	jc_scene_writer_values_end(writer);
}

void jc_scene_writer_route(struct jc_scene_writer *writer, const char *from, const char *from_field,
	const char *to, const char *to_field)
{
	start_node(writer);
	jc_file_buffer_text(&writer->output,
		is_xml(writer) ? "<ROUTE fromNode='%s' fromField='%s' toNode='%s' toField='%s'/>\n"
			       : "ROUTE %s.%s TO %s.%s\n",
		from, from_field, to, to_field);
}
