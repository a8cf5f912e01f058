/* Bodies without names. The figure is built joint by joint in this file, so the bone of
 * each joint is known; changes to the figure do not alter that. */
#include <stdbool.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/recognition.h"
#include "unit_test.h"

#define MAX_JOINTS 160

/* Changes to the figure. */
struct changes {
	float arms_down; /* radians from the T-pose */
	bool right_first;
	bool twists, metacarpals, controls;
	bool blunt; /* feet without toes, straight knees and elbows */
	bool no_arms, no_fingers;
	struct jc_quat turn;
	float scale;
};

static const struct changes plain = { .turn = { 0.0f, 0.0f, 0.0f, 1.0f }, .scale = 1.0f };

struct figure {
	struct changes changes;
	size_t count;
	struct jc_vec3 positions[MAX_JOINTS];
	int parents[MAX_JOINTS];
	const char *names[MAX_JOINTS];
	bool are_tips[MAX_JOINTS];
	int bones[JC_BONE_COUNT]; /* in the order of construction */
};

static int put(struct figure *figure, int parent, int bone, struct jc_vec3 position)
{
	figure->positions[figure->count] = position;
	figure->parents[figure->count] = parent;
	figure->names[figure->count] = "";
	figure->are_tips[figure->count] = false;
	if (bone >= 0) {
		figure->bones[bone] = (int)figure->count;
	}
	return (int)figure->count++;
}

static void put_tip(struct figure *figure, int parent, struct jc_vec3 position)
{
	figure->are_tips[put(figure, parent, -1, position)] = true;
}

static struct jc_vec3 at(float x, float y, float z)
{
	return (struct jc_vec3){ x, y, z };
}

/* A joint of an arm: turned down about the shoulder, mirrored on the right. */
static int put_arm(
	struct figure *figure, int parent, int bone, bool is_right, float x, float y, float z)
{
	const struct jc_vec3 shoulder = { 0.18f, 1.45f, 0.0f };
	const struct jc_vec3 axis = { 0.0f, 0.0f, -1.0f };
	struct jc_quat turn = jc_quat_from_axis_angle(axis, figure->changes.arms_down);
	struct jc_vec3 p = at(x, y, z);

	if (x > shoulder.x) {
		p = jc_vec3_add(shoulder, jc_quat_rotate(turn, jc_vec3_subtract(p, shoulder)));
	}
	if (is_right) {
		p.x = -p.x;
	}
	return put(figure, parent, bone < 0 || !is_right ? bone : jc_bone_mirror(bone), p);
}

static void put_finger(struct figure *figure, int hand, int first, bool is_right, float z)
{
	int joint = hand;
	int tip;

	if (figure->changes.metacarpals) {
		joint = put_arm(figure, joint, -1, is_right, 0.72f, 1.45f, 0.3f * z);
	}
	joint = put_arm(figure, joint, first, is_right, 0.79f, 1.45f, z);
	joint = put_arm(figure, joint, first + 1, is_right, 0.83f, 1.45f, z);
	joint = put_arm(figure, joint, first + 2, is_right, 0.855f, 1.45f, z);
	tip = put_arm(figure, joint, -1, is_right, 0.875f, 1.45f, z);
	figure->are_tips[tip] = true;
}

static void put_hand(struct figure *figure, int hand, bool is_right)
{
	int joint;

	put_finger(figure, hand, JC_BONE_LEFT_RING_PROXIMAL, is_right, -0.01f);
	put_finger(figure, hand, JC_BONE_LEFT_INDEX_PROXIMAL, is_right, 0.03f);
	joint = put_arm(figure, hand, JC_BONE_LEFT_THUMB_METACARPAL, is_right, 0.73f, 1.44f, 0.03f);
	joint = put_arm(figure, joint, JC_BONE_LEFT_THUMB_PROXIMAL, is_right, 0.76f, 1.43f, 0.06f);
	joint = put_arm(figure, joint, JC_BONE_LEFT_THUMB_DISTAL, is_right, 0.78f, 1.43f, 0.085f);
	joint = put_arm(figure, joint, -1, is_right, 0.80f, 1.43f, 0.10f);
	figure->are_tips[joint] = true;
	put_finger(figure, hand, JC_BONE_LEFT_LITTLE_PROXIMAL, is_right, -0.03f);
	put_finger(figure, hand, JC_BONE_LEFT_MIDDLE_PROXIMAL, is_right, 0.01f);
}

