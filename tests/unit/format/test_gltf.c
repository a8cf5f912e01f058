/* glTF containers, nodes and skins, from literal bytes and JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/gltf.h"
#include "jointcast/limits.h"
#include "unit_test.h"

#define ASSET "\"asset\":{\"version\":\"2.0\"}"
#define HALF  0.70710678f

static int read_text(const char *text, struct jc_gltf **out_gltf, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	return jc_gltf_read(text, strlen(text), NULL, out_gltf, lint, diagnostic);
}

static struct jc_gltf *must_read(const char *text)
{
	struct jc_gltf *gltf = NULL;

	assert_int_equal(read_text(text, &gltf, NULL, NULL), JC_OK);
	return gltf;
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

/* A GLB of one JSON chunk and one binary chunk of eight bytes. */
static size_t make_glb(const char *json, uint8_t *out)
{
	uint32_t length = (uint32_t)strlen(json);
	uint32_t padded = (length + 3u) & ~3u;

	memcpy(out, "glTF", 4);
	put_u32(out + 4, 2);
	put_u32(out + 8, 12 + 8 + padded + 8 + 8);
	put_u32(out + 12, padded);
	memcpy(out + 16, "JSON", 4);
	memset(out + 20, ' ', padded);
	memcpy(out + 20, json, length);
	put_u32(out + 20 + padded, 8);
	memcpy(out + 24 + padded, "BIN\0", 4);
	memcpy(out + 28 + padded, "\0\0\0\0\0\0\x80\x3f", 8); /* 0.0f, 1.0f */
	return 12 + 8 + padded + 8 + 8;
}

static const char two_floats[] =
	"{" ASSET ",\"buffers\":[{\"byteLength\":8}],"
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":8}],"
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,"
	"\"type\":\"SCALAR\"}]}";

static void reads_json_and_the_first_buffer_of_a_glb(void **)
{
	uint8_t bytes[512];
	size_t length = make_glb(two_floats, bytes);
	struct jc_gltf *gltf = NULL;
	size_t count, components;
	float *values;

	assert_int_equal(jc_gltf_read(bytes, length, NULL, &gltf, NULL, NULL), JC_OK);
	assert_int_equal(
		jc_gltf_accessor_floats(gltf, 0, &count, &components, &values, NULL), JC_OK);
	assert_int_equal(count, 2);
	assert_int_equal(components, 1);
	assert_float_equal(values[1], 1.0f, 0.0f);
	free(values);
	jc_gltf_destroy(gltf);
}

static void rejects_a_glb_truncated_at_any_byte(void **)
{
	uint8_t bytes[512];
	size_t length = make_glb(two_floats, bytes);

	for (size_t cut = 4; cut < length; cut++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_gltf *gltf;
		uint8_t *exact = malloc(cut);

		assert_non_null(exact);
		memcpy(exact, bytes, cut);
		assert_int_equal(jc_gltf_read(exact, cut, NULL, &gltf, NULL, &diagnostic),
			JC_ERROR_TRUNCATED);
		assert_true(strlen(diagnostic.what) > 0);
		free(exact);
	}
	assert_int_equal(jc_gltf_read(bytes, 0, NULL, NULL, NULL, NULL), JC_ERROR_TRUNCATED);
}

/* Lengths at offset 8 (file), 12 (first chunk) and 16 + (second chunk). */
static void rejects_wrong_lengths_in_a_glb(void **)
{
	static const uint32_t lies[] = { 0, 1, 11, 19, 0x7fffffff, 0x80000000, 0xffffffff };
	uint8_t good[512];
	size_t length = make_glb(two_floats, good);
	size_t second = length - 16;
	const size_t places[] = { 8, 12, second };

	for (size_t p = 0; p < 3; p++) {
		for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
			uint8_t bytes[512];
			struct jc_gltf *gltf = NULL;
			int error;

			memcpy(bytes, good, length);
			put_u32(bytes + places[p], lies[i]);
			error = jc_gltf_read(bytes, length, NULL, &gltf, NULL, NULL);
			if (places[p] == second && lies[i] < 8) {
				/* A shorter chunk is fine; what lies in it then is not. */
				size_t count, components;
				float *values;

				assert_int_equal(error, JC_OK);
				assert_int_equal(jc_gltf_accessor_floats(gltf, 0, &count,
							 &components, &values, NULL),
					JC_ERROR_TRUNCATED);
				jc_gltf_destroy(gltf);
			} else {
				assert_true(error < 0);
			}
		}
	}
}

