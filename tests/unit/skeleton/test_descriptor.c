/* Skeleton descriptors: exact text, hash, reading back, and rejected input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "jointcast/transform.h"
#include "unit_test.h"

static int read_text(
	const char *text, struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	return jc_skeleton_read(text, strlen(text), 0, NULL, out_skeleton, NULL, diagnostic);
}

static struct jc_skeleton *must_read(const char *text)
{
	struct jc_skeleton *skeleton = NULL;

	assert_int_equal(read_text(text, &skeleton, NULL), JC_OK);
	return skeleton;
}

static char *must_write(const struct jc_skeleton *skeleton)
{
	char *text = NULL;

	assert_int_equal(jc_skeleton_write_descriptor(skeleton, &text), JC_OK);
	return text;
}

/* Hand-written after proto/SKELETONS.md, "Skeleton descriptors". Node 0 of the input is not needed;
 * parents come first; 0.1f and -0 are the difficult numbers. */
static const char written[] =
	"{\"name\":\"a \\\"b\\\"\",\"format\":\"descriptor\",\"hipsHeight\":0.5,"
	"\"facing\":[0,1,0,0],\"nodes\":["
	"{\"name\":\"root\",\"parent\":-1,\"translation\":[0,0,0],\"rotation\":[0,0,0,1],"
	"\"scale\":[1,1,1]},"
	"{\"name\":\"pelvis\",\"parent\":0,\"translation\":[0.100000001,0.5,0],"
	"\"rotation\":[0,0,0,1],\"scale\":[1,1,1]},"
	"{\"name\":\"\",\"parent\":1,\"translation\":[0,9.99999975e-05,0],"
	"\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[1,1,-1]}],"
	"\"bones\":{\"hips\":1,\"spine\":2},\"corrections\":{\"spine\":[1,0,0,0]},"
	"\"virtualTransforms\":[{\"name\":\"grip\",\"parent\":-1,\"translation\":[0,0,0],"
	"\"rotation\":[0,0,0,1],\"scale\":[1,1,1],\"respectParentPosition\":true,"
	"\"respectParentRotation\":false,\"respectParentScale\":true,"
	"\"tags\":[\"a\",\"b\"]}]}";

static const char given[] =
	"{ \"virtualTransforms\": [{\"name\": \"grip\", \"tags\": [\"a\", \"b\"],"
	" \"respectParentRotation\": false}],\n"
	" \"corrections\": {\"spine\": [1, 0, 0, 0]}, \"bones\": {\"spine\": 2, \"hips\": 3},\n"
	" \"nodes\": [{\"name\": \"unused\", \"parent\": 1},\n"
	"  {\"name\": \"root\", \"rotation\": [-0.0, 0, 0, 1]},\n"
	"  {\"parent\": 3, \"translation\": [0, 1e-4, 0], \"rotation\": [0.5, 0.5, 0.5, 0.5],"
	" \"scale\": [1, 1, -1]},\n"
	"  {\"name\": \"pelvis\", \"parent\": 1, \"translation\": [0.1, 0.5, -0.0]}],\n"
	" \"facing\": [0, 1, 0, 0], \"hipsHeight\": 77, \"name\": \"a \\\"b\\\"\","
	" \"unknown\": null }";

static void descriptor_text_is_canonical(void **)
{
	struct jc_skeleton *skeleton = must_read(given);
	char *text = must_write(skeleton);

	assert_string_equal(text, written);
	/* From sha256sum of coreutils. */
	assert_string_equal(jc_skeleton_hash(skeleton), "9c3083d669c86b843ca310910a16cc3a"
							"4fa5555cb8435168b971a1456160efd8");
	free(text);
	jc_skeleton_destroy(skeleton);
}

