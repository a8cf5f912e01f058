/* glTF accessors, bit by bit: values worked out from the specification's
 * formulas (3.6.2), bytes written as literals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/gltf.h"
#include "jointcast/limits.h"
#include "unit_test.h"

/* Delivers one buffer under one name. */
struct shelf {
	const char *name;
	const void *bytes;
	size_t length;
};

static int take_from_shelf(
	void *context, const char *uri, const void **out_bytes, size_t *out_length)
{
	const struct shelf *shelf = context;

	if (strcmp(uri, shelf->name) != 0) {
		return JC_ERROR_INVALID;
	}
	*out_bytes = shelf->bytes;
	*out_length = shelf->length;
	return JC_OK;
}

/* Reads accessor 0 of a document whose buffer 0 is `bytes`. */
static int read_accessor(const char *accessor, const char *view, const void *bytes, size_t length,
	size_t *out_count, size_t *out_components, float **out_values,
	struct jc_diagnostic *diagnostic)
{
	struct shelf shelf = { "a file.bin", bytes, length };
	struct jc_gltf_resolver resolver = { take_from_shelf, &shelf };
	struct jc_gltf *gltf = NULL;
	char text[1024];
	int error;

	snprintf(text, sizeof(text),
		"{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{%s}],\"bufferViews\":[{%s},"
		"{\"buffer\":0,\"byteOffset\":4,\"byteLength\":4}],"
		"\"buffers\":[{\"byteLength\":%zu,\"uri\":\"a%%20file.bin\"}]}",
		accessor, view, length);
	assert_int_equal(
		jc_gltf_read(text, strlen(text), &resolver, &gltf, NULL, diagnostic), JC_OK);
	error = jc_gltf_accessor_floats(gltf, 0, out_count, out_components, out_values, diagnostic);
	jc_gltf_destroy(gltf);
	return error;
}

static void expect_values(const char *accessor, const char *view, const void *bytes, size_t length,
	const float *expected, size_t count, size_t components)
{
	size_t got_count = 0, got_components = 0;
	struct jc_diagnostic diagnostic = { .what = "" };
	float *values = NULL;

	assert_int_equal(read_accessor(accessor, view, bytes, length, &got_count, &got_components,
				 &values, &diagnostic),
		JC_OK);
	assert_int_equal(got_count, count);
	assert_int_equal(got_components, components);
	for (size_t i = 0; i < count * components; i++) {
		assert_float_equal(values[i], expected[i], 1e-7f);
	}
	free(values);
}

static void normalizes_integers_as_specified(void **)
{
	static const uint8_t bytes[] = { 0x00, 0x7f, 0x80, 0xff, 0xff, 0x7f, 0x00, 0x80 };
	static const float i8[] = { 0.0f, 1.0f, -1.0f, -1.0f / 127.0f };
	static const float u8[] = { 0.0f, 127.0f / 255.0f, 128.0f / 255.0f, 1.0f };
	static const float i16[] = { 1.0f, -1.0f };
	static const float u16[] = { 32767.0f / 65535.0f, 32768.0f / 65535.0f };
	static const float plain[] = { 0.0f, 127.0f, -128.0f, -1.0f };
	static const float wide[] = { 4286611200.0f };
	const char *view = "\"buffer\":0,\"byteLength\":8";

	expect_values("\"bufferView\":0,\"componentType\":5120,\"normalized\":true,"
		      "\"count\":4,\"type\":\"SCALAR\"",
		view, bytes, sizeof(bytes), i8, 4, 1);
	expect_values("\"bufferView\":0,\"componentType\":5121,\"normalized\":true,"
		      "\"count\":2,\"type\":\"VEC2\"",
		view, bytes, sizeof(bytes), u8, 2, 2);
	expect_values("\"bufferView\":0,\"byteOffset\":4,\"componentType\":5122,"
		      "\"normalized\":true,\"count\":1,\"type\":\"VEC2\"",
		view, bytes, sizeof(bytes), i16, 1, 2);
	expect_values("\"bufferView\":0,\"byteOffset\":4,\"componentType\":5123,"
		      "\"normalized\":true,\"count\":2,\"type\":\"SCALAR\"",
		view, bytes, sizeof(bytes), u16, 2, 1);
	expect_values("\"bufferView\":0,\"componentType\":5120,\"count\":1,\"type\":\"VEC4\"", view,
		bytes, sizeof(bytes), plain, 1, 4);
	expect_values("\"bufferView\":0,\"componentType\":5125,\"count\":1,"
		      "\"type\":\"SCALAR\"",
		view, bytes, sizeof(bytes), wide, 1, 1); /* 0xff807f00 */
}

