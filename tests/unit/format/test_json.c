/* Typed reading of JSON: what passes, and how faults are named. */
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast_private/json.h"
#include "unit_test.h"

static json_t *parse(const char *text)
{
	json_t *root = NULL;

	assert_int_equal(jc_json_parse(text, strlen(text), &root, NULL), JC_OK);
	return root;
}

static void absent_fields_keep_defaults(void **)
{
	json_t *root = parse("{}");
	const json_t *container = root;
	const char *string = "default";
	float floats[2] = { 3.0f, 4.0f };
	bool flag = true;
	int index = 5;

	assert_int_equal(jc_json_read_string(root, "a", NULL, &string, NULL), JC_OK);
	assert_int_equal(jc_json_read_bool(root, "a", NULL, &flag, NULL), JC_OK);
	assert_int_equal(jc_json_read_index(root, "a", NULL, 0, 1, &index, NULL), JC_OK);
	assert_int_equal(jc_json_read_floats(root, "a", NULL, 2, floats, NULL), JC_OK);
	assert_int_equal(jc_json_read_array(root, "a", NULL, 9, &container, NULL), JC_OK);
	assert_int_equal(jc_json_read_object(root, "a", NULL, &container, NULL), JC_OK);
	assert_string_equal(string, "default");
	assert_true(flag);
	assert_int_equal(index, 5);
	assert_float_equal(floats[1], 4.0f, 0.0f);
	assert_ptr_equal(container, root);
	json_decref(root);
}

