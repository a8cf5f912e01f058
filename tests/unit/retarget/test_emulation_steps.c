/* Tests estimated feet: planted while a body stands, stepping when it walks, under the body when it
 * crouches or teleports. Also tests completion of files. */
#include <math.h>
#include <string.h>

#include "jointcast/emulation.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "partial.h"
#include "unit_test.h"

#define HZ 60

/* The built-in figure's head over its floor, and its ankles. */
#define HEAD_HEIGHT  1.56f
#define ANKLE_HEIGHT 0.08f

static const enum jc_joint ankles[2] = { JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_ANKLE };

/* A head at a place, upright, turned by yaw; hands 60 cm below and 20 cm beside it. */
static struct jc_body_frame stand_at(int index, struct jc_vec3 head, float yaw)
{
	struct jc_body_frame rest = partial_rest(JC_PROFILE_WEBXR_SPEC, 1.0f);
	struct jc_body_frame frame = partial_of(&rest, &partial_three);
	struct jc_quat turn = jc_quat_from_axis_angle((struct jc_vec3){ 0, 1, 0 }, yaw);

	frame.time_ns = 1 + (int64_t)index * (1000000000 / HZ);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		struct jc_body_joint *joint = &frame.joints[j];
		float side = j == JC_JOINT_LEFT_HAND_WRIST ? 0.2f : -0.2f;
		struct jc_vec3 hand = { side, -0.6f, 0.2f };

		if (joint->state == JC_ABSENT) {
			continue;
		}
		joint->orientation = jc_quat_multiply(turn, joint->orientation);
		joint->position =
			j == JC_JOINT_HEAD ? head : jc_vec3_add(head, jc_quat_rotate(turn, hand));
	}
	return frame;
}

static void begin(struct jc_emulation *emulation)
{
	jc_emulation_init(emulation, JC_PROFILE_WEBXR_SPEC, NULL, 1.75f);
}

static struct jc_vec3 ankle(const struct jc_body_frame *frame, int side)
{
	return frame->joints[ankles[side]].position;
}

static void feet_stay_while_hands_wave_and_the_head_sways(void **)
{
	struct jc_emulation emulation;
	struct jc_vec3 first[2] = { { 0 } };

	begin(&emulation);
	for (int index = 0; index < 10 * HZ; index++) {
		float t = (float)index / HZ;
		struct jc_vec3 head = { 0.03f * sinf(2.0f * t), HEAD_HEIGHT - 0.02f,
			0.03f * cosf(1.3f * t) };
		struct jc_body_frame frame = stand_at(index, head, 0.2f * sinf(t));
		struct jc_vec3 *hand = &frame.joints[JC_JOINT_LEFT_HAND_WRIST].position;

		hand->y += 0.5f + 0.2f * sinf(8.0f * t);
		hand->x += 0.2f * cosf(8.0f * t);
		jc_emulation_complete(&emulation, &frame);
		for (int side = 0; side < 2; side++) {
			first[side] = index == 0 ? ankle(&frame, side) : first[side];
			assert_true(partial_distance(ankle(&frame, side), first[side]) < 1e-4f);
			assert_float_equal(ankle(&frame, side).y, ANKLE_HEIGHT, 0.002f);
		}
	}
	/* Left on the left, about hip width apart. */
	assert_true(first[0].x - first[1].x > 0.12f && first[0].x - first[1].x < 0.3f);
}

/* A foot that is down, by its ankle, where it was in the frame before. */
static bool is_still(struct jc_vec3 now, struct jc_vec3 before)
{
	return partial_distance(now, before) < 0.002f;
}