static void rejects_documents_that_are_not_gltf_2(void **)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "[]", JC_ERROR_SYNTAX },
		{ "{}", JC_ERROR_INVALID },
		{ "{\"asset\":{}}", JC_ERROR_INVALID },
		{ "{\"asset\":[]}", JC_ERROR_INVALID },
		{ "{\"asset\":{\"version\":2}}", JC_ERROR_INVALID },
		{ "{\"asset\":{\"version\":\"1.0\"}}", JC_ERROR_UNSUPPORTED },
		{ "{" ASSET, JC_ERROR_TRUNCATED },
		{ "HIERARCHY", JC_ERROR_SYNTAX },
		{ "{" ASSET ",\"nodes\":{}}", JC_ERROR_INVALID },
		{ "{" ASSET ",\"nodes\":[1]}", JC_ERROR_INVALID },
		{ "{" ASSET ",\"skins\":[1]}", JC_ERROR_INVALID },
		{ "{" ASSET ",\"buffers\":[1]}", JC_ERROR_INVALID },
		{ "{" ASSET ",\"buffers\":[{\"byteLength\":-1}]}", JC_ERROR_INVALID },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_gltf *gltf;

		assert_int_equal(read_text(cases[i].text, &gltf, NULL, NULL), cases[i].error);
	}
}

static void rejects_unknown_required_extensions(void **)
{
	struct jc_diagnostic diagnostic;
	struct jc_gltf *gltf;

	jc_gltf_destroy(must_read("{" ASSET ",\"extensionsRequired\":[\"KHR_texture_basisu\","
				  "\"KHR_draco_mesh_compression\",\"KHR_materials_unlit\"]}"));
	assert_int_equal(read_text("{" ASSET ",\"extensionsRequired\":[\"KHR_materials_unlit\","
				   "\"ACME_nodes\"]}",
				 &gltf, NULL, &diagnostic),
		JC_ERROR_UNSUPPORTED);
	assert_non_null(strstr(diagnostic.what, "'ACME_nodes'"));
	assert_string_equal(diagnostic.where, "extensionsRequired[1]");
	/* Only whole names and marked stems are known. */
	assert_int_equal(read_text("{" ASSET ",\"extensionsRequired\":[\"VRMC_vrm_2\"]}", &gltf,
				 NULL, &diagnostic),
		JC_ERROR_UNSUPPORTED);
	assert_int_equal(read_text("{" ASSET ",\"extensionsRequired\":[\"VRMC_vrm\"]}", &gltf, NULL,
				 &diagnostic),
		JC_ERROR_INVALID);
	jc_gltf_destroy(must_read("{" ASSET ",\"extensionsRequired\":[\"VRMC_vrm\"],"
				  "\"extensions\":{\"VRMC_vrm\":{}}}"));
}

static void children_become_parent_links(void **)
{
	struct jc_gltf *gltf = must_read("{" ASSET ",\"nodes\":["
					 "{\"name\":\"leaf\"},"
					 "{\"children\":[2,0]},"
					 "{\"translation\":[1,2,3],\"rotation\":[0,0,2,0],"
					 "\"scale\":[4,5,6]},{}]}");
	const struct jc_gltf_node *nodes = jc_gltf_nodes(gltf);

	assert_int_equal(jc_gltf_node_count(gltf), 4);
	assert_int_equal(nodes[0].parent, 1);
	assert_int_equal(nodes[1].parent, -1);
	assert_int_equal(nodes[2].parent, 1);
	assert_int_equal(nodes[3].parent, -1);
	assert_string_equal(nodes[0].name, "leaf");
	assert_string_equal(nodes[1].name, "");
	assert_int_equal(nodes[0].mesh, -1);
	assert_float_equal(nodes[2].local.translation.y, 2.0f, 0.0f);
	assert_float_equal(nodes[2].local.rotation.z, 1.0f, 0.0f);
	assert_float_equal(nodes[2].local.scale.z, 6.0f, 0.0f);
	jc_gltf_destroy(gltf);
}

