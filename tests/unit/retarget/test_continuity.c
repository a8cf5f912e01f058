/* Tests the shown poses of a body with tracking gaps, at 100 Hz. */
#include <math.h>

#include "jointcast/transform.h"
#include "jointcast_private/continuity.h"
#include "unit_test.h"

#define MS  INT64_C(1000000)
#define ALL ((UINT64_C(1) << JC_BONE_COUNT) - 1)

static const struct jc_vec3 axis_x = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 axis_y = { 0.0f, 1.0f, 0.0f };

/* Hands and head with this rotation, and the hips displaced along z. */
static struct jc_pose make_pose(float turn, float way)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		pose.states[bone] = JC_TRACKED;
	}
	pose.rotations[JC_BONE_LEFT_HAND] = jc_quat_from_axis_angle(axis_x, turn);
	pose.rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle(axis_y, turn);
	pose.rotations[JC_BONE_HIPS] = jc_quat_from_axis_angle(axis_y, 0.5f);
	pose.hips_translation = (struct jc_vec3){ 0.1f, -0.3f, way };
	return pose;
}

static void put(struct jc_continuity *state, float turn, float way, int64_t time_ns)
{
	struct jc_pose pose = make_pose(turn, way);

	jc_continuity_put(state, &pose, ALL, time_ns);
}

static struct jc_continuity_sample sample_at(struct jc_continuity *state, int64_t now_ns)
{
	struct jc_continuity_sample sample;

	jc_continuity_sample(state, now_ns, &sample);
	return sample;
}

/* Of a rotation about x or y. */
static float turn_of(const struct jc_continuity_sample *sample, enum jc_bone bone)
{
	return jc_quat_angle(sample->pose.rotations[bone], JC_QUAT_IDENTITY);
}

static void all_bones_are_absent_before_the_first_pose(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_continuity_sample sample = sample_at(&body, 7 * MS);

	assert_false(sample.live);
	assert_false(sample.cut);
	assert_true(sample.pose.rotations[JC_BONE_HEAD].w == 1.0f);
	assert_int_equal(jc_continuity_present(&sample.pose), 0);
	put(&body, 0.1f, 0.0f, 10 * MS);
	assert_true(sample_at(&body, 10 * MS).cut);
	assert_false(sample_at(&body, 10 * MS).cut);
}

static void shows_the_newest_pose_unchanged(void **)
{
	struct jc_continuity body = { 0 };

	for (int i = 0; i < 50; i++) {
		put(&body, 0.02f * (float)i, 0.0f, i * 11 * MS);
		struct jc_continuity_sample sample = sample_at(&body, (i * 11 + 5) * MS);

		assert_true(sample.live);
		assert_false(sample.held);
		assert_true(sample.time_ns == i * 11 * MS);
		assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 0.02f * (float)i) < 1e-6f);
		assert_int_equal(sample.pose.states[JC_BONE_HEAD], JC_TRACKED);
	}
}

static void holds_lost_bones_then_blends_to_rest(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_pose rest, held = make_pose(1.0f, 0.4f);
	float last = 1.0f;

	put(&body, 1.0f, 0.4f, 0);
	struct jc_continuity_sample sample = sample_at(&body, 450 * MS);

	assert_true(sample.live);
	assert_true(sample.held);
	assert_int_equal(sample.pose.states[JC_BONE_HEAD], JC_ESTIMATED);
	assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 1.0f) < 1e-6f);
	assert_true(sample_at(&body, 190 * MS).pose.states[JC_BONE_HEAD] == JC_TRACKED);
	for (int ms = 510; ms < 1500; ms += 10) {
		sample = sample_at(&body, ms * MS);
		assert_int_equal(sample.live, ms < 1000);
		assert_true(sample.time_ns == ms * MS);
		assert_true(turn_of(&sample, JC_BONE_HEAD) < last);
		/* A smooth step of 1 s is never faster than 1.5 a second. */
		assert_true(last - turn_of(&sample, JC_BONE_HEAD) < 0.0151f);
		last = turn_of(&sample, JC_BONE_HEAD);
	}
	jc_continuity_rest(&held, &rest);
	sample = sample_at(&body, 9000 * MS);
	assert_true(sample.time_ns == 1500 * MS);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_true(
			jc_quat_angle(sample.pose.rotations[bone], rest.rotations[bone]) < 1e-3f);
	}
}