/* Two and a half metres at 1.1 m/s: feet take turns, lift, and end under the body. */
static void walking_body_makes_steps(void **)
{
	struct jc_emulation emulation;
	struct jc_vec3 before[2] = { { 0 } };
	struct jc_body_frame frame;
	int steps[2] = { 0 };
	bool was_moving[2] = { false };
	float highest = 0.0f;

	begin(&emulation);
	for (int index = 0; index < 5 * HZ; index++) {
		float way = fminf(fmaxf((float)index / HZ - 0.5f, 0.0f) * 1.1f, 2.5f);

		frame = stand_at(index, (struct jc_vec3){ 0, HEAD_HEIGHT - 0.03f, way }, 0.0f);
		jc_emulation_complete(&emulation, &frame);
		for (int side = 0; side < 2 && index > 0; side++) {
			bool moves = emulation.feet[side].share < 1.0f;

			steps[side] += moves && !was_moving[side];
			was_moving[side] = moves;
			/* Planted toes do not slide, heels may rise. */
			assert_true(frame.joints[ankles[side]].position.y > ANKLE_HEIGHT - 0.005f);
			assert_true(is_still(ankle(&frame, side), before[side]) || moves ||
				    ankle(&frame, side).y > ANKLE_HEIGHT + 0.001f ||
				    before[side].y > ANKLE_HEIGHT + 0.001f);
			highest = fmaxf(highest, ankle(&frame, side).y);
		}
		assert_true(emulation.feet[0].share >= 1.0f || emulation.feet[1].share >= 1.0f);
		before[0] = ankle(&frame, 0);
		before[1] = ankle(&frame, 1);
	}
	assert_in_range(steps[0], 2, 5);
	assert_in_range(steps[1], 2, 5);
	assert_true(highest > ANKLE_HEIGHT + 0.03f);
	for (int side = 0; side < 2; side++) {
		assert_true(fabsf(ankle(&frame, side).z - 2.5f) < 0.2f);
		assert_float_equal(ankle(&frame, side).y, ANKLE_HEIGHT, 0.005f);
	}
	assert_true(ankle(&frame, 0).x > ankle(&frame, 1).x);
}

static void balls_of_planted_feet_do_not_slide(void **)
{
	static const enum jc_joint balls[2] = { JC_JOINT_LEFT_FOOT_BALL, JC_JOINT_RIGHT_FOOT_BALL };
	struct jc_vec3 before[2] = { { 0 } };
	struct jc_emulation emulation;

	begin(&emulation);
	for (int index = 0; index < 5 * HZ; index++) {
		float t = (float)index / HZ;
		/* To 0.9 m/s within a second. */
		float way = 0.9f * (t < 1.0f ? 0.5f * t * t : t - 0.5f);
		bool stands[2] = { emulation.feet[0].share >= 1.0f,
			emulation.feet[1].share >= 1.0f };
		struct jc_body_frame frame = stand_at(
			index, (struct jc_vec3){ 0.3f * way, HEAD_HEIGHT - 0.03f, way }, 0.0f);

		jc_emulation_complete(&emulation, &frame);
		for (int side = 0; side < 2; side++) {
			struct jc_vec3 ball = frame.joints[balls[side]].position;

			if (index > 1 && stands[side] && emulation.feet[side].share >= 1.0f) {
				assert_true(partial_distance(ball, before[side]) < 0.001f);
			}
			before[side] = ball;
		}
	}
}

static void turning_body_turns_its_feet(void **)
{
	struct jc_emulation emulation;
	struct jc_body_frame frame;
	struct jc_vec3 toes;

	begin(&emulation);
	for (int index = 0; index < 4 * HZ; index++) {
		float yaw = fminf((float)index / HZ, 1.5708f);

		frame = stand_at(index, (struct jc_vec3){ 0, HEAD_HEIGHT, 0 }, yaw);
		jc_emulation_complete(&emulation, &frame);
	}
	/* A quarter turn to the left looks to +X, where left is -Z. */
	toes = jc_vec3_subtract(frame.joints[JC_JOINT_LEFT_FOOT_BALL].position, ankle(&frame, 0));
	assert_true(toes.x > 0.8f * jc_vec3_length(toes));
	assert_true(ankle(&frame, 0).z < ankle(&frame, 1).z - 0.1f);
}

static void a_low_head_makes_the_body_crouch_with_knees_forward(void **)
{
	struct jc_emulation emulation;
	struct jc_body_frame frame;

	begin(&emulation);
	for (int index = 0; index < 3 * HZ; index++) {
		float down = fminf((float)index / HZ * 0.4f, 0.45f);

		frame = stand_at(index, (struct jc_vec3){ 0, HEAD_HEIGHT - down, 0 }, 0.0f);
		jc_emulation_complete(&emulation, &frame);
	}
	assert_true(frame.joints[JC_JOINT_HIPS].position.y < 0.7f);
	assert_true(frame.joints[JC_JOINT_HIPS].position.y > 0.3f);
	for (int side = 0; side < 2; side++) {
		struct jc_vec3 hip =
			frame.joints[side ? JC_JOINT_RIGHT_UPPER_LEG : JC_JOINT_LEFT_UPPER_LEG]
				.position;
		struct jc_vec3 knee =
			frame.joints[side ? JC_JOINT_RIGHT_LOWER_LEG : JC_JOINT_LEFT_LOWER_LEG]
				.position;

		assert_true(knee.z > hip.z + 0.1f);
		assert_true(knee.z > ankle(&frame, side).z - 0.05f);
		assert_float_equal(ankle(&frame, side).y, ANKLE_HEIGHT, 0.01f);
		assert_true(jc_vec3_angle(jc_vec3_subtract(knee, hip),
				    jc_vec3_subtract(ankle(&frame, side), knee)) > 0.7f);
	}
}