static void strides_and_offsets_skip_other_bytes(void **)
{
	const float interleaved[] = { 9, 9, 1, 2, 9, 3, 4, 9, 5, 6 };
	const float expected[] = { 1, 2, 3, 4, 5, 6 };

	/* The last element ends with the buffer, short of a whole stride. */
	expect_values("\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":3,"
		      "\"type\":\"VEC2\"",
		"\"buffer\":0,\"byteOffset\":4,\"byteLength\":36,\"byteStride\":12", interleaved,
		sizeof(interleaved), expected, 3, 2);
}

static void columns_of_small_matrices_are_padded(void **)
{
	/* MAT2 of bytes: two columns of two, each padded to four (3.6.2.4). */
	static const uint8_t bytes[] = { 1, 2, 99, 99, 3, 4, 99, 99 };
	static const float expected[] = { 1, 2, 3, 4 };

	expect_values("\"bufferView\":0,\"componentType\":5121,\"count\":1,\"type\":\"MAT2\"",
		"\"buffer\":0,\"byteLength\":8", bytes, sizeof(bytes), expected, 1, 4);
}

static void sparse_accessors_replace_some_elements(void **)
{
	/* Four bytes of values, then indices 1 and 3 in view 1, then 7 and 8. */
	static const uint8_t bytes[] = { 10, 20, 30, 40, 1, 3, 7, 8 };
	static const float over_values[] = { 10, 7, 30, 8 };
	static const float over_zeros[] = { 0, 7, 0, 8, 0 };
	const char *sparse = "\"sparse\":{\"count\":2,"
			     "\"indices\":{\"bufferView\":1,\"componentType\":5121},"
			     "\"values\":{\"bufferView\":1,\"byteOffset\":2}}";
	char accessor[400];

	snprintf(accessor, sizeof(accessor),
		"\"bufferView\":0,\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\",%s",
		sparse);
	expect_values(
		accessor, "\"buffer\":0,\"byteLength\":4", bytes, sizeof(bytes), over_values, 4, 1);
	snprintf(accessor, sizeof(accessor),
		"\"componentType\":5121,\"count\":5,\"type\":\"SCALAR\",%s", sparse);
	expect_values(accessor, "", bytes, sizeof(bytes), over_zeros, 5, 1);
}

#define U8(count) "\"bufferView\":0,\"componentType\":5121,\"count\":" count ",\"type\":\"SCALAR\""
#define VIEW      "\"buffer\":0,\"byteLength\":8"
#define SPARSE(count, type, indices, values)                                                       \
	"\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\",\"sparse\":{\"count\":" count      \
	",\"indices\":{\"bufferView\":" indices ",\"componentType\":" type                         \
	"},\"values\":{\"bufferView\":" values "}}"

static void rejects_contradictory_accessors(void **)
{
	static const struct {
		const char *accessor, *view;
		int error;
	} cases[] = {
		{ U8("9"), VIEW, JC_ERROR_TRUNCATED }, { U8("2147483648"), VIEW, JC_ERROR_LIMIT },
		{ U8("9007199254740992"), VIEW, JC_ERROR_LIMIT },
		{ U8("9007199254740993"), VIEW, JC_ERROR_INVALID }, /* no integer of JSON */
		{ U8("0"), VIEW, JC_ERROR_INVALID }, { U8("-1"), VIEW, JC_ERROR_INVALID },
		{ "\"bufferView\":0,\"componentType\":5121,\"type\":\"SCALAR\"", VIEW,
			JC_ERROR_INVALID },
		{ "\"bufferView\":0,\"componentType\":5124,\"count\":1,\"type\":\"SCALAR\"", VIEW,
			JC_ERROR_INVALID },
		{ "\"bufferView\":0,\"componentType\":5121,\"count\":1,\"type\":\"VEC5\"", VIEW,
			JC_ERROR_INVALID },
		{ "\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\","
		  "\"normalized\":true",
			VIEW, JC_ERROR_INVALID },
		{ "\"bufferView\":7,\"componentType\":5121,\"count\":1,\"type\":\"SCALAR\"", VIEW,
			JC_ERROR_INVALID },
		{ "\"bufferView\":0,\"byteOffset\":8,\"componentType\":5121,\"count\":1,"
		  "\"type\":\"SCALAR\"",
			VIEW, JC_ERROR_TRUNCATED },
		{ "\"bufferView\":0,\"byteOffset\":4294967295,\"componentType\":5121,"
		  "\"count\":1,\"type\":\"SCALAR\"",
			VIEW, JC_ERROR_TRUNCATED },
		{ U8("1"), "\"buffer\":0,\"byteLength\":9", JC_ERROR_TRUNCATED },
		{ U8("1"), "\"buffer\":0,\"byteOffset\":4294967295,\"byteLength\":4294967295",
			JC_ERROR_TRUNCATED },
		{ U8("1"), "\"buffer\":1,\"byteLength\":8", JC_ERROR_INVALID },
		{ U8("1"), "\"buffer\":0", JC_ERROR_INVALID },
		{ U8("1"), "\"byteLength\":8", JC_ERROR_INVALID },
		{ U8("3"), VIEW ",\"byteStride\":4", JC_ERROR_TRUNCATED },
		{ "\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC2\"",
			VIEW ",\"byteStride\":4", JC_ERROR_INVALID },
		{ U8("1"), VIEW ",\"extensions\":{\"EXT_meshopt_compression\":{}}",
			JC_ERROR_UNSUPPORTED },
		{ "\"componentType\":5121,\"count\":2147483647,\"type\":\"MAT4\"", VIEW,
			JC_ERROR_LIMIT },
		{ SPARSE("5", "5121", "1", "1"), VIEW, JC_ERROR_INVALID },
		{ SPARSE("1", "5126", "1", "1"), VIEW, JC_ERROR_INVALID },
		{ SPARSE("1", "5121", "9", "1"), VIEW, JC_ERROR_INVALID },
		{ SPARSE("3", "5123", "1", "1"), VIEW, JC_ERROR_TRUNCATED },
		{ SPARSE("1", "5121", "0", "1"), VIEW, JC_ERROR_INVALID }, /* element 200 of 4 */
	};
	static const uint8_t bytes[8] = { 200 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		size_t count = 77, components;
		float *values;

		assert_int_equal(read_accessor(cases[i].accessor, cases[i].view, bytes,
					 sizeof(bytes), &count, &components, &values, &diagnostic),
			cases[i].error);
		assert_int_equal(count, 77); /* outputs are written on success only */
		assert_true(strlen(diagnostic.what) > 0 && strlen(diagnostic.where) > 0);
	}
}