/* 90 degrees about +Z with scale (2, 3, 4), columns written out. */
static void matrices_are_decomposed(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_gltf *gltf = NULL;
	struct jc_transform local;

	assert_int_equal(read_text("{" ASSET ",\"nodes\":[{\"matrix\":[0,2,0,0, -3,0,0,0, "
				   "0,0,4,0, 7,8,9,1]}]}",
				 &gltf, &lint, NULL),
		JC_OK);
	local = jc_gltf_nodes(gltf)[0].local;
	assert_float_equal(local.translation.x, 7.0f, 1e-6f);
	assert_float_equal(local.rotation.z, HALF, 1e-6f);
	assert_float_equal(local.rotation.w, HALF, 1e-6f);
	assert_float_equal(local.scale.x, 2.0f, 1e-6f);
	assert_float_equal(local.scale.y, 3.0f, 1e-6f);
	assert_float_equal(local.scale.z, 4.0f, 1e-6f);
	assert_int_equal(lint.count, 0);
	jc_gltf_destroy(gltf);
}

static void reports_shear_as_a_finding(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_gltf *gltf = NULL;

	assert_int_equal(read_text("{" ASSET ",\"nodes\":["
				   "{\"matrix\":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]},"
				   "{\"matrix\":[0,0,0,0, 0,0,0,0, 0,0,0,0, 1,2,3,1]},"
				   "{\"rotation\":[0,0,0,0]}]}",
				 &gltf, &lint, NULL),
		JC_OK);
	assert_int_equal(lint.count, 3);
	assert_string_equal(lint.entries[0].code, "shear");
	assert_string_equal(lint.entries[1].code, "singular-matrix");
	assert_string_equal(lint.entries[2].code, "rotation-not-unit");
	assert_float_equal(jc_gltf_nodes(gltf)[1].local.translation.z, 3.0f, 0.0f);
	assert_float_equal(jc_gltf_nodes(gltf)[2].local.rotation.w, 1.0f, 0.0f);
	jc_gltf_destroy(gltf);
}

static void rejects_hierarchies_with_cycles_or_shared_nodes(void **)
{
	static const struct {
		const char *nodes, *where;
	} cases[] = {
		{ "[{\"children\":[2]},{\"children\":[2]},{}]", "nodes[1].children[0]" },
		{ "[{\"children\":[1,1]},{}]", "nodes[0].children[1]" },
		{ "[{\"children\":[0]}]", "nodes[0]" },
		{ "[{},{\"children\":[2]},{\"children\":[1]}]", "nodes[1]" },
		{ "[{\"children\":[1]}]", "nodes[0].children[0]" },
		{ "[{\"children\":[-1]}]", "nodes[0].children[0]" },
		{ "[{\"children\":[4294967296]}]", "nodes[0].children[0]" },
		{ "[{},{\"children\":[0.5]}]", "nodes[1].children[0]" },
		{ "[{\"translation\":[0,0]}]", "nodes[0].translation" },
		{ "[{\"translation\":[0,0,null]}]", "nodes[0].translation[2]" },
		{ "[{\"scale\":[0,0,\"1\"]}]", "nodes[0].scale[2]" },
		{ "[{\"matrix\":[]}]", "nodes[0].matrix" },
		{ "[{\"mesh\":0}]", "nodes[0].mesh" },
		{ "[{\"skin\":0}]", "nodes[0].skin" },
		{ "[{\"name\":7}]", "nodes[0].name" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic;
		struct jc_gltf *gltf;
		char text[256];

		snprintf(text, sizeof(text), "{" ASSET ",\"nodes\":%s}", cases[i].nodes);
		assert_int_equal(read_text(text, &gltf, NULL, &diagnostic), JC_ERROR_INVALID);
		assert_string_equal(diagnostic.where, cases[i].where);
	}
}

static void enforces_limits_of_nodes_and_depth(void **)
{
	size_t size = 64u * (JC_LIMIT_NODES + 1u);
	char *text = malloc(size);
	size_t at = (size_t)snprintf(text, size, "{" ASSET ",\"nodes\":[{}");
	struct jc_diagnostic diagnostic;
	struct jc_gltf *gltf;

	assert_non_null(text);
	for (size_t i = 0; i < JC_LIMIT_NODES; i++) {
		at += (size_t)snprintf(text + at, size - at, ",{}");
	}
	snprintf(text + at, size - at, "]}");
	assert_int_equal(read_text(text, &gltf, NULL, &diagnostic), JC_ERROR_LIMIT);
	assert_string_equal(diagnostic.where, "nodes");

	at = (size_t)snprintf(text, size, "{" ASSET ",\"nodes\":[{}");
	for (size_t i = 1; i <= JC_LIMIT_DEPTH; i++) {
		at += (size_t)snprintf(text + at, size - at, ",{\"children\":[%zu]}", i - 1);
	}
	snprintf(text + at, size - at, "]}");
	assert_int_equal(read_text(text, &gltf, NULL, &diagnostic), JC_ERROR_LIMIT);
	free(text);
}

static void skins_list_joints_and_inverse_bind_matrices(void **)
{
	/* One identity matrix and one whose translation is (1, 2, 3): base64
	 * of 128 bytes of little-endian floats. */
	struct jc_gltf *gltf = must_read(
		"{" ASSET ",\"nodes\":[{},{},{\"skin\":0}],"
		"\"skins\":[{\"name\":\"s\",\"joints\":[1,0],\"skeleton\":1,"
		"\"inverseBindMatrices\":0}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,"
		"\"type\":\"MAT4\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":128}],"
		"\"buffers\":[{\"byteLength\":128,\"uri\":\"data:application/octet-stream;base64,"
		"AACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAA"
		"AACAPwAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAgD8AAABA"
		"AABAQAAAgD8=\"}]}");
	const struct jc_gltf_skin *skin = jc_gltf_skins(gltf);

	assert_int_equal(jc_gltf_skin_count(gltf), 1);
	assert_int_equal(skin->joint_count, 2);
	assert_int_equal(skin->joints[0], 1);
	assert_int_equal(skin->skeleton, 1);
	assert_int_equal(jc_gltf_nodes(gltf)[2].skin, 0);
	assert_non_null(skin->inverse_bind);
	assert_float_equal(skin->inverse_bind[0].m[0], 1.0f, 0.0f);
	assert_float_equal(skin->inverse_bind[1].m[12], 1.0f, 0.0f);
	assert_float_equal(skin->inverse_bind[1].m[14], 3.0f, 0.0f);
	jc_gltf_destroy(gltf);
}

