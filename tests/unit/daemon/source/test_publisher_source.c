/* Tests captures and samples of a publisher: times, cuts, T-poses, values, and refused captures. */
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "maxima.h"
#include "source/publisher_source.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define EPOCH  (7 * SECOND) /* on the monotonic clock */

static struct jc_source *make(struct jc_publisher_options options)
{
	struct jc_source *source;

	options.epoch_ns = EPOCH;
	assert_int_equal(jc_publisher_source_create(&options, &source), JC_OK);
	return source;
}

static struct jc_pose nod(float angle)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		pose.states[i] = JC_TRACKED;
	}
	pose.rotations[JC_BONE_HEAD] =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, angle);
	return pose;
}

/* One capture of that time, arriving at now_ns. */
static int put_pose(struct jc_source *source, const struct jc_pose *pose, struct jc_capture capture,
	int64_t now_ns)
{
	uint8_t bytes[JC_CAPTURE_BYTES];
	int length = jc_pose_encode(&capture, pose, bytes, sizeof(bytes));

	assert_true(length > 0);
	return jc_publisher_source_put(source, bytes, (size_t)length, now_ns);
}

static struct jc_source_sample sample_at(struct jc_source *source, int64_t now_ns)
{
	struct jc_source_sample sample;

	source->ops->sample(source, now_ns, &sample);
	return sample;
}

static struct jc_source_status status_of(const struct jc_source *source)
{
	struct jc_source_status status;

	source->ops->status(source, &status);
	return status;
}

static void assert_nods(const struct jc_source_sample *sample, float angle)
{
	struct jc_pose pose = nod(angle);

	assert_true(jc_quat_angle(sample->pose.rotations[JC_BONE_HEAD],
			    pose.rotations[JC_BONE_HEAD]) < JC_CAPTURE_ROTATION_ERROR);
}

static void returns_a_pose_unchanged_with_its_time(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){ .kind = JC_CAPTURE_POSE });
	struct jc_pose pose = nod(0.4f);

	assert_int_equal(status_of(source).condition, JC_SOURCE_WAITING);
	assert_false(sample_at(source, EPOCH + SECOND).live);
	assert_int_equal(put_pose(source, &pose, (struct jc_capture){ .time_us = 1000000 },
				 EPOCH + SECOND + 20 * MS),
		JC_OK);
	struct jc_source_sample sample = sample_at(source, EPOCH + SECOND + 25 * MS);

	assert_true(sample.live);
	assert_nods(&sample, 0.4f);
	assert_int_equal(sample.capture_ns, EPOCH + SECOND);
	assert_int_equal(status_of(source).frames, 1);
	assert_int_equal(status_of(source).condition, JC_SOURCE_LIVE);
	assert_string_equal(status_of(source).kind, "publisher");
	source->ops->destroy(source);
}

static void clamps_times_to_the_recent_past(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){ .kind = JC_CAPTURE_POSE });
	struct jc_pose pose = nod(0.1f);
	int64_t now_ns = EPOCH + 10 * SECOND;

	put_pose(source, &pose, (struct jc_capture){ .time_us = 5000000 }, now_ns);
	assert_int_equal(sample_at(source, now_ns).capture_ns, now_ns - JC_MAX_CAPTURE_AGE_MS * MS);
	put_pose(source, &pose, (struct jc_capture){ .time_us = JC_CAPTURE_TIME_MAX }, now_ns);
	assert_int_equal(sample_at(source, now_ns).capture_ns, now_ns);
	source->ops->destroy(source);
}

static void ignores_a_capture_that_is_not_later(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){ .kind = JC_CAPTURE_POSE });
	struct jc_pose early = nod(0.1f), late = nod(0.2f);
	int64_t now_ns = EPOCH + SECOND;

	put_pose(source, &late, (struct jc_capture){ .time_us = 1000000 }, now_ns);
	put_pose(source, &early, (struct jc_capture){ .time_us = 999999 }, now_ns);
	put_pose(source, &early, (struct jc_capture){ .time_us = 1000000 }, now_ns);
	struct jc_source_sample sample = sample_at(source, now_ns);

	assert_nods(&sample, 0.2f);
	assert_int_equal(status_of(source).frames, 1);
	source->ops->destroy(source);
}

static void cut_of_a_capture_is_a_cut_of_the_sample(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){ .kind = JC_CAPTURE_POSE });
	struct jc_pose pose = nod(0.1f);

	for (int i = 0; i < 4; i++) {
		int64_t now_ns = EPOCH + SECOND + i * 20 * MS;

		put_pose(source, &pose,
			(struct jc_capture){ .time_us = 1000000 + i * 20000, .cut = i == 2 },
			now_ns);
		/* The first of all is one too. */
		assert_int_equal(sample_at(source, now_ns).cut, i == 0 || i == 2);
	}
	source->ops->destroy(source);
}

static void rejects_an_incomplete_set_of_channel_values(void **)
{
	static const char *const channels[] = { "lookAt", "expression/happy" }; /* 4 and 1 */
	struct jc_source *source = make((struct jc_publisher_options){
		.kind = JC_CAPTURE_POSE, .channel_count = 2, .channels = channels });
	struct jc_pose pose = nod(0.1f);

	for (size_t count = 0; count < 7; count++) {
		struct jc_capture capture = { .time_us = 1000000 + (int64_t)count,
			.value_count = count };

		assert_int_equal(put_pose(source, &pose, capture, EPOCH + SECOND),
			count == 0 || count == 5 ? JC_OK : JC_ERROR_INVALID);
	}
	assert_int_equal(status_of(source).refused, 5);
	source->ops->destroy(source);
}

