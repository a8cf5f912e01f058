/* Files that are no true avatars: each form of them is refused with its place. */
#include <stdio.h>
#include <string.h>

#include "figure_file.h"
#include "jointcast/avatar.h"
#include "unit_test.h"

static int check(const struct figure_file *file, struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_facts facts;

	*diagnostic = (struct jc_diagnostic){ "", "" };
	return jc_avatar_check(file->bytes, file->length, NULL, &facts, diagnostic);
}

static void assert_refused(
	const struct figure_file *file, int error, const char *where, const char *what)
{
	struct jc_diagnostic diagnostic;
	int actual = check(file, &diagnostic);

	if (actual != error || !strstr(diagnostic.where, where) || !strstr(diagnostic.what, what)) {
		fail_msg("expected %s at '%s' with '%s', not %s at '%s' with '%s'",
			jc_error_name(error), where, what, jc_error_name(actual), diagnostic.where,
			diagnostic.what);
	}
}

/* The document of the figure with one part replaced. */
static const struct {
	const char *from, *to;
	int error;
	const char *where, *what;
} documents[] = {
	/* addresses */
	{ "'buffers':[{", "'buffers':[{'uri':'body.bin',", JC_ERROR_UNSUPPORTED, "buffers[0].uri",
		"another file" },
	{ "{'bufferView':5", "{'uri':'https://a.example/a.png'", JC_ERROR_UNSUPPORTED,
		"images[0].uri", "another file" },
	{ "{'bufferView':5", "{'uri':'//a.example/a.png'", JC_ERROR_UNSUPPORTED, "images[0].uri",
		"another file" },
	{ "{'bufferView':5", "{'uri':' data:image/png;base64,AAAA'", JC_ERROR_UNSUPPORTED,
		"images[0].uri", "another file" },
	{ "{'bufferView':5", "{'uri':'data:image/png,abc'", JC_ERROR_INVALID, "images[0].uri",
		"not base64" },
	{ "'samplers':", "'extras':{'a':[{'schemaUri':'http://a.example'}]},'samplers':",
		JC_ERROR_UNSUPPORTED, "extras.a[0].schemaUri", "another file" },
	{ "'VRMC_vrm':{", "'KHR_audio_emitter':{'audio':[{'URI':7}]},'VRMC_vrm':{",
		JC_ERROR_UNSUPPORTED, "extensions.KHR_audio_emitter.audio[0].URI", "another file" },
	/* extensions */
	{ "'nodes'", "'extensionsRequired':['KHR_texture_basisu'],'nodes'", JC_ERROR_UNSUPPORTED,
		"extensionsRequired", "KHR_texture_basisu" },
	{ "'nodes'", "'extensionsRequired':['EXT_meshopt_compression'],'nodes'",
		JC_ERROR_UNSUPPORTED, "extensionsRequired", "EXT_meshopt_compression" },
	{ "['VRMC_vrm'", "['KHR_draco_mesh_compression'", JC_ERROR_UNSUPPORTED, "extensionsUsed",
		"KHR_draco_mesh_compression" },
	{ "'nodes'", "'extensionsRequired':['EXT_unheard_of'],'nodes'", JC_ERROR_UNSUPPORTED,
		"extensionsRequired[0]", "EXT_unheard_of" },
	{ "{'mesh':0,", "{'extensions':{'EXT_mesh_gpu_instancing':{}},'mesh':0,",
		JC_ERROR_UNSUPPORTED, "nodes[2]", "EXT_mesh_gpu_instancing" },
	{ "'byteOffset':48,", "'byteOffset':48,'extensions':{'EXT_meshopt_compression':{}},",
		JC_ERROR_UNSUPPORTED, "bufferViews[1]", "meshopt" },
	/* hierarchy */
	{ "{},{'mesh'", "{'children':[0]},{'mesh'", JC_ERROR_INVALID, "", "" },
	{ "[1,2,3]", "[1,1,3]", JC_ERROR_INVALID, "nodes[0].children[1]", "two parents" },
	{ "[0,1]}],'meshes'", "[0,4]}],'meshes'", JC_ERROR_INVALID, "skins[0].joints[1]", "" },
	/* sizes */
	{ "'byteLength':233", "'byteLength':237", JC_ERROR_INVALID, "buffers[0]", "237" },
	{ "'byteLength':233", "'byteLength':232", JC_ERROR_INVALID, "buffers[0]", "232" },
	{ "'byteLength':233}", "'byteLength':233},{'byteLength':4}", JC_ERROR_INVALID, "buffers[1]",
		"missing" },
	{ "'byteLength':233}", "'byteLength':233},{'byteLength':4,'uri':'data:;base64,AAAA'}",
		JC_ERROR_INVALID, "buffers[1]", "declares 4 bytes and has 3" },
	{ "'byteOffset':188,'byteLength':45", "'byteOffset':188,'byteLength':46",
		JC_ERROR_TRUNCATED, "bufferViews[5]", "" },
	{ "'count':6", "'count':7", JC_ERROR_TRUNCATED, "accessors[4]", "" },
	{ "'componentType':5123", "'componentType':5125", JC_ERROR_TRUNCATED, "accessors[4]", "" },
	{ "'count':6,",
		"'count':6,'sparse':{'count':1,'indices':{'bufferView':4,"
		"'componentType':5123},'values':{'bufferView':4,'byteOffset':12}},",
		JC_ERROR_TRUNCATED, "accessors[4].sparse.values", "" },
	/* the replaced element is number 'P', a byte of the image, of six */
	{ "'count':6,",
		"'count':6,'sparse':{'count':1,'indices':{'bufferView':5,'byteOffset':1,"
		"'componentType':5121},'values':{'bufferView':4}},",
		JC_ERROR_INVALID, "accessors[4]", "out of range" },
	{ "{'bufferView':3,", "{", JC_OK, "", "" },
	{ "'JOINTS_0':1", "'JOINTS_0':2", JC_ERROR_INVALID, "meshes[0].primitives[0].attributes",
		"no four whole numbers" },
	{ "'componentType':5121,", "'componentType':5121,'normalized':true,", JC_ERROR_INVALID,
		"meshes[0].primitives[0].attributes", "no four whole numbers" },
	{ "'componentType':5123,", "'componentType':5122,", JC_ERROR_INVALID,
		"meshes[0].primitives[0]", "an index is not below" },
	{ "{'bufferView':0,'componentType':5126,'count':4", "{'componentType':5126,'count':5592405",
		JC_ERROR_LIMIT, "accessors", "bytes of geometry" },
	/* meshes */
	{ "'primitives':", "'parts':", JC_ERROR_INVALID, "meshes[0]", "no primitives" },
	{ "'POSITION':0,", "", JC_ERROR_INVALID, "meshes[0].primitives[0]", "positions" },
	{ "'POSITION':0,", "'POSITION':2,", JC_ERROR_INVALID, "meshes[0].primitives[0]",
		"positions" },
	{ "'POSITION':0,", "'POSITION':5,", JC_ERROR_INVALID,
		"meshes[0].primitives[0].attributes.POSITION", "" },
	{ "'WEIGHTS_0':2", "'WEIGHTS_0':4", JC_ERROR_INVALID, "meshes[0].primitives[0].attributes",
		"6 elements for 4 vertices" },
	{ "[{'POSITION':3}]", "[{'POSITION':4}]", JC_ERROR_INVALID,
		"meshes[0].primitives[0].targets[0]", "6 elements for 4 vertices" },
	{ "'indices':4", "'indices':1", JC_ERROR_INVALID, "meshes[0].primitives[0]", "index" },
	{ "'indices':4", "'mode':7,'indices':4", JC_ERROR_INVALID, "meshes[0].primitives[0].mode",
		"" },
	{ "'joints':[0,1]", "'joints':[0]", JC_ERROR_INVALID, "nodes[2]", "joints" },
	{ "'JOINTS_0':1,", "", JC_ERROR_INVALID, "nodes[2]", "joints" },
	{ "{'mesh':0,'skin':0},", "{'mesh':0},", JC_ERROR_INVALID, "nodes[3]", "with and without" },
	/* images */
	{ "'mimeType':'image/png'", "'mimeType':'image/jpeg'", JC_ERROR_INVALID, "images[0]",
		"is image/png, and not 'image/jpeg'" },
	{ ",'mimeType':'image/png'", "", JC_ERROR_INVALID, "images[0]", "mimeType" },
	{ "'bufferView':5", "'bufferView':4", JC_ERROR_UNSUPPORTED, "images[0]",
		"neither PNG, JPEG nor WebP" },
	{ "'bufferView':5,", "", JC_ERROR_INVALID, "images[0]", "either" },
	{ "{'source':0}", "{'source':1}", JC_ERROR_INVALID, "textures[0].source", "" },
	{ "{'source':0}", "{'extensions':{'EXT_texture_webp':{'source':2}}}", JC_ERROR_INVALID,
		"textures[0].extensions.EXT_texture_webp.source", "" },
	{ "{'bufferView':5",
		"{'uri':'data:image/jpeg;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAIA"
		"AABDUkNfAAAAAElEQVRDUkNf'",
		JC_ERROR_INVALID, "images[0]", "is image/png, and not 'image/jpeg'" },
};

