/* The facts that jc_avatar_check counts, its caps, and the permissions of VRM files. */
#include <stdio.h>
#include <string.h>

#include "figure_file.h"
#include "jointcast/avatar.h"
#include "unit_test.h"

static struct jc_avatar_facts facts_of(const struct figure_file *file)
{
	struct jc_diagnostic diagnostic = { "", "" };
	struct jc_avatar_facts facts;

	if (jc_avatar_check(file->bytes, file->length, NULL, &facts, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return facts;
}

static struct jc_avatar_facts facts_with(const char *from, const char *to)
{
	struct figure_file file;

	figure_file_make(&file, from, to, NULL);
	return facts_of(&file);
}

static void counts_what_an_avatar_costs(void **)
{
	struct figure_file file;
	struct jc_avatar_facts facts;

	figure_file_make(&file, NULL, NULL, NULL);
	facts = facts_of(&file);
	assert_true(facts.is_binary && facts.is_vrm);
	assert_int_equal(facts.format, JC_AVATAR_VRM1);
	assert_int_equal(facts.bytes, file.length);
	assert_int_equal(facts.nodes, 4);
	assert_int_equal(facts.joints, 2);
	assert_int_equal(facts.primitives, 2); /* one for each node with the mesh */
	assert_int_equal(facts.triangles, 4);
	assert_int_equal(facts.base_vertices, 4);
	assert_int_equal(facts.vertices, 8);
	assert_int_equal(facts.geometry, 48 + 16 + 64 + 48 + 12);
	assert_int_equal(facts.materials, 1);
	assert_int_equal(facts.textures, 3);
	assert_int_equal(facts.images, 1);
	assert_int_equal(facts.pixels, 2 * 3 * 5); /* two samplers */
	assert_int_equal(facts.side, 5);
	assert_int_equal(facts.springs, 2 * (1 + 2 * 3));
	assert_int_equal(facts.extent, 1500);
}

/* The extent of the figure with a part of its document replaced. */
static size_t extent_with(const char *from, const char *to)
{
	struct figure_file file;

	figure_file_make(&file, from, to, NULL);
	return facts_of(&file).extent;
}

/* Places of the joints, and of the nodes where the mesh has no skin. */
static void extent_follows_the_nodes(void **)
{
	assert_int_equal(
		extent_with("{'children':[1,2,3]}", "{'children':[1,2,3],'scale':[1,2,1]}"), 3000);
	assert_int_equal(
		extent_with("[1,2,3]},{}", "[1,2,3]},{'translation':[0,-7,0]}"), 7000 + 1500);
	/* A third of a turn about (1, 1, 1): y becomes z. */
	assert_int_equal(extent_with("{'children':[1,2,3]}",
				 "{'children':[1,2,3],'rotation':[0.5,0.5,0.5,0.5],"
				 "'translation':[0,0,0.25]}"),
		1750);
	/* A skin moves vertices with its joints alone. */
	assert_int_equal(
		extent_with("{'mesh':0,'skin':0}]", "{'mesh':0,'skin':0,'translation':[9,9,9]}]"),
		1500);
	assert_int_equal(extent_with("{},{'mesh':0,'skin':0},{'mesh':0,'skin':0}]",
				 "{},{'mesh':0,'scale':[1,0.5,1]},{'mesh':0,'translation':"
				 "[0,0,-2.5]}]"),
		2500);
}

static void extent_follows_morph_targets(void **)
{
	uint8_t binary[FIGURE_BINARY];
	static const float up = 0.5f;
	struct figure_file file;

	figure_binary(binary);
	memcpy(binary + 128 + 4, &up, sizeof(up));
	figure_file_make(&file, NULL, NULL, binary);
	assert_int_equal(facts_of(&file).extent, 2000);
	figure_file_make(&file, "'meshes':[{", "'meshes':[{'weights':[-3],", binary);
	assert_int_equal(facts_of(&file).extent, 3000);
	figure_file_make(
		&file, "{'mesh':0,'skin':0}]", "{'mesh':0,'skin':0,'weights':[7]}]", binary);
	assert_int_equal(facts_of(&file).extent, 5000);
}

/* Replaces a part of a document, which has room. */
static void replace(char *document, const char *from, const char *to)
{
	char *found = strstr(document, from);

	assert_non_null(found);
	memmove(found + strlen(to), found + strlen(from), strlen(found + strlen(from)) + 1);
	memcpy(found, to, strlen(to));
}

/* The joints double all sizes, and their bind matrices, in place of weights, halve them. */
static void extent_follows_bind_matrices(void **)
{
	uint8_t binary[FIGURE_BINARY];
	float half[16] = { [0] = 0.5f, [5] = 0.5f, [10] = 0.5f, [15] = 1.0f };
	struct jc_diagnostic diagnostic = { "", "" };
	struct jc_avatar_facts facts;
	struct figure_file file;
	char document[8192];

	figure_binary(binary);
	binary[48] = 0; /* the only joint */
	memcpy(binary + 64, half, sizeof(half));
	strcpy(document, figure_document);
	replace(document, "'nodes':[{", "'nodes':[{'scale':[2,2,2],");
	replace(document, "'type':'SCALAR'}]",
		"'type':'SCALAR'},{'bufferView':2,'componentType':5126,'count':1,'type':'MAT4'}]");
	replace(document, "[0,1]}]", "[0],'inverseBindMatrices':5}]");
	figure_file_make_of(&file, document, binary, sizeof(binary));
	facts = facts_of(&file);
	assert_int_equal(facts.extent, 1500);

	figure_file_make(&file, "'skins':[{'joints':[0,1]}]",
		"'skins':[{'joints':[0,1],'inverseBindMatrices':2}]", binary);
	assert_int_equal(jc_avatar_check(file.bytes, file.length, NULL, &facts, &diagnostic),
		JC_ERROR_INVALID);
	assert_string_equal(diagnostic.what, "its inverse bind matrices cannot be used");
	assert_string_equal(diagnostic.where, "skins[0]");
}

static void refuses_a_figure_that_is_too_large_or_too_small(void **)
{
	const struct {
		const char *scale, *what;
		int status;
	} cases[] = {
		{ "13.3333", NULL, JC_OK },
		{ "13.334", "20001 mm from the origin, more than 20000", JC_ERROR_LIMIT },
		{ "0.0333334", NULL, JC_OK },
		{ "0.0326", "they reach 49 mm from the origin, less than 50", JC_ERROR_LIMIT },
		{ "0", "they reach 0 mm from the origin, less than 50", JC_ERROR_LIMIT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_diagnostic diagnostic = { "", "" };
		struct jc_avatar_facts facts;
		struct figure_file file;
		char node[96];

		snprintf(node, sizeof(node), "{'children':[1,2,3],'scale':[1,%s,1]}",
			cases[i].scale);
		figure_file_make(&file, "{'children':[1,2,3]}", node, NULL);
		assert_int_equal(
			jc_avatar_check(file.bytes, file.length, NULL, &facts, &diagnostic),
			cases[i].status);
		if (cases[i].what) {
			assert_string_equal(diagnostic.what, cases[i].what);
			assert_string_equal(diagnostic.where, "meshes");
		}
	}
}

static void counts_json_values(void **)
{
	struct figure_file file;

	/* root, asset, version, extras, its array, and four values */
	figure_file_make_of(&file, "{'asset':{'version':'2.0'},'extras':[1,'a',null,{}]}", NULL, 0);
	assert_int_equal(facts_of(&file).values, 8);
	assert_int_equal(facts_of(&file).format, JC_AVATAR_GLTF);
	assert_false(facts_of(&file).is_vrm);
}

static void counts_triangles_of_each_mode(void **)
{
	static const struct {
		const char *mode;
		size_t triangles;
	} modes[] = {
		{ "'mode':0,'indices':4", 6 },
		{ "'mode':3,'indices':4", 6 },
		{ "'mode':4,'indices':4", 2 },
		{ "'mode':5,'indices':4", 4 },
		{ "'mode':6,'indices':4", 4 },
		{ "'mode':4", 1 }, /* four vertices */
		{ "'mode':5", 2 },
	};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		assert_int_equal(
			facts_with("'indices':4", modes[i].mode).triangles, 2 * modes[i].triangles);
	}
}

static void counts_an_image_for_each_sampler(void **)
{
	/* Sampler 0 of the second texture, none, and 1: the first twice, by an extension as well.
	 */
	assert_int_equal(
		facts_with("[{'source':0},", "[{'sampler':1,'extensions':{'A':{'source':0},"
					     "'B':{'source':0}}},{'sampler':0,'source':0},")
			.pixels,
		3 * 3 * 5);
	assert_int_equal(facts_with("{'source':0,'sampler':0}", "{}").pixels, 3 * 5);
}

static void counts_springs_of_vrm_0(void **)
{
	/* Roots 0 and 1: four nodes and one; groups of two and of one collider, and no group 7. */
	struct jc_avatar_facts facts = facts_with("'VRMC_vrm':{",
		"'VRM':{'secondaryAnimation':{'boneGroups':[{'bones':[0,1],"
		"'colliderGroups':[0,1,7]}],"
		"'colliderGroups':[{'colliders':[{},{}]},{'colliders':[{}]}]}},'VRMC_vrm':{");

	assert_int_equal(facts.springs, 14 + (4 + 1) * (1 + 3));
}

static void reads_a_document_with_data_uris(void **)
{
	static const char text[] =
		"\xef\xbb\xbf\n{\"asset\":{\"version\":\"2.0\",\"copyright\":\"CC0-1.0\"},"
		"\"buffers\":[{\"byteLength\":5,\"uri\":\"data:;base64,AAECAwQ=\"}],"
		"\"images\":[{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAIA"
		"AABDUkNfAAAAAElEQVRDUkNf\"}]}";
	struct jc_avatar_facts facts;

	assert_int_equal(jc_avatar_check(text, strlen(text), NULL, &facts, NULL), JC_OK);
	assert_false(facts.is_binary);
	assert_int_equal(facts.pixels, 15);
	assert_string_equal(facts.licence, "CC0-1.0");
}

/* The offset of each cap and of its fact. */
static const struct {
	size_t cap, fact;
	const char *name;
} caps[] = {
#define CAP(name)                                                                                  \
	{                                                                                          \
		offsetof(struct jc_avatar_caps, name), offsetof(struct jc_avatar_facts, name),     \
			#name                                                                      \
	}
	CAP(bytes),
	CAP(values),
	CAP(nodes),
	CAP(joints),
	CAP(primitives),
	CAP(triangles),
	CAP(vertices),
	CAP(geometry),
	CAP(materials),
	CAP(textures),
	CAP(images),
	CAP(pixels),
	CAP(side),
	CAP(springs),
	CAP(extent),
};

static size_t value_at(const void *object, size_t offset)
{
	size_t value;

	memcpy(&value, (const char *)object + offset, sizeof(value));
	return value;
}

static void enforces_each_cap(void **)
{
	struct jc_avatar_facts facts, untouched = { .bytes = 7 };
	struct figure_file file;

	assert_int_equal(
		sizeof(caps) / sizeof(*caps) * sizeof(size_t), sizeof(struct jc_avatar_caps));
	figure_file_make(&file, NULL, NULL, NULL);
	facts = facts_of(&file);
	for (size_t i = 0; i < sizeof(caps) / sizeof(*caps); i++) {
		struct jc_avatar_caps own = jc_avatar_default_caps();
		struct jc_diagnostic diagnostic = { "", "" };
		size_t value = value_at(&facts, caps[i].fact);

		assert_true(value > 0);
		memcpy((char *)&own + caps[i].cap, &value, sizeof(value));
		assert_int_equal(
			jc_avatar_check(file.bytes, file.length, &own, &facts, NULL), JC_OK);
		value--;
		memcpy((char *)&own + caps[i].cap, &value, sizeof(value));
		assert_int_equal(
			jc_avatar_check(file.bytes, file.length, &own, &untouched, &diagnostic),
			JC_ERROR_LIMIT);
		assert_non_null(strstr(diagnostic.what, "more than"));
	}
	assert_int_equal(untouched.bytes, 7);
}

/* Each row of the table in AVATARS.md, "Caps": | `name` | value | … */
static void has_the_caps_of_the_document(void **)
{
	struct jc_avatar_caps defaults = jc_avatar_default_caps();
	FILE *file = fopen(JC_AVATARS_DOCUMENT, "r");
	size_t found = 0;
	char line[4096], name[32];
	size_t value;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "| `%31[a-z]` | %zu |", name, &value) != 2) {
			continue;
		}
		for (size_t i = 0; i < sizeof(caps) / sizeof(*caps); i++) {
			if (strcmp(caps[i].name, name) == 0) {
				assert_int_equal(value_at(&defaults, caps[i].cap), value);
				found++;
			}
		}
	}
	fclose(file);
	assert_int_equal(found, sizeof(caps) / sizeof(*caps));
}