/* Down to a head that lies on the floor and up again. */
static void no_joint_sinks_into_the_floor(void **)
{
	struct jc_emulation emulation;

	begin(&emulation);
	for (int index = 0; index < 8 * HZ; index++) {
		float height = 0.85f + 0.7f * cosf((float)index / HZ * 0.8f);
		struct jc_body_frame frame =
			stand_at(index, (struct jc_vec3){ 0, height, 0 }, 0.0f);

		frame.joints[JC_JOINT_LEFT_HAND_WRIST].position.y = fmaxf(height - 0.6f, 0.05f);
		frame.joints[JC_JOINT_RIGHT_HAND_WRIST].position.y = fmaxf(height - 0.6f, 0.05f);
		jc_emulation_complete(&emulation, &frame);
		assert_true(frame.joints[JC_JOINT_HIPS].position.y > 0.02f);
		assert_true(ankle(&frame, 0).y > 0.0f && ankle(&frame, 1).y > 0.0f);
		assert_true(frame.joints[JC_JOINT_LEFT_LOWER_LEG].position.y > 0.0f);
	}
}

/* The same frame, seen by a body that has just begun. */
static void assert_begun_anew(const struct jc_body_frame *frame, struct jc_body_frame partial)
{
	struct jc_emulation fresh;

	begin(&fresh);
	jc_emulation_complete(&fresh, &partial);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		assert_true(partial_distance(
				    frame->joints[j].position, partial.joints[j].position) < 1e-4f);
	}
}

static void jumps_gaps_and_decreasing_times_reset_the_feet(void **)
{
	static const struct {
		struct jc_vec3 head;
		int index;
	} cuts[] = {
		{ { 3.0f, HEAD_HEIGHT, -2.0f }, 61 },
		{ { 0.3f, HEAD_HEIGHT, 0.9f }, 60 + 2 * HZ },
		{ { 0.2f, HEAD_HEIGHT, 0.5f }, 3 },
	};

	for (size_t i = 0; i < 3; i++) {
		struct jc_body_frame frame, partial;
		struct jc_emulation emulation;

		begin(&emulation);
		for (int index = 0; index <= 60; index++) {
			frame = stand_at(index,
				(struct jc_vec3){ 0, HEAD_HEIGHT, 0.015f * (float)index }, 0.0f);
			jc_emulation_complete(&emulation, &frame);
		}
		partial = stand_at(cuts[i].index, cuts[i].head, 1.0f);
		frame = partial;
		jc_emulation_complete(&emulation, &frame);
		assert_begun_anew(&frame, partial);
	}
}

static const char file[] =
	"{\"jointcast\":\"body-frames\",\"profile\":\"pico\",\"joints\":[\"head\","
	"\"left-hand-wrist\",\"right-hand-wrist\"]}\n"
	"{\"t\":0,\"joints\":[[0,1.56,0,0,1,0,0,2],[0.3,1,0.1,0,1,0,0,2],[-0.3,1,0.1,0,1,0,0,2]]}\n"
	"{\"t\":0.3,\"joints\":[[0,1.55,0.3,0,1,0,0,2],[0.3,1,0.4,0,1,0,0,2],null]}\n"
	"{\"t\":0.6,\"joints\":[null,null,null]}\n"
	"{\"t\":0.7,\"joints\":[[0,1.56,0.6,0,1,0,0,2],[0.3,1,0.7,0,1,0,0,2],[-0.3,1,0.7,0,1,0,0,2]"
	"]}\n";