static void written_descriptor_reads_back_the_same(void **)
{
	uint32_t seed = 99;

	for (int run = 0; run < 50; run++) {
		struct jc_skeleton *skeleton, *again;
		struct figure figure;
		char *text, *second;

		figure_init_random(&figure, &seed);
		skeleton = figure_make(&figure);
		text = must_write(skeleton);
		again = must_read(text);
		second = must_write(again);
		assert_string_equal(text, second);
		assert_string_equal(jc_skeleton_hash(skeleton), jc_skeleton_hash(again));
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			struct jc_quat w = jc_skeleton_t_pose(skeleton, (enum jc_bone)b);
			struct jc_quat p = jc_skeleton_parent_t_pose(skeleton, (enum jc_bone)b);
			struct jc_quat v = jc_skeleton_t_pose(again, (enum jc_bone)b);
			struct jc_quat q = jc_skeleton_parent_t_pose(again, (enum jc_bone)b);

			assert_memory_equal(&w, &v, sizeof(w));
			assert_memory_equal(&p, &q, sizeof(p));
		}
		free(text);
		free(second);
		jc_skeleton_destroy(skeleton);
		jc_skeleton_destroy(again);
	}
}

/* Nodes that only a limit or a segment needs are written too; a limit without lower and upper has
 * only its stiffness. */
static void limits_and_segments_are_written_and_read(void **)
{
	static const char text[] =
		"{\"nodes\":[{},{\"parent\":0},{\"parent\":1},{\"parent\":0}],\"bones\":{\"hips\":"
		"0},"
		"\"limits\":[{\"node\":2,\"lower\":[-1,0,0],\"upper\":[2,0,0.5]},"
		"{\"node\":0,\"orientation\":[0,1,0,0],\"stiffness\":[1,0,0.25]}],"
		"\"segments\":[{\"node\":1,\"name\":\"shin\",\"mass\":3.5,"
		"\"momentsOfInertia\":[1,2,3,4,5,6,7,8,9]},{\"node\":0,\"centerOfMass\":[0,1,0]}]}";
	struct jc_skeleton *skeleton = must_read(text), *again;
	char *written_text = must_write(skeleton);

	assert_non_null(strstr(written_text,
		",\"limits\":[{\"node\":2,\"lower\":[-1,0,0],\"upper\":[2,0,0.5],"
		"\"orientation\":[0,0,0,1],\"stiffness\":[0,0,0]},"
		"{\"node\":0,\"orientation\":[0,1,0,0],\"stiffness\":[1,0,0.25]}],"
		"\"segments\":[{\"name\":\"shin\",\"node\":1,\"mass\":3.5,"
		"\"centerOfMass\":[0,0,0],\"momentsOfInertia\":[1,2,3,4,5,6,7,8,9]},"
		"{\"name\":\"\",\"node\":0,\"mass\":0,\"centerOfMass\":[0,1,0]}]}"));
	again = must_read(written_text);
	/* The fourth node is not needed. */
	assert_int_equal(jc_skeleton_node_count(again), 3);
	assert_string_equal(jc_skeleton_hash(skeleton), jc_skeleton_hash(again));
	assert_int_equal(jc_skeleton_limit_count(again), 2);
	assert_true(jc_skeleton_limits(again)[1].is_unlimited);
	assert_float_equal(jc_skeleton_segments(again)[0].inertia[5], 6.0f, 0.0f);
	assert_float_equal(jc_skeleton_facts(again)->mass, 3.5, 0.0);
	free(written_text);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
}

/* 1024 segments with the longest names are more than a descriptor holds. */
static void leaves_out_limits_and_segments_that_do_not_fit(void **)
{
	struct jc_skeleton *skeleton, *again;
	char *text = NULL, *written_text, name[256];
	size_t length;
	FILE *out = open_memstream(&text, &length);

	memset(name, 'x', 255);
	name[255] = '\0';
	fprintf(out, "{\"nodes\":[{}],\"bones\":{\"hips\":0},\"segments\":[");
	for (int i = 0; i < 1024; i++) {
		fprintf(out, "%s{\"node\":0,\"name\":\"%s\"}", i ? "," : "", name);
	}
	fprintf(out, "]}");
	fclose(out);
	skeleton = must_read(text);
	assert_int_equal(jc_skeleton_segment_count(skeleton), 1024);
	written_text = must_write(skeleton);
	assert_null(strstr(written_text, "segments"));
	again = must_read(written_text);
	assert_string_equal(jc_skeleton_hash(skeleton), jc_skeleton_hash(again));
	free(written_text);
	free(text);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
}