static void reads_the_meta_of_vrm_1(void **)
{
	struct jc_avatar_facts facts = facts_with(NULL, NULL);

	assert_int_equal(facts.permission, JC_AVATAR_EVERYONE);
	assert_int_equal(facts.modification, JC_AVATAR_MODIFICATION_ALLOWED);
	assert_true(facts.may_redistribute);
	assert_string_equal(facts.title, "Ada");
	assert_string_equal(facts.author, "B. Bee, C. Cee");
	assert_string_equal(facts.licence, "https://vrm.dev/licenses/1.0/");
	facts = facts_with("'avatarPermission':'everyone','allowRedistribution':true,"
			   "'modification':'allowModification'",
		"'avatarPermission':'all','modification':'prohibited'");
	assert_int_equal(facts.permission, JC_AVATAR_ONLY_AUTHOR);
	assert_int_equal(facts.modification, JC_AVATAR_MODIFICATION_PROHIBITED);
	assert_false(facts.may_redistribute);
}

static void cleans_and_cuts_texts(void **)
{
	char long_name[400] = "'name':'a\\u202eb";
	struct jc_avatar_facts facts;

	memset(long_name + strlen(long_name), 'x', 300);
	strcat(long_name, "'");
	facts = facts_with("'name':'Ada'", long_name);
	assert_memory_equal(facts.title, "a???bxxx", 8);
	assert_int_equal(strlen(facts.title), JC_AVATAR_TEXT_BYTES - 1);
}