/* A body frame of the built-in figure, as a tracker of profile meta delivers it. */
static struct jc_body_frame frame_of(const struct jc_pose *pose, float scale)
{
	struct jc_body_frame frame;

	jc_pose_to_body_frame(pose, JC_PROFILE_META, &frame);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		frame.joints[i].position = jc_vec3_scale(frame.joints[i].position, scale);
	}
	return frame;
}

static int put_frame(struct jc_source *source, const struct jc_body_frame *frame,
	struct jc_capture capture, int64_t now_ns)
{
	uint8_t bytes[JC_CAPTURE_BYTES];
	int length = jc_body_frame_encode(&capture, frame, bytes, sizeof(bytes));

	assert_true(length > 0);
	return jc_publisher_source_put(source, bytes, (size_t)length, now_ns);
}

static void returns_the_solved_pose_of_a_body_frame(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){
		.kind = JC_CAPTURE_BODY_FRAME, .profile = JC_PROFILE_META });
	struct jc_pose pose = nod(0.3f), solved;
	struct jc_body_frame frame = frame_of(&pose, 1.0f);
	struct jc_solver solver;

	jc_solver_init(&solver, JC_PROFILE_META, NULL);
	jc_solver_solve(&solver, &frame, &solved);
	assert_int_equal(put_frame(source, &frame, (struct jc_capture){ .time_us = 1000000 },
				 EPOCH + SECOND),
		JC_OK);
	struct jc_source_sample sample = sample_at(source, EPOCH + SECOND);

	assert_true(sample.live);
	/* Each bone is turned by its own joint and by the one above. */
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		assert_true(solved.states[i] != JC_TRACKED ||
			    jc_quat_angle(sample.pose.rotations[i], solved.rotations[i]) <
				    3.0f * JC_CAPTURE_ROTATION_ERROR);
	}
	assert_string_equal(status_of(source).detail, "body frames, profile meta");
	source->ops->destroy(source);
}

static void t_pose_sets_the_height_without_a_sample(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){
		.kind = JC_CAPTURE_BODY_FRAME, .profile = JC_PROFILE_META });
	struct jc_pose pose = nod(0.0f);
	/* A figure of half the size that stands with its hips a tenth of a metre up. */
	struct jc_body_frame rest = frame_of(&pose, 0.5f), frame = rest;

	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		frame.joints[i].position.y += 0.1f;
	}
	assert_int_equal(
		put_frame(source, &rest, (struct jc_capture){ .time_us = 1000000, .is_rest = true },
			EPOCH + SECOND),
		JC_OK);
	assert_false(sample_at(source, EPOCH + SECOND).live);
	put_frame(source, &frame, (struct jc_capture){ .time_us = 1000000 }, EPOCH + SECOND);
	struct jc_source_sample sample = sample_at(source, EPOCH + SECOND);
	struct jc_solver solver;
	struct jc_pose solved;

	jc_solver_init(&solver, JC_PROFILE_META, &rest);
	jc_solver_solve(&solver, &frame, &solved);
	assert_true(sample.live);
	assert_true(jc_vec3_length(jc_vec3_subtract(
			    sample.pose.hips_translation, solved.hips_translation)) < 5e-4f);
	assert_true(solved.hips_translation.y > 0.2f);
	source->ops->destroy(source);
}

static void rejects_captures_of_another_kind_without_effect(void **)
{
	struct jc_source *source = make((struct jc_publisher_options){ .kind = JC_CAPTURE_POSE });
	struct jc_pose pose = nod(0.2f);
	struct jc_body_frame frame = frame_of(&pose, 1.0f);
	int64_t now_ns = EPOCH + SECOND;

	put_pose(source, &pose, (struct jc_capture){ .time_us = 1000000 }, now_ns);
	assert_int_equal(
		put_frame(source, &frame, (struct jc_capture){ .time_us = 1000001 }, now_ns),
		JC_ERROR_UNSUPPORTED);
	assert_int_equal(jc_publisher_source_put(source, NULL, 0, now_ns), JC_ERROR_TRUNCATED);
	struct jc_source_sample sample = sample_at(source, now_ns);

	assert_nods(&sample, 0.2f);
	assert_int_equal(status_of(source).refused, 2);
	source->ops->destroy(source);
}

static void keeps_the_given_consent(void **)
{
	for (int i = 0; i < 4; i++) {
		struct jc_source *source = make((struct jc_publisher_options){
			.kind = JC_CAPTURE_POSE, .may_record = i & 1, .may_rebroadcast = i & 2 });

		assert_int_equal(source->is_unrecorded, !(i & 1));
		assert_int_equal(source->is_unrelayed, !(i & 2));
		assert_true(source->is_awaited);
		source->ops->destroy(source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_a_pose_unchanged_with_its_time),
		cmocka_unit_test(clamps_times_to_the_recent_past),
		cmocka_unit_test(ignores_a_capture_that_is_not_later),
		cmocka_unit_test(cut_of_a_capture_is_a_cut_of_the_sample),
		cmocka_unit_test(rejects_an_incomplete_set_of_channel_values),
		cmocka_unit_test(returns_the_solved_pose_of_a_body_frame),
		cmocka_unit_test(t_pose_sets_the_height_without_a_sample),
		cmocka_unit_test(rejects_captures_of_another_kind_without_effect),
		cmocka_unit_test(keeps_the_given_consent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
