/* Tests excerpts: poses, body frames and channels of an interval, with its own time. */
#include <math.h>

#include "jointcast/transform.h"
#include "jointcast_private/take.h"
#include "unit_test.h"

#define FRAMES 11

/* Frame i, at i tenths of a second, has i in the position of the hips and in the channel. */
static struct jc_motion *make(enum jc_motion_kind kind)
{
	static const char *const names[] = { "expression/happy" };
	static const struct jc_body_frame rest = { .confidence = 0.5f };
	struct jc_take_plan plan = {
		.kind = kind,
		.format = "recording",
		.name = "body",
		.profile = JC_PROFILE_META,
		.rest = kind == JC_MOTION_BODY_FRAMES ? &rest : NULL,
		.channel_count = 1,
		.channel_names = names,
	};
	struct jc_motion *motion;
	struct jc_take *take;

	assert_int_equal(jc_take_create(&plan, &take), JC_OK);
	for (int i = 0; i < FRAMES; i++) {
		struct jc_body_frame frame = { .confidence = 1.0f };
		struct jc_pose pose;
		float value = (float)i;

		jc_pose_init(&pose);
		pose.hips_translation.x = (float)i;
		frame.joints[JC_JOINT_HIPS] = (struct jc_body_joint){ { (float)i, 0.0f, 0.0f },
			JC_QUAT_IDENTITY, JC_TRACKED };
		assert_int_equal(kind == JC_MOTION_POSES
					 ? jc_take_add_pose(take, 0.1 * i, &pose, &value)
					 : jc_take_add_body_frame(take, 0.1 * i, &frame, &value),
			JC_OK);
	}
	assert_int_equal(jc_take_finish(take, &motion), JC_OK);
	return motion;
}

static struct jc_motion *cut(struct jc_motion *motion, double from, double until)
{
	struct jc_motion *excerpt;

	assert_int_equal(jc_motion_create_excerpt(motion, from, until, &excerpt), JC_OK);
	return excerpt;
}

static void an_excerpt_begins_at_zero(void **)
{
	struct jc_motion *motion = cut(make(JC_MOTION_POSES), 0.25, 0.75);
	const struct jc_motion_info *info = jc_motion_info(motion);
	float values[JC_MOTION_CHANNEL_VALUES];
	struct jc_pose pose;

	assert_float_equal(info->duration, 0.5, 1e-12);
	assert_float_equal(info->fps, 10.0, 1e-9);
	assert_int_equal(info->frame_count, 6);
	assert_string_equal(info->name, "body");
	for (double t = 0.0; t <= 0.5; t += 0.125) {
		jc_motion_pose(motion, t, &pose);
		assert_float_equal(pose.hips_translation.x, (float)(2.5 + 10.0 * t), 1e-5f);
		jc_motion_channel_values(motion, 0, t, values);
		assert_float_equal(values[0], (float)(2.5 + 10.0 * t), 1e-5f);
	}
	/* Clamped to the interval, not to the source. */
	jc_motion_pose(motion, -1.0, &pose);
	assert_float_equal(pose.hips_translation.x, 2.5f, 1e-5f);
	jc_motion_pose(motion, 2.0, &pose);
	assert_float_equal(pose.hips_translation.x, 7.5f, 1e-5f);
	jc_motion_destroy(motion);
}

static void body_frames_keep_profile_and_rest(void **)
{
	struct jc_motion *motion = cut(make(JC_MOTION_BODY_FRAMES), 0.3, 1.0);
	struct jc_body_frame frame;

	assert_int_equal(jc_motion_info(motion)->kind, JC_MOTION_BODY_FRAMES);
	assert_int_equal(jc_motion_profile(motion), JC_PROFILE_META);
	assert_float_equal(jc_motion_rest(motion)->confidence, 0.5f, 0.0f);
	assert_int_equal(jc_motion_info(motion)->frame_count, 8);
	jc_motion_body_frame(motion, 0.2, &frame);
	assert_float_equal(frame.joints[JC_JOINT_HIPS].position.x, 5.0f, 1e-5f);
	assert_int_equal(frame.time_ns, 200000000);
	jc_motion_destroy(motion);
}

static void an_excerpt_of_an_excerpt_adds_both_beginnings(void **)
{
	struct jc_motion *motion = cut(cut(make(JC_MOTION_POSES), 0.2, 0.9), 0.3, 0.4);
	struct jc_pose pose;

	assert_int_equal(jc_motion_info(motion)->frame_count, 2);
	jc_motion_pose(motion, 0.0, &pose);
	assert_float_equal(pose.hips_translation.x, 5.0f, 1e-5f);
	jc_motion_destroy(motion);
}

static void refuses_what_is_no_interval_of_the_motion(void **)
{
	static const double intervals[][2] = { { -0.1, 0.5 }, { 0.5, 0.4 }, { 0.5, 1.5 },
		{ (double)NAN, 1.0 }, { 0.0, (double)NAN } };

	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
		struct jc_motion *excerpt;

		assert_int_equal(jc_motion_create_excerpt(make(JC_MOTION_POSES), intervals[i][0],
					 intervals[i][1], &excerpt),
			JC_ERROR_INVALID);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_excerpt_begins_at_zero),
		cmocka_unit_test(body_frames_keep_profile_and_rest),
		cmocka_unit_test(an_excerpt_of_an_excerpt_adds_both_beginnings),
		cmocka_unit_test(refuses_what_is_no_interval_of_the_motion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