/* The meta of a VRM 0.x in place of VRMC_vrm. */
static struct jc_avatar_facts facts_of_vrm0(const char *meta)
{
	struct figure_file file;
	char text[512];

	snprintf(text, sizeof(text), "{'asset':{'version':'2.0'},'extensions':{'VRM':{'meta':%s}}}",
		meta);
	figure_file_make_of(&file, text, NULL, 0);
	return facts_of(&file);
}

static void reads_the_meta_of_vrm_0(void **)
{
	struct jc_avatar_facts facts = facts_of_vrm0(
		"{'title':'T','author':'A','allowedUserName':'Everyone','licenseName':'CC_BY'}");

	assert_int_equal(facts.format, JC_AVATAR_VRM0);
	assert_int_equal(facts.permission, JC_AVATAR_EVERYONE);
	assert_int_equal(facts.modification, JC_AVATAR_MODIFICATION_REDISTRIBUTED);
	assert_true(facts.may_redistribute);
	assert_string_equal(facts.title, "T");
	assert_string_equal(facts.author, "A");
	assert_string_equal(facts.licence, "CC_BY");
	facts = facts_of_vrm0("{'licenseName':'CC_BY_NC_ND'}");
	assert_int_equal(facts.permission, JC_AVATAR_ONLY_AUTHOR);
	assert_int_equal(facts.modification, JC_AVATAR_MODIFICATION_PROHIBITED);
	assert_true(facts.may_redistribute);
	facts = facts_of_vrm0("{'allowedUserName':'ExplicitlyLicensedPerson',"
			      "'licenseName':'Other','otherLicenseUrl':'https://a.example/l'}");
	assert_int_equal(facts.permission, JC_AVATAR_LICENSED);
	assert_string_equal(facts.licence, "Other: https://a.example/l");
	assert_false(facts_of_vrm0("{'licenseName':'Redistribution_Prohibited'}").may_redistribute);
	assert_false(facts_of_vrm0("{}").may_redistribute);
}

