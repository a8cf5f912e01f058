/* Tests that recorders get the live captures: the same captures between the same ticks give the
 * same bits. */
#include <math.h>

#include "jointcast/transform.h"
#include "maxima.h"
#include "source/capture_intake.h"
#include "source/tracked_body.h"
#include "unit_test.h"

#define MS      INT64_C(1000000)
#define EPOCH   (INT64_C(3000000000) + 777) /* no whole number of microseconds */
#define TICK    (INT64_C(1000000000) / 60)
#define FOREVER JC_CAPTURE_TIME_MAX

static uint32_t random_state;

static float random_share(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (float)(random_state >> 8) / 16777216.0f;
}

static struct jc_capture_intake *make(struct jc_capture_form form)
{
	struct jc_capture_intake *intake;

	assert_int_equal(jc_capture_intake_create(&form, EPOCH, &intake), JC_OK);
	return intake;
}

/* A person of about 1.7 m, whose joints appear, vanish and jump. */
static struct jc_body_frame make_frame(int64_t time_ns)
{
	struct jc_body_frame frame = { .time_ns = time_ns, .confidence = 0.8f };
	float t = (float)(time_ns / MS) * 1e-3f;

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		struct jc_body_joint *joint = &frame.joints[i];

		if (random_share() < 0.1f) {
			continue;
		}
		joint->state = random_share() < 0.2f ? JC_ESTIMATED : JC_TRACKED;
		joint->position = (struct jc_vec3){ 0.3f * sinf(t + (float)i),
			0.1f + 1.6f * (float)(i % 9) / 9.0f, 0.2f * cosf(2.0f * t) };
		joint->position.x += random_share() < 0.01f ? 30.0f : 0.0f;
		joint->orientation = jc_quat_normalize((struct jc_quat){
			sinf(t), 0.3f, cosf(t * 0.7f + (float)i), 1.0f + random_share() });
	}
	return frame;
}

static struct jc_pose make_pose(float angle)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose.states[i] = random_share() < 0.1f ? JC_ABSENT : JC_TRACKED;
		pose.rotations[i] = jc_quat_from_axis_angle(
			(struct jc_vec3){ 0.6f, 0.0f, 0.8f }, angle * random_share());
	}
	pose.states[JC_BONE_HIPS] = JC_TRACKED;
	pose.hips_translation = (struct jc_vec3){ 0.1f * angle, 0.0f, 0.2f };
	return pose;
}

/* Copies the captures of the last sample, as a recording does. */
static void hand_on(const struct jc_capture_intake *from, struct jc_capture_intake *to)
{
	for (size_t i = 0; i < jc_capture_intake_count(from); i++) {
		const uint8_t *bytes;
		size_t length;

		jc_capture_intake_capture(from, i, &bytes, &length);
		assert_int_equal(jc_capture_intake_put(to, bytes, length, 0, FOREVER), JC_OK);
	}
}

static void assert_same(const struct jc_source_sample *a, const struct jc_source_sample *b)
{
	assert_memory_equal(a->pose.rotations, b->pose.rotations, sizeof(a->pose.rotations));
	assert_memory_equal(a->pose.states, b->pose.states, sizeof(a->pose.states));
	assert_memory_equal(&a->pose.hips_translation, &b->pose.hips_translation,
		sizeof(a->pose.hips_translation));
	assert_memory_equal(a->values, b->values, sizeof(a->values));
	assert_int_equal(a->capture_ns, b->capture_ns);
	assert_int_equal(a->cut, b->cut);
	assert_int_equal(a->live, b->live);
	assert_int_equal(a->held, b->held);
}