/* World rotation of a bone of the pose. */
static struct jc_quat turned(const struct jc_pose *pose, enum jc_bone bone)
{
	struct jc_quat q = JC_QUAT_IDENTITY;

	for (; bone != JC_BONE_NONE; bone = jc_bone_parent(bone)) {
		q = jc_quat_multiply(pose->rotations[bone], q);
	}
	return q;
}

static void rest_is_upright_at_the_same_place_with_the_arms_down(void **)
{
	struct jc_pose pose = make_pose(1.0f, 0.4f);
	struct jc_pose rest;
	struct jc_quat heading = jc_quat_from_axis_angle(axis_y, 0.5f);

	pose.rotations[JC_BONE_HIPS] =
		jc_quat_multiply(heading, jc_quat_from_axis_angle(axis_x, 0.4f));
	pose.states[JC_BONE_JAW] = JC_ABSENT;
	jc_continuity_rest(&pose, &rest);
	assert_true(jc_quat_angle(rest.rotations[JC_BONE_HIPS], heading) < 1e-5f);
	assert_true(rest.hips_translation.x == 0.1f && rest.hips_translation.z == 0.4f);
	assert_true(rest.hips_translation.y == 0.0f);
	assert_int_equal(rest.states[JC_BONE_JAW], JC_ABSENT);
	assert_int_equal(rest.states[JC_BONE_HEAD], JC_ESTIMATED);
	rest.rotations[JC_BONE_HIPS] = JC_QUAT_IDENTITY;
	for (int right = 0; right < 2; right++) {
		struct jc_vec3 along = { right ? -1.0f : 1.0f, 0.0f, 0.0f };
		struct jc_vec3 upper = jc_quat_rotate(
			turned(&rest, right ? JC_BONE_RIGHT_UPPER_ARM : JC_BONE_LEFT_UPPER_ARM),
			along);
		struct jc_vec3 lower = jc_quat_rotate(
			turned(&rest, right ? JC_BONE_RIGHT_LOWER_ARM : JC_BONE_LEFT_LOWER_ARM),
			along);

		assert_true(upper.y < -0.9f);
		assert_true(lower.y < -0.9f);
		assert_true(upper.x * along.x > 0.1f); /* not into the thigh */
		assert_true(lower.z > 0.1f);           /* elbows bend to the front */
	}
}

static void blends_in_a_returning_body(void **)
{
	struct jc_continuity body = { 0 };
	float last;

	put(&body, 0.0f, 0.0f, 0);
	sample_at(&body, 0);
	struct jc_continuity_sample sample = sample_at(&body, 900 * MS);

	last = turn_of(&sample, JC_BONE_LEFT_HAND);
	float hips = sample.pose.hips_translation.y;
	for (int ms = 910; ms <= 1300; ms += 10) {
		put(&body, 1.0f, 0.2f, ms * MS);
		sample = sample_at(&body, ms * MS);
		assert_false(sample.cut);
		assert_true(sample.live);
		/* 1.5 times the way in 0.3 s */
		assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - last) < 0.0501f);
		assert_true(fabsf(sample.pose.hips_translation.y - hips) < 0.02f);
		last = turn_of(&sample, JC_BONE_LEFT_HAND);
		hips = sample.pose.hips_translation.y;
		if (ms == 1060) {
			assert_true(fabsf(last - 0.5f) < 1e-3f); /* half way */
		}
	}
	assert_true(fabsf(last - 1.0f) < 1e-6f);
	assert_true(sample.pose.hips_translation.y == -0.3f);
}

/* The network was silent, and then brings what was captured meanwhile: the captures have no gap,
 * but viewers have seen the body go to rest. */