static void put_whole_arm(struct figure *figure, int chest, bool is_right)
{
	float elbow = figure->changes.blunt ? 0.0f : -0.02f;
	int joint = put_arm(figure, chest, JC_BONE_LEFT_SHOULDER, is_right, 0.06f, 1.45f, 0.0f);

	joint = put_arm(figure, joint, JC_BONE_LEFT_UPPER_ARM, is_right, 0.18f, 1.45f, 0.0f);
	if (figure->changes.twists) {
		put_arm(figure, joint, -1, is_right, 0.30f, 1.45f, 0.0f);
	}
	joint = put_arm(figure, joint, JC_BONE_LEFT_LOWER_ARM, is_right, 0.45f, 1.45f, elbow);
	if (figure->changes.twists) {
		joint = put_arm(figure, joint, -1, is_right, 0.575f, 1.45f, 0.5f * elbow);
	}
	joint = put_arm(figure, joint, JC_BONE_LEFT_HAND, is_right, 0.70f, 1.45f, 0.0f);
	if (!figure->changes.no_fingers) {
		put_hand(figure, joint, is_right);
	} else {
		figure->are_tips[put_arm(figure, joint, -1, is_right, 0.85f, 1.45f, 0.0f)] = true;
	}
}

static void put_leg(struct figure *figure, int hips, bool is_right)
{
	bool blunt = figure->changes.blunt;
	float x = is_right ? -0.09f : 0.09f;
	int first = is_right ? JC_BONE_RIGHT_UPPER_LEG : JC_BONE_LEFT_UPPER_LEG;
	int joint = put(figure, hips, first, at(x, 0.95f, 0.0f));

	joint = put(figure, joint, first + 1, at(x, 0.52f, blunt ? 0.0f : 0.02f));
	joint = put(figure, joint, first + 2, at(x, 0.08f, 0.0f));
	if (blunt) {
		put_tip(figure, joint, at(x, 0.0f, 0.0f));
		return;
	}
	joint = put(figure, joint, first + 3, at(x, 0.02f, 0.12f));
	put_tip(figure, joint, at(x, 0.02f, 0.19f));
}

static void put_controls(struct figure *figure, int root)
{
	put(figure, root, -1, at(0.1f, 0.1f, 0.6f));
	put(figure, root, -1, at(-0.1f, 0.1f, 0.6f));
	put(figure, put(figure, root, -1, at(0.1f, 0.0f, 0.2f)), -1, at(0.1f, 0.1f, 0.0f));
	put(figure, put(figure, root, -1, at(-0.1f, 0.0f, 0.2f)), -1, at(-0.1f, 0.1f, 0.0f));
}

static void build(struct figure *figure, struct changes changes)
{
	int root, hips, joint;

	*figure = (struct figure){ .changes = changes };
	memset(figure->bones, -1, sizeof(figure->bones));
	root = put(figure, -1, -1, at(0.0f, 0.0f, 0.0f));
	hips = put(figure, root, JC_BONE_HIPS, at(0.0f, 1.0f, 0.0f));
	put_leg(figure, hips, changes.right_first);
	joint = put(figure, hips, JC_BONE_SPINE, at(0.0f, 1.12f, 0.0f));
	joint = put(figure, joint, JC_BONE_CHEST, at(0.0f, 1.30f, 0.0f));
	if (!changes.no_arms) {
		put_whole_arm(figure, joint, changes.right_first);
		put_whole_arm(figure, joint, !changes.right_first);
	}
	joint = put(figure, joint, JC_BONE_NECK, at(0.0f, 1.50f, 0.0f));
	joint = put(figure, joint, JC_BONE_HEAD, at(0.0f, 1.60f, 0.02f));
	put_tip(figure, joint, at(0.0f, 1.80f, 0.02f));
	put_leg(figure, hips, !changes.right_first);
	if (changes.controls) {
		put_controls(figure, root);
	}
}

