/* Writes nodes and fields of a scene graph with braces (VRML97, X3D Classic) or as XML.
 * Callers give all information once; a syntax leaves out what it does not need. */
#ifndef JC_MOTION_SCENE_WRITER_H
#define JC_MOTION_SCENE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "file_buffer.h"
#include "jointcast/types.h"

struct jc_scene_writer {
	struct jc_file_buffer output;
	enum jc_scene_syntax syntax;
	unsigned depth;     /* of open nodes */
	bool is_tag_open;   /* XML: attributes may follow */
	bool is_line_begun; /* braces: the current line already has the name of a field */
};

/* Makes a valid DEF of a name: letters, digits and underscores, truncated to capacity.
 * Returns its length. */
size_t jc_scene_writer_identifier(const char *name, char *out, size_t capacity);

/* def may be NULL. container: the field that holds the node if it is not the default for
 * its type in X3D, else NULL. Write fields before child nodes. */
void jc_scene_writer_begin(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container);
void jc_scene_writer_end(struct jc_scene_writer *writer, const char *type);
void jc_scene_writer_use(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container);

/* Call _list and _list_end around the nodes of a field with many nodes, _single before
 * the node of a field with one. */
void jc_scene_writer_list(struct jc_scene_writer *writer, const char *field);
void jc_scene_writer_list_end(struct jc_scene_writer *writer);
void jc_scene_writer_single(struct jc_scene_writer *writer, const char *field);

/* Converts to SFRotation, axis and angle. If the angle is too small to define an axis,
 * the axis in inout_rotation stays. */
void jc_scene_writer_axis_angle(struct jc_quat q, float inout_rotation[4]);

/* Writes one value of `count` numbers; they read back as the same floats. */
void jc_scene_writer_value(
	struct jc_scene_writer *writer, const char *field, const float *numbers, size_t count);

/* Writes many values of `width` numbers each: begin, put each value, end. */
void jc_scene_writer_values_begin(struct jc_scene_writer *writer, const char *field);
void jc_scene_writer_values_put(
	struct jc_scene_writer *writer, const float *numbers, size_t width, size_t index);
void jc_scene_writer_values_end(struct jc_scene_writer *writer);

/* Writes an SFTime with full precision. */
void jc_scene_writer_time(struct jc_scene_writer *writer, const char *field, double seconds);
void jc_scene_writer_boolean(struct jc_scene_writer *writer, const char *field, bool value);
void jc_scene_writer_string(struct jc_scene_writer *writer, const char *field, const char *text);
void jc_scene_writer_strings(
	struct jc_scene_writer *writer, const char *field, const char *const *texts, size_t count);

void jc_scene_writer_route(struct jc_scene_writer *writer, const char *from, const char *from_field,
	const char *to, const char *to_field);

#endif