static void completes_frames_of_a_file_once_and_in_order(void **)
{
	struct jc_body_frame sampled, again, between;
	struct jc_motion *motion = NULL;

	assert_int_equal(jc_motion_read(file, strlen(file), 0, NULL, &motion, NULL, NULL), JC_OK);
	assert_int_equal(jc_emulation_complete_motion(motion, 0.0f), JC_OK);
	assert_int_equal(jc_motion_info(motion)->frame_count, 4);
	assert_true(jc_motion_info(motion)->bone_mask >> JC_BONE_LEFT_TOES & 1);
	jc_motion_body_frame(motion, 0.7, &sampled);
	jc_motion_body_frame(motion, 0.0, &between);
	jc_motion_body_frame(motion, 0.7, &again);
	assert_memory_equal(sampled.joints, again.joints, sizeof(sampled.joints));
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		bool told = j == JC_JOINT_HEAD || j == JC_JOINT_LEFT_HAND_WRIST ||
			    j == JC_JOINT_RIGHT_HAND_WRIST;

		assert_int_equal(sampled.joints[j].state, told ? JC_TRACKED : JC_ESTIMATED);
	}
	jc_motion_body_frame(motion, 0.6, &between);
	assert_int_equal(between.joints[JC_JOINT_HIPS].state, JC_ABSENT);
	/* A hand that was not tracked for a moment is there too. */
	jc_motion_body_frame(motion, 0.3, &between);
	assert_int_equal(between.joints[JC_JOINT_RIGHT_HAND_WRIST].state, JC_ESTIMATED);
	jc_motion_destroy(motion);
}

/* Swinging legs keep their length between two frames. The T-pose defines it: hips 96 cm above the
 * floor with a head at 1.56 m. */
static void completed_file_has_the_t_pose_of_the_body(void **)
{
	struct jc_body_frame told = { .confidence = 1.0f }, rest;
	struct jc_motion *motion = NULL;
	struct jc_emulation emulation;

	assert_int_equal(jc_motion_read(file, strlen(file), 0, NULL, &motion, NULL, NULL), JC_OK);
	assert_null(jc_motion_rest(motion));
	assert_int_equal(jc_emulation_complete_motion(motion, 1.75f), JC_OK);
	assert_non_null(jc_motion_rest(motion));
	assert_float_equal(jc_motion_rest(motion)->joints[JC_JOINT_HIPS].position.y, 0.96f, 1e-4f);
	jc_motion_destroy(motion);

	/* Joints of the source's T-pose are kept. */
	told.joints[JC_JOINT_HEAD] = partial_rest(JC_PROFILE_META, 0.5f).joints[JC_JOINT_HEAD];
	told.joints[JC_JOINT_HEAD].position.x = 3.0f;
	jc_emulation_init(&emulation, JC_PROFILE_META, &told, 0.0f);
	jc_emulation_rest(&emulation, &told, &rest);
	assert_memory_equal(&rest.joints[JC_JOINT_HEAD], &told.joints[JC_JOINT_HEAD],
		sizeof(rest.joints[JC_JOINT_HEAD]));
	assert_float_equal(rest.joints[JC_JOINT_HIPS].position.x, 3.0f, 1e-4f);
	assert_float_equal(rest.joints[JC_JOINT_HIPS].position.y, 0.48f, 1e-3f);
	assert_float_equal(rest.joints[JC_JOINT_LEFT_HAND_WRIST].position.x, 3.3525f, 1e-3f);
}

static void does_not_change_motions_of_poses(void **)
{
	struct jc_motion *motion = NULL;
	struct jc_pose before, after;

	assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
	jc_motion_pose(motion, 1.0, &before);
	assert_int_equal(jc_emulation_complete_motion(motion, 0.0f), JC_OK);
	jc_motion_pose(motion, 1.0, &after);
	assert_memory_equal(&before, &after, sizeof(before));
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feet_stay_while_hands_wave_and_the_head_sways),
		cmocka_unit_test(walking_body_makes_steps),
		cmocka_unit_test(balls_of_planted_feet_do_not_slide),
		cmocka_unit_test(turning_body_turns_its_feet),
		cmocka_unit_test(a_low_head_makes_the_body_crouch_with_knees_forward),
		cmocka_unit_test(no_joint_sinks_into_the_floor),
		cmocka_unit_test(jumps_gaps_and_decreasing_times_reset_the_feet),
		cmocka_unit_test(completes_frames_of_a_file_once_and_in_order),
		cmocka_unit_test(completed_file_has_the_t_pose_of_the_body),
		cmocka_unit_test(does_not_change_motions_of_poses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