static void refuses_documents(void **)
{
	struct figure_file file;

	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		figure_file_make(&file, documents[i].from, documents[i].to, NULL);
		assert_refused(&file, documents[i].error, documents[i].where, documents[i].what);
	}
}

static void refuses_values_that_point_nowhere(void **)
{
	uint8_t binary[FIGURE_BINARY];
	struct figure_file file;

	figure_binary(binary);
	binary[186] = 4; /* the last index, of four vertices */
	figure_file_make(&file, NULL, NULL, binary);
	assert_refused(&file, JC_ERROR_INVALID, "meshes[0].primitives[0]", "index");

	figure_binary(binary);
	binary[63] = 2; /* a joint of the last vertex, of a skin of two */
	figure_file_make(&file, NULL, NULL, binary);
	assert_refused(&file, JC_ERROR_INVALID, "nodes[2]", "joints");

	figure_binary(binary);
	figure_put_u32(binary + 128, 0x7fc00000); /* not a number, in a morph target */
	figure_file_make(&file, NULL, NULL, binary);
	assert_refused(&file, JC_ERROR_INVALID, "accessors[3]", "not finite");
}

static void refuses_a_file_truncated_at_any_byte(void **)
{
	struct jc_diagnostic diagnostic;
	struct figure_file file;
	size_t whole;

	figure_file_make(&file, NULL, NULL, NULL);
	whole = file.length;
	for (file.length = 0; file.length < whole; file.length++) {
		assert_int_not_equal(check(&file, &diagnostic), JC_OK);
		assert_true(diagnostic.what[0] != '\0');
	}
	assert_int_equal(check(&file, &diagnostic), JC_OK);
}

