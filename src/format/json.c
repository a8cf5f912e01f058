/* Typed and strict reading of JSON values. jansson checks syntax and nesting. */
#include "jointcast_private/json.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/types.h"

#define EXACT_DOUBLE 0x1p53 /* below it each integer has a double of its own */

/* A parsed value takes twenty times the room of its shortest text, so values
 * are counted before any is made. */
static bool has_too_many_values(const char *text, size_t length)
{
	size_t values = 0;
	bool quoted = false;

	for (size_t i = 0; i < length; i++) {
		if (quoted && text[i] == '\\') {
			i++;
		} else if (quoted) {
			quoted = text[i] != '"';
		} else if (text[i] == '"') {
			quoted = true;
		} else if (text[i] == ',' || text[i] == '[' || text[i] == '{') {
			values++;
		}
	}
	return values > JC_LIMIT_JSON_VALUES;
}

int jc_json_parse(const void *bytes, size_t length, struct json_t **out_root,
	struct jc_diagnostic *diagnostic)
{
	const char *text = bytes ? bytes : "";
	json_error_t error;
	json_t *root;

	if (length > JC_LIMIT_JSON_BYTES || has_too_many_values(text, length)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "too much JSON");
	}
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		length -= 3;
	}
	root = json_loadb(text, length, 0, &error);
	if (!root) {
		char where[64];

		if (json_error_code(&error) == json_error_out_of_memory) {
			return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		}
		snprintf(where, sizeof(where), "line %d, column %d", error.line, error.column);
		return jc_diagnose(diagnostic,
			json_error_code(&error) == json_error_premature_end_of_input
				? JC_ERROR_TRUNCATED
				: JC_ERROR_SYNTAX,
			where, "not valid JSON: %s", error.text);
	}
	*out_root = root;
	return JC_OK;
}

/* Writes outermost first; places are a handful deep, by their readers' shape. */
static size_t write_place(const struct jc_json_place *place, char *out, size_t size)
{
	size_t at = place->outer ? write_place(place->outer, out, size) : 0;
	int length;

	if (at >= size) {
		return at;
	}
	if (place->key) {
		length = snprintf(out + at, size - at, "%s%s", place->outer ? "." : "", place->key);
	} else {
		length = snprintf(out + at, size - at, "[%zu]", place->index);
	}
	return at + (size_t)length;
}

int jc_json_refuse(struct jc_diagnostic *diagnostic, int error, const struct jc_json_place *place,
	const char *format, ...)
{
	char where[sizeof(diagnostic->where)] = "";
	char what[sizeof(diagnostic->what)];
	va_list arguments;

	if (place) {
		write_place(place, where, sizeof(where));
	}
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	return jc_diagnose(diagnostic, error, where, "%s", what);
}

static int refuse_field(struct jc_diagnostic *diagnostic, int error,
	const struct jc_json_place *place, const char *key, const char *what)
{
	struct jc_json_place field = { .outer = place, .key = key };

	return jc_json_refuse(diagnostic, error, &field, "%s", what);
}

int jc_json_read_string(const struct json_t *object, const char *key,
	const struct jc_json_place *place, const char **out_string,
	struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);

	if (!value) {
		return JC_OK;
	}
	if (!json_is_string(value)) {
		return refuse_field(diagnostic, JC_ERROR_INVALID, place, key, "not a string");
	}
	*out_string = json_string_value(value);
	return JC_OK;
}

int jc_json_read_bool(const struct json_t *object, const char *key,
	const struct jc_json_place *place, bool *out_value, struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);

	if (!value) {
		return JC_OK;
	}
	if (!json_is_boolean(value)) {
		return refuse_field(
			diagnostic, JC_ERROR_INVALID, place, key, "neither true nor false");
	}
	*out_value = json_is_true(value);
	return JC_OK;
}

bool jc_json_is_integer(const struct json_t *value, long long *out_value)
{
	double real = json_real_value(value);

	if (json_is_integer(value)) {
		*out_value = json_integer_value(value);
		return true;
	}
	if (!json_is_real(value) || !(fabs(real) < EXACT_DOUBLE) || real != trunc(real) ||
		(real == 0.0 && signbit(real))) {
		return false;
	}
	*out_value = (long long)real;
	return true;
}

