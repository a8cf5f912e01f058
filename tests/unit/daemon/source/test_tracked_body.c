/* Frames of the built-in figure in, poses out: the steps in their order. */
#include <math.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "source/tracked_body.h"
#include "unit_test.h"

#define MS     INT64_C(1000000)
#define SECOND INT64_C(1000000000)

struct rig {
	struct jc_motion *motion;
	struct jc_tracked_body *body;
};

static struct rig make_rig(struct jc_tracked_body_options options)
{
	struct rig rig;

	assert_int_equal(jc_motion_create_demo("walk", &rig.motion, NULL), JC_OK);
	assert_int_equal(jc_tracked_body_create(&options, &rig.body), JC_OK);
	return rig;
}

static void free_rig(struct rig rig)
{
	jc_motion_destroy(rig.motion);
	jc_tracked_body_destroy(rig.body);
}

/* The demo as a tracker of the profile delivers it. */
static struct jc_body_frame frame_at(
	const struct rig *rig, enum jc_profile profile, int64_t time_ns, struct jc_pose *out_pose)
{
	struct jc_body_frame frame;

	jc_motion_pose(rig->motion, (double)time_ns * 1e-9, out_pose);
	jc_pose_to_body_frame(out_pose, profile, &frame);
	frame.time_ns = time_ns;
	return frame;
}

static struct jc_source_sample sample_at(const struct rig *rig, int64_t now_ns)
{
	struct jc_source_sample sample;

	jc_tracked_body_sample(rig->body, now_ns, &sample);
	return sample;
}

/* Largest angle between two poses, of the bones that trackers deliver. */
static float distance(const struct jc_pose *a, const struct jc_pose *b)
{
	float worst = 0.0f;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (a->states[bone] != JC_ABSENT) {
			worst = fmaxf(worst, jc_quat_angle(a->rotations[bone], b->rotations[bone]));
		}
	}
	return worst;
}

static void resamples_90_hz_to_60_hz_without_delay(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	int64_t came_ns = 0;

	for (int tick = 1; tick < 60; tick++) {
		int64_t now_ns = tick * SECOND / 60;
		struct jc_pose pose;

		while (came_ns + SECOND / 90 <= now_ns) {
			came_ns += SECOND / 90;
			struct jc_body_frame frame =
				frame_at(&rig, JC_PROFILE_META, came_ns, &pose);

			jc_tracked_body_put(rig.body, &frame);
		}
		struct jc_source_sample sample = sample_at(&rig, now_ns);

		frame_at(&rig, JC_PROFILE_META, came_ns, &pose);
		assert_true(sample.capture_ns == came_ns);
		assert_true(sample.live);
		assert_true(sample.cut == (tick == 1));
		assert_true(distance(&sample.pose, &pose) < 1e-3f);
		assert_true(jc_vec3_length(jc_vec3_subtract(
				    sample.pose.hips_translation, pose.hips_translation)) < 1e-3f);
	}
	free_rig(rig);
}

static void uses_the_profile_of_another_device(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	struct jc_pose pose;

	jc_tracked_body_set_profile(rig.body, JC_PROFILE_SLIMEVR, NULL);
	struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_SLIMEVR, SECOND, &pose);

	jc_tracked_body_put(rig.body, &frame);
	struct jc_source_sample sample = sample_at(&rig, SECOND);

	assert_true(distance(&sample.pose, &pose) < 1e-3f);
	free_rig(rig);
}

static void names_the_profile_that_fits_contradicted_axes(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	enum jc_profile fitting;
	struct jc_pose pose;

	for (int i = 1; i <= 40; i++) {
		struct jc_body_frame frame =
			frame_at(&rig, JC_PROFILE_SLIMEVR, i * SECOND / 90, &pose);

		jc_tracked_body_put(rig.body, &frame);
	}
	assert_int_equal(jc_tracked_body_axes(rig.body, &fitting), JC_TRACKED_AXES_DIFFER);
	assert_int_equal(fitting, JC_PROFILE_SLIMEVR);
	for (int i = 41; i <= 42; i++) {
		struct jc_body_frame frame =
			frame_at(&rig, JC_PROFILE_META, i * SECOND / 90, &pose);

		jc_tracked_body_put(rig.body, &frame);
	}
	assert_int_equal(jc_tracked_body_axes(rig.body, &fitting), JC_TRACKED_AXES_FIT);
	free_rig(rig);
}