/* The live intake gets captures at irregular times, the other one the recorded captures. */
static void run(struct jc_capture_form form, int ticks)
{
	struct jc_capture_intake *live = make(form), *replayed = make(form);
	struct jc_source_sample told, shown;
	int64_t time_ns = EPOCH;
	size_t captures = 0;

	for (int tick = 1; tick <= ticks; tick++) {
		int64_t now_ns = EPOCH + tick * TICK;

		while (time_ns < now_ns) {
			struct jc_body_frame frame = make_frame(time_ns);
			struct jc_pose pose = make_pose(sinf((float)tick * 0.05f));

			if (form.kind == JC_CAPTURE_BODY_FRAME) {
				jc_capture_intake_put_frame(live, &frame, NULL);
			} else {
				jc_capture_intake_put_pose(
					live, &pose, time_ns, random_share() < 0.01f, NULL);
			}
			/* 50 to 200 Hz, one before the last now and then, and silence. */
			time_ns += (int64_t)((5.0f + 15.0f * random_share()) * 1e6f);
			time_ns += random_share() < 0.002f  ? 1500 * MS
				   : random_share() < 0.01f ? 300 * MS
							    : 0;
			if (random_share() < 0.02f) {
				jc_capture_intake_restart(live);
			}
		}
		jc_capture_intake_sample(live, now_ns, &told);
		captures += jc_capture_intake_count(live);
		hand_on(live, replayed);
		jc_capture_intake_sample(replayed, now_ns, &shown);
		assert_same(&told, &shown);
	}
	assert_true(captures > (size_t)ticks / 2);
	jc_capture_intake_destroy(live);
	jc_capture_intake_destroy(replayed);
}

static void captures_of_body_frames_replay_exactly(void **)
{
	struct jc_capture_form form = { .kind = JC_CAPTURE_BODY_FRAME,
		.profile = JC_PROFILE_META,
		.smooth = JC_ONE_EURO_DEFAULTS };

	random_state = 1;
	run(form, 600);
	form.smooth = (struct jc_one_euro_options){ 0 };
	form.height = 1.68f;
	run(form, 600);
}

static void captures_of_poses_replay_exactly(void **)
{
	struct jc_capture_form form = { .kind = JC_CAPTURE_POSE };

	random_state = 2;
	run(form, 600);
	form.smooth = JC_ONE_EURO_DEFAULTS;
	run(form, 600);
	form.smooth = (struct jc_one_euro_options){ 0 };
	form.is_direct = true;
	run(form, 600);
}

static void reset_removes_all_earlier_state(void **)
{
	struct jc_capture_form form = { .kind = JC_CAPTURE_BODY_FRAME,
		.smooth = JC_ONE_EURO_DEFAULTS };
	struct jc_capture_intake *live = make(form), *replayed = make(form);
	struct jc_source_sample told, shown;

	random_state = 3;
	for (int tick = 1; tick <= 400; tick++) {
		int64_t now_ns = EPOCH + tick * TICK;
		struct jc_body_frame frame = make_frame(now_ns - 3 * MS);

		if (tick == 201) {
			jc_capture_intake_reset(live);
		}
		jc_capture_intake_put_frame(live, &frame, NULL);
		jc_capture_intake_sample(live, now_ns, &told);
		if (tick > 200) {
			hand_on(live, replayed);
			jc_capture_intake_sample(replayed, now_ns, &shown);
			assert_same(&told, &shown);
			assert_true(told.cut || tick != 201);
		}
	}
	jc_capture_intake_destroy(live);
	jc_capture_intake_destroy(replayed);
}

/* A body whose hips move steadily, and jump by 30 cm at one tick. */
static void check_jump_of_poses(bool is_direct)
{
	const struct jc_capture_form form = {
		.kind = JC_CAPTURE_POSE, .is_direct = is_direct, .smooth = JC_ONE_EURO_DEFAULTS
	};
	struct jc_capture_intake *live = make(form), *replayed = make(form);
	struct jc_source_sample told, shown;

	for (int tick = 1; tick <= 60; tick++) {
		struct jc_pose pose = make_pose(0.0f);
		int64_t now_ns = EPOCH + tick * TICK;

		pose.hips_translation.z = 0.01f * (float)tick + (tick >= 30 ? 0.32f : 0.0f);
		jc_capture_intake_put_pose(live, &pose, now_ns, false, NULL);
		jc_capture_intake_sample(live, now_ns, &told);
		hand_on(live, replayed);
		jc_capture_intake_sample(replayed, now_ns, &shown);
		assert_same(&told, &shown);
		assert_int_equal(told.cut, !is_direct && (tick == 1 || tick == 30));
		if (tick == 30 && !is_direct) {
			/* The filter begins anew. */
			assert_true(fabsf(told.pose.hips_translation.z - pose.hips_translation.z) <
				    1e-3f);
		}
	}
	jc_capture_intake_destroy(live);
	jc_capture_intake_destroy(replayed);
}