/* Tips come after the joints; out_places receives the index of each joint. */
static int recognize(const struct figure *figure, struct jc_recognition *out_found)
{
	struct jc_vec3 positions[MAX_JOINTS];
	const char *names[MAX_JOINTS];
	int parents[MAX_JOINTS], places[MAX_JOINTS], joints[MAX_JOINTS];
	struct jc_joint_tree tree = { .names = names, .parents = parents, .positions = positions };
	int status;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < figure->count; i++) {
			size_t n = tree.count;

			if (figure->are_tips[i] != (pass == 1)) {
				continue;
			}
			places[i] = (int)n;
			joints[n] = (int)i;
			names[n] = figure->names[i];
			parents[n] = figure->parents[i] < 0 ? -1 : places[figure->parents[i]];
			positions[n] = jc_vec3_scale(
				jc_quat_rotate(figure->changes.turn, figure->positions[i]),
				figure->changes.scale);
			tree.count++;
		}
		if (pass == 0) {
			tree.joint_count = tree.count;
		}
	}
	status = jc_recognize(&tree, out_found, NULL);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_found->bones[b] = out_found->bones[b] < 0 ? -1 : joints[out_found->bones[b]];
	}
	return status;
}

static void assert_found(const struct figure *figure, float confidence)
{
	struct jc_recognition found;

	assert_int_equal(recognize(figure, &found), JC_OK);
	assert_string_equal(found.family, "structure");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (found.bones[b] != figure->bones[b]) {
			fail_msg("%s is joint %d, not %d", jc_bone_name((enum jc_bone)b),
				found.bones[b], figure->bones[b]);
		}
	}
	assert_float_equal(found.confidence, confidence, 1e-3f);
}

static void assert_found_changed(struct changes changes)
{
	struct figure figure;

	build(&figure, changes);
	assert_found(&figure, 0.9f);
}

static void recognises_a_body_without_names(void **)
{
	struct figure figure;

	build(&figure, plain);
	assert_found(&figure, 0.9f);
	assert_true(figure.bones[JC_BONE_RIGHT_LITTLE_DISTAL] > 0); /* has fingers */
}

static void ignores_the_order_of_children(void **)
{
	struct changes changes = plain;

	changes.right_first = true;
	assert_found_changed(changes);
}

static void accepts_arms_at_any_angle(void **)
{
	struct changes changes = plain;

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
	struct changes changes = plain;

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
	struct changes changes = plain;

	changes.twists = true;
	assert_found_changed(changes);
}

static void leaves_out_metacarpals_of_fingers(void **)
{
	struct changes changes = plain;

	changes.metacarpals = true;
	assert_found_changed(changes);
}

static void leaves_out_controls_beside_the_body(void **)
{
	struct changes changes = plain;

	changes.controls = true;
	assert_found_changed(changes);
}

static void knees_and_elbows_show_the_front_without_feet(void **)
{
	struct changes changes = plain;
	struct figure figure;

	changes.turn = (struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
	changes.no_fingers = true;
	build(&figure, changes);
	for (int side = 0; side < 2; side++) {
		/* Onto the toes, straight below the ankle. */
		int toes = figure.bones[side ? JC_BONE_RIGHT_TOES : JC_BONE_LEFT_TOES];

		figure.positions[toes].z = 0.0f;
		figure.positions[toes + 1] = at(figure.positions[toes].x, 0.0f, 0.0f);
	}
	assert_found(&figure, 0.9f);
	figure.positions[figure.bones[JC_BONE_LEFT_LOWER_LEG]].z = 0.0f;
	figure.positions[figure.bones[JC_BONE_RIGHT_LOWER_LEG]].z = 0.0f;
	assert_found(&figure, 0.9f);
}

static void guesses_an_unknown_front_with_lower_confidence(void **)
{
	struct changes changes = plain;
	struct figure figure;

	changes.blunt = true;
	changes.no_fingers = true;
	build(&figure, changes);
	assert_found(&figure, 0.72f);
}

static void names_decide_left_and_right(void **)
{
	struct changes changes = plain;
	struct jc_recognition found;
	struct figure figure;

	changes.blunt = true;
	build(&figure, changes);
	figure.names[figure.bones[JC_BONE_LEFT_LOWER_LEG]] = "qx.R";
	figure.names[figure.bones[JC_BONE_RIGHT_LOWER_LEG]] = "qx.L";
	assert_int_equal(recognize(&figure, &found), JC_OK);
	assert_int_equal(found.bones[JC_BONE_RIGHT_FOOT], figure.bones[JC_BONE_LEFT_FOOT]);
	assert_int_equal(found.bones[JC_BONE_RIGHT_HAND], figure.bones[JC_BONE_LEFT_HAND]);
	assert_float_equal(found.confidence, 0.9f, 1e-3f);
}

static void structure_adds_bones_without_names(void **)
{
	struct jc_recognition found;
	struct figure figure;

	build(&figure, plain);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (figure.bones[b] >= 0) {
			figure.names[figure.bones[b]] = jc_bone_name((enum jc_bone)b);
		}
	}
	figure.names[figure.bones[JC_BONE_LEFT_UPPER_ARM]] = "qx";
	figure.names[figure.bones[JC_BONE_RIGHT_UPPER_ARM]] = "xq";
	assert_int_equal(recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "humanoid");
	assert_float_equal(found.confidence, 0.9f, 1e-3f);
	assert_int_equal(found.bone_count, 51); /* 5 of the trunk, 16 of limbs, 30 of fingers */
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
}

