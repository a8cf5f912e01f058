/* Strict readers of untrusted JSON: they check type and range of a field and report errors with the
 * path of the field. */
#ifndef JC_PRIVATE_JSON_H
#define JC_PRIVATE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

struct json_t; /* jansson */

/* Path of a value, from the inside out; kept on the stacks of readers.
 * {root "nodes"} <- {index 3} <- {key "rotation"} reads nodes[3].rotation. */
struct jc_json_place {
	const struct jc_json_place *outer; /* NULL at the root */
	const char *key;                   /* of an object, or NULL: */
	size_t index;                      /* of an array */
};

/* Parses one JSON text of at most JC_LIMIT_JSON_BYTES and JC_LIMIT_JSON_VALUES
 * values; NULL is a text without bytes. *out_root is a new reference. */
int jc_json_parse(const void *bytes, size_t length, struct json_t **out_root,
	struct jc_diagnostic *diagnostic);

/* Like jc_diagnose; writes the path as `where`. */
int jc_json_refuse(struct jc_diagnostic *diagnostic, int error, const struct jc_json_place *place,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether the value is an integer: 3, 3.0 or 3e0, because some programs have floating-point numbers
 * only. With a fraction or an exponent the magnitude is below 2^53, where each integer has a double
 * of its own; -0.0 is no integer. Returns false for NULL. Writes the output only for an integer. */
bool jc_json_is_integer(const struct json_t *value, long long *out_value);

/* Each function reads the field `key` of the object at `place` (NULL: the root). An absent field is
 * no error and leaves the output unchanged, so that callers set defaults before. Strings and
 * containers are borrowed. */
int jc_json_read_string(const struct json_t *object, const char *key,
	const struct jc_json_place *place, const char **out_string,
	struct jc_diagnostic *diagnostic);
int jc_json_read_bool(const struct json_t *object, const char *key,
	const struct jc_json_place *place, bool *out_value, struct jc_diagnostic *diagnostic);
int jc_json_read_integer(const struct json_t *object, const char *key,
	const struct jc_json_place *place, long long least, long long most, long long *out_value,
	struct jc_diagnostic *diagnostic);

/* An index below count; least is 0, or -1 if "none" is allowed. */
int jc_json_read_index(const struct json_t *object, const char *key,
	const struct jc_json_place *place, int least, size_t count, int *out_index,
	struct jc_diagnostic *diagnostic);

/* A number of magnitude JC_LIMIT_COORDINATE at most. */
int jc_json_read_float(const struct json_t *object, const char *key,
	const struct jc_json_place *place, float *out_value, struct jc_diagnostic *diagnostic);

/* Exactly count numbers, each of magnitude JC_LIMIT_COORDINATE at most. */
int jc_json_read_floats(const struct json_t *object, const char *key,
	const struct jc_json_place *place, size_t count, float *out_values,
	struct jc_diagnostic *diagnostic);
int jc_json_read_object(const struct json_t *object, const char *key,
	const struct jc_json_place *place, const struct json_t **out_object,
	struct jc_diagnostic *diagnostic);

/* An array of at most `most` values. */
int jc_json_read_array(const struct json_t *object, const char *key,
	const struct jc_json_place *place, size_t most, const struct json_t **out_array,
	struct jc_diagnostic *diagnostic);

struct jc_transform;

/* "translation", "rotation" (x, y, z, w) and "scale"; absent ones are those of the identity. */
int jc_json_read_transform(const struct json_t *object, const struct jc_json_place *place,
	struct jc_transform *out_transform, struct jc_diagnostic *diagnostic);

#endif
