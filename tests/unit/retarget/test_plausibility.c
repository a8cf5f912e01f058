/* Tests each kind of implausible joint with hand-made frames: hips at 1 m, 20 ms apart. */
#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/plausibility.h"
#include "unit_test.h"

#define FRAME_NS 20000000

/* Hips, left elbow, and the left wrist 25 cm from the elbow. */
static struct jc_body_frame make_frame(int index)
{
	struct jc_body_frame frame = { .time_ns = (int64_t)index * FRAME_NS, .confidence = 1.0f };

	frame.joints[JC_JOINT_HIPS] = (struct jc_body_joint){ .position = { 0.0f, 1.0f, 0.0f },
		.orientation = JC_QUAT_IDENTITY,
		.state = JC_TRACKED };
	frame.joints[JC_JOINT_LEFT_ARM_LOWER] =
		(struct jc_body_joint){ .position = { 0.45f, 1.4f, 0.0f },
			.orientation = JC_QUAT_IDENTITY,
			.state = JC_TRACKED };
	frame.joints[JC_JOINT_LEFT_HAND_WRIST] =
		(struct jc_body_joint){ .position = { 0.7f, 1.4f, 0.0f },
			.orientation = JC_QUAT_IDENTITY,
			.state = JC_TRACKED };
	return frame;
}

static void assert_at(const struct jc_body_joint *joint, float x, float y, float z)
{
	struct jc_vec3 there = { x, y, z };

	assert_true(jc_vec3_length(jc_vec3_subtract(joint->position, there)) < 1e-5f);
}

static uint64_t count_all(const struct jc_plausibility *state)
{
	uint64_t count = 0;

	for (int kind = 0; kind < JC_IMPLAUSIBLE_COUNT; kind++) {
		count += state->counts[kind];
	}
	return count;
}

/* The wrist is `bad` from the second frame on: the filter holds its last place for 250 ms
 * after the good frame, which are twelve frames of 20 ms, then drops it. */
static void check_held_then_dropped(struct jc_body_joint bad, enum jc_implausibility kind)
{
	struct jc_plausibility state = { 0 };
	struct jc_body_frame frame = make_frame(0);
	const struct jc_body_joint *wrist = &frame.joints[JC_JOINT_LEFT_HAND_WRIST];

	jc_plausibility_filter(&state, &frame);
	assert_int_equal(count_all(&state), 0);
	for (int i = 1; i <= 14; i++) {
		frame = make_frame(i);
		frame.joints[JC_JOINT_LEFT_HAND_WRIST] = bad;
		jc_plausibility_filter(&state, &frame);
		assert_int_equal(state.counts[kind], i);
		assert_int_equal(count_all(&state), i);
		assert_int_equal(wrist->state, i <= 12 ? JC_ESTIMATED : JC_ABSENT);
		if (i <= 12) {
			assert_at(wrist, 0.7f, 1.4f, 0.0f);
		}
		assert_true(jc_vec3_is_finite(wrist->position));
		assert_true(jc_quat_is_finite(wrist->orientation));
		assert_int_equal(frame.joints[JC_JOINT_LEFT_ARM_LOWER].state, JC_TRACKED);
	}
	assert_int_equal(state.held, 12);
	assert_int_equal(state.dropped, 2);
	frame = make_frame(15);
	jc_plausibility_filter(&state, &frame);
	assert_int_equal(wrist->state, JC_TRACKED);
}

static void holds_then_drops_nan(void **)
{
	struct jc_body_joint bad = make_frame(0).joints[JC_JOINT_LEFT_HAND_WRIST];

	bad.position.y = NAN;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_NUMBER);
	bad.position.y = INFINITY;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_NUMBER);
	bad.position.y = 1.4f;
	bad.orientation.w = NAN;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_NUMBER);
}

static void rejects_quaternions_that_are_not_unit(void **)
{
	struct jc_body_joint bad = make_frame(0).joints[JC_JOINT_LEFT_HAND_WRIST];
	struct jc_plausibility nearly = { 0 };
	struct jc_body_frame frame = make_frame(0);

	bad.orientation = (struct jc_quat){ 0.0f, 0.0f, 0.0f, 0.0f };
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_ORIENTATION);
	bad.orientation.w = 1.02f;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_ORIENTATION);
	frame.joints[JC_JOINT_HIPS].orientation.w = 1.005f;
	jc_plausibility_filter(&nearly, &frame);
	assert_int_equal(count_all(&nearly), 0);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].orientation.w, 1.0f, 1e-6f);
}

static void rejects_joints_far_from_body_or_origin(void **)
{
	struct jc_body_joint bad = make_frame(0).joints[JC_JOINT_LEFT_HAND_WRIST];
	struct jc_plausibility far = { 0 };
	struct jc_body_frame frame = make_frame(0);

	bad.position.z = 4.1f;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_DISTANCE);
	bad.position.z = 5000.0f;
	check_held_then_dropped(bad, JC_IMPLAUSIBLE_DISTANCE);
	frame.joints[JC_JOINT_HIPS].position.x = 1001.0f;
	jc_plausibility_filter(&far, &frame);
	assert_int_equal(far.counts[JC_IMPLAUSIBLE_DISTANCE], 1);
	assert_int_equal(frame.joints[JC_JOINT_HIPS].state, JC_ABSENT);
	assert_int_equal(frame.joints[JC_JOINT_LEFT_HAND_WRIST].state, JC_TRACKED);
}

