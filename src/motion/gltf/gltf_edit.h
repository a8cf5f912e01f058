/* A glTF document under change: the JSON of a file that was read, and numbers that are
 * added. Writing it leaves out buffer views and bytes without a user. */
#ifndef JC_MOTION_GLTF_EDIT_H
#define JC_MOTION_GLTF_EDIT_H

#include <stdbool.h>

#include "file_buffer.h"
#include "jointcast/gltf.h"

struct json_t; /* jansson */

struct jc_gltf_edit {
	struct json_t *root;         /* owned */
	const struct jc_gltf *gltf;  /* the source of the document; NULL for none */
	struct jc_file_buffer added; /* bytes of the additional buffer */
	size_t accessors;            /* number of accessors before the change */
	int error; /* enum jc_error of the first failure; later calls do nothing */
};

/* Content of an accessor. */
struct jc_gltf_floats {
	const char *type; /* "VEC3" … */
	size_t components;
	size_t count;
	const float *values;
	bool has_bounds; /* write min and max */
};

/* Copies the document, or starts one with an empty list of nodes and an empty scene. */
int jc_gltf_edit_init(struct jc_gltf_edit *edit, const struct jc_gltf *gltf);
void jc_gltf_edit_finish(struct jc_gltf_edit *edit);

/* Returns the index of the new buffer view, which begins at a multiple of four bytes; 0 after an
 * error. */
int jc_gltf_edit_add_bytes(struct jc_gltf_edit *edit, const void *bytes, size_t length);

/* Returns the index of the new accessor; 0 after an error. */
int jc_gltf_edit_add(struct jc_gltf_edit *edit, struct jc_gltf_floats floats);

/* Returns the root array of this name, creating it if it is missing; NULL after an error. */
struct json_t *jc_gltf_edit_array(struct jc_gltf_edit *edit, const char *name);

/* Returns the object `key` of another object, creating it if it is missing. */
struct json_t *jc_gltf_edit_object(
	struct jc_gltf_edit *edit, struct json_t *outer, const char *key);

/* Sets a field; steals the value. An object or array of the file that is of another type is
 * JC_ERROR_INVALID. */
void jc_gltf_edit_set(
	struct jc_gltf_edit *edit, struct json_t *object, const char *key, struct json_t *value);
void jc_gltf_edit_append(struct jc_gltf_edit *edit, struct json_t *array, struct json_t *value);

/* Makes a JSON array of numbers. */
struct json_t *jc_gltf_edit_numbers(const float *values, size_t count);

/* Removes a name from extensionsUsed and extensionsRequired, or adds it to extensionsUsed. */
void jc_gltf_edit_forget_extension(struct jc_gltf_edit *edit, const char *name);
void jc_gltf_edit_use_extension(struct jc_gltf_edit *edit, const char *name);

/* Writes the file; also fails for an earlier error. */
int jc_gltf_edit_write(struct jc_gltf_edit *edit, bool is_binary, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic);

#endif