static void keeps_the_source_format(void **)
{
	struct jc_skeleton *builtin = NULL, *again;
	char *text;

	assert_int_equal(jc_skeleton_create_builtin(&builtin), JC_OK);
	text = must_write(builtin);
	again = must_read(text);
	assert_int_equal(jc_skeleton_format(again), JC_SKELETON_BUILTIN);
	assert_string_equal(jc_skeleton_hash(again), jc_skeleton_hash(builtin));
	free(text);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(builtin);
	again = must_read("{\"format\":\"of tomorrow\",\"nodes\":[{}],\"bones\":{\"hips\":0}}");
	assert_int_equal(jc_skeleton_format(again), JC_SKELETON_DESCRIPTOR);
	jc_skeleton_destroy(again);
}

/* The hips are 0.9 above the foot and 1 above the ground. */
static void keeps_the_floor_and_measures_hips_from_it(void **)
{
	static const char text[] =
		"{\"name\":\"\",\"format\":\"vrm-1.0\",\"hipsHeight\":1,\"floor\":-0.25,"
		"\"facing\":[0,0,0,1],\"nodes\":["
		"{\"name\":\"\",\"parent\":-1,\"translation\":[0,0.75,0],\"rotation\":[0,0,0,1],"
		"\"scale\":[1,1,1]},"
		"{\"name\":\"\",\"parent\":0,\"translation\":[0,-0.9,0],\"rotation\":[0,0,0,1],"
		"\"scale\":[1,1,1]}],"
		"\"bones\":{\"hips\":0,\"leftFoot\":1},\"corrections\":{},"
		"\"virtualTransforms\":[]}";
	struct jc_skeleton *skeleton = must_read(text);
	char *again = must_write(skeleton);

	assert_float_equal(jc_skeleton_hips_height(skeleton), 1.0f, 1e-6f);
	assert_non_null(strstr(again, "\"hipsHeight\":1,\"floor\":-0.25,\"facing\""));
	free(again);
	jc_skeleton_destroy(skeleton);
}

static void writes_offsets_that_are_not_identity(void **)
{
	struct jc_skeleton *skeleton = must_read(
		"{\"nodes\":[{\"translation\":[0,1,0]},{\"parent\":0}],"
		"\"bones\":{\"hips\":0,\"spine\":1},\"corrections\":{\"hips\":[0,1,0,0]},"
		"\"offsets\":{\"spine\":[0.6,0,0,0.8],\"neck\":[1,0,0,0],\"hips\":[0,0,0,1]}}");
	struct jc_skeleton *again;
	char *text = must_write(skeleton);

	assert_non_null(strstr(text, "\"corrections\":{\"hips\":[0,1,0,0]},"
				     "\"offsets\":{\"spine\":[0.600000024,0,0,0.800000012]},"
				     "\"virtualTransforms\""));
	again = must_read(text);
	assert_string_equal(jc_skeleton_hash(again), jc_skeleton_hash(skeleton));
	assert_float_equal(jc_skeleton_offset(again, JC_BONE_SPINE).x, 0.6f, 0.0f);
	free(text);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
}

#define HIPS "\"bones\":{\"hips\":0}"