static void blends_in_a_body_whose_poses_come_late(void **)
{
	struct jc_continuity body = { 0 };
	float last = 0.0f;
	int64_t time_ns = 0;

	put(&body, 1.0f, 0.2f, 0);
	for (int ms = 0; ms <= 1600; ms += 10) {
		struct jc_continuity_sample sample = sample_at(&body, ms * MS);

		last = turn_of(&sample, JC_BONE_HEAD);
	}
	assert_true(last < 1e-6f);
	for (int ms = 50; ms <= 1590; ms += 20) {
		put(&body, 1.0f, 0.2f, ms * MS);
	}
	for (int ms = 1610; ms <= 2000; ms += 10) {
		put(&body, 1.0f, 0.2f, ms * MS);
		struct jc_continuity_sample sample = sample_at(&body, ms * MS);
		float turn = turn_of(&sample, JC_BONE_HEAD);

		assert_false(sample.cut);
		assert_true(turn >= last && turn - last < 0.0501f);
		assert_true(sample.time_ns >= time_ns);
		time_ns = sample.time_ns;
		last = turn;
	}
	assert_true(fabsf(last - 1.0f) < 1e-6f);
}

static void a_teleport_is_a_cut_without_blending(void **)
{
	struct jc_continuity body = { 0 };

	put(&body, 0.0f, 0.0f, 0);
	sample_at(&body, 0);
	put(&body, 0.0f, 0.9f, 10 * MS);
	assert_false(sample_at(&body, 10 * MS).cut);
	put(&body, 1.0f, 2.0f, 20 * MS);
	struct jc_continuity_sample sample = sample_at(&body, 20 * MS);

	assert_true(sample.cut);
	assert_true(sample.pose.hips_translation.z == 2.0f);
	assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 1.0f) < 1e-6f);

	/* Also after a long absence. */
	put(&body, 0.0f, 4.0f, 3000 * MS);
	sample = sample_at(&body, 3000 * MS);
	assert_true(sample.cut);
	assert_true(sample.pose.hips_translation.z == 4.0f);
	assert_true(turn_of(&sample, JC_BONE_HEAD) < 1e-6f);
}

static void a_restart_is_a_cut_at_the_next_pose(void **)
{
	struct jc_continuity body = { 0 };

	put(&body, 0.3f, 0.0f, 0);
	sample_at(&body, 0);
	jc_continuity_restart(&body);
	struct jc_continuity_sample sample = sample_at(&body, 10 * MS);

	assert_false(sample.cut);
	assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 0.3f) < 1e-6f);
	put(&body, 0.6f, 0.0f, 20 * MS);
	sample = sample_at(&body, 20 * MS);
	assert_true(sample.cut);
	assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 0.6f) < 1e-6f);
}

/* The hand and what hangs on it are made up at -1 while it is lost. */
static void put_without_hand(struct jc_continuity *state, float turn, int64_t time_ns)
{
	struct jc_pose pose = make_pose(turn, 0.0f);

	pose.rotations[JC_BONE_LEFT_HAND] = jc_quat_from_axis_angle(axis_x, 0.2f);
	pose.states[JC_BONE_LEFT_HAND] = JC_ESTIMATED;
	jc_continuity_put(state, &pose, ALL & ~(UINT64_C(1) << JC_BONE_LEFT_HAND), time_ns);
}

static void holds_a_lost_hand_then_blends_to_the_estimate(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_continuity_sample sample;

	put(&body, 1.0f, 0.0f, 0);
	for (int ms = 10; ms <= 1510; ms += 10) {
		put_without_hand(&body, 0.5f, ms * MS);
		sample = sample_at(&body, ms * MS);
		/* The head is known all the while. */
		assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 0.5f) < 1e-6f);
		assert_int_equal(sample.pose.states[JC_BONE_LEFT_HAND], JC_ESTIMATED);
		if (ms <= 510) {
			assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 1.0f) < 1e-6f);
		} else if (ms == 1010) {
			assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 0.6f) < 1e-3f);
		}
	}
	assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 0.2f) < 1e-6f);
	for (int ms = 1520; ms <= 1820; ms += 10) {
		put(&body, 1.0f, 0.0f, ms * MS);
		sample = sample_at(&body, ms * MS);
		if (ms == 1520) {
			assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 0.2f) < 1e-6f);
		}
	}
	assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 1.0f) < 1e-6f);
}

