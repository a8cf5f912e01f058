/* Jumps of the tracking space in motions of people, at known frames; and people who move as fast
 * as people can. */
#include <math.h>
#include <stdio.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/space_jump.h"
#include "recorded.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define AROUND 30 /* frames before and after a jump */

/* A displacement of the tracking space. */
struct jump {
	struct jc_vec3 way;
	float yaw; /* radians about +Y, about the origin of the space */
};

static const struct jump jumps[] = {
	{ .way = { 0.3f, 0.0f, 0.0f } },
	{ .way = { 0.0f, 0.0f, -0.3f } },
	{ .way = { 0.7f, 0.0f, 0.7f } },
	{ .yaw = 0.5236f }, /* 30 degrees */
	{ .way = { 0.2f, 0.1f, 0.0f }, .yaw = -0.6f },
};

static const char *const demos[] = { "walk", "wave" };

static uint32_t random_state = 3;

static int random_below(int limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (int)((random_state >> 8) % (uint32_t)limit);
}

/* The joints that a kind of tracker sees. */
enum kind { WHOLE, HEAD_AND_HANDS, HEAD, KINDS };

static void keep_seen(enum kind kind, struct jc_body_frame *frame)
{
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		bool is_hand = j == JC_JOINT_LEFT_HAND_WRIST || j == JC_JOINT_RIGHT_HAND_WRIST;

		if (kind != WHOLE && j != JC_JOINT_HEAD && !(kind == HEAD_AND_HANDS && is_hand)) {
			frame->joints[j].state = JC_ABSENT;
		}
	}
}

static void displace(const struct jump *jump, struct jc_body_frame *frame)
{
	struct jc_quat yaw =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, jump->yaw);

	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		struct jc_body_joint *joint = &frame->joints[j];

		joint->position = jc_vec3_add(jc_quat_rotate(yaw, joint->position), jump->way);
		joint->orientation = jc_quat_multiply(yaw, joint->orientation);
	}
}

static struct jc_pose pose_of(const struct jc_motion *motion, double t)
{
	struct jc_pose pose;

	jc_motion_pose(motion, t, &pose);
	return pose;
}

static struct jc_body_frame frame_of(
	const struct jc_motion *motion, double t, int64_t time_ns, enum kind kind)
{
	struct jc_pose pose = pose_of(motion, t);
	struct jc_body_frame frame;

	jc_pose_to_body_frame(&pose, JC_PROFILE_META, &frame);
	frame.time_ns = time_ns;
	keep_seen(kind, &frame);
	return frame;
}

/* Plays the motion at a rate, without its first tenth of a second, where files may begin with a
 * T-pose elsewhere; around a frame with a jump (-1: all of it, without one). Returns the only frame
 * that was found; -1: none, -2: several. */
static int find_jump(
	const struct jc_motion *motion, int hz, enum kind kind, const struct jump *jump, int at)
{
	int count = (int)(jc_motion_info(motion)->duration * hz);
	struct jc_space_jump state = { 0 };
	int found = -1;

	for (int i = hz / 10; i < count; i++) {
		struct jc_body_frame frame =
			frame_of(motion, (double)i / hz, SECOND + i * (SECOND / hz), kind);

		if (at >= 0 && i >= at) {
			displace(jump, &frame);
		}
		if (jc_space_jump_find(&state, &frame)) {
			found = found == -1 ? i : -2;
		}
	}
	return found;
}

