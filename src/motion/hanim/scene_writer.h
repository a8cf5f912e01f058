/* Nodes and fields in the spellings of one scene graph: braces (VRML97, X3D
 * Classic) or XML. Callers say everything once; what a spelling has no use for
 * is left out. */
#ifndef JC_MOTION_SCENE_WRITER_H
#define JC_MOTION_SCENE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "file_buffer.h"
#include "jointcast_private/scene.h"
#include "jointcast/types.h"

struct jc_scene_writer {
	struct jc_file_buffer output;
	enum jc_scene_syntax syntax;
	unsigned depth;     /* of open nodes */
	bool is_tag_open;   /* XML: attributes may follow */
	bool is_line_begun; /* braces: the name of a field stands there already */
};

/* What of a name can be a DEF in every spelling: letters, digits and underscores.
 * As much as fits; returns its length. */
size_t jc_scene_writer_identifier(const char *name, char *out, size_t capacity);

/* def may be NULL. A node in a field other than the one that X3D takes for its
 * type's own names it as `container`, else NULL. Fields come before nodes. */
void jc_scene_writer_begin(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container);
void jc_scene_writer_end(struct jc_scene_writer *writer, const char *type);
void jc_scene_writer_use(
	struct jc_scene_writer *writer, const char *type, const char *def, const char *container);

/* Around the nodes of a field of many, and before that of a field of one. */
void jc_scene_writer_list(struct jc_scene_writer *writer, const char *field);
void jc_scene_writer_list_end(struct jc_scene_writer *writer);
void jc_scene_writer_single(struct jc_scene_writer *writer, const char *field);

/* SFRotation, axis and angle; where the angle is too small to tell an axis, that in
 * inout_rotation stays. */
void jc_scene_writer_axis_angle(struct jc_quat q, float inout_rotation[4]);

/* One value of `count` numbers, which read back as the same floats. */
void jc_scene_writer_value(
	struct jc_scene_writer *writer, const char *field, const float *numbers, size_t count);

/* Many values of `width` numbers each: begin, each of them, end. */
void jc_scene_writer_values_begin(struct jc_scene_writer *writer, const char *field);
void jc_scene_writer_values_put(
	struct jc_scene_writer *writer, const float *numbers, size_t width, size_t index);
void jc_scene_writer_values_end(struct jc_scene_writer *writer);

/* SFTime, to the last bit. */
void jc_scene_writer_time(struct jc_scene_writer *writer, const char *field, double seconds);
void jc_scene_writer_boolean(struct jc_scene_writer *writer, const char *field, bool value);
void jc_scene_writer_string(struct jc_scene_writer *writer, const char *field, const char *text);
void jc_scene_writer_strings(
	struct jc_scene_writer *writer, const char *field, const char *const *texts, size_t count);

void jc_scene_writer_route(struct jc_scene_writer *writer, const char *from, const char *from_field,
	const char *to, const char *to_field);

#endif
