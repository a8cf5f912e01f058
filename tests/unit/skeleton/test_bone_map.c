/* Bone maps: the lines that are read, the joints that they find, and the messages about mistakes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/humanoid.h"
#include "jointcast/limits.h"
#include "jointcast_private/bone_map_match.h"
#include "jointcast_private/spelling.h"
#include "unit_test.h"

static const char *const names[] = { "root", "Pelvis#1", "my Spine", "upperarm=L", "twin", "twin",
	"", "ns:Leg_L" };
static const int parents[] = { -1, 0, 1, 2, 1, 4, 5, 1 };
static const struct jc_named_joints joints = { 8, names, parents, false };

static struct jc_bone_map *read_map(const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_bone_map *map = NULL;

	assert_int_equal(jc_bone_map_read("my.txt", text, strlen(text), &map, &diagnostic), JC_OK);
	return map;
}

static void finds_joints_by_name_and_number(void **state)
{
	struct jc_bone_map *map = read_map("\xef\xbb\xbf# a comment = none\r\n"
					   "hips=Pelvis#1\r\n"
					   "\r\n"
					   "\t spine \t=  my Spine \t\r\n"
					   "  # leftEye = twin\n"
					   "leftUpperArm = upperarm=L\n"
					   "leftUpperLeg = #4\n"
					   "leftLowerLeg = #6");
	struct jc_diagnostic diagnostic = { 0 };
	int bones[JC_BONE_COUNT];
	int mapped = 0;

	(void)state;
	assert_int_equal(jc_bone_map_match(map, &joints, bones, &diagnostic), JC_OK);
	assert_int_equal(bones[JC_BONE_HIPS], 1);
	assert_int_equal(bones[JC_BONE_SPINE], 2);
	assert_int_equal(bones[JC_BONE_LEFT_UPPER_ARM], 3);
	assert_int_equal(bones[JC_BONE_LEFT_UPPER_LEG], 4);
	assert_int_equal(bones[JC_BONE_LEFT_LOWER_LEG], 6);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		mapped += bones[b] >= 0;
	}
	assert_int_equal(mapped, 5);
	jc_bone_map_destroy(map);
}

static void refuses_lines(void **state)
{
	static const struct {
		const char *text, *what, *where;
		int error;
	} cases[] = {
		{ "hips = a\nspine", "'spine' is not BONE = JOINT", "my.txt:2", JC_ERROR_SYNTAX },
		{ "\n\nhips =  ", "no joint after 'hips ='", "my.txt:3", JC_ERROR_SYNTAX },
		{ "hips = a\n#\nhips = b", "'hips' already has a joint in line 1", "my.txt:3",
			JC_ERROR_INVALID },
		{ "leftUperArm = a",
			"'leftUperArm' is not a bone; nearest: 'leftUpperArm', 'leftLowerArm'",
			"my.txt:1", JC_ERROR_INVALID },
		{ "xyzzy = a", "'xyzzy' is not a bone", "my.txt:1", JC_ERROR_INVALID },
		{ "Hips = a", "'Hips' is not a bone; nearest: 'hips'", "my.txt:1",
			JC_ERROR_INVALID },
	};
	char text[JC_LIMIT_NAME_BYTES + 16];
	struct jc_diagnostic diagnostic;
	struct jc_bone_map *map;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(jc_bone_map_read("my.txt", cases[i].text, strlen(cases[i].text),
					 &map, &diagnostic),
			cases[i].error);
		assert_string_equal(diagnostic.what, cases[i].what);
		assert_string_equal(diagnostic.where, cases[i].where);
	}
	assert_int_equal(
		jc_bone_map_read("my.txt", "hips = a\0b", 10, &map, &diagnostic), JC_ERROR_SYNTAX);

	/* One byte less than the maximum with its NUL is a name. */
	snprintf(text, sizeof(text), "hips = %0*d", (int)JC_LIMIT_NAME_BYTES, 7);
	assert_int_equal(
		jc_bone_map_read("my.txt", text, strlen(text), &map, &diagnostic), JC_ERROR_LIMIT);
	assert_int_equal(
		jc_bone_map_read("my.txt", text, strlen(text) - 1, &map, &diagnostic), JC_OK);
	jc_bone_map_destroy(map);
}