static void finds_jumps_of_people_who_move(void **)
{
	static const int rates[] = { 30, 60, 90 };

	for (size_t d = 0; d < sizeof(demos) / sizeof(demos[0]); d++) {
		struct jc_motion *motion;

		assert_int_equal(jc_motion_create_demo(demos[d], &motion, NULL), JC_OK);
		for (size_t k = 0; k < sizeof(jumps) / sizeof(jumps[0]) * KINDS * 3; k++) {
			const struct jump *jump = &jumps[k / (size_t)(KINDS * 3)];
			int hz = rates[k % 3];
			int count = (int)(jc_motion_info(motion)->duration * hz);
			int at = hz / 10 + 2 + random_below(count - hz / 10 - 2);
			enum kind kind = (enum kind)(k / 3 % KINDS);

			if (kind != HEAD || jump->yaw == 0.0f) {
				assert_int_equal(find_jump(motion, hz, kind, jump, at), at);
			}
		}
		for (int kind = 0; kind < KINDS; kind++) {
			assert_int_equal(find_jump(motion, 60, (enum kind)kind, NULL, -1), -1);
		}
		jc_motion_destroy(motion);
	}
}

static void recorded_people_do_not_jump(void **)
{
	int played = 0;

	for (size_t i = 0; i < recorded_count; i++) {
		struct jc_motion *motion = recorded_read(recorded_names[i]);

		for (int kind = 0; motion && kind < KINDS; kind++) {
			assert_int_equal(find_jump(motion, 30, (enum kind)kind, NULL, -1), -1);
			assert_int_equal(find_jump(motion, 90, (enum kind)kind, NULL, -1), -1);
			played++;
		}
		jc_motion_destroy(motion);
	}
	if (played == 0) {
		skip();
	}
}

/* A person in one posture on a way, turning. */
static struct jc_body_frame carry(struct jc_vec3 way, float yaw, int64_t time_ns)
{
	struct jc_body_frame frame;
	struct jump place = { .way = way, .yaw = yaw };
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.states[b] = JC_TRACKED;
	}
	jc_pose_to_body_frame(&pose, JC_PROFILE_META, &frame);
	displace(&place, &frame);
	frame.time_ns = time_ns;
	return frame;
}

/* Metres fallen after a time: 1.2 m, then a landing with 60 m/s2. */
static float fallen(float t)
{
	const float gravity = 9.81f, braking = 60.0f, height = 1.2f;
	float speed = sqrtf(2.0f * gravity * height);
	float landing = fminf(t - speed / gravity, speed / braking);

	return landing < 0.0f ? 0.5f * gravity * t * t
			      : height + (speed - 0.5f * braking * landing) * landing;
}

/* Metres run after a time: 10 m/s2 up to 10 m/s. */
static float run(float t)
{
	return t < 1.0f ? 5.0f * t * t : 5.0f + 10.0f * (t - 1.0f);
}

/* Radians turned after a time: 4 turns a second after about 0.3 s. */
static float spun(float t)
{
	return 25.1f * (t - 0.3f + 0.3f * expf(-t / 0.3f));
}

static void athletes_do_not_jump(void **)
{
	static const int rates[] = { 30, 72, 120 };

	for (int r = 0; r < 3; r++) {
		struct jc_space_jump sprint = { 0 }, leap = { 0 }, spin = { 0 };

		for (int i = 0; i < 3 * rates[r]; i++) {
			float t = (float)i / (float)rates[r];
			int64_t time_ns = SECOND + i * (SECOND / rates[r]);
			struct jc_vec3 ahead = { 0.0f, 0.0f, run(t) };
			struct jc_vec3 high = { 0.0f, 1.2f - fallen(t), 0.0f };
			struct jc_vec3 still = { 0.0f, 0.0f, 0.0f };
			struct jc_body_frame frame = carry(ahead, 0.0f, time_ns);

			assert_false(jc_space_jump_find(&sprint, &frame));
			frame = carry(high, 0.0f, time_ns);
			assert_false(jc_space_jump_find(&leap, &frame));
			frame = carry(still, spun(t), time_ns);
			assert_false(jc_space_jump_find(&spin, &frame));
		}
	}
}

/* A spin of 2 turns a second and a run of 8 m/s, from the first frame on. */
static struct jc_body_frame carry_fast(bool is_spin, float t, int64_t time_ns)
{
	struct jc_vec3 ahead = { 0.0f, 0.0f, is_spin ? 0.0f : 8.0f * t };

