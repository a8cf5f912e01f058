/* Parts of several trackers, and the frame that comes of them. */
#include "jointcast/transform.h"
#include "source/openxr/trackers/xr_merge.h"
#include "unit_test.h"

#define LEFT_WRIST JC_JOINT_LEFT_HAND_WRIST
#define LEFT_TIP   JC_JOINT_LEFT_HAND_INDEX_TIP

static struct jc_body_frame merge(
	const struct jc_xr_part *a, const struct jc_xr_part *b, enum jc_profile profile)
{
	const struct jc_xr_part *parts[] = { a, b };
	struct jc_body_frame frame;

	assert_true(jc_xr_merge(parts, 2, profile, &frame));
	return frame;
}

/* Joints of a part in the T-pose; the x of each identifies the part. */
static void add(struct jc_xr_part *part, int joint, float x, enum jc_state state)
{
	part->live = true;
	part->joints[joint] = (struct jc_body_joint){
		.position = { x, 0, 0 },
		.orientation = jc_joint_t_pose(part->profile, (enum jc_joint)joint),
		.state = (uint8_t)state,
	};
}

static void takes_each_joint_from_the_first_part_that_has_it(void **)
{
	struct jc_xr_part body = { .profile = JC_PROFILE_PICO, .time_ns = 5, .confidence = 0.5f };
	struct jc_xr_part devices = { .time_ns = 9, .confidence = 1.0f };

	add(&body, JC_JOINT_HIPS, 1, JC_TRACKED);
	add(&body, JC_JOINT_HEAD, 1, JC_ESTIMATED);
	add(&devices, JC_JOINT_HEAD, 2, JC_TRACKED);
	add(&devices, JC_JOINT_LEFT_HAND_WRIST, 2, JC_TRACKED);
	struct jc_body_frame frame = merge(&body, &devices, JC_PROFILE_PICO);

	assert_int_equal(frame.time_ns, 5);
	assert_true(frame.confidence == 0.5f);
	assert_true(frame.joints[JC_JOINT_HIPS].position.x == 1);
	assert_true(frame.joints[JC_JOINT_HEAD].position.x == 1);
	assert_int_equal(frame.joints[JC_JOINT_HEAD].state, JC_ESTIMATED);
	assert_true(frame.joints[LEFT_WRIST].position.x == 2);
	assert_int_equal(frame.joints[JC_JOINT_NECK].state, JC_ABSENT);
}

static void ignores_a_part_that_is_not_live(void **)
{
	struct jc_xr_part body = { .profile = JC_PROFILE_META, .time_ns = 5 };
	struct jc_xr_part devices = { .time_ns = 9, .confidence = 1.0f };
	const struct jc_xr_part *const dead[] = { &body };
	struct jc_body_frame untouched = { .time_ns = 42 };

	add(&body, JC_JOINT_HEAD, 1, JC_TRACKED);
	body.live = false;
	add(&devices, JC_JOINT_HEAD, 2, JC_TRACKED);
	struct jc_body_frame frame = merge(&body, &devices, JC_PROFILE_META);

	assert_int_equal(frame.time_ns, 9);
	assert_true(frame.joints[JC_JOINT_HEAD].position.x == 2);
	assert_false(jc_xr_merge(dead, 1, JC_PROFILE_META, &untouched));
	assert_false(jc_xr_merge(NULL, 0, JC_PROFILE_META, &untouched));
	assert_int_equal(untouched.time_ns, 42);
}

static void hand_with_fingers_keeps_its_own_wrist(void **)
{
	struct jc_xr_part body = { .profile = JC_PROFILE_HTC };
	struct jc_xr_part hands = { .profile = JC_PROFILE_WEBXR_SPEC };

	add(&body, LEFT_WRIST, 1, JC_TRACKED);
	add(&body, JC_JOINT_RIGHT_HAND_WRIST, 1, JC_TRACKED);
	add(&hands, LEFT_WRIST, 2, JC_TRACKED);
	add(&hands, LEFT_TIP, 2, JC_TRACKED);
	struct jc_body_frame frame = merge(&body, &hands, JC_PROFILE_HTC);

	assert_true(frame.joints[LEFT_WRIST].position.x == 2);
	assert_true(frame.joints[LEFT_TIP].position.x == 2);
	assert_true(frame.joints[JC_JOINT_RIGHT_HAND_WRIST].position.x == 1);

	/* A body tracker with fingers keeps its hand complete. */
	add(&body, JC_JOINT_LEFT_HAND_THUMB_TIP, 1, JC_TRACKED);
	frame = merge(&body, &hands, JC_PROFILE_HTC);
	assert_true(frame.joints[LEFT_WRIST].position.x == 1);
	assert_true(frame.joints[JC_JOINT_LEFT_HAND_THUMB_TIP].position.x == 1);
}

/* In the T-pose every joint has its profile's rotation, from either part. */
static void converts_joints_to_the_axes_of_the_frame(void **)
{
	const struct jc_quat turn =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.6f, 0.0f, 0.8f }, 0.7f);

	for (int profile = 0; profile < JC_PROFILE_COUNT; profile++) {
		struct jc_xr_part body = { .profile = (enum jc_profile)profile };
		struct jc_xr_part hands = { .profile = JC_PROFILE_WEBXR_SPEC };

		add(&body, JC_JOINT_HIPS, 1, JC_TRACKED);
		for (int i = 0; i < 26; i++) {
			struct jc_body_joint *joint = &hands.joints[JC_JOINT_RIGHT_HAND_PALM + i];

			add(&hands, JC_JOINT_RIGHT_HAND_PALM + i, 2, JC_TRACKED);
			joint->orientation = jc_quat_multiply(turn, joint->orientation);
		}
		struct jc_body_frame frame = merge(&body, &hands, (enum jc_profile)profile);

		for (int i = 0; i < 26; i++) {
			int joint = JC_JOINT_RIGHT_HAND_PALM + i;
			struct jc_quat expected = jc_quat_multiply(turn,
				jc_joint_t_pose((enum jc_profile)profile, (enum jc_joint)joint));

			assert_true(
				jc_quat_angle(frame.joints[joint].orientation, expected) < 1e-5f);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_each_joint_from_the_first_part_that_has_it),
		cmocka_unit_test(ignores_a_part_that_is_not_live),
		cmocka_unit_test(hand_with_fingers_keeps_its_own_wrist),
		cmocka_unit_test(converts_joints_to_the_axes_of_the_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