static void errors_contain_the_complete_path(void **)
{
	json_t *root = parse("{\"rotation\": [0, \"x\", 0, 1], \"parent\": 7, \"name\": 1}");
	struct jc_json_place list = { .key = "nodes" };
	struct jc_json_place node = { .outer = &list, .index = 3 };
	struct jc_diagnostic diagnostic;
	const char *name;
	float q[4];
	int parent = -1;

	assert_int_equal(
		jc_json_read_floats(root, "rotation", &node, 4, q, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "nodes[3].rotation[1]");
	assert_int_equal(jc_json_read_index(root, "parent", &node, -1, 7, &parent, &diagnostic),
		JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "nodes[3].parent");
	assert_int_equal(parent, -1);
	assert_int_equal(
		jc_json_read_string(root, "name", NULL, &name, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "name");
	json_decref(root);
}

static void shortens_long_paths_within_their_buffer(void **)
{
	char key[500];
	struct jc_json_place outer = { .key = key };
	struct jc_json_place inner = { .outer = &outer, .key = key };
	struct jc_diagnostic diagnostic;

	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	jc_json_refuse(&diagnostic, JC_ERROR_INVALID, &inner, "%s", key);
	assert_int_equal(strlen(diagnostic.where), sizeof(diagnostic.where) - 1);
	assert_int_equal(strlen(diagnostic.what), sizeof(diagnostic.what) - 1);
}

static void rejects_numbers_outside_the_type_of_a_field(void **)
{
	json_t *root = parse("{\"whole\": 3.0, \"half\": 3.5, \"huge\": 1e300, \"true\": true,"
			     " \"floats\": [1e7], \"two\": [1, 2]}");
	long long value = 0;
	float floats[2];

	assert_int_equal(jc_json_read_integer(root, "whole", NULL, 0, 10, &value, NULL), JC_OK);
	assert_int_equal(value, 3);
	assert_int_equal(
		jc_json_read_integer(root, "half", NULL, 0, 10, &value, NULL), JC_ERROR_INVALID);
	assert_int_equal(
		jc_json_read_integer(root, "huge", NULL, 0, 10, &value, NULL), JC_ERROR_INVALID);
	assert_int_equal(
		jc_json_read_integer(root, "true", NULL, 0, 10, &value, NULL), JC_ERROR_INVALID);
	assert_int_equal(
		jc_json_read_integer(root, "whole", NULL, 4, 10, &value, NULL), JC_ERROR_INVALID);
	assert_int_equal(
		jc_json_read_floats(root, "floats", NULL, 1, floats, NULL), JC_ERROR_LIMIT);
	assert_int_equal(jc_json_read_floats(root, "two", NULL, 1, floats, NULL), JC_ERROR_INVALID);
	assert_int_equal(jc_json_read_floats(root, "two", NULL, 2, floats, NULL), JC_OK);
	assert_float_equal(floats[1], 2.0f, 0.0f);
	json_decref(root);
}

static void integers_may_have_a_fraction_of_zeros(void **)
{
	static const struct {
		const char *text;
		long long value;
	} right[] = {
		{ "[3]", 3 },
		{ "[3.0]", 3 },
		{ "[3e0]", 3 },
		{ "[0.3E1]", 3 },
		{ "[-7.0]", -7 },
		{ "[0.0]", 0 },
		{ "[9007199254740991.0]", 9007199254740991 },
		{ "[9007199254740993]", 9007199254740993 },
		{ "[-9223372036854775808]", LLONG_MIN },
	};
	static const char *const wrong[] = { "[3.5]", "[-0.0]", "[1e300]", "[-1e300]", "[1e-300]",
		"[9007199254740992.0]", "[9007199254740993.0]", "[-9007199254740992.0]", "[9.3e18]",
		"[\"3\"]", "[true]", "[null]", "[[3]]", "[]" };

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		json_t *list = parse(right[i].text);
		long long value = 99;

		assert_true(jc_json_is_integer(json_array_get(list, 0), &value));
		assert_true(value == right[i].value);
		json_decref(list);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		json_t *list = parse(wrong[i]);
		long long value = 99;

		assert_false(jc_json_is_integer(json_array_get(list, 0), &value));
		assert_int_equal(value, 99);
		json_decref(list);
	}
}

static void ranges_of_integers_are_exact(void **)
{
	json_t *root = parse("{\"a\": 9007199254740993, \"b\": 3.0}");
	long long value = 0;

	assert_int_equal(jc_json_read_integer(root, "a", NULL, 0, 9007199254740992, &value, NULL),
		JC_ERROR_INVALID);
	assert_int_equal(
		jc_json_read_integer(root, "a", NULL, 0, 9007199254740993, &value, NULL), JC_OK);
	assert_true(value == 9007199254740993);
	assert_int_equal(jc_json_read_integer(root, "b", NULL, 0, 3, &value, NULL), JC_OK);
	assert_int_equal(
		jc_json_read_integer(root, "b", NULL, 4, 9, &value, NULL), JC_ERROR_INVALID);
	json_decref(root);
}

static void error_in_syntax_names_line_and_column(void **)
{
	static const char text[] = "{\n \"a\": 1,\n \"b\" 2\n}";
	static const char cut[] = "{\"a\": [1, 2";
	struct jc_diagnostic diagnostic;
	json_t *root;

	assert_int_equal(jc_json_parse(text, strlen(text), &root, &diagnostic), JC_ERROR_SYNTAX);
	assert_memory_equal(diagnostic.where, "line 3", 6);
	assert_int_equal(jc_json_parse(cut, strlen(cut), &root, &diagnostic), JC_ERROR_TRUNCATED);
	assert_int_equal(jc_json_parse("", 0, &root, &diagnostic), JC_ERROR_TRUNCATED);
}

static void empty_text_is_cut_at_its_start(void **)
{
	for (int i = 0; i < 2; i++) {
		struct jc_diagnostic diagnostic;
		json_t *root;

		assert_int_equal(
			jc_json_parse(i ? "" : NULL, 0, &root, &diagnostic), JC_ERROR_TRUNCATED);
		assert_string_equal(diagnostic.where, "line 1, column 0");
	}
}

static void skips_a_byte_order_mark(void **)
{
	static const char text[] = "\xef\xbb\xbf{\"a\": 1}";
	json_t *root = NULL;

	assert_int_equal(jc_json_parse(text, strlen(text), &root, NULL), JC_OK);
	assert_int_equal(json_object_size(root), 1);
	json_decref(root);
}

static void limits_nesting_and_number_of_values(void **)
{
	size_t size = JC_LIMIT_JSON_VALUES + 100u;
	char *text = malloc(size);
	struct jc_diagnostic diagnostic;
	json_t *root = NULL;

	assert_non_null(text);
	memset(text, '[', 100000);
	assert_int_equal(jc_json_parse(text, 100000, &root, &diagnostic), JC_ERROR_SYNTAX);
	memset(text, ',', size);
	text[0] = '[';
	assert_int_equal(jc_json_parse(text, size, &root, &diagnostic), JC_ERROR_LIMIT);
	/* Commas within a string, escaped quotes too, are one value. */
	memcpy(text, "[\"\\\\\\\"", 6);
	memcpy(text + size - 2, "\"]", 2);
	assert_int_equal(jc_json_parse(text, size, &root, &diagnostic), JC_OK);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_fields_keep_defaults),
		cmocka_unit_test(errors_contain_the_complete_path),
		cmocka_unit_test(integers_may_have_a_fraction_of_zeros),
		cmocka_unit_test(ranges_of_integers_are_exact),
		cmocka_unit_test(shortens_long_paths_within_their_buffer),
		cmocka_unit_test(rejects_numbers_outside_the_type_of_a_field),
		cmocka_unit_test(error_in_syntax_names_line_and_column),
		cmocka_unit_test(empty_text_is_cut_at_its_start),
		cmocka_unit_test(skips_a_byte_order_mark),
		cmocka_unit_test(limits_nesting_and_number_of_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
