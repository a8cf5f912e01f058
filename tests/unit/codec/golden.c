/* Reads golden vectors. A missing or misspelt field of a vector fails the test. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "unit_test.h"

void golden_for_each(const char *name, size_t least, void (*check)(const json_t *vector))
{
	char path[512];
	json_error_t error;
	json_t *vectors, *vector;
	size_t index;

	snprintf(path, sizeof(path), "%s/%s", JC_GOLDEN, name);
	vectors = json_load_file(path, 0, &error);
	if (!vectors) {
		fail_msg("%s: %s", path, error.text);
	}
	assert_true(json_array_size(vectors) > least);
	json_array_foreach(vectors, index, vector)
	{
		print_message("%s\n", golden_text(vector, "name"));
		check(vector);
	}
	json_decref(vectors);
}

const char *golden_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	return text;
}

struct golden_bytes golden_hex(const json_t *object, const char *key)
{
	const char *hex = golden_text(object, key);
	struct golden_bytes bytes = { NULL, strlen(hex) / 2 };

	bytes.at = malloc(bytes.length ? bytes.length : 1);
	assert_non_null(bytes.at);
	for (size_t i = 0; i < bytes.length; i++) {
		unsigned byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes.at[i] = (uint8_t)byte;
	}
	return bytes;
}

float golden_number(const json_t *array, size_t index)
{
	const json_t *value = json_array_get(array, index);

	assert_true(!array || json_is_number(value));
	return (float)json_number_value(value);
}

struct jc_vec3 golden_vec3(const json_t *array)
{
	return (struct jc_vec3){ golden_number(array, 0), golden_number(array, 1),
		golden_number(array, 2) };
}

struct jc_quat golden_quat(const json_t *array)
{
	return (struct jc_quat){ golden_number(array, 0), golden_number(array, 1),
		golden_number(array, 2), golden_number(array, 3) };
}

void golden_assert_vec3(struct jc_vec3 a, struct jc_vec3 b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
}

void golden_assert_quat(struct jc_quat a, struct jc_quat b)
{
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
}

void golden_assert_written(const uint8_t *bytes, int length, const json_t *vector)
{
	struct golden_bytes wanted = golden_hex(vector, "hex");

	assert_int_equal(length, wanted.length);
	assert_memory_equal(bytes, wanted.at, wanted.length);
	free(wanted.at);
}

void golden_assert_refused(int status, const json_t *vector)
{
	assert_true(status < 0);
	assert_string_equal(jc_error_name(status), golden_text(vector, "error"));
}