static void rejects_values_that_are_not_finite(void **)
{
	static const uint8_t nan_bytes[] = { 0, 0, 0, 0, 0, 0, 0xc0, 0x7f };
	static const uint8_t inf_bytes[] = { 0, 0, 0x80, 0xff, 0, 0, 0, 0 };
	const char *accessor =
		"\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"";
	struct jc_diagnostic diagnostic;
	size_t count, components;
	float *values;

	assert_int_equal(read_accessor(accessor, VIEW, nan_bytes, 8, &count, &components, &values,
				 &diagnostic),
		JC_ERROR_INVALID);
	assert_non_null(strstr(diagnostic.what, "value 1 "));
	assert_int_equal(read_accessor(accessor, VIEW, inf_bytes, 8, &count, &components, &values,
				 &diagnostic),
		JC_ERROR_INVALID);
}

/* RFC 4648's own examples, and invalid base64. */
static void data_uris_are_decoded(void **)
{
	static const struct {
		const char *uri, *bytes; /* NULL: damaged */
	} cases[] = {
		{ "data:;base64,Zg==", "f" },
		{ "data:;base64,Zm8=", "fo" },
		{ "data:application/octet-stream;base64,Zm9v", "foo" },
		{ "data:application/gltf-buffer;base64,Zm9vYmE", "fooba" },
		{ "data:;base64,-_-_", "\xfb\xff\xbf" },
		{ "data:;base64,Zm9vY", NULL },
		{ "data:;base64,Zm9*", NULL },
		{ "data:;base64,Zg==Zg==", NULL },
		{ "data:text/plain,foo", NULL },
		{ "data:;base64", NULL },
		{ "other.bin", NULL },
		{ "bad%2", NULL },
		{ "bad%00", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t length = cases[i].bytes ? strlen(cases[i].bytes) : 1;
		struct jc_gltf *gltf = NULL;
		size_t count = 0, components = 0;
		float *values = NULL;
		char text[512];
		int error;

		snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"bufferView\":0,"
			"\"componentType\":5121,\"count\":%zu,\"type\":\"SCALAR\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
			"\"buffers\":[{\"byteLength\":64,\"uri\":\"%s\"}]}",
			length, length, cases[i].uri);
		assert_int_equal(jc_gltf_read(text, strlen(text), NULL, &gltf, NULL, NULL), JC_OK);
		error = jc_gltf_accessor_floats(gltf, 0, &count, &components, &values, NULL);
		if (!cases[i].bytes) {
			assert_int_equal(error, JC_ERROR_INVALID);
		} else {
			assert_int_equal(error, JC_OK);
			for (size_t b = 0; b < length; b++) {
				assert_float_equal(values[b], (uint8_t)cases[i].bytes[b], 0.0f);
			}
			free(values);
		}
		jc_gltf_destroy(gltf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normalizes_integers_as_specified),
		cmocka_unit_test(strides_and_offsets_skip_other_bytes),
		cmocka_unit_test(columns_of_small_matrices_are_padded),
		cmocka_unit_test(sparse_accessors_replace_some_elements),
		cmocka_unit_test(rejects_contradictory_accessors),
		cmocka_unit_test(rejects_values_that_are_not_finite),
		cmocka_unit_test(data_uris_are_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
