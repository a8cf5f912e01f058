/* Readers behind jc_scene_read: each builds the scene of one syntax. */
#ifndef JC_FORMAT_SCENE_PRIVATE_H
#define JC_FORMAT_SCENE_PRIVATE_H

#include "scene_builder.h"

/* VRML97 or X3D Classic, header included. */
int jc_vrml_read(struct jc_scene_builder *builder, const char *text, size_t length);

/* X3D XML. */
int jc_x3d_read(struct jc_scene_builder *builder, const char *text, size_t length);

/* Parses the text of an attribute as numbers, booleans or quoted strings if all of it has that
 * form, else as text. */
int jc_x3d_read_value(struct jc_scene_builder *builder, struct jc_span name, struct jc_span text);

/* Inflates a gzip file of one or more members. *out_bytes is the caller's to
 * free. */
int jc_gzip_inflate(const void *bytes, size_t length, void **out_bytes, size_t *out_length,
	struct jc_diagnostic *diagnostic);

#endif
