/* Captures of random bodies and of real ones: within their bounds, whole or refused,
 * and nothing that is no motion gets in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/capture.h"
#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "reference.h"
#include "unit_test.h"

#define ROTATION_ERROR ((double)JC_CAPTURE_ROTATION_ERROR * 180.0 / M_PI) /* degrees */

static double distance_between(struct jc_vec3 a, struct jc_vec3 b)
{
	double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;

	return sqrt(x * x + y * y + z * z);
}

/* reach: metres around the origin that joints are in. */
static void make_frame(struct jc_body_frame *out_frame, double reach)
{
	memset(out_frame, 0, sizeof(*out_frame));
	out_frame->confidence = (float)fabs(random_unit());
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		double mood = random_unit();

		out_frame->joints[i] = (struct jc_body_joint){
			.position = { (float)(reach * random_unit()),
				(float)(reach * random_unit()), (float)(reach * random_unit()) },
			.orientation = matrix_to_quat(random_rotation(180.0)),
			.state = mood < -0.5  ? JC_ABSENT
				 : mood < 0.0 ? JC_ESTIMATED
					      : JC_TRACKED,
		};
	}
}

static void assert_frame_within_bounds(const struct jc_body_frame *frame)
{
	static struct jc_capture capture, read;
	struct jc_body_frame back;
	uint8_t bytes[JC_CAPTURE_BYTES];
	int length = jc_body_frame_encode(&capture, frame, bytes, sizeof(bytes));

	assert_true(length > 0);
	assert_int_equal(jc_body_frame_decode(bytes, (size_t)length, &read, &back), length);
	assert_true(fabsf(back.confidence - frame->confidence) <= 0.5f / 255.0f + 1e-6f);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		const struct jc_body_joint *a = &frame->joints[i], *b = &back.joints[i];

		assert_int_equal(a->state, b->state);
		if (a->state != JC_ABSENT) {
			assert_true(distance_between(a->position, b->position) <=
				    (double)JC_CAPTURE_POSITION_ERROR);
			assert_true(
				degrees_between(a->orientation, b->orientation) <= ROTATION_ERROR);
		}
	}
}

static void joint_errors_stay_within_the_bounds_at_any_position(void **)
{
	struct jc_body_frame frame;

	for (int i = 0; i < 3000; i++) {
		make_frame(&frame, i % 3 == 0 ? 1.0 : i % 3 == 1 ? 10.0 : 57.0);
		assert_frame_within_bounds(&frame);
	}
}

static void assert_pose_within_bounds(const struct jc_pose *pose)
{
	static struct jc_capture capture, read;
	struct jc_pose back;
	uint8_t bytes[JC_CAPTURE_BYTES];
	int length = jc_pose_encode(&capture, pose, bytes, sizeof(bytes));

	assert_true(length > 0);
	assert_int_equal(jc_pose_decode(bytes, (size_t)length, &read, &back), length);
	assert_memory_equal(pose->states, back.states, JC_BONE_COUNT);
	assert_true(distance_between(pose->hips_translation, back.hips_translation) <=
		    (double)JC_CAPTURE_POSITION_ERROR);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		assert_true(pose->states[i] == JC_ABSENT
				    ? back.rotations[i].w == 1.0f
				    : degrees_between(pose->rotations[i], back.rotations[i]) <=
					      ROTATION_ERROR);
	}
}

static void bone_errors_stay_within_the_bounds(void **)
{
	struct jc_pose pose;

	for (int n = 0; n < 3000; n++) {
		jc_pose_init(&pose);
		for (int i = 0; i < JC_BONE_COUNT; i++) {
			double mood = random_unit();

			pose.states[i] = mood < -0.3  ? JC_ABSENT
					 : mood < 0.2 ? JC_ESTIMATED
						      : JC_TRACKED;
			/* Near identity too, where it is left out. */
			pose.rotations[i] =
				mood > 0.8 ? jc_quat_normalize((struct jc_quat){
						     (float)(1e-4 * random_unit()),
						     (float)(1e-4 * random_unit()), 0.0f, 1.0f })
					   : matrix_to_quat(random_rotation(180.0));
		}
		pose.hips_translation.y = (float)(3.0 * random_unit());
		assert_pose_within_bounds(&pose);
	}
}

/* Poses that have limbs as people have them, and small captures. */
static void motions_stay_within_the_bounds_of_error_and_size(void **)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		static struct jc_capture capture;
		struct jc_motion *motion;
		struct jc_pose pose;
		uint8_t bytes[JC_CAPTURE_BYTES];

		assert_int_equal(jc_motion_create_demo(*name, &motion, NULL), JC_OK);
		for (double t = 0.0; t < jc_motion_info(motion)->duration; t += 1.0 / 30.0) {
			jc_motion_pose(motion, t, &pose);
			assert_pose_within_bounds(&pose);
			/* 18 bytes of head, 11 of hips, 51 bits a bone. */
			assert_in_range(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), 18,
				18 + 11 + (51 * JC_BONE_COUNT + 7) / 8);
		}
		jc_motion_destroy(motion);
	}
}