	return carry(ahead, is_spin ? 12.6f * t : 0.0f, time_ns);
}

/* At its start, after a gap of 0.3 s in frame 100, and after a jump in frame 200. */
static void a_fast_movement_is_no_jump_before_its_speed_is_known(void **)
{
	for (int is_spin = 0; is_spin < 2; is_spin++) {
		struct jc_space_jump state = { 0 };

		for (int i = 0; i < 300; i++) {
			float t = (float)i / 30.0f + (i >= 100 ? 0.3f : 0.0f);
			struct jc_body_frame frame =
				carry_fast(is_spin, t, SECOND + (int64_t)(t * 1.0e9f));

			if (i >= 200) {
				displace(&(struct jump){ .way = { 2.0f, 0.0f, 0.0f } }, &frame);
			}
			assert_int_equal(jc_space_jump_find(&state, &frame), i == 200);
		}
	}
}

/* Times of arrival: of five frames the last `late` come together, 2 ms before the next one. */
static int64_t arrival(int i, int hz, int late)
{
	int held = i % 5 >= 5 - late ? 5 - i % 5 : 0;

	return SECOND + (i + held) * (SECOND / hz) - held * (SECOND / 500);
}

/* Turning, twisting the trunk, side steps and a walk in a circle; frame 100 displaced. */
static struct jc_body_frame move_late(int movement, int i, int hz, int late)
{
	float t = (float)i / (float)hz;
	float yaws[] = { 6.28f * t, 12.57f * t, 1.05f * sinf(6.28f * t), 0.0f, 2.0f * t };
	struct jc_vec3 ways[5] = { [3] = { 0.42f * sinf(5.0f * t), 0.0f, 0.0f },
		[4] = { sinf(2.0f * t), 0.0f, cosf(2.0f * t) } };
	struct jc_body_frame frame = carry(ways[movement], yaws[movement], arrival(i, hz, late));

	if (i >= 100) {
		displace(&(struct jump){ .way = { 0.0f, 2.0f, 0.0f } }, &frame);
	}
	return frame;
}

static void late_frames_show_only_real_jumps(void **)
{
	static const int rates[] = { 15, 20, 30, 60, 90 };

	for (int k = 0; k < 5 * 2 * 5; k++) {
		int hz = rates[k % 5], late = 1 + k / 5 % 2, movement = k / 10;
		struct jc_space_jump state = { 0 };

		for (int i = 0; i < 200; i++) {
			struct jc_body_frame frame = move_late(movement, i, hz, late);

			if (jc_space_jump_find(&state, &frame) != (i == 100)) {
				fail_msg("%d Hz, %d late, movement %d, frame %d", hz, late,
					movement, i);
			}
		}
	}
}

static void return_after_a_gap_is_no_jump(void **)
{
	struct jc_space_jump state = { 0 };
	struct jc_body_frame frame;

	for (int i = 0; i < 60; i++) {
		frame = carry((struct jc_vec3){ 0.0f, 0.0f, 0.02f * (float)i }, 0.0f,
			SECOND + i * (SECOND / 60));
		assert_false(jc_space_jump_find(&state, &frame));
	}
	frame = carry((struct jc_vec3){ 0.5f, 0.0f, 1.5f }, 1.0f, 3 * SECOND);
	assert_false(jc_space_jump_find(&state, &frame));
}

static void a_single_joint_that_jumps_is_no_jump_of_the_space(void **)
{
	struct jc_space_jump state = { 0 };

	for (int i = 0; i < 60; i++) {
		struct jc_body_frame frame = carry(
			(struct jc_vec3){ 0.0f, 0.0f, 0.0f }, 0.0f, SECOND + i * (SECOND / 60));

		keep_seen(HEAD_AND_HANDS, &frame);
		if (i >= 30) {
			frame.joints[JC_JOINT_LEFT_HAND_WRIST].position.y += 1.0f;
		}
		assert_false(jc_space_jump_find(&state, &frame));
	}
}

