/* Tests the joints of devices. The directions of axes in a posture, as the specifications
 * describe them, give both: the person looks to +Z, left is +X. */
#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/device_place.h"
#include "unit_test.h"

static const struct jc_vec3 left = { 1, 0, 0 }, right = { -1, 0, 0 }, up = { 0, 1, 0 },
			    down = { 0, -1, 0 }, front = { 0, 0, 1 }, back = { 0, 0, -1 };

/* By where +Y and -Z point. */
static struct jc_quat axes(struct jc_vec3 y, struct jc_vec3 minus_z)
{
	struct jc_vec3 z = jc_vec3_scale(minus_z, -1.0f);

	return jc_quat_from_axes(jc_vec3_cross(y, z), y, z);
}

static void assert_joint(struct jc_body_joint joint, struct jc_vec3 position,
	struct jc_quat orientation, enum jc_state state)
{
	assert_true(jc_vec3_length(jc_vec3_subtract(joint.position, position)) < 1e-6f);
	assert_true(jc_quat_angle(joint.orientation, orientation) < 1e-5f);
	assert_int_equal(joint.state, state);
}

/* The draft's head has -Z up along the neck and +Y to the front. */
static void head_is_behind_and_below_the_eyes(void **)
{
	const struct jc_vec3 eyes = { 0.5f, 1.6f, -2.0f };

	assert_joint(jc_device_place_head((struct jc_device_pose){ eyes, axes(up, front) }),
		(struct jc_vec3){ 0.5f, 1.53f, -2.075f }, axes(front, up), JC_TRACKED);
	/* Looks to its right. */
	assert_joint(jc_device_place_head((struct jc_device_pose){ eyes, axes(up, right) }),
		(struct jc_vec3){ 0.575f, 1.53f, -2.0f }, axes(right, up), JC_TRACKED);
	/* Lies on the back: looks up, the top of the head to the back. */
	assert_joint(jc_device_place_head((struct jc_device_pose){ eyes, axes(back, up) }),
		(struct jc_vec3){ 0.5f, 1.525f, -1.93f }, axes(up, back), JC_TRACKED);
}

/* Forearms to the front, palms to each other, thumbs up: the tube in the fist goes
 * up (-Z), the wrist is behind (+Y), the palm of the left hand looks to the right.
 * The draft's wrist has -Z along the hand and +Y out of its back. */
static void wrist_is_behind_a_fist_that_points_forward(void **)
{
	const struct jc_vec3 fist = { 0.2f, 1.0f, 0.4f };

	assert_joint(
		jc_device_place_grip(JC_HAND_LEFT, (struct jc_device_pose){ fist, axes(back, up) }),
		(struct jc_vec3){ 0.23f, 1.0f, 0.32f }, axes(left, front), JC_TRACKED);
	assert_joint(jc_device_place_grip(
			     JC_HAND_RIGHT, (struct jc_device_pose){ fist, axes(back, up) }),
		(struct jc_vec3){ 0.17f, 1.0f, 0.32f }, axes(right, front), JC_TRACKED);
}

/* Arms hang, palms to the thighs, thumbs to the front. */
static void wrist_is_above_a_hanging_fist(void **)
{
	const struct jc_vec3 fist = { 0.0f, 0.7f, 0.0f };

	assert_joint(jc_device_place_grip(
			     JC_HAND_LEFT, (struct jc_device_pose){ fist, axes(up, front) }),
		(struct jc_vec3){ 0.03f, 0.78f, 0.0f }, axes(left, down), JC_TRACKED);
	assert_joint(jc_device_place_grip(
			     JC_HAND_RIGHT, (struct jc_device_pose){ fist, axes(up, front) }),
		(struct jc_vec3){ -0.03f, 0.78f, 0.0f }, axes(right, down), JC_TRACKED);
}

static void wrist_is_behind_an_aim_pose_that_points_forward(void **)
{
	const struct jc_vec3 tip = { 0.0f, 1.0f, 0.5f };

	assert_joint(
		jc_device_place_aim(JC_HAND_LEFT, (struct jc_device_pose){ tip, axes(up, front) }),
		(struct jc_vec3){ 0.0f, 0.97f, 0.37f }, axes(left, front), JC_ESTIMATED);
	assert_joint(
		jc_device_place_aim(JC_HAND_RIGHT, (struct jc_device_pose){ tip, axes(up, front) }),
		(struct jc_vec3){ 0.0f, 0.97f, 0.37f }, axes(right, front), JC_ESTIMATED);
}

/* The draft's hips are as its head, its legs have -Z down and +Y to the front. */
static void upright_tracker_gives_an_upright_joint(void **)
{
	const struct jc_vec3 place = { 0.1f, 0.9f, 0.2f };
	const struct jc_device_pose tracker = { place, axes(up, left) };

	assert_joint(
		jc_device_place_tracker(JC_JOINT_HIPS, tracker), place, axes(left, up), JC_TRACKED);
	assert_joint(jc_device_place_tracker(JC_JOINT_LEFT_LOWER_LEG, tracker), place,
		axes(left, down), JC_TRACKED);
}

static void poses_that_no_body_can_have_are_invalid(void **)
{
	static const struct {
		struct jc_device_pose pose;
		bool is_valid;
	} cases[] = {
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }, true },
		{ { { -JC_LIMIT_JOINT_DISTANCE, 0.0f, 0.0f }, { 0.6f, 0.8f, 0.0f, 0.0f } }, true },
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 0.991f } }, true },
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.011f } }, false },
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, 3.0f, 0.0f, 0.0f } }, false },
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 0.0f } }, false },
		{ { { 0.0f, 0.0f, 0.0f }, { 0.0f, NAN, 0.0f, 1.0f } }, false },
		{ { { NAN, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }, false },
		{ { { 0.0f, -INFINITY, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }, false },
		{ { { 0.0f, 0.0f, 1001.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(jc_device_place_is_valid(cases[i].pose), cases[i].is_valid);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(head_is_behind_and_below_the_eyes),
		cmocka_unit_test(wrist_is_behind_a_fist_that_points_forward),
		cmocka_unit_test(wrist_is_above_a_hanging_fist),
		cmocka_unit_test(wrist_is_behind_an_aim_pose_that_points_forward),
		cmocka_unit_test(upright_tracker_gives_an_upright_joint),
		cmocka_unit_test(poses_that_no_body_can_have_are_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