static void follows_a_hand_with_flickering_tracking(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_continuity_sample sample;
	float worst = 0.0f;

	for (int i = 0; i < 100; i++) {
		float turn = 0.02f * (float)i;

		if (i % 3 == 1) {
			put_without_hand(&body, turn, i * 10 * MS);
		} else {
			put(&body, turn, 0.0f, i * 10 * MS);
		}
		sample = sample_at(&body, i * 10 * MS);
		worst = fmaxf(worst, fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - turn));
	}
	assert_true(worst < 0.0601f); /* three frames behind */
}

static void a_bone_without_data_blends_to_rest(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_continuity_sample sample;
	struct jc_pose pose = make_pose(1.0f, 0.0f);

	pose.states[JC_BONE_JAW] = JC_ABSENT; /* from the beginning */
	jc_continuity_put(&body, &pose, jc_continuity_present(&pose), 0);
	pose.states[JC_BONE_LEFT_HAND] = JC_ABSENT;
	pose.rotations[JC_BONE_LEFT_HAND] = JC_QUAT_IDENTITY;
	for (int ms = 10; ms <= 1510; ms += 10) {
		jc_continuity_put(&body, &pose, jc_continuity_present(&pose), ms * MS);
		sample = sample_at(&body, ms * MS);
		assert_int_equal(sample.pose.states[JC_BONE_LEFT_HAND], JC_ESTIMATED);
		assert_int_equal(sample.pose.states[JC_BONE_JAW], JC_ABSENT);
		if (ms <= 510) {
			assert_true(fabsf(turn_of(&sample, JC_BONE_LEFT_HAND) - 1.0f) < 1e-6f);
		}
	}
	assert_true(turn_of(&sample, JC_BONE_LEFT_HAND) < 1e-6f);
}

static void ignores_late_and_empty_poses(void **)
{
	struct jc_continuity body = { 0 };
	struct jc_continuity_sample sample;
	struct jc_pose empty;

	jc_pose_init(&empty);
	put(&body, 0.5f, 0.0f, 100 * MS);
	put(&body, 1.0f, 0.0f, 100 * MS);
	put(&body, 1.0f, 0.0f, 90 * MS);
	jc_continuity_put(&body, &empty, 0, 110 * MS);
	sample = sample_at(&body, 110 * MS);
	assert_true(sample.time_ns == 100 * MS);
	assert_true(fabsf(turn_of(&sample, JC_BONE_HEAD) - 0.5f) < 1e-6f);
}

static void reported_times_never_decrease(void **)
{
	struct jc_continuity body = { 0 };

	put(&body, 0.5f, 0.0f, 0);
	assert_true(sample_at(&body, 800 * MS).time_ns == 800 * MS);
	put(&body, 0.5f, 0.0f, 795 * MS);
	assert_true(sample_at(&body, 810 * MS).time_ns == 800 * MS);
	put(&body, 0.5f, 0.0f, 805 * MS);
	assert_true(sample_at(&body, 820 * MS).time_ns == 805 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_bones_are_absent_before_the_first_pose),
		cmocka_unit_test(shows_the_newest_pose_unchanged),
		cmocka_unit_test(holds_lost_bones_then_blends_to_rest),
		cmocka_unit_test(rest_is_upright_at_the_same_place_with_the_arms_down),
		cmocka_unit_test(blends_in_a_returning_body),
		cmocka_unit_test(blends_in_a_body_whose_poses_come_late),
		cmocka_unit_test(a_teleport_is_a_cut_without_blending),
		cmocka_unit_test(a_restart_is_a_cut_at_the_next_pose),
		cmocka_unit_test(holds_a_lost_hand_then_blends_to_the_estimate),
		cmocka_unit_test(follows_a_hand_with_flickering_tracking),
		cmocka_unit_test(a_bone_without_data_blends_to_rest),
		cmocka_unit_test(ignores_late_and_empty_poses),
		cmocka_unit_test(reported_times_never_decrease),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
