/* Bodies without names. Changes to the figure do not alter which joint is which bone. */
#include <stdbool.h>
#include <string.h>

#include "bare_figure.h"
#include "jointcast/transform.h"
#include "unit_test.h"

static void assert_found(const struct bare_figure *figure, float confidence)
{
	struct jc_recognition found;

	assert_int_equal(bare_figure_recognize(figure, &found), JC_OK);
	assert_string_equal(found.family, "structure");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (found.bones[b] != figure->bones[b]) {
			fail_msg("%s is joint %d, not %d", jc_bone_name((enum jc_bone)b),
				found.bones[b], figure->bones[b]);
		}
	}
	assert_float_equal(found.confidence, confidence, 1e-3f);
}

static void assert_found_changed(struct bare_figure_changes changes)
{
	struct bare_figure figure;

	bare_figure_build(&figure, changes);
	assert_found(&figure, 0.9f);
}

static void recognises_a_body_without_names(void **)
{
	struct bare_figure figure;

	bare_figure_build(&figure, bare_figure_plain);
	assert_found(&figure, 0.9f);
	assert_true(figure.bones[JC_BONE_RIGHT_LITTLE_DISTAL] > 0); /* has fingers */
}

static void ignores_the_order_of_children(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;

	changes.right_first = true;
	assert_found_changed(changes);
}

static void accepts_arms_at_any_angle(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;

	for (int degrees = -80; degrees <= 85; degrees += 15) {
		changes.arms_down = (float)degrees * 0.0174533f;
		assert_found_changed(changes);
	}
}

static void ignores_axes_and_unit(void **)
{
	static const struct jc_quat turns[] = {
		{ 0.70710678f, 0.0f, 0.0f, 0.70710678f },
		{ -0.70710678f, 0.0f, 0.0f, 0.70710678f },
		{ 0.0f, 1.0f, 0.0f, 0.0f },
		{ 0.0f, 0.0f, 1.0f, 0.0f },
		{ 0.5f, -0.5f, 0.5f, 0.5f },
		{ 0.1f, 0.7f, -0.5f, 0.5f },
	};
	static const float scales[] = { 0.01f, 1.0f, 100.0f };
	struct bare_figure_changes changes = bare_figure_plain;

	for (size_t t = 0; t < sizeof(turns) / sizeof(*turns); t++) {
		for (size_t s = 0; s < sizeof(scales) / sizeof(*scales); s++) {
			changes.turn = jc_quat_normalize(turns[t]);
			changes.scale = scales[s];
			assert_found_changed(changes);
		}
	}
}

static void leaves_out_twist_joints(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;

	changes.twists = true;
	assert_found_changed(changes);
}

static void leaves_out_metacarpals_of_fingers(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;

	changes.metacarpals = true;
	assert_found_changed(changes);
}

static void leaves_out_controls_beside_the_body(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;

	changes.controls = true;
	assert_found_changed(changes);
}

static void knees_and_elbows_show_the_front_without_feet(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;
	struct bare_figure figure;

	changes.turn = (struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
	changes.no_fingers = true;
	bare_figure_build(&figure, changes);
	for (int side = 0; side < 2; side++) {
		/* Onto the toes, straight below the ankle. */
		int toes = figure.bones[side ? JC_BONE_RIGHT_TOES : JC_BONE_LEFT_TOES];

		figure.positions[toes].z = 0.0f;
		figure.positions[toes + 1] = bare_figure_at(figure.positions[toes].x, 0.0f, 0.0f);
	}
	assert_found(&figure, 0.9f);
	figure.positions[figure.bones[JC_BONE_LEFT_LOWER_LEG]].z = 0.0f;
	figure.positions[figure.bones[JC_BONE_RIGHT_LOWER_LEG]].z = 0.0f;
	assert_found(&figure, 0.9f);
}

static void guesses_an_unknown_front_with_lower_confidence(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;
	struct bare_figure figure;

	changes.blunt = true;
	changes.no_fingers = true;
	bare_figure_build(&figure, changes);
	assert_found(&figure, 0.72f);
}

static void names_decide_left_and_right(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;
	struct jc_recognition found;
	struct bare_figure figure;

	changes.blunt = true;
	bare_figure_build(&figure, changes);
	figure.names[figure.bones[JC_BONE_LEFT_LOWER_LEG]] = "qx.R";
	figure.names[figure.bones[JC_BONE_RIGHT_LOWER_LEG]] = "qx.L";
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_int_equal(found.bones[JC_BONE_RIGHT_FOOT], figure.bones[JC_BONE_LEFT_FOOT]);
	assert_int_equal(found.bones[JC_BONE_RIGHT_HAND], figure.bones[JC_BONE_LEFT_HAND]);
	assert_float_equal(found.confidence, 0.9f, 1e-3f);
}

static void structure_adds_bones_without_names(void **)
{
	struct jc_recognition found;
	struct bare_figure figure;

	bare_figure_build(&figure, bare_figure_plain);
	bare_figure_name_bones(&figure);
	figure.names[figure.bones[JC_BONE_LEFT_UPPER_ARM]] = "qx";
	figure.names[figure.bones[JC_BONE_RIGHT_UPPER_ARM]] = "xq";
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "humanoid");
	assert_float_equal(found.confidence, 0.9f, 1e-3f);
	assert_int_equal(found.bone_count, 51); /* 5 of the trunk, 16 of limbs, 30 of fingers */
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
}