/* The limit of 10 m/s permits 20 cm in 20 ms: 19 cm are accepted, 21 cm are not. The
 * wrist moves about the elbow, so that the forearm keeps its length. */
static void rejects_hands_faster_than_ten_metres_a_second(void **)
{
	static const struct {
		float way;
		int count;
	} cases[] = { { 0.19f, 0 }, { 0.21f, 1 } };

	for (size_t i = 0; i < 2; i++) {
		struct jc_plausibility moving = { 0 };
		struct jc_body_frame frame = make_frame(0);
		struct jc_body_joint *wrist = &frame.joints[JC_JOINT_LEFT_HAND_WRIST];
		/* The angle of this chord in a circle with a radius of 25 cm. */
		float angle = 2.0f * asinf(0.5f * cases[i].way / 0.25f);

		jc_plausibility_filter(&moving, &frame);
		frame = make_frame(1);
		wrist->position.x = 0.45f + 0.25f * cosf(angle);
		wrist->position.z = 0.25f * sinf(angle);
		jc_plausibility_filter(&moving, &frame);
		assert_int_equal(moving.counts[JC_IMPLAUSIBLE_SPEED], cases[i].count);
		assert_int_equal(count_all(&moving), cases[i].count);
		assert_int_equal(wrist->state, cases[i].count ? JC_ESTIMATED : JC_TRACKED);
	}
}

/* The limit of a change of length is a quarter of 25 cm plus 2 cm: 8.25 cm. In 20 ms these
 * changes are below the limit of speed. */
static void rejects_sudden_changes_of_bone_length(void **)
{
	static const struct {
		float longer;
		int count;
	} cases[] = { { 0.08f, 0 }, { 0.085f, 1 }, { -0.085f, 1 } };

	for (size_t i = 0; i < 3; i++) {
		struct jc_plausibility growing = { 0 };
		struct jc_body_frame frame = make_frame(0);

		jc_plausibility_filter(&growing, &frame);
		for (int k = 1; k <= 14; k++) {
			frame = make_frame(k);
			frame.joints[JC_JOINT_LEFT_HAND_WRIST].position.x += cases[i].longer;
			jc_plausibility_filter(&growing, &frame);
		}
		/* A new length that persists is accepted after 250 ms: the filter rejects
		 * twelve frames of 20 ms, and accepts the next ones. */
		assert_int_equal(growing.counts[JC_IMPLAUSIBLE_BONE], cases[i].count ? 12 : 0);
		assert_int_equal(count_all(&growing), cases[i].count ? 12 : 0);
		assert_int_equal(frame.joints[JC_JOINT_LEFT_HAND_WRIST].state, JC_TRACKED);
	}
}

/* The whole body moves by ten metres: no joint is fast relative to the hips. A hand that is
 * implausible in the same frame keeps its place relative to the hips. */
static void a_held_hand_moves_with_a_teleported_body(void **)
{
	struct jc_plausibility teleported = { 0 };
	struct jc_body_frame frame = make_frame(0);

	jc_plausibility_filter(&teleported, &frame);
	frame = make_frame(1);
	frame.joints[JC_JOINT_HIPS].position.x += 10.0f;
	frame.joints[JC_JOINT_LEFT_ARM_LOWER].position.x += 10.0f;
	frame.joints[JC_JOINT_LEFT_HAND_WRIST].position.x = NAN;
	jc_plausibility_filter(&teleported, &frame);
	assert_int_equal(count_all(&teleported), 1);
	assert_at(&frame.joints[JC_JOINT_LEFT_ARM_LOWER], 10.45f, 1.4f, 0.0f);
	assert_at(&frame.joints[JC_JOINT_LEFT_HAND_WRIST], 10.7f, 1.4f, 0.0f);
}

static void a_decreasing_time_resets_the_state(void **)
{
	struct jc_plausibility restarted = { 0 };
	struct jc_body_frame frame = make_frame(9);

	jc_plausibility_filter(&restarted, &frame);
	frame = make_frame(0);
	frame.joints[JC_JOINT_LEFT_HAND_WRIST].position.y = 0.4f;
	jc_plausibility_filter(&restarted, &frame);
	assert_int_equal(count_all(&restarted), 0);
	frame = make_frame(1);
	frame.confidence = NAN;
	jc_plausibility_filter(&restarted, &frame);
	assert_int_equal(restarted.counts[JC_IMPLAUSIBLE_SPEED], 1);
	assert_float_equal(frame.confidence, 0.0f, 0.0f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_then_drops_nan),
		cmocka_unit_test(rejects_quaternions_that_are_not_unit),
		cmocka_unit_test(rejects_joints_far_from_body_or_origin),
		cmocka_unit_test(rejects_hands_faster_than_ten_metres_a_second),
		cmocka_unit_test(rejects_sudden_changes_of_bone_length),
		cmocka_unit_test(a_held_hand_moves_with_a_teleported_body),
		cmocka_unit_test(a_decreasing_time_resets_the_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