static void reports_unreadable_inverse_bind_matrices_as_a_finding(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_gltf *gltf = NULL;

	assert_int_equal(read_text("{" ASSET ",\"nodes\":[{}],\"skins\":["
				   "{\"joints\":[0],\"inverseBindMatrices\":4}]}",
				 &gltf, &lint, NULL),
		JC_OK);
	assert_null(jc_gltf_skins(gltf)[0].inverse_bind);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "inverse-bind");
	jc_gltf_destroy(gltf);
}

/* Three hundred bytes must not cost 256 times 64 MiB. */
static void many_skins_of_one_huge_accessor_allocate_nothing(void **)
{
	char text[16384] = "{" ASSET ",\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,"
			   "\"count\":1000000,\"type\":\"MAT4\"}],\"skins\":[";
	struct jc_lint lint = { 0 };
	struct jc_gltf *gltf = NULL;

	for (unsigned i = 0; i < JC_LIMIT_SKINS; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "," : "",
			"{\"joints\":[0],\"inverseBindMatrices\":0}");
	}
	strcat(text, "]}");
	assert_int_equal(read_text(text, &gltf, &lint, NULL), JC_OK);
	assert_null(jc_gltf_skins(gltf)[0].inverse_bind);
	assert_int_equal(lint.count + lint.dropped, JC_LIMIT_SKINS);
	jc_gltf_destroy(gltf);
}

static void rejects_skins_with_missing_joints(void **)
{
	struct jc_diagnostic diagnostic;
	struct jc_gltf *gltf;

	assert_int_equal(read_text("{" ASSET ",\"nodes\":[{},{}],\"skins\":[{\"joints\":[0,2]}]}",
				 &gltf, NULL, &diagnostic),
		JC_ERROR_INVALID);
	assert_string_equal(diagnostic.where, "skins[0].joints[1]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_json_and_the_first_buffer_of_a_glb),
		cmocka_unit_test(rejects_a_glb_truncated_at_any_byte),
		cmocka_unit_test(rejects_wrong_lengths_in_a_glb),
		cmocka_unit_test(rejects_documents_that_are_not_gltf_2),
		cmocka_unit_test(rejects_unknown_required_extensions),
		cmocka_unit_test(children_become_parent_links),
		cmocka_unit_test(matrices_are_decomposed),
		cmocka_unit_test(reports_shear_as_a_finding),
		cmocka_unit_test(rejects_hierarchies_with_cycles_or_shared_nodes),
		cmocka_unit_test(enforces_limits_of_nodes_and_depth),
		cmocka_unit_test(skins_list_joints_and_inverse_bind_matrices),
		cmocka_unit_test(reports_unreadable_inverse_bind_matrices_as_a_finding),
		cmocka_unit_test(many_skins_of_one_huge_accessor_allocate_nothing),
		cmocka_unit_test(rejects_skins_with_missing_joints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