static void ignores_a_frame_that_is_not_later(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	struct jc_source_status status = { 0 };
	struct jc_pose pose, later;
	struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);

	jc_tracked_body_put(rig.body, &frame);
	frame = frame_at(&rig, JC_PROFILE_META, 3 * SECOND / 2, &later);
	frame.time_ns = SECOND;
	jc_tracked_body_put(rig.body, &frame);
	struct jc_source_sample sample = sample_at(&rig, SECOND);

	assert_true(distance(&sample.pose, &pose) < 1e-3f);
	jc_tracked_body_count(rig.body, &status);
	assert_int_equal(status.frames, 1);
	free_rig(rig);
}

static void holds_and_counts_implausible_joints(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	struct jc_source_status status = { 0 };
	struct jc_pose pose, next;
	struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);

	jc_tracked_body_put(rig.body, &frame);
	frame = frame_at(&rig, JC_PROFILE_META, SECOND + 11 * MS, &next);
	frame.joints[JC_JOINT_LEFT_LOWER_LEG].position.y = NAN;
	frame.joints[JC_JOINT_HEAD].orientation.w = 1e30f;
	jc_tracked_body_put(rig.body, &frame);
	struct jc_source_sample sample = sample_at(&rig, SECOND + 11 * MS);

	assert_int_equal(sample.pose.states[JC_BONE_HEAD], JC_ESTIMATED);
	assert_true(distance(&sample.pose, &next) < 0.1f); /* 11 ms of a walk */
	jc_tracked_body_count(rig.body, &status);
	assert_int_equal(status.frames, 2);
	assert_int_equal(status.held, 2);
	assert_int_equal(status.dropped, 0);
	free_rig(rig);
}

static void estimates_a_whole_body_from_head_and_hands(void **)
{
	struct rig rig = make_rig(
		(struct jc_tracked_body_options){ .profile = JC_PROFILE_META, .height = 1.75f });
	struct jc_pose pose;
	struct jc_body_frame whole = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);
	struct jc_body_frame frame = { .time_ns = SECOND, .confidence = 1.0f };

	frame.joints[JC_JOINT_HEAD] = whole.joints[JC_JOINT_HEAD];
	frame.joints[JC_JOINT_LEFT_HAND_WRIST] = whole.joints[JC_JOINT_LEFT_HAND_WRIST];
	frame.joints[JC_JOINT_RIGHT_HAND_WRIST] = whole.joints[JC_JOINT_RIGHT_HAND_WRIST];
	jc_tracked_body_put(rig.body, &frame);
	struct jc_source_sample sample = sample_at(&rig, SECOND);

	for (int bone = 0; bone <= JC_BONE_RIGHT_FOOT; bone++) {
		bool given = bone == JC_BONE_HEAD || bone == JC_BONE_LEFT_HAND ||
			     bone == JC_BONE_RIGHT_HAND;

		/* upperChest stands between two joints of the draft. */
		if (bone != JC_BONE_UPPER_CHEST && bone != JC_BONE_LEFT_TOES) {
			assert_int_equal(
				sample.pose.states[bone], given ? JC_TRACKED : JC_ESTIMATED);
		}
	}
	free_rig(rig);
}

