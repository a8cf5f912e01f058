/* Takes: motions from frames that arrive one after another. */
#include "jointcast/transform.h"
#include "jointcast_private/take.h"
#include "unit_test.h"

static struct jc_take *begin(enum jc_motion_kind kind)
{
	static const char *const names[] = { "expression/happy" };
	struct jc_take_plan plan = {
		.kind = kind,
		.format = "recording",
		.name = "somebody",
		.profile = JC_PROFILE_META,
		.channel_count = 1,
		.channel_names = names,
	};
	struct jc_take *take;

	assert_int_equal(jc_take_create(&plan, &take), JC_OK);
	assert_int_equal(jc_take_value_count(take), 1);
	return take;
}

static void add_pose(struct jc_take *take, double t, float x, const float *value)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	pose.hips_translation.x = x;
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	assert_int_equal(jc_take_add_pose(take, t, &pose, value), JC_OK);
}

static void times_start_at_the_first_frame_and_increase(void **)
{
	struct jc_take *take = begin(JC_MOTION_POSES);
	struct jc_motion *motion;
	struct jc_pose pose;

	add_pose(take, 100.0, 1.0f, NULL);
	add_pose(take, 101.0, 2.0f, NULL);
	add_pose(take, 101.0, 7.0f, NULL);
	add_pose(take, 99.0, 8.0f, NULL);
	add_pose(take, 102.0, 4.0f, NULL);
	assert_int_equal(jc_take_finish(take, &motion), JC_OK);
	assert_int_equal(jc_motion_info(motion)->frame_count, 3);
	assert_float_equal(jc_motion_info(motion)->duration, 2.0, 1e-12);
	assert_float_equal(jc_motion_info(motion)->fps, 1.0, 1e-12);
	assert_string_equal(jc_motion_info(motion)->name, "somebody");
	jc_motion_pose(motion, 1.5, &pose);
	assert_float_equal(pose.hips_translation.x, 3.0f, 1e-6f);
	jc_motion_destroy(motion);
}

static void channels_without_values_repeat_the_last_values(void **)
{
	struct jc_take *take = begin(JC_MOTION_POSES);
	struct jc_motion *motion;
	float value = 0.5f;
	float values[JC_MOTION_CHANNEL_VALUES];

	add_pose(take, 0.0, 0.0f, NULL);
	add_pose(take, 1.0, 0.0f, &value);
	add_pose(take, 2.0, 0.0f, NULL);
	assert_int_equal(jc_take_finish(take, &motion), JC_OK);
	jc_motion_channel_values(motion, 0, 0.0, values);
	assert_float_equal(values[0], 0.0f, 0.0f);
	jc_motion_channel_values(motion, 0, 0.5, values);
	assert_float_equal(values[0], 0.25f, 1e-6f);
	jc_motion_channel_values(motion, 0, 2.0, values);
	assert_float_equal(values[0], 0.5f, 0.0f);
	jc_motion_destroy(motion);
}

static void lower(void *context, struct jc_body_frame *frame)
{
	(void)context;
	frame->joints[JC_JOINT_HIPS].position.y -= 1.0f;
}

static void body_frames_can_be_changed_and_have_channels(void **)
{
	struct jc_take *take = begin(JC_MOTION_BODY_FRAMES);
	struct jc_body_frame frame = { .confidence = 1.0f };
	struct jc_motion *motion;
	float value = 0.25f;
	float values[JC_MOTION_CHANNEL_VALUES];

	frame.joints[JC_JOINT_HIPS] =
		(struct jc_body_joint){ { 0.0f, 1.5f, 0.0f }, JC_QUAT_IDENTITY, JC_TRACKED };
	assert_int_equal(jc_take_add_body_frame(take, 5.0, &frame, &value), JC_OK);
	assert_int_equal(jc_take_add_body_frame(take, 6.0, &frame, NULL), JC_OK);
	assert_int_equal(jc_take_finish(take, &motion), JC_OK);
	assert_true(jc_motion_info(motion)->bone_mask == UINT64_C(1) << JC_BONE_HIPS);
	assert_int_equal(jc_motion_profile(motion), JC_PROFILE_META);
	assert_int_equal(jc_motion_change_frames(motion, lower, NULL), JC_OK);
	jc_motion_body_frame(motion, 0.5, &frame);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].position.y, 0.5f, 1e-6f);
	jc_motion_channel_values(motion, 0, 1.0, values);
	assert_float_equal(values[0], 0.25f, 0.0f);
	jc_motion_destroy(motion);
}

static void a_take_without_frames_gives_no_motion(void **)
{
	struct jc_take *take = begin(JC_MOTION_POSES);
	struct jc_motion *motion;

	assert_int_equal(jc_take_finish(take, &motion), JC_ERROR_ABSENT);
	jc_take_destroy(take);
	jc_take_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_start_at_the_first_frame_and_increase),
		cmocka_unit_test(channels_without_values_repeat_the_last_values),
		cmocka_unit_test(body_frames_can_be_changed_and_have_channels),
		cmocka_unit_test(a_take_without_frames_gives_no_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