static void a_head_alone_that_turns_is_no_jump_of_the_space(void **)
{
	struct jc_space_jump state = { 0 };

	for (int i = 0; i < 60; i++) {
		struct jc_body_frame frame = carry((struct jc_vec3){ 0.0f, 0.0f, 0.0f },
			i < 30 ? 0.0f : 0.6f, SECOND + i * (SECOND / 60));

		keep_seen(HEAD, &frame);
		assert_false(jc_space_jump_find(&state, &frame));
	}
}

/* A source that delivers no new frames for a while and repeats the last one. */
static void movement_after_a_stall_is_no_jump(void **)
{
	struct jc_space_jump state = { 0 };

	for (int i = 0; i < 60; i++) {
		int shown = i >= 30 && i < 40 ? 29 : i;
		struct jc_body_frame frame =
			carry((struct jc_vec3){ 0.0f, 0.0f, 0.05f * (float)shown },
				0.05f * (float)shown, SECOND + i * (SECOND / 60));

		assert_false(jc_space_jump_find(&state, &frame));
	}
}

static void finds_a_jump_of_a_figure_that_stands_still(void **)
{
	struct jc_space_jump state = { 0 };

	for (int i = 0; i < 60; i++) {
		struct jc_body_frame frame =
			carry((struct jc_vec3){ i < 40 ? 0.0f : 0.3f, 0.0f, 0.0f }, 0.0f,
				SECOND + i * (SECOND / 60));

		assert_int_equal(jc_space_jump_find(&state, &frame), i == 40);
	}
}

static void damaged_joints_do_not_count(void **)
{
	struct jc_space_jump state = { 0 };

	for (int i = 0; i < 24; i++) {
		struct jc_body_frame frame = carry(
			(struct jc_vec3){ 0.0f, 0.0f, 0.0f }, 0.0f, SECOND + i * (SECOND / 60));

		frame.joints[JC_JOINT_HEAD].position.x = NAN;
		frame.joints[JC_JOINT_HIPS].orientation.w = INFINITY;
		frame.joints[JC_JOINT_NECK].orientation = (struct jc_quat){ 0 };
		if (i >= 20) {
			displace(&jumps[0], &frame);
		}
		assert_int_equal(jc_space_jump_find(&state, &frame), i == 20);
	}
}

static void finds_jumps_of_the_hips_of_poses(void **)
{
	struct jc_motion *motion;
	struct jc_space_jump state = { 0 };

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	for (int i = 0; i < 120; i++) {
		struct jc_pose pose = pose_of(motion, i / 60.0);

		if (i >= 50) {
			pose.hips_translation.x += 0.3f / 0.945f;
		}
		if (i >= 80) {
			pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(
				jc_quat_from_axis_angle(
					(struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.5236f),
				pose.rotations[JC_BONE_HIPS]);
		}
		if (i == 100) {
			pose.states[JC_BONE_HIPS] = JC_ABSENT;
		}
		assert_int_equal(jc_space_jump_find_pose(&state, &pose, SECOND + i * (SECOND / 60)),
			i == 50 || i == 80);
	}
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_jumps_of_people_who_move),
		cmocka_unit_test(recorded_people_do_not_jump),
		cmocka_unit_test(athletes_do_not_jump),
		cmocka_unit_test(a_fast_movement_is_no_jump_before_its_speed_is_known),
		cmocka_unit_test(late_frames_show_only_real_jumps),
		cmocka_unit_test(return_after_a_gap_is_no_jump),
		cmocka_unit_test(a_single_joint_that_jumps_is_no_jump_of_the_space),
		cmocka_unit_test(a_head_alone_that_turns_is_no_jump_of_the_space),
		cmocka_unit_test(movement_after_a_stall_is_no_jump),
		cmocka_unit_test(finds_a_jump_of_a_figure_that_stands_still),
		cmocka_unit_test(damaged_joints_do_not_count),
		cmocka_unit_test(finds_jumps_of_the_hips_of_poses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