/* The lower arm has the name of the upper arm: its position has priority. */
static void structure_replaces_contradicting_names(void **)
{
	struct jc_recognition found;
	struct bare_figure figure;

	bare_figure_build(&figure, bare_figure_plain);
	for (int b = 0; b < JC_BONE_LEFT_EYE; b++) {
		figure.names[figure.bones[b] < 0 ? 0 : figure.bones[b]] =
			jc_bone_name((enum jc_bone)b);
	}
	figure.names[0] = "";
	for (int side = 0; side < 2; side++) {
		int upper = side ? JC_BONE_RIGHT_UPPER_ARM : JC_BONE_LEFT_UPPER_ARM;

		figure.names[figure.bones[upper + 1]] = figure.names[figure.bones[upper]];
		figure.names[figure.bones[upper]] = "qx";
	}
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "structure");
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
}

/* Beside the body there is a joint with the name of the foot, whose own joint has none. */
static void structure_replaces_a_control_by_the_foot(void **)
{
	struct jc_recognition found;
	struct bare_figure figure;
	int control;

	bare_figure_build(&figure, bare_figure_plain);
	bare_figure_name_bones(&figure);
	control = bare_figure_put(&figure, 0, -1, bare_figure_at(0.09f, 0.08f, 0.0f));
	figure.names[control] = "leftFoot";
	figure.names[figure.bones[JC_BONE_LEFT_FOOT]] = "qx";
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "humanoid");
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
}

static void structure_adds_fingers_to_hands_with_names(void **)
{
	struct jc_recognition found;
	struct bare_figure figure;

	bare_figure_build(&figure, bare_figure_plain);
	bare_figure_name_bones(&figure);
	for (int b = JC_BONE_LEFT_THUMB_METACARPAL; b < JC_BONE_COUNT; b++) {
		figure.names[figure.bones[b]] = "qx";
	}
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "common");
	assert_int_equal(found.bone_count, 51);
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
	/* A name that contradicts the fan: the fan may be wrong for the others too. */
	figure.names[figure.bones[JC_BONE_LEFT_RING_PROXIMAL]] = "leftIndexProximal";
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_int_equal(found.bone_count, 51 - 14);
}

static void rejects_one_pair_of_limbs(void **)
{
	struct bare_figure_changes changes = bare_figure_plain;
	struct jc_recognition found;
	struct bare_figure figure;

	changes.no_arms = true;
	bare_figure_build(&figure, changes);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
	assert_string_equal(found.family, "");
}

static void put_limb(struct bare_figure *figure, int torso, int first, bool is_inserted,
	const struct jc_vec3 joints[4])
{
	bool is_right = (int)jc_bone_mirror((enum jc_bone)first) < first;

	if (is_inserted) {
		torso = bare_figure_put(figure, torso, -1, figure->positions[torso]);
	}
	for (int i = 0; i < 4; i++) {
		struct jc_vec3 place = joints[i];

		place.x = is_right ? -place.x : place.x;
		torso = bare_figure_put(figure, torso, i < 3 ? first + i : -1, place);
	}
	figure->are_tips[torso] = true;
}

/* The joints of a star's limbs on the left. */
static const struct jc_vec3 star_leg[] = { { 0.1f, 0.95f, 0.0f }, { 0.1f, 0.5f, 0.03f },
	{ 0.1f, 0.05f, 0.0f }, { 0.1f, 0.0f, 0.12f } };
static const struct jc_vec3 star_arm[] = { { 0.18f, 1.45f, 0.0f }, { 0.45f, 1.45f, -0.02f },
	{ 0.7f, 1.45f, 0.0f }, { 0.85f, 1.45f, 0.0f } };

static int put_star(struct bare_figure *figure, bool is_inserted)
{
	int torso;

	*figure = (struct bare_figure){ .changes = bare_figure_plain };
	memset(figure->bones, -1, sizeof(figure->bones));
	torso = bare_figure_put(figure, -1, JC_BONE_HIPS, bare_figure_at(0.0f, 1.2f, 0.0f));
	put_limb(figure, torso, JC_BONE_LEFT_UPPER_ARM, is_inserted, star_arm);
	put_limb(figure, torso, JC_BONE_RIGHT_UPPER_LEG, is_inserted, star_leg);
	put_limb(figure, torso, JC_BONE_RIGHT_UPPER_ARM, is_inserted, star_arm);
	put_limb(figure, torso, JC_BONE_LEFT_UPPER_LEG, is_inserted, star_leg);
	return torso;
}