/* The same bytes with another header and more after them. */
static void refuses_containers_that_do_not_add_up(void **)
{
	struct figure_file file, other;
	uint32_t json;

	figure_file_make(&file, NULL, NULL, NULL);
	json = (uint32_t)file.bytes[12] | (uint32_t)file.bytes[13] << 8;

	other = file;
	other.length += 4; /* zeros after the end */
	assert_refused(&other, JC_ERROR_INVALID, "GLB header", "length");
	figure_put_u32(other.bytes + 8, (uint32_t)other.length);
	assert_refused(&other, JC_ERROR_INVALID, "GLB chunk 1", "ends with the file");

	/* A second JSON chunk, which some loaders take instead of the first. */
	other = file;
	memcpy(other.bytes + 20 + json + 4, "JSON", 4);
	assert_refused(&other, JC_ERROR_INVALID, "GLB chunk 1", "");
	memcpy(other.bytes + other.length, "\0\0\0\0JSON", 8);
	memcpy(other.bytes + 20 + json + 4, "BIN\0", 4);
	other.length += 8;
	figure_put_u32(other.bytes + 8, (uint32_t)other.length);
	assert_refused(&other, JC_ERROR_INVALID, "GLB chunk 1", "");

	other = file;
	figure_put_u32(other.bytes + 4, 1);
	assert_refused(&other, JC_ERROR_UNSUPPORTED, "GLB header", "version");

	figure_file_make_of(&file, "{'asset':{'version':'2.0'}}", (const uint8_t *)"hidden..", 8);
	assert_refused(&file, JC_ERROR_INVALID, "GLB chunk 1", "no buffer");
}

static void refuses_other_types(void **)
{
	static const char *const others[] = { "", "glT", "<html>", "\x89PNG\r\n\x1a\n", "[1]",
		"BVH\n{}", "PK\3\4", "#VRML V2.0 utf8" };
	struct figure_file file;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		file.length = strlen(others[i]);
		memcpy(file.bytes, others[i], file.length);
		assert_refused(&file, JC_ERROR_SYNTAX, "", "not a glTF file");
	}
	figure_file_make_of(&file, "{'asset':{'version':'1.0'}}", NULL, 0);
	assert_refused(&file, JC_ERROR_UNSUPPORTED, "asset.version", "not 2");
}

static void refuses_absurd_nesting(void **)
{
	char text[512];
	struct figure_file file;

	/* The root is the first value, the innermost array the last. */
	for (int depth = 64; depth <= 65; depth++) {
		snprintf(text, sizeof(text), "{'asset':{'version':'2.0'},'extras':%.*s%.*s}",
			depth - 1,
			"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
			depth - 1,
			"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
		figure_file_make_of(&file, text, NULL, 0);
		if (depth == 65) {
			assert_refused(&file, JC_ERROR_LIMIT, "", "nested");
		} else {
			assert_refused(&file, JC_OK, "", "");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_documents),
		cmocka_unit_test(refuses_values_that_point_nowhere),
		cmocka_unit_test(refuses_a_file_truncated_at_any_byte),
		cmocka_unit_test(refuses_containers_that_do_not_add_up),
		cmocka_unit_test(refuses_other_types),
		cmocka_unit_test(refuses_absurd_nesting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
