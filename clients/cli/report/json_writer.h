/* Writes JSON piece by piece, so that a motion of any length needs no memory. Keys are NULL inside
 * arrays. Numbers have the fewest digits that read back to the same bits. Numbers that are not
 * finite become null; bytes that are not UTF-8 become U+FFFD. */
#ifndef JC_CLI_JSON_WRITER_H
#define JC_CLI_JSON_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "jointcast/types.h"

struct jc_json_writer {
	FILE *stream; /* borrowed; its error flag shows failed writes */
	bool first;   /* the next value is the first of its container: no comma */
};

void jc_json_writer_init(struct jc_json_writer *json, FILE *stream);
void jc_json_begin_object(struct jc_json_writer *json, const char *key);
void jc_json_end_object(struct jc_json_writer *json);
void jc_json_begin_array(struct jc_json_writer *json, const char *key);
void jc_json_end_array(struct jc_json_writer *json);
void jc_json_line(struct jc_json_writer *json); /* starts a line with the next value */

void jc_json_write_null(struct jc_json_writer *json, const char *key);
void jc_json_write_bool(struct jc_json_writer *json, const char *key, bool value);
void jc_json_write_integer(struct jc_json_writer *json, const char *key, long long value);
void jc_json_write_float(struct jc_json_writer *json, const char *key, float value);
void jc_json_write_double(struct jc_json_writer *json, const char *key, double value);
void jc_json_write_string(struct jc_json_writer *json, const char *key, const char *value);
/* Writes an array of `count` numbers. */
void jc_json_write_floats(
	struct jc_json_writer *json, const char *key, const float *values, size_t count);
/* The same, each rounded to that many decimals, and never -0. */
void jc_json_write_rounded(struct jc_json_writer *json, const char *key, const float *values,
	size_t count, int decimals);
void jc_json_write_vec3(struct jc_json_writer *json, const char *key, struct jc_vec3 value);
void jc_json_write_quat(struct jc_json_writer *json, const char *key, struct jc_quat value);

#endif