static void limits_the_size(void **state)
{
	char *text = malloc(JC_LIMIT_BONE_MAP_BYTES + 1);
	struct jc_diagnostic diagnostic;
	struct jc_bone_map *map;

	(void)state;
	assert_non_null(text);
	memset(text, '\n', JC_LIMIT_BONE_MAP_BYTES + 1);
	assert_int_equal(
		jc_bone_map_read("m", text, JC_LIMIT_BONE_MAP_BYTES, &map, &diagnostic), JC_OK);
	jc_bone_map_destroy(map);
	assert_int_equal(
		jc_bone_map_read("m", text, JC_LIMIT_BONE_MAP_BYTES + 1, &map, &diagnostic),
		JC_ERROR_LIMIT);
	free(text);
}

static void refuses_joints(void **state)
{
	static const struct {
		const char *text, *what, *where;
	} cases[] = {
		{ "\nspine = my spin", "no joint is named 'my spin'; nearest: 'my Spine'",
			"my.txt:2" },
		{ "leftUpperLeg = leg_l", "no joint is named 'leg_l'; nearest: 'ns:Leg_L'",
			"my.txt:1" },
		{ "spine = zzzzzzzz", "no joint is named 'zzzzzzzz'", "my.txt:1" },
		{ "spine = twin", "several joints are named 'twin': write #4 or #5", "my.txt:1" },
		{ "spine = #8", "there is no joint #8: the file has 8", "my.txt:1" },
		{ "hips = root\nspine = #0",
			"the joint of 'spine' is already that of 'hips' in line 1", "my.txt:2" },
		{ "spine = root\nhips = Pelvis#1",
			"the joint of 'hips' hangs below that of 'spine', which is not above it in "
			"a body",
			"my.txt:2" },
		{ "hips = root\nvl4 = twin",
			"a vertebra of H-Anim, but the file has no H-Anim figure", "my.txt:2" },
	};
	int bones[JC_BONE_COUNT];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jc_bone_map *map = read_map(cases[i].text);
		struct jc_diagnostic diagnostic = { 0 };

		bones[0] = 77;
		assert_int_equal(
			jc_bone_map_match(map, &joints, bones, &diagnostic), JC_ERROR_INVALID);
		assert_string_equal(diagnostic.what, cases[i].what);
		assert_string_equal(diagnostic.where, cases[i].where);
		assert_int_equal(bones[0], 77);
		jc_bone_map_destroy(map);
	}
}

static void long_names_of_maps_lose_their_beginning(void **state)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_bone_map *map;
	char name[400];

	(void)state;
	memset(name, 'd', sizeof(name));
	strcpy(name + 300, "/end.txt");
	assert_int_equal(jc_bone_map_read(name, "what", 4, &map, &diagnostic), JC_ERROR_SYNTAX);
	assert_string_equal(
		diagnostic.where + strlen(diagnostic.where) - strlen("/end.txt:1"), "/end.txt:1");
}

static void lists_nearest_names(void **state)
{
	static const char *const known[] = { "LeftArm", "LeftForeArm", "rightarm", "LeftLeg", "",
		"mixamorig:LeftAmr" };
	char text[100];

	(void)state;
	/* An exchange of neighbours is one difference, the prefix none. */
	jc_spelling_list("LeftArm", 6, known, text, sizeof(text));
	assert_string_equal(text, "'LeftArm', 'mixamorig:LeftAmr'");
	jc_spelling_list("RIGHTARM", 6, known, text, sizeof(text));
	assert_string_equal(text, "'rightarm'");
	jc_spelling_list("Tail", 6, known, text, sizeof(text));
	assert_string_equal(text, "");
}

static void names_that_a_line_can_hold(void **state)
{
	(void)state;
	assert_true(jc_bone_map_can_write("a b=c#d"));
	assert_false(jc_bone_map_can_write(""));
	assert_false(jc_bone_map_can_write(" a"));
	assert_false(jc_bone_map_can_write("a "));
	assert_false(jc_bone_map_can_write("#12"));
	assert_false(jc_bone_map_can_write("a\nb"));
	assert_false(jc_bone_map_can_write("a\xff"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_joints_by_name_and_number),
		cmocka_unit_test(refuses_lines),
		cmocka_unit_test(limits_the_size),
		cmocka_unit_test(refuses_joints),
		cmocka_unit_test(long_names_of_maps_lose_their_beginning),
		cmocka_unit_test(lists_nearest_names),
		cmocka_unit_test(names_that_a_line_can_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