/* Head and hands of the demo; the left hand is lost from 1 s to 3 s. */
static void lost_and_returned_hand_moves_without_a_jump(void **)
{
	struct rig rig = make_rig(
		(struct jc_tracked_body_options){ .profile = JC_PROFILE_META, .height = 1.75f });
	struct jc_source_sample last = { 0 };

	for (int i = 1; i < 5 * 90; i++) {
		struct jc_pose pose;
		struct jc_body_frame whole =
			frame_at(&rig, JC_PROFILE_META, i * SECOND / 90, &pose);
		struct jc_body_frame frame = { .time_ns = whole.time_ns, .confidence = 1.0f };

		frame.joints[JC_JOINT_HEAD] = whole.joints[JC_JOINT_HEAD];
		frame.joints[JC_JOINT_RIGHT_HAND_WRIST] = whole.joints[JC_JOINT_RIGHT_HAND_WRIST];
		if (i < 90 || i >= 270) {
			frame.joints[JC_JOINT_LEFT_HAND_WRIST] =
				whole.joints[JC_JOINT_LEFT_HAND_WRIST];
		}
		jc_tracked_body_put(rig.body, &frame);
		struct jc_source_sample sample = sample_at(&rig, frame.time_ns);

		for (int bone = JC_BONE_LEFT_SHOULDER; i > 1 && bone <= JC_BONE_LEFT_HAND; bone++) {
			/* A frame of 11 ms, at 10 radians a second. */
			assert_true(jc_quat_angle(sample.pose.rotations[bone],
					    last.pose.rotations[bone]) < 0.11f);
		}
		last = sample;
	}
	free_rig(rig);
}

static void empty_frames_are_a_gap(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){ .profile = JC_PROFILE_META });
	struct jc_body_frame nothing = { .time_ns = 0 };
	struct jc_pose pose;
	struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);

	jc_tracked_body_put(rig.body, &frame);
	for (int ms = 10; ms <= 600; ms += 10) {
		nothing.time_ns = SECOND + ms * MS;
		jc_tracked_body_put(rig.body, &nothing);
	}
	struct jc_source_sample sample = sample_at(&rig, SECOND + 450 * MS);

	assert_true(sample.live);
	assert_true(distance(&sample.pose, &pose) < 1e-3f);
	assert_int_equal(sample.pose.states[JC_BONE_HIPS], JC_ESTIMATED);
	assert_false(sample_at(&rig, SECOND + 1000 * MS).live);
	free_rig(rig);
}

/* Turns and moves the tracking space under a frame. */
static void recentre(struct jc_body_frame *frame, float yaw, float way)
{
	struct jc_quat turn = jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, yaw);

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		struct jc_body_joint *j = &frame->joints[joint];

		j->position = jc_quat_rotate(turn, j->position);
		j->position.x += way;
		j->orientation = jc_quat_multiply(turn, j->orientation);
	}
}

static void recentring_is_a_cut(void **)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){
		.profile = JC_PROFILE_META, .smooth = JC_ONE_EURO_DEFAULTS });
	struct jc_pose pose;
	struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);

	jc_tracked_body_put(rig.body, &frame);
	sample_at(&rig, SECOND);
	jc_tracked_body_restart(rig.body);
	/* Not far enough to be seen as a jump. */
	frame = frame_at(&rig, JC_PROFILE_META, SECOND + 11 * MS, &pose);
	recentre(&frame, 0.2f, 0.1f);
	pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, 0.2f),
		pose.rotations[JC_BONE_HIPS]);
	jc_tracked_body_put(rig.body, &frame);
	struct jc_source_sample sample = sample_at(&rig, SECOND + 11 * MS);

	assert_true(sample.cut);
	assert_true(distance(&sample.pose, &pose) < 1e-3f);
	free_rig(rig);
}