static void jumps_of_poses_are_cuts_unless_they_are_direct(void **)
{
	check_jump_of_poses(false);
	check_jump_of_poses(true);
}

static void cut_of_a_late_capture_applies_to_the_next_one(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_POSE });
	struct jc_source_sample sample;
	struct jc_capture capture;
	struct jc_pose pose = make_pose(0.1f);
	const uint8_t *bytes;
	size_t length;

	jc_capture_intake_put_pose(intake, &pose, EPOCH + 20 * MS, false, NULL);
	jc_capture_intake_sample(intake, EPOCH + 20 * MS, &sample);
	assert_int_equal(jc_capture_intake_count(intake), 1);
	jc_capture_intake_put_pose(intake, &pose, EPOCH + 10 * MS, true, NULL);
	jc_capture_intake_sample(intake, EPOCH + 21 * MS, &sample);
	assert_int_equal(jc_capture_intake_count(intake), 0);
	assert_false(sample.cut);
	jc_capture_intake_put_pose(intake, &pose, EPOCH + 30 * MS, false, NULL);
	jc_capture_intake_sample(intake, EPOCH + 31 * MS, &sample);
	assert_true(sample.cut);
	assert_int_equal(jc_capture_intake_count(intake), 1);
	jc_capture_intake_capture(intake, 0, &bytes, &length);
	assert_int_equal(jc_pose_decode(bytes, length, &capture, &pose), (int)length);
	assert_true(capture.cut);
	assert_int_equal(capture.time_us, 30000);
	jc_capture_intake_destroy(intake);
}

static void clamps_times_and_stores_them_in_the_capture(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_POSE });
	struct jc_capture capture = { .time_us = 5000 };
	struct jc_source_sample sample;
	struct jc_pose pose = make_pose(0.1f);
	uint8_t told[JC_CAPTURE_BYTES];
	const uint8_t *bytes;
	size_t length;

	int told_length = jc_pose_encode(&capture, &pose, told, sizeof(told));

	jc_capture_intake_put(intake, told, (size_t)told_length, 10000, 20000);
	jc_capture_intake_sample(intake, EPOCH + 20 * MS, &sample);
	assert_int_equal(sample.capture_ns, EPOCH + 10 * MS);
	jc_capture_intake_capture(intake, 0, &bytes, &length);
	assert_int_equal(length, told_length);
	jc_pose_decode(bytes, length, &capture, &pose);
	assert_int_equal(capture.time_us, 10000);
	/* All but the time is as it came. */
	assert_memory_equal(bytes + 8, told + 8, length - 8);
	jc_capture_intake_destroy(intake);
}

static void drops_captures_beyond_the_maximum_per_tick(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_POSE });
	struct jc_source_status status = { .kind = "" };
	struct jc_source_sample sample;
	struct jc_pose pose = make_pose(0.1f);

	for (unsigned i = 1; i <= JC_MAX_INTAKE_CAPTURES + 10; i++) {
		jc_capture_intake_put_pose(intake, &pose, EPOCH + i * 1000, false, NULL);
	}
	jc_capture_intake_sample(intake, EPOCH + MS, &sample);
	assert_int_equal(jc_capture_intake_count(intake), JC_MAX_INTAKE_CAPTURES);
	assert_int_equal(sample.capture_ns, EPOCH + JC_MAX_INTAKE_CAPTURES * 1000);
	jc_capture_intake_report(intake, &status);
	assert_int_equal(status.frames, JC_MAX_INTAKE_CAPTURES);
	assert_int_equal(status.refused, 10);
	jc_capture_intake_destroy(intake);
}