/* The lower arm has the name of the upper arm: its position has priority. */
static void structure_replaces_contradicting_names(void **)
{
	struct jc_recognition found;
	struct figure figure;

	build(&figure, plain);
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
	assert_int_equal(recognize(&figure, &found), JC_OK);
	assert_string_equal(found.family, "structure");
	assert_memory_equal(found.bones, figure.bones, sizeof(found.bones));
}

static void rejects_one_pair_of_limbs(void **)
{
	struct changes changes = plain;
	struct jc_recognition found;
	struct figure figure;

	changes.no_arms = true;
	build(&figure, changes);
	assert_int_equal(recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
	assert_string_equal(found.family, "");
}

/* The trunk of a dog is horizontal, and all its legs go down from it. */
static void rejects_four_legs_below_a_level_trunk(void **)
{
	struct figure figure = { .changes = plain };
	struct jc_recognition found;
	int hips, chest;

	hips = put(&figure, -1, -1, at(0.0f, 0.6f, 0.0f));
	chest = put(
		&figure, put(&figure, hips, -1, at(0.0f, 0.6f, 0.3f)), -1, at(0.0f, 0.6f, 0.6f));
	put(&figure, put(&figure, chest, -1, at(0.0f, 0.7f, 0.7f)), -1, at(0.0f, 0.7f, 0.9f));
	for (int i = 0; i < 4; i++) {
		float x = i % 2 ? 0.1f : -0.1f;
		float z = i < 2 ? 0.0f : 0.6f;
		int leg = put(&figure, i < 2 ? hips : chest, -1, at(x, 0.55f, z));

		leg = put(&figure, leg, -1, at(x, 0.3f, z + 0.02f));
		leg = put(&figure, leg, -1, at(x, 0.05f, z));
		put(&figure, leg, -1, at(x, 0.0f, z + 0.05f));
	}
	assert_int_equal(recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

static void rejects_a_hand(void **)
{
	struct figure figure = { .changes = plain };
	struct jc_recognition found;

	memset(figure.bones, -1, sizeof(figure.bones));
	put_hand(&figure, put(&figure, -1, -1, at(0.7f, 1.45f, 0.0f)), false);
	assert_int_equal(recognize(&figure, &found), JC_ERROR_NO_HUMANOID);
}

/* A joint with thousands of equal children is handled in a short time. */
static void handles_thousands_of_branches_quickly(void **)
{
	enum { CROWD = 6000 };
	static struct jc_vec3 positions[CROWD];
	static const char *names[CROWD];
	static int parents[CROWD];
	const struct jc_joint_tree tree = { CROWD, CROWD, names, parents, positions };
	struct jc_recognition found;

	for (int i = 0; i < CROWD; i++) {
		names[i] = "";
		parents[i] = i < 2 ? i - 1 : i % 3 ? i - 1 : 1;
		positions[i] = at((float)(i % 7), (float)(i % 3), (float)(i % 5));
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
		cmocka_unit_test(rejects_one_pair_of_limbs),
		cmocka_unit_test(rejects_four_legs_below_a_level_trunk),
		cmocka_unit_test(rejects_a_hand),
		cmocka_unit_test(handles_thousands_of_branches_quickly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