static void errors_name_the_field(void **)
{
	static const struct {
		const char *text;
		int error;
		const char *where;
	} cases[] = {
		{ "{" HIPS "}", JC_ERROR_INVALID, "nodes" },
		{ "{\"nodes\":[{}]}", JC_ERROR_INVALID, "bones" },
		{ "{\"nodes\":{}," HIPS "}", JC_ERROR_INVALID, "nodes" },
		{ "{\"nodes\":[[]]," HIPS "}", JC_ERROR_INVALID, "nodes[0]" },
		{ "{\"nodes\":[{\"name\":null}]," HIPS "}", JC_ERROR_INVALID, "nodes[0].name" },
		{ "{\"nodes\":[{},{\"parent\":2}]," HIPS "}", JC_ERROR_INVALID, "nodes[1].parent" },
		{ "{\"nodes\":[{},{\"parent\":-2}]," HIPS "}", JC_ERROR_INVALID,
			"nodes[1].parent" },
		{ "{\"nodes\":[{},{\"parent\":\"0\"}]," HIPS "}", JC_ERROR_INVALID,
			"nodes[1].parent" },
		{ "{\"nodes\":[{},{},{},{\"rotation\":[0,null,0,1]}]," HIPS "}", JC_ERROR_INVALID,
			"nodes[3].rotation[1]" },
		{ "{\"nodes\":[{\"rotation\":[0,0,0]}]," HIPS "}", JC_ERROR_INVALID,
			"nodes[0].rotation" },
		{ "{\"nodes\":[{\"rotation\":[0,0,0,0]}]," HIPS "}", JC_ERROR_INVALID, "nodes[0]" },
		{ "{\"nodes\":[{\"translation\":[0,1e9,0]}]," HIPS "}", JC_ERROR_LIMIT,
			"nodes[0].translation[1]" },
		{ "{\"nodes\":[{}],\"bones\":[0]}", JC_ERROR_INVALID, "bones" },
		{ "{\"nodes\":[{}],\"bones\":{\"tail\":0}}", JC_ERROR_INVALID, "bones.tail" },
		{ "{\"nodes\":[{}],\"bones\":{\"hips\":1}}", JC_ERROR_INVALID, "bones.hips" },
		{ "{\"nodes\":[{}],\"bones\":{\"hips\":-1}}", JC_ERROR_INVALID, "bones.hips" },
		{ "{\"nodes\":[{}],\"bones\":{}}", JC_ERROR_NO_HUMANOID, "" },
		{ "{\"nodes\":[{}]," HIPS ",\"facing\":[1,0]}", JC_ERROR_INVALID, "facing" },
		{ "{\"nodes\":[{}]," HIPS ",\"facing\":[1,1,1,1]}", JC_ERROR_INVALID, "facing" },
		{ "{\"nodes\":[{}]," HIPS ",\"floor\":null}", JC_ERROR_INVALID, "floor" },
		{ "{\"nodes\":[{}]," HIPS ",\"floor\":-1e7}", JC_ERROR_LIMIT, "floor" },
		{ "{\"nodes\":[{}]," HIPS ",\"name\":3}", JC_ERROR_INVALID, "name" },
		{ "{\"nodes\":[{}]," HIPS ",\"corrections\":{\"tail\":[0,0,0,1]}}",
			JC_ERROR_INVALID, "corrections.tail" },
		{ "{\"nodes\":[{}]," HIPS ",\"corrections\":{\"hips\":[0,0,0]}}", JC_ERROR_INVALID,
			"corrections.hips" },
		{ "{\"nodes\":[{}]," HIPS ",\"offsets\":{\"tail\":[0,0,0,1]}}", JC_ERROR_INVALID,
			"offsets.tail" },
		{ "{\"nodes\":[{}]," HIPS ",\"offsets\":{\"hips\":[0,0,0,2]}}", JC_ERROR_INVALID,
			"offsets.hips" },
		{ "{\"nodes\":[{}]," HIPS ",\"virtualTransforms\":[{\"parent\":1}]}",
			JC_ERROR_INVALID, "virtualTransforms[0].parent" },
		{ "{\"nodes\":[{}]," HIPS ",\"virtualTransforms\":[{\"tags\":[\"a\",1]}]}",
			JC_ERROR_INVALID, "virtualTransforms[0].tags[1]" },
		{ "{\"nodes\":[{}]," HIPS ",\"virtualTransforms\":[{},{\"respectParentScale\":1}]}",
			JC_ERROR_INVALID, "virtualTransforms[1].respectParentScale" },
		{ "{\"nodes\":[{}]," HIPS ",\"limits\":{}}", JC_ERROR_INVALID, "limits" },
		{ "{\"nodes\":[{}]," HIPS ",\"limits\":[{}]}", JC_ERROR_INVALID, "limits[0]" },
		{ "{\"nodes\":[{}]," HIPS ",\"limits\":[{\"node\":1}]}", JC_ERROR_INVALID,
			"limits[0].node" },
		{ "{\"nodes\":[{}]," HIPS ",\"limits\":[{\"node\":0,\"lower\":[0,0,0]}]}",
			JC_ERROR_INVALID, "limits[0]" },
		{ "{\"nodes\":[{}]," HIPS ",\"limits\":[{\"node\":0,\"stiffness\":[0]}]}",
			JC_ERROR_INVALID, "limits[0].stiffness" },
		{ "{\"nodes\":[{}]," HIPS ",\"segments\":[7]}", JC_ERROR_INVALID, "segments[0]" },
		{ "{\"nodes\":[{}]," HIPS ",\"segments\":[{\"node\":-1}]}", JC_ERROR_INVALID,
			"segments[0].node" },
		{ "{\"nodes\":[{}]," HIPS ",\"segments\":[{\"node\":0,\"mass\":-1}]}",
			JC_ERROR_INVALID, "segments[0]" },
		{ "{\"nodes\":[{}]," HIPS ",\"segments\":[{\"node\":0,\"mass\":1e9}]}",
			JC_ERROR_LIMIT, "segments[0].mass" },
		{ "{\"nodes\":[{}]," HIPS
		  ",\"segments\":[{\"node\":0,\"momentsOfInertia\":[1,2,3]}]}",
			JC_ERROR_INVALID, "segments[0].momentsOfInertia" },
		{ "[]", JC_ERROR_SYNTAX, "" },
		{ "", JC_ERROR_TRUNCATED, "" },
		{ "HIERARCHY", JC_ERROR_SYNTAX, "" },
		{ "{\"nodes\":[{}]," HIPS, JC_ERROR_TRUNCATED, "line 1, column 32" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton;

		assert_int_equal(read_text(cases[i].text, &skeleton, &diagnostic), cases[i].error);
		assert_string_equal(diagnostic.where, cases[i].where);
		assert_true(strlen(diagnostic.what) > 0);
	}
}

static void descriptor_has_one_humanoid(void **)
{
	static const char text[] = "{\"nodes\":[{}]," HIPS "}";
	struct jc_skeleton *skeleton;

	assert_int_equal(jc_skeleton_read(text, strlen(text), 1, NULL, &skeleton, NULL, NULL),
		JC_ERROR_ABSENT);
}

/* A chain of 500 nodes with names of 255 bytes, five times longer when escaped, exceeds
 * the limit of a descriptor and no other limit. */
static void rejects_a_skeleton_with_too_large_a_descriptor(void **)
{
	enum { COUNT = 500 };
	struct jc_skeleton_description description;
	struct jc_skeleton_node *nodes = calloc(COUNT, sizeof(*nodes));
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;
	char name[256];

	assert_non_null(nodes);
	memset(name, '\001', 255);
	name[255] = '\0';
	for (int i = 0; i < COUNT; i++) {
		nodes[i] = (struct jc_skeleton_node){ name, i - 1, JC_TRANSFORM_IDENTITY };
	}
	jc_skeleton_description_init(&description);
	description.nodes = nodes;
	description.node_count = COUNT;
	description.bones[JC_BONE_HIPS] = COUNT - 1;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, &diagnostic), JC_ERROR_LIMIT);
	description.bones[JC_BONE_HIPS] = 100;
	assert_int_equal(jc_skeleton_create(&description, &skeleton, &diagnostic), JC_OK);
	jc_skeleton_destroy(skeleton);
	free(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptor_text_is_canonical),
		cmocka_unit_test(written_descriptor_reads_back_the_same),
		cmocka_unit_test(limits_and_segments_are_written_and_read),
		cmocka_unit_test(leaves_out_limits_and_segments_that_do_not_fit),
		cmocka_unit_test(keeps_the_source_format),
		cmocka_unit_test(keeps_the_floor_and_measures_hips_from_it),
		cmocka_unit_test(writes_offsets_that_are_not_identity),
		cmocka_unit_test(errors_name_the_field),
		cmocka_unit_test(descriptor_has_one_humanoid),
		cmocka_unit_test(rejects_a_skeleton_with_too_large_a_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
