/* Motions on the clock. */
#include <math.h>
#include <stdio.h>

#include "jointcast/transform.h"
#include "source/motion_source.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define MS     INT64_C(1000000)

static struct jc_motion_cursor locate(bool loop, double speed, double duration, int64_t now_ns)
{
	struct jc_motion_source_options options = {
		.loop = loop, .speed = speed, .start_ns = SECOND
	};
	struct jc_motion_cursor cursor;

	jc_motion_source_locate(&options, duration, now_ns, &cursor);
	return cursor;
}

static void looped_motion_restarts(void **)
{
	struct jc_motion_cursor cursor = locate(true, 2.0, 4.0, SECOND + 5 * SECOND);

	/* 5 s at double speed: 10 s, two turns of 4 s and 2 s. */
	assert_int_equal(cursor.turn, 2);
	assert_true(fabs(cursor.t - 2.0) < 1e-9);
	assert_true(cursor.live);
	assert_true(cursor.capture_ns == 6 * SECOND);
}

static void motion_played_once_stays_at_its_end(void **)
{
	struct jc_motion_cursor cursor = locate(false, 2.0, 4.0, SECOND + 5 * SECOND);

	assert_true(cursor.t == 4.0);
	assert_false(cursor.live);
	assert_true(cursor.capture_ns == 3 * SECOND); /* 4 s at double speed after the start */
	assert_true(locate(false, 2.0, 4.0, SECOND + 1).live);
}

static void a_single_frame_is_always_live(void **)
{
	struct jc_motion_cursor cursor = locate(false, 1.0, 0.0, 100 * SECOND);

	assert_true(cursor.t == 0.0);
	assert_true(cursor.live);
	assert_int_equal(cursor.turn, 0);
}

static void clamps_times_before_the_start(void **)
{
	assert_true(locate(true, 1.0, 4.0, 0).t == 0.0);
}

static void position_stays_in_range_after_years_of_looping(void **)
{
	struct jc_motion_cursor cursor =
		locate(true, 1.0, 0.1, SECOND + INT64_C(100000000) * SECOND + SECOND / 20);

	assert_true(cursor.t >= 0.0 && cursor.t <= 0.1);
	assert_true(fabs(cursor.t - 0.05) < 1e-3);
}

static void heading_is_the_direction_of_the_front(void **)
{
	struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
	struct jc_quat turned = jc_quat_from_axis_angle(up, 1.0f);
	/* On the back, the head where the heading was: front up, left still left. */
	struct jc_quat lying = jc_quat_multiply(turned, jc_quat_from_axis_angle(left, -1.5708f));

	assert_true(fabsf(jc_motion_source_heading(turned) - 1.0f) < 1e-5f);
	assert_true(fabsf(jc_motion_source_heading(lying) - 1.0f) < 1e-4f);
	assert_true(fabsf(jc_motion_source_heading(JC_QUAT_IDENTITY)) < 1e-6f);
}

static void demo_cuts_at_its_start_and_at_each_restart(void **)
{
	struct jc_motion_source_options options = { .loop = true, .speed = 1.0, .start_ns = 0 };
	struct jc_source_sample sample;
	struct jc_motion *motion;
	struct jc_source *source;

	assert_int_equal(jc_motion_create_demo("idle", &motion, NULL), JC_OK);
	int64_t turn = (int64_t)(jc_motion_info(motion)->duration * 1e9);
	assert_int_equal(jc_motion_source_create(motion, &options, &source), JC_OK);
	source->ops->sample(source, 1000, &sample);
	assert_true(sample.cut);
	source->ops->sample(source, turn - 1000, &sample);
	assert_false(sample.cut);
	source->ops->sample(source, turn + 1000, &sample);
	assert_true(sample.cut);
	source->ops->sample(source, turn + 2000, &sample);
	assert_false(sample.cut);
	source->ops->destroy(source);
}