static void holds_joints_that_are_nan_as_implausible(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_BODY_FRAME });
	struct jc_source_status status = { .kind = "" };
	struct jc_body_frame frame;

	random_state = 4;
	frame = make_frame(EPOCH + 10 * MS);
	frame.joints[JC_JOINT_HEAD] = frame.joints[JC_JOINT_CHEST] = (struct jc_body_joint){
		.orientation = JC_QUAT_IDENTITY, .position = { 0, 1, 0 }, .state = JC_TRACKED
	};
	jc_capture_intake_put_frame(intake, &frame, NULL);
	jc_capture_intake_report(intake, &status);
	uint64_t before = status.held + status.dropped;

	frame.time_ns += 10 * MS;
	frame.confidence = NAN;
	frame.joints[JC_JOINT_HEAD].position.y = NAN;
	frame.joints[JC_JOINT_CHEST].orientation.x = INFINITY;
	jc_capture_intake_put_frame(intake, &frame, NULL);
	jc_capture_intake_report(intake, &status);
	assert_int_equal(status.frames, 2);
	assert_int_equal(status.held + status.dropped - before, before + 2);
	jc_capture_intake_destroy(intake);
}

static void rest_is_valid_until_an_empty_one_replaces_it(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_BODY_FRAME });
	unsigned revision = jc_capture_intake_revision(intake);
	struct jc_source_sample sample;
	struct jc_body_frame rest;
	const uint8_t *bytes;

	random_state = 5;
	rest = make_frame(0);
	assert_int_equal(jc_capture_intake_rest(intake, &bytes), 0);
	jc_capture_intake_set_profile(intake, JC_PROFILE_PICO, &rest);
	assert_true(jc_capture_intake_revision(intake) != revision);
	assert_int_equal(jc_capture_form(intake)->profile, JC_PROFILE_PICO);
	assert_true(jc_capture_intake_rest(intake, &bytes) > 0);
	jc_capture_intake_sample(intake, EPOCH + MS, &sample);
	assert_int_equal(jc_capture_intake_count(intake), 1);
	jc_capture_intake_set_profile(intake, JC_PROFILE_PICO, NULL);
	assert_int_equal(jc_capture_intake_rest(intake, &bytes), 0);
	jc_capture_intake_destroy(intake);
}

static void calibration_takes_effect_at_a_tick(void **)
{
	struct jc_capture_intake *intake =
		make((struct jc_capture_form){ .kind = JC_CAPTURE_BODY_FRAME });
	struct jc_tracked_body *body = jc_capture_intake_tracked(intake);
	struct jc_calibration_record record = { .has_current = true };
	unsigned revision = jc_capture_intake_revision(intake);
	struct jc_source_sample sample;
	struct jc_body_frame frame;

	random_state = 6;
	frame = make_frame(EPOCH + MS);
	jc_capture_intake_put_frame(intake, &frame, NULL);
	jc_tracked_body_calibrate(body, &record);
	frame.time_ns += MS;
	jc_capture_intake_put_frame(intake, &frame, NULL);
	jc_capture_intake_sample(intake, EPOCH + 3 * MS, &sample);
	assert_int_equal(jc_capture_intake_revision(intake), revision);
	assert_null(jc_tracked_body_applied(body));
	frame.time_ns += 2 * MS;
	jc_capture_intake_put_frame(intake, &frame, NULL);
	assert_true(jc_capture_intake_revision(intake) != revision);
	assert_non_null(jc_tracked_body_applied(body));
	jc_capture_intake_destroy(intake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_of_body_frames_replay_exactly),
		cmocka_unit_test(captures_of_poses_replay_exactly),
		cmocka_unit_test(reset_removes_all_earlier_state),
		cmocka_unit_test(jumps_of_poses_are_cuts_unless_they_are_direct),
		cmocka_unit_test(cut_of_a_late_capture_applies_to_the_next_one),
		cmocka_unit_test(clamps_times_and_stores_them_in_the_capture),
		cmocka_unit_test(drops_captures_beyond_the_maximum_per_tick),
		cmocka_unit_test(holds_joints_that_are_nan_as_implausible),
		cmocka_unit_test(rest_is_valid_until_an_empty_one_replaces_it),
		cmocka_unit_test(calibration_takes_effect_at_a_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
