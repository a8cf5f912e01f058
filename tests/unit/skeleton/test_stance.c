/* Skeletons with human names that stand on four legs, and humans that do not. */
#include <string.h>

#include "bare_figure.h"
#include "jointcast/transform.h"
#include "unit_test.h"

/* The trunk of a dog is horizontal, and all its legs go down from it. */
static void build_dog(struct bare_figure *figure)
{
	int hips, chest;

	*figure = (struct bare_figure){ .changes = bare_figure_plain };
	memset(figure->bones, -1, sizeof(figure->bones));
	hips = bare_figure_put(figure, -1, JC_BONE_HIPS, bare_figure_at(0.0f, 0.6f, 0.0f));
	chest = bare_figure_put(figure, hips, JC_BONE_SPINE, bare_figure_at(0.0f, 0.6f, 0.3f));
	chest = bare_figure_put(figure, chest, JC_BONE_CHEST, bare_figure_at(0.0f, 0.6f, 0.6f));
	bare_figure_put(figure,
		bare_figure_put(figure, chest, JC_BONE_NECK, bare_figure_at(0.0f, 0.7f, 0.7f)),
		JC_BONE_HEAD, bare_figure_at(0.0f, 0.7f, 0.9f));
	for (int i = 0; i < 4; i++) {
		float x = i % 2 ? -0.1f : 0.1f;
		float z = i < 2 ? 0.0f : 0.6f;
		int first = i < 2 ? JC_BONE_LEFT_UPPER_LEG : JC_BONE_LEFT_UPPER_ARM;
		int leg;

		first = i % 2 ? (int)jc_bone_mirror((enum jc_bone)first) : first;
		leg = bare_figure_put(
			figure, i < 2 ? hips : chest, first, bare_figure_at(x, 0.55f, z));
		leg = bare_figure_put(figure, leg, first + 1, bare_figure_at(x, 0.3f, z + 0.02f));
		leg = bare_figure_put(
			figure, leg, i < 2 ? -1 : first + 2, bare_figure_at(x, 0.05f, z));
		bare_figure_put(figure, leg, -1, bare_figure_at(x, 0.0f, z + 0.05f));
	}
}

static void rejects_four_legs_below_a_level_trunk(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	build_dog(&figure);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

static void rejects_four_legs_with_human_names(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	build_dog(&figure);
	bare_figure_name_bones(&figure);
	figure.changes.turn = jc_quat_normalize((struct jc_quat){ 0.1f, 0.7f, -0.5f, 0.5f });
	figure.changes.scale = 100.0f;
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
	assert_float_equal(found.confidence, 0.9f, 1e-6f); /* all but feet: the names are those */
}

static void accepts_human_names_with_arms_at_any_angle(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;
	struct jc_recognition found;
	struct bare_figure figure;

	for (int degrees = -90; degrees <= 90; degrees += 15) {
		changes.arms_down = (float)degrees * 0.0174533f;
		bare_figure_build(&figure, changes);
		bare_figure_name_bones(&figure);
		assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
		assert_string_equal(found.family, "humanoid");
	}
}

/* All bones along +X, as in the zero poses of many BVH files. */
static void flatten(struct bare_figure *figure)
{
	struct jc_vec3 places[MAX_JOINTS];

	for (size_t i = 0; i < figure->count; i++) {
		int parent = figure->parents[i];

		places[i] = bare_figure_at(0.0f, 0.0f, 0.0f);
		if (parent >= 0) {
			places[i] = places[parent];
			places[i].x += jc_vec3_length(
				jc_vec3_subtract(figure->positions[i], figure->positions[parent]));
		}
	}
	memcpy(figure->positions, places, figure->count * sizeof(*places));
}

static void put_tail(struct bare_figure *figure, const char *name)
{
	struct jc_vec3 back = figure->positions[figure->bones[JC_BONE_HIPS]];

	back.z -= 0.1f;
	figure->names[bare_figure_put(figure, figure->bones[JC_BONE_HIPS], -1, back)] = name;
}

static void a_tail_and_short_legs_show_an_animal_in_any_pose(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	build_dog(&figure);
	bare_figure_name_bones(&figure);
	put_tail(&figure, "Tail1");
	flatten(&figure);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
	assert_float_equal(found.confidence, 0.9f, 1e-6f);
}

static void humans_may_have_tails(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	for (int flat = 0; flat < 2; flat++) {
		bare_figure_build(&figure, bare_figure_plain);
		bare_figure_name_bones(&figure);
		put_tail(&figure, "Tail1");
		if (flat) {
			flatten(&figure);
		}
		assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	}
}

/* Legs of two bones and a foot, each of a length, down to the toes and their tip. */
static void build_small_human(struct bare_figure *figure, float length, const char *tail)
{
	bare_figure_build(figure, bare_figure_plain);
	bare_figure_name_bones(figure);
	put_tail(figure, tail);
	for (int i = 1; i <= 3; i++) {
		float height = 0.95f - length * (float)i;
		int left = figure->bones[JC_BONE_LEFT_UPPER_LEG + i];
		int right = figure->bones[JC_BONE_RIGHT_UPPER_LEG + i];

		figure->positions[left].y = figure->positions[left + 1].y = height;
		figure->positions[right].y = figure->positions[right + 1].y = height;
	}
}

/* As in an animal, the legs are no longer than the trunk. */
static void small_humans_with_tails_stand_upright(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	build_small_human(&figure, 0.08f, "Tail1");
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	flatten(&figure);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

static void small_humans_need_no_stance(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	build_small_human(&figure, 0.16f, "Tail1");
	flatten(&figure);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	build_small_human(&figure, 0.08f, "tailbone");
	flatten(&figure);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rejects_four_legs_below_a_level_trunk),
		cmocka_unit_test(rejects_four_legs_with_human_names),
		cmocka_unit_test(accepts_human_names_with_arms_at_any_angle),
		cmocka_unit_test(a_tail_and_short_legs_show_an_animal_in_any_pose),
		cmocka_unit_test(humans_may_have_tails),
		cmocka_unit_test(small_humans_with_tails_stand_upright),
		cmocka_unit_test(small_humans_need_no_stance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