static void full_frame_takes_eleven_to_thirteen_bytes_per_joint(void **)
{
	static struct jc_capture capture;
	struct jc_body_frame frame;
	uint8_t bytes[JC_CAPTURE_BYTES];

	memset(&frame, 0, sizeof(frame));
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)i);

		frame.joints[i] = (struct jc_body_joint){
			.position =
				jc_bone_rest_position(bone == JC_BONE_NONE ? JC_BONE_HIPS : bone),
			.orientation = matrix_to_quat(random_rotation(180.0)),
			.state = JC_TRACKED,
		};
	}
	assert_in_range(jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes)),
		11 * JC_JOINT_COUNT, 13 * JC_JOINT_COUNT);
}

static void rejects_a_capture_truncated_at_any_byte(void **)
{
	static struct jc_capture capture, read;
	struct jc_body_frame frame, back;
	uint8_t bytes[JC_CAPTURE_BYTES];

	capture = (struct jc_capture){ .value_count = 9, .values = { 1.0f, [8] = 0.5f } };
	make_frame(&frame, 1.0);
	int length = jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes));

	assert_true(length > 0);
	for (int cut = 0; cut < length; cut++) {
		uint8_t *part = malloc((size_t)cut + 1);

		memcpy(part, bytes, (size_t)cut);
		assert_int_equal(
			jc_body_frame_decode(part, (size_t)cut, &read, &back), JC_ERROR_TRUNCATED);
		free(part);
	}
	assert_int_equal(jc_body_frame_decode(NULL, 0, &read, &back), JC_ERROR_TRUNCATED);
}

static void rejects_invalid_poses_and_frames(void **)
{
	static struct jc_capture capture;
	struct jc_body_frame frame, good;
	struct jc_pose pose;
	uint8_t bytes[JC_CAPTURE_BYTES];

	make_frame(&good, 1.0);
	good.joints[JC_JOINT_HEAD].state = JC_ESTIMATED;
	const struct {
		float *at;
		float value;
	} damage[] = {
		{ &frame.joints[JC_JOINT_HEAD].position.x, NAN },
		{ &frame.joints[JC_JOINT_HEAD].position.y, INFINITY },
		{ &frame.joints[JC_JOINT_HEAD].position.z, -1000.1f },
		{ &frame.joints[JC_JOINT_HEAD].orientation.w, NAN },
		{ &frame.joints[JC_JOINT_HEAD].orientation.x, 2.0f },
		{ &frame.confidence, NAN },
		{ &frame.confidence, -0.01f },
		{ &frame.confidence, 1.01f },
	};

	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		frame = good;
		*damage[i].at = damage[i].value;
		assert_int_equal(jc_body_frame_encode(&capture, &frame, bytes, sizeof(bytes)),
			JC_ERROR_INVALID);
	}
	jc_pose_init(&pose);
	pose.hips_translation.x = NAN;
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	jc_pose_init(&pose);
	pose.states[JC_BONE_HEAD] = JC_TRACKED;
	pose.rotations[JC_BONE_HEAD].w = 0.5f;
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
}

static void rejects_captures_out_of_range(void **)
{
	static struct jc_capture capture;
	struct jc_pose pose;
	uint8_t bytes[JC_CAPTURE_BYTES];

	jc_pose_init(&pose);
	capture = (struct jc_capture){ .time_us = -1 };
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	capture.time_us = JC_CAPTURE_TIME_MAX + 1;
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	capture = (struct jc_capture){ .value_count = 1, .values = { INFINITY } };
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
	capture = (struct jc_capture){ .value_count = JC_LIMIT_CAPTURE_VALUES + 1 };
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_LIMIT);
	capture = (struct jc_capture){ .is_rest = true };
	assert_int_equal(jc_pose_encode(&capture, &pose, bytes, sizeof(bytes)), JC_ERROR_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joint_errors_stay_within_the_bounds_at_any_position),
		cmocka_unit_test(bone_errors_stay_within_the_bounds),
		cmocka_unit_test(motions_stay_within_the_bounds_of_error_and_size),
		cmocka_unit_test(full_frame_takes_eleven_to_thirteen_bytes_per_joint),
		cmocka_unit_test(rejects_a_capture_truncated_at_any_byte),
		cmocka_unit_test(rejects_invalid_poses_and_frames),
		cmocka_unit_test(rejects_captures_out_of_range),
	};

	random_start(20260);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