/* A hand of a thumb and one joint for all fingers, in files of CMU's captures. */
static void takes_the_joint_that_branches_into_thumb_and_fingers_for_the_hand(void **)
{
	static const enum jc_bone hands[] = { JC_BONE_LEFT_HAND, JC_BONE_RIGHT_HAND };
	struct bare_figure_changes changes = bare_figure_plain;
	struct bare_figure figure;
	struct jc_recognition found;

	changes.no_fingers = true;
	bare_figure_build(&figure, changes);
	for (size_t i = 0; i < 2; i++) {
		int hand = figure.bones[hands[i]];
		struct jc_vec3 *at = figure.positions;
		struct jc_vec3 elbow = at[figure.parents[hand]];
		struct jc_vec3 part = jc_vec3_scale(jc_vec3_subtract(at[hand], elbow), 0.7f);
		struct jc_vec3 along = jc_vec3_scale(part, 0.2f);
		int thumb, base, fingers;

		at[hand] = jc_vec3_add(elbow, part);
		base = bare_figure_put(&figure, hand, -1, at[hand]);
		fingers = bare_figure_put(&figure, base, -1, jc_vec3_add(at[hand], along));
		bare_figure_put_tip(
			&figure, fingers, jc_vec3_add(at[hand], jc_vec3_scale(along, 2.0f)));
		thumb = bare_figure_put(&figure, hand, -1, at[hand]);
		along.z += 0.04f;
		bare_figure_put_tip(&figure, thumb, jc_vec3_add(at[hand], along));
	}
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_OK);
	assert_int_equal(found.bones[JC_BONE_LEFT_HAND], figure.bones[JC_BONE_LEFT_HAND]);
	assert_int_equal(found.bones[JC_BONE_RIGHT_HAND], figure.bones[JC_BONE_RIGHT_HAND]);
}

/* The torso of a camera tracker carries all limbs; trackers insert joints without offset. */
static void recognises_a_star_of_five_limbs(void **)
{
	for (int inserted = 0; inserted < 2; inserted++) {
		struct bare_figure figure;
		int joint = put_star(&figure, inserted == 1);

		joint = bare_figure_put(
			&figure, joint, JC_BONE_NECK, bare_figure_at(0.0f, 1.5f, 0.0f));
		joint = bare_figure_put(
			&figure, joint, JC_BONE_HEAD, bare_figure_at(0.0f, 1.6f, 0.0f));
		bare_figure_put_tip(&figure, joint, bare_figure_at(0.0f, 1.8f, 0.0f));
		assert_found(&figure, 0.81f); /* all but the spine */
	}
}

static void rejects_a_star_without_a_head(void **)
{
	struct bare_figure figure;
	struct jc_recognition found;

	put_star(&figure, false);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

static void rejects_a_hand(void **)
{
	struct bare_figure figure = { .changes = bare_figure_plain };
	struct jc_recognition found;

	memset(figure.bones, -1, sizeof(figure.bones));
	bare_figure_put_hand(&figure,
		bare_figure_put(&figure, -1, -1, bare_figure_at(0.7f, 1.45f, 0.0f)), false);
	assert_int_equal(bare_figure_recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

/* A joint with thousands of equal children is handled in a short time. */
static void handles_thousands_of_branches_quickly(void **)
{
	enum { CROWD = 6000 };
	static struct jc_vec3 positions[CROWD];
	static const char *names[CROWD];
	static int parents[CROWD];
	const struct jc_joint_tree tree = { .count = CROWD,
		.joint_count = CROWD,
		.names = names,
		.parents = parents,
		.positions = positions };
	struct jc_recognition found;

	for (int i = 0; i < CROWD; i++) {
		names[i] = "";
		parents[i] = i < 2 ? i - 1 : i % 3 ? i - 1 : 1;
		positions[i] = bare_figure_at((float)(i % 7), (float)(i % 3), (float)(i % 5));
	}
	assert_int_equal(jc_recognize(&tree, &found, NULL), JC_ERROR_NO_HUMANOID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognises_a_body_without_names),
		cmocka_unit_test(ignores_the_order_of_children),
		cmocka_unit_test(accepts_arms_at_any_angle),
		cmocka_unit_test(ignores_axes_and_unit),
		cmocka_unit_test(leaves_out_twist_joints),
		cmocka_unit_test(leaves_out_metacarpals_of_fingers),
		cmocka_unit_test(leaves_out_controls_beside_the_body),
		cmocka_unit_test(knees_and_elbows_show_the_front_without_feet),
		cmocka_unit_test(guesses_an_unknown_front_with_lower_confidence),
		cmocka_unit_test(names_decide_left_and_right),
		cmocka_unit_test(structure_adds_bones_without_names),
		cmocka_unit_test(structure_replaces_contradicting_names),
		cmocka_unit_test(structure_replaces_a_control_by_the_foot),
		cmocka_unit_test(structure_adds_fingers_to_hands_with_names),
		cmocka_unit_test(rejects_one_pair_of_limbs),
		cmocka_unit_test(takes_the_joint_that_branches_into_thumb_and_fingers_for_the_hand),
		cmocka_unit_test(recognises_a_star_of_five_limbs),
		cmocka_unit_test(rejects_a_star_without_a_head),
		cmocka_unit_test(rejects_a_hand),
		cmocka_unit_test(handles_thousands_of_branches_quickly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