static void compares_declared_rights_with_the_file(void **)
{
	static const struct {
		struct jc_avatar_facts facts;
		bool author, licensed, everyone;
	} cases[] = {
		{ { .is_vrm = false }, true, true, true },
		{ { .is_vrm = true, .permission = JC_AVATAR_ONLY_AUTHOR, .may_redistribute = true },
			true, false, false },
		{ { .is_vrm = true, .permission = JC_AVATAR_LICENSED, .may_redistribute = true },
			true, true, false },
		{ { .is_vrm = true, .permission = JC_AVATAR_EVERYONE }, true, true, false },
		{ { .is_vrm = true, .permission = JC_AVATAR_EVERYONE, .may_redistribute = true },
			true, true, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const bool expected[] = { cases[i].author, cases[i].licensed, cases[i].everyone };

		for (int rights = 0; rights < 3; rights++) {
			struct jc_diagnostic diagnostic = { "", "" };
			int error = jc_avatar_check_rights(
				&cases[i].facts, (enum jc_avatar_rights)rights, &diagnostic);

			assert_int_equal(error, expected[rights] ? JC_OK : JC_ERROR_INVALID);
			assert_int_equal(diagnostic.what[0] != '\0', !expected[rights]);
		}
	}
}

static void names_rights(void **)
{
	enum jc_avatar_rights rights = JC_AVATAR_RIGHTS_AUTHOR;

	assert_true(jc_avatar_rights_find("public", &rights));
	assert_int_equal(rights, JC_AVATAR_RIGHTS_PUBLIC);
	assert_string_equal(jc_avatar_rights_name(JC_AVATAR_RIGHTS_LICENSED), "licensed");
	assert_false(jc_avatar_rights_find("Public", &rights));
	assert_int_equal(rights, JC_AVATAR_RIGHTS_PUBLIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_what_an_avatar_costs),
		cmocka_unit_test(counts_json_values),
		cmocka_unit_test(counts_triangles_of_each_mode),
		cmocka_unit_test(counts_an_image_for_each_sampler),
		cmocka_unit_test(counts_springs_of_vrm_0),
		cmocka_unit_test(extent_follows_the_nodes),
		cmocka_unit_test(extent_follows_morph_targets),
		cmocka_unit_test(extent_follows_bind_matrices),
		cmocka_unit_test(refuses_a_figure_that_is_too_large_or_too_small),
		cmocka_unit_test(reads_a_document_with_data_uris),
		cmocka_unit_test(enforces_each_cap),
		cmocka_unit_test(has_the_caps_of_the_document),
		cmocka_unit_test(reads_the_meta_of_vrm_1),
		cmocka_unit_test(cleans_and_cuts_texts),
		cmocka_unit_test(reads_the_meta_of_vrm_0),
		cmocka_unit_test(compares_declared_rights_with_the_file),
		cmocka_unit_test(names_rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