/* A tracker that jumps in the middle of a walk; only head and hands are tracked on request. */
static void check_jump(bool partial, float yaw, float way)
{
	struct rig rig = make_rig((struct jc_tracked_body_options){
		.profile = JC_PROFILE_META, .smooth = JC_ONE_EURO_DEFAULTS });

	for (int i = 0; i < 180; i++) {
		int64_t time_ns = SECOND + i * SECOND / 90;
		struct jc_pose pose;
		struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, time_ns, &pose);

		for (int j = 0; partial && j < JC_JOINT_COUNT; j++) {
			if (j != JC_JOINT_HEAD && j != JC_JOINT_LEFT_HAND_WRIST &&
				j != JC_JOINT_RIGHT_HAND_WRIST)
				frame.joints[j].state = JC_ABSENT;
		}
		if (i >= 90) {
			recentre(&frame, yaw, way);
		}
		jc_tracked_body_put(rig.body, &frame);
		struct jc_source_sample sample = sample_at(&rig, time_ns);

		assert_int_equal(sample.cut, i == 0 || i == 90);
		if (i == 90 && !partial) {
			/* Nothing of the place before remains. */
			pose.rotations[JC_BONE_HIPS] = jc_quat_multiply(
				jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, yaw),
				pose.rotations[JC_BONE_HIPS]);
			assert_true(distance(&sample.pose, &pose) < 1e-3f);
		}
	}
	struct jc_source_status status = { 0 };

	jc_tracked_body_count(rig.body, &status);
	assert_int_equal(status.held, 0);
	assert_int_equal(status.dropped, 0);
	free_rig(rig);
}

static void recentring_without_an_event_is_a_cut(void **)
{
	for (int partial = 0; partial < 2; partial++) {
		check_jump(partial, 0.0f, 0.3f);
		check_jump(partial, 0.0f, -1.0f);
		check_jump(partial, 0.5236f, 0.0f);
		check_jump(partial, -1.0f, 0.4f);
	}
}

/* How much a head that is to stand still trembles, radians. */
static float tremble(struct jc_one_euro_options smooth)
{
	struct rig rig = make_rig(
		(struct jc_tracked_body_options){ .profile = JC_PROFILE_META, .smooth = smooth });
	struct jc_quat last = JC_QUAT_IDENTITY;
	float most = 0.0f;

	for (int i = 1; i <= 180; i++) {
		struct jc_pose pose;
		struct jc_body_frame frame = frame_at(&rig, JC_PROFILE_META, SECOND, &pose);
		struct jc_quat nod = jc_quat_from_axis_angle(
			(struct jc_vec3){ 1.0f, 0.0f, 0.0f }, i % 2 ? 0.01f : -0.01f);
		struct jc_quat *head = &frame.joints[JC_JOINT_HEAD].orientation;

		frame.time_ns = i * SECOND / 90;
		*head = jc_quat_multiply(nod, *head);
		jc_tracked_body_put(rig.body, &frame);
		struct jc_source_sample sample = sample_at(&rig, frame.time_ns);
		struct jc_quat now = sample.pose.rotations[JC_BONE_HEAD];

		most = i > 90 ? fmaxf(most, jc_quat_angle(now, last)) : 0.0f;
		last = now;
	}
	free_rig(rig);
	return most;
}

static void smooths_trembling_on_request(void **)
{
	assert_true(fabsf(tremble((struct jc_one_euro_options){ 0 }) - 0.02f) < 1e-4f);
	/* A step of 1/90 s at 1 Hz takes 6.5 % of the way. */
	assert_true(tremble((struct jc_one_euro_options){ 1.0f, 0.0f }) < 0.002f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resamples_90_hz_to_60_hz_without_delay),
		cmocka_unit_test(uses_the_profile_of_another_device),
		cmocka_unit_test(names_the_profile_that_fits_contradicted_axes),
		cmocka_unit_test(ignores_a_frame_that_is_not_later),
		cmocka_unit_test(holds_and_counts_implausible_joints),
		cmocka_unit_test(estimates_a_whole_body_from_head_and_hands),
		cmocka_unit_test(lost_and_returned_hand_moves_without_a_jump),
		cmocka_unit_test(empty_frames_are_a_gap),
		cmocka_unit_test(recentring_is_a_cut),
		cmocka_unit_test(recentring_without_an_event_is_a_cut),
		cmocka_unit_test(smooths_trembling_on_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