int jc_json_read_integer(const struct json_t *object, const char *key,
	const struct jc_json_place *place, long long least, long long most, long long *out_value,
	struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);
	struct jc_json_place field = { .outer = place, .key = key };
	long long read;

	if (!value) {
		return JC_OK;
	}
	if (!jc_json_is_integer(value, &read)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &field, "not an integer");
	}
	if (read < least || read > most) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &field,
			"%lld is not between %lld and %lld", read, least, most);
	}
	*out_value = read;
	return JC_OK;
}

int jc_json_read_index(const struct json_t *object, const char *key,
	const struct jc_json_place *place, int least, size_t count, int *out_index,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place field = { .outer = place, .key = key };
	long long index = *out_index;
	int error = jc_json_read_integer(object, key, place, INT_MIN, INT_MAX, &index, diagnostic);

	if (error || !json_object_get(object, key)) {
		return error;
	}
	if (index < least || (index >= 0 && (size_t)index >= count)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &field,
			"%lld is not an index below %zu", index, count);
	}
	*out_index = (int)index;
	return JC_OK;
}

static int check_number(
	const json_t *value, const struct jc_json_place *place, struct jc_diagnostic *diagnostic)
{
	if (!json_is_number(value)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not a number");
	}
	if (!(fabs(json_number_value(value)) <= JC_LIMIT_COORDINATE)) {
		return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, place, "number too large: %g",
			json_number_value(value));
	}
	return JC_OK;
}

int jc_json_read_float(const struct json_t *object, const char *key,
	const struct jc_json_place *place, float *out_value, struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);
	struct jc_json_place field = { .outer = place, .key = key };
	int error = value ? check_number(value, &field, diagnostic) : JC_OK;

	if (value && !error) {
		*out_value = (float)json_number_value(value);
	}
	return error;
}

int jc_json_read_floats(const struct json_t *object, const char *key,
	const struct jc_json_place *place, size_t count, float *out_values,
	struct jc_diagnostic *diagnostic)
{
	const json_t *array = json_object_get(object, key);
	struct jc_json_place field = { .outer = place, .key = key };

	if (!array) {
		return JC_OK;
	}
	if (!json_is_array(array) || json_array_size(array) != count) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, &field, "not an array of %zu numbers", count);
	}
	for (size_t i = 0; i < count; i++) {
		struct jc_json_place element = { .outer = &field, .index = i };
		int error = check_number(json_array_get(array, i), &element, diagnostic);

		if (error) {
			return error;
		}
	}
	for (size_t i = 0; i < count; i++) {
		out_values[i] = (float)json_number_value(json_array_get(array, i));
	}
	return JC_OK;
}

int jc_json_read_object(const struct json_t *object, const char *key,
	const struct jc_json_place *place, const struct json_t **out_object,
	struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);

	if (!value) {
		return JC_OK;
	}
	if (!json_is_object(value)) {
		return refuse_field(diagnostic, JC_ERROR_INVALID, place, key, "not an object");
	}
	*out_object = value;
	return JC_OK;
}

int jc_json_read_array(const struct json_t *object, const char *key,
	const struct jc_json_place *place, size_t most, const struct json_t **out_array,
	struct jc_diagnostic *diagnostic)
{
	const json_t *value = json_object_get(object, key);
	struct jc_json_place field = { .outer = place, .key = key };

	if (!value) {
		return JC_OK;
	}
	if (!json_is_array(value)) {
		return refuse_field(diagnostic, JC_ERROR_INVALID, place, key, "not an array");
	}
	if (json_array_size(value) > most) {
		return jc_json_refuse(diagnostic, JC_ERROR_LIMIT, &field,
			"%zu elements, more than %zu", json_array_size(value), most);
	}
	*out_array = value;
	return JC_OK;
}

int jc_json_read_transform(const struct json_t *object, const struct jc_json_place *place,
	struct jc_transform *out_transform, struct jc_diagnostic *diagnostic)
{
	float t[3] = { 0.0f, 0.0f, 0.0f };
	float r[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
	float s[3] = { 1.0f, 1.0f, 1.0f };
	int error = jc_json_read_floats(object, "translation", place, 3, t, diagnostic);

	if (!error) {
		error = jc_json_read_floats(object, "rotation", place, 4, r, diagnostic);
	}
	if (!error) {
		error = jc_json_read_floats(object, "scale", place, 3, s, diagnostic);
	}
	if (!error) {
		*out_transform = (struct jc_transform){
			.translation = { t[0], t[1], t[2] },
			.rotation = { r[0], r[1], r[2], r[3] },
			.scale = { s[0], s[1], s[2] },
		};
	}
	return error;
}