static void moves_only_recorded_motions_to_their_spot(void **)
{
	struct jc_motion_source_options options = { .loop = true, .speed = 1.0 };

	for (int recorded = 0; recorded < 2; recorded++) {
		struct jc_motion *motion;
		struct jc_source *source;
		struct jc_pose first;

		assert_int_equal(jc_motion_create_demo("walk", &motion, NULL), JC_OK);
		jc_motion_pose(motion, 0.0, &first);
		options.recorded = recorded;
		assert_int_equal(jc_motion_source_create(motion, &options, &source), JC_OK);
		assert_true(source->start_translation.x ==
			    (recorded ? first.hips_translation.x : 0.0f));
		/* A lap of a circle of 1.6 m, in units of 0.945 m: as far as its
		 * radius from the middle, as its diameter from the start. */
		assert_true(
			fabsf(source->reach - (recorded ? 2.0f : 1.0f) * 1.6f / 0.945f) < 0.25f);
		source->ops->destroy(source);
	}
}

/* A figure of legs that lifts a thigh; a frame every 10 ms. */
static struct jc_motion *make_motion(const int degrees[5])
{
	static const char head[] =
		"HIERARCHY\nROOT Hips\n{\nOFFSET 0 100 0\nCHANNELS 6 Xposition Yposition Zposition "
		"Yrotation Xrotation Zrotation\n"
		"JOINT LeftUpLeg\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"JOINT LeftLeg\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"JOINT LeftFoot\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"End Site\n{\nOFFSET 0 0 10\n}\n}\n}\n}\n"
		"JOINT RightUpLeg\n{\nOFFSET -10 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"JOINT RightLeg\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"JOINT RightFoot\n{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
		"End Site\n{\nOFFSET 0 0 10\n}\n}\n}\n}\n}\nMOTION\nFrames: 5\nFrame Time: 0.01\n";
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_motion *motion;
	char text[4096];
	size_t at = (size_t)snprintf(text, sizeof(text), "%s", head);

	for (int i = 0; i < 5; i++) {
		at += (size_t)snprintf(text + at, sizeof(text) - at,
			"0 100 0 0 0 0  0 0 %d  0 0 0  0 0 0  0 0 0  0 0 0  0 0 0\n", degrees[i]);
	}
	if (jc_motion_read(text, at, 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return motion;
}

/* The cuts of the motion at these times, as bits. */
static unsigned find_cuts(const int degrees[5], const int times[], size_t count)
{
	const struct jc_motion_source_options options = {
		.loop = true, .speed = 1.0, .recorded = true
	};
	struct jc_source_sample sample;
	struct jc_source *source;
	unsigned cuts = 0;

	assert_int_equal(jc_motion_source_create(make_motion(degrees), &options, &source), JC_OK);
	for (size_t i = 0; i < count; i++) {
		source->ops->sample(source, times[i] * MS, &sample);
		cuts |= (unsigned)sample.cut << i;
	}
	source->ops->destroy(source);
	return cuts;
}

/* Interpolated or carried on, the way from there to the motion would be no pose of a person. */
static void file_cuts_after_a_first_frame_that_is_no_part_of_the_motion(void **)
{
	static const int t_pose[] = { 0, -60, -62, -64, -66 };
	static const int steady[] = { 0, -30, -60, -90, -120 };
	static const int small[] = { 0, -19, -19, -19, -19 };
	/* The second turn begins at 40 ms. */
	static const int times[] = { 2, 8, 12, 22, 41, 49, 51, 59, 85, 95 };

	assert_int_equal(
		find_cuts(t_pose, times, 10), 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 8 | 1 << 9);
	assert_int_equal(find_cuts(steady, times, 10), 1 | 1 << 4 | 1 << 8);
	assert_int_equal(find_cuts(small, times, 10), 1 | 1 << 4 | 1 << 8);
	/* A late tick passes the beginning and the jump at once. */
	static const int late[] = { 2, 30, 55, 60 };

	assert_int_equal(find_cuts(t_pose, late, 4), 1 | 1 << 1 | 1 << 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looped_motion_restarts),
		cmocka_unit_test(motion_played_once_stays_at_its_end),
		cmocka_unit_test(a_single_frame_is_always_live),
		cmocka_unit_test(clamps_times_before_the_start),
		cmocka_unit_test(position_stays_in_range_after_years_of_looping),
		cmocka_unit_test(heading_is_the_direction_of_the_front),
		cmocka_unit_test(demo_cuts_at_its_start_and_at_each_restart),
		cmocka_unit_test(file_cuts_after_a_first_frame_that_is_no_part_of_the_motion),
		cmocka_unit_test(moves_only_recorded_motions_to_their_spot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
