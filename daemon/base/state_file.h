/* The common part of the JSON files of the state directory: the name of the format, its version,
 * and members that a newer version of the daemon added. proto/STABILITY.md states the rules. */
#ifndef JC_STATE_FILE_H
#define JC_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

struct json_t; /* jansson */

/* A higher version is for files that this version of the daemon would misread; other additions
 * leave the version as it is. */
#define JC_STATE_VERSION 1

/* A new object with the format and the version; NULL: out of memory. */
struct json_t *jc_state_file_head(const char *format);

/* Whether the object has that format. Files without a version have version 1. Returns 0,
 * JC_ERROR_INVALID for another format, or JC_ERROR_UNSUPPORTED for a higher version, with the
 * diagnostic filled. */
int jc_state_file_check(
	const struct json_t *object, const char *format, struct jc_diagnostic *diagnostic);

/* Copies the text `key` of an object. False: it is missing, or does not fit with its NUL. */
bool jc_state_file_text(const struct json_t *object, const char *key, char *out_text, size_t size);

/* The object of a file that is going to be replaced, for jc_state_file_keep; the caller releases
 * it. NULL: there is no such text (NULL), or it is no file of that format and of a version that
 * this one reads: members of a higher version may have another meaning in this one. */
struct json_t *jc_state_file_earlier(const char *text, size_t length, const char *format);

/* Adds to `object` the members of `earlier` whose keys are not in `known`, a list that ends with
 * NULL: a newer version wrote them. `earlier` may be NULL or no object. Returns 0 or
 * JC_ERROR_MEMORY. */
int jc_state_file_keep(
	struct json_t *object, const struct json_t *earlier, const char *const known[]);

#endif
