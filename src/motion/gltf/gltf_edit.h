/* A glTF document under change: the JSON of a file that was read, numbers that
 * come to its buffers, and a file again in the end, in which what nobody refers
 * to any more is left out. */
#ifndef JC_MOTION_GLTF_EDIT_H
#define JC_MOTION_GLTF_EDIT_H

#include <stdbool.h>

#include "file_buffer.h"
#include "jointcast/gltf.h"

struct json_t; /* jansson */

struct jc_gltf_edit {
	struct json_t *root;         /* owned */
	const struct jc_gltf *gltf;  /* whose document it was; NULL for none */
	struct jc_file_buffer added; /* the bytes of one more buffer */
	size_t accessors;            /* of the document before the change */
	int error;                   /* enum jc_error of the first failure; sticks */
};

/* What an accessor holds. */
struct jc_gltf_floats {
	const char *type; /* "VEC3" … */
	size_t components;
	size_t count;
	const float *values;
	bool has_bounds; /* write min and max */
};

/* Copies the document, or starts one of nodes and a scene that are empty. */
int jc_gltf_edit_init(struct jc_gltf_edit *edit, const struct jc_gltf *gltf);
void jc_gltf_edit_finish(struct jc_gltf_edit *edit);

/* The index of a new accessor; 0 after an error. */
int jc_gltf_edit_add(struct jc_gltf_edit *edit, struct jc_gltf_floats floats);

/* The root array of that name, made where there is none; NULL after an error. */
struct json_t *jc_gltf_edit_array(struct jc_gltf_edit *edit, const char *name);

/* An object of `key` within another, made where there is none. */
struct json_t *jc_gltf_edit_object(
	struct jc_gltf_edit *edit, struct json_t *outer, const char *key);

/* Sets a field; steals the value. */
void jc_gltf_edit_set(
	struct jc_gltf_edit *edit, struct json_t *object, const char *key, struct json_t *value);
void jc_gltf_edit_append(struct jc_gltf_edit *edit, struct json_t *array, struct json_t *value);

/* Numbers as a new array. */
struct json_t *jc_gltf_edit_numbers(const float *values, size_t count);

/* Takes a name out of extensionsUsed and extensionsRequired, or puts it into the
 * first. */
void jc_gltf_edit_forget_extension(struct jc_gltf_edit *edit, const char *name);
void jc_gltf_edit_use_extension(struct jc_gltf_edit *edit, const char *name);

/* Writes the file; fails also for errors before. */
int jc_gltf_edit_write(struct jc_gltf_edit *edit, bool is_binary, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic);

#endif
