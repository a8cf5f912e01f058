/* Tests SlimeVR's bones: recognised by their joints, arranged the same in each frame, and no other
 * body is changed. */
#include <math.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/slimevr.h"
#include "slimevr_person.h"
#include "unit_test.h"

#define DEGREE 0.01745329252f
#define NEAR   (0.05f * DEGREE)

static const struct jc_vec3 z_axis = { 0.0f, 0.0f, 1.0f };

static void assert_turn(const struct jc_pose *pose, enum jc_bone bone, struct jc_quat expected)
{
	float off = jc_quat_angle(pose->rotations[bone], expected);

	if (pose->states[bone] == JC_ABSENT || off > NEAR) {
		fail_msg("%s is %.3f degrees off, state %d", jc_bone_name(bone), off / DEGREE,
			pose->states[bone]);
	}
}

/* Rotation of an arm bone since the T-pose: hanging arms are turned by 90 degrees. */
static struct jc_quat since_t_pose(struct jc_quat tracker, int side, bool is_arm)
{
	struct jc_quat around = { 0.0f, 1.0f, 0.0f, 0.0f };
	struct jc_quat turned = jc_quat_multiply(person_mirror(tracker, side), around);

	return is_arm ? jc_quat_multiply(turned, person_about(z_axis, side == 0 ? -90.0f : 90.0f))
		      : turned;
}

static struct jc_quat between(struct jc_quat above, struct jc_quat below)
{
	return jc_quat_multiply(jc_quat_conjugate(above), below);
}

/* Each bone against the trackers. A person with a turned body is not symmetrical: left only. */
static void assert_person(
	const struct person *person, const struct jc_pose *pose, int sides, bool has_upper)
{
	struct jc_quat body = since_t_pose(person->body, 0, false);

	assert_turn(pose, JC_BONE_HIPS, body);
	assert_turn(pose, JC_BONE_SPINE, JC_QUAT_IDENTITY);
	assert_turn(pose, JC_BONE_CHEST, JC_QUAT_IDENTITY);
	assert_turn(pose, JC_BONE_UPPER_CHEST, JC_QUAT_IDENTITY);
	assert_turn(pose, JC_BONE_NECK, between(body, since_t_pose(person->head, 0, false)));
	assert_turn(pose, JC_BONE_HEAD, JC_QUAT_IDENTITY);
	for (int side = 0; side < sides; side++) {
		enum jc_bone shoulder = side == 0 ? JC_BONE_LEFT_SHOULDER : JC_BONE_RIGHT_SHOULDER;
		enum jc_bone thigh = side == 0 ? JC_BONE_LEFT_UPPER_LEG : JC_BONE_RIGHT_UPPER_LEG;
		struct jc_quat upper = since_t_pose(person->upper_arm, side, true);
		struct jc_quat lower = since_t_pose(person->lower_arm, side, true);
		struct jc_quat leg = since_t_pose(person->thigh, side, false);
		struct jc_quat shin = since_t_pose(person->shin, side, false);

		if (has_upper) {
			assert_turn(pose, shoulder, JC_QUAT_IDENTITY);
			assert_turn(pose, shoulder + 1, between(body, upper));
			assert_turn(pose, shoulder + 2, between(upper, lower));
			assert_turn(pose, shoulder + 3,
				between(lower, since_t_pose(person->hand, side, true)));
		}
		assert_turn(pose, thigh, between(body, leg));
		assert_turn(pose, thigh + 1, between(leg, shin));
		assert_turn(
			pose, thigh + 2, between(shin, since_t_pose(person->foot, side, false)));
	}
}

static struct jc_pose solve(enum jc_profile profile, const struct jc_body_frame *frame)
{
	struct jc_solver solver;
	struct jc_pose pose;

	jc_solver_init(&solver, profile, NULL);
	jc_solver_solve(&solver, frame, &pose);
	return pose;
}

static void check(const struct person *person, int sides)
{
	struct jc_body_frame frame = person_bones(person);

	for (int profile = 0; profile < JC_PROFILE_COUNT; profile++) {
		struct jc_pose pose = solve((enum jc_profile)profile, &frame);

		assert_person(person, &pose, sides, true);
	}
}

static void a_standing_body_is_exact_in_every_profile(void **)
{
	struct person person = person_standing();

	check(&person, 2);
	person.is_usual = false;
	check(&person, 2);
}

/* Straight limbs in one line. */
static void a_t_pose_is_exact(void **)
{
	struct person person = person_standing();

	person.upper_arm = person.lower_arm = person.hand = person_about(z_axis, -90.0f);
	check(&person, 2);
	person.has_controllers = true;
	check(&person, 2);
}

static void a_moving_body_is_exact(void **)
{
	for (int i = 0; i < 40; i++) {
		struct person person = person_moving(0.3f * (float)i);

		check(&person, 1);
		person.is_usual = false;
		check(&person, 1);
	}
}

/* Upper arms and shoulders that stayed behind a turning body are estimated. */
static void arms_of_controllers_are_exact_with_stale_shoulders(void **)
{
	for (int i = 0; i < 40; i++) {
		struct person person = person_moving(0.3f * (float)i);

		person.has_controllers = true;
		check(&person, 1);

		struct jc_body_frame frame = person_bones(&person);
		struct jc_pose pose = solve(JC_PROFILE_META, &frame);

		assert_int_equal(pose.states[JC_BONE_LEFT_HAND], JC_TRACKED);
		assert_int_equal(pose.states[JC_BONE_LEFT_LOWER_ARM], JC_TRACKED);
	}
}

/* Without trackers on the arms only the hands are known. */
static void arms_without_trackers_are_left_to_the_emulation(void **)
{
	struct person person = person_moving(1.0f);
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };

	person.has_controllers = true;
	person.has_arm_trackers = false;

	struct jc_body_frame frame = person_bones(&person);
	struct jc_vec3 wrist = frame.joints[JC_JOINT_LEFT_ARM_LOWER].position;

	assert_true(jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame));
	assert_int_equal(frame.joints[JC_JOINT_LEFT_SHOULDER].state, JC_ABSENT);
	assert_int_equal(frame.joints[JC_JOINT_LEFT_ARM_UPPER].state, JC_ABSENT);
	assert_int_equal(frame.joints[JC_JOINT_LEFT_ARM_LOWER].state, JC_ABSENT);
	assert_int_equal(frame.joints[JC_JOINT_LEFT_HAND_WRIST].state, JC_TRACKED);
	assert_true(jc_vec3_length(jc_vec3_subtract(
			    frame.joints[JC_JOINT_LEFT_HAND_WRIST].position, wrist)) < 1e-5f);
}

static void missing_joints_do_not_change_the_others(void **)
{
	static const enum jc_joint missing[] = { JC_JOINT_LEFT_SHOULDER, JC_JOINT_LEFT_ARM_UPPER,
		JC_JOINT_LEFT_ARM_LOWER, JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_LEFT_UPPER_LEG,
		JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_TRANSVERSE, JC_JOINT_SPINE_LOWER };
	struct person person = person_moving(2.0f);
	struct jc_body_frame whole = person_bones(&person);
	struct jc_pose expected = solve(JC_PROFILE_META, &whole);

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		struct jc_body_frame frame = whole;

		frame.joints[missing[i]].state = JC_ABSENT;
		struct jc_pose pose = solve(JC_PROFILE_META, &frame);

		assert_int_equal(pose.states[jc_joint_bone(JC_JOINT_HIPS)], JC_TRACKED);
		for (int bone = JC_BONE_RIGHT_UPPER_LEG; bone <= JC_BONE_RIGHT_FOOT; bone += 1) {
			if (jc_bone_is_right((enum jc_bone)bone)) {
				assert_turn(&pose, (enum jc_bone)bone, expected.rotations[bone]);
			}
		}
		assert_turn(&pose, JC_BONE_NECK, expected.rotations[JC_BONE_NECK]);
		assert_turn(&pose, JC_BONE_RIGHT_HAND, expected.rotations[JC_BONE_RIGHT_HAND]);
	}
}

/* Hands and ankles of other devices, which come with the axes of the profile. */
static void other_devices_do_not_change_the_bones(void **)
{
	struct person person = person_moving(1.3f);
	struct jc_body_frame frame = person_bones(&person);
	struct jc_pose expected = solve(JC_PROFILE_META, &frame);
	struct jc_quat palm = jc_quat_multiply(since_t_pose(person.hand, 0, true),
		jc_joint_t_pose(JC_PROFILE_META, JC_JOINT_LEFT_HAND_WRIST));
	struct jc_body_joint *wrist = &frame.joints[JC_JOINT_LEFT_HAND_WRIST];

	frame.joints[JC_JOINT_LEFT_FOOT_ANKLE] =
		(struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY, .state = JC_TRACKED };
	wrist->orientation = palm;
	frame.joints[JC_JOINT_LEFT_HAND_PALM] = *wrist;
	struct jc_pose pose = solve(JC_PROFILE_META, &frame);

	for (int bone = JC_BONE_HIPS; bone <= JC_BONE_RIGHT_FOOT; bone++) {
		if (expected.states[bone] != JC_ABSENT) {
			assert_turn(&pose, (enum jc_bone)bone, expected.rotations[bone]);
		}
	}
}

/* FB body tracking without legs. */
static void an_upper_body_is_recognised_by_its_head(void **)
{
	struct person person = person_moving(0.7f);
	struct jc_body_frame frame = person_bones(&person);

	for (int joint = JC_JOINT_LEFT_UPPER_LEG; joint < JC_JOINT_COUNT; joint++) {
		frame.joints[joint].state = JC_ABSENT;
	}
	struct jc_pose pose = solve(JC_PROFILE_META, &frame);

	assert_turn(&pose, JC_BONE_HEAD, JC_QUAT_IDENTITY);
	assert_turn(&pose, JC_BONE_LEFT_UPPER_ARM,
		between(since_t_pose(person.body, 0, false),
			since_t_pose(person.upper_arm, 0, true)));
}

/* The bodies of all profiles, whole and with the joints that their devices deliver. */
static void no_other_body_is_changed(void **)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_slimevr states[2 * JC_PROFILE_COUNT];
		struct jc_motion *motion;
		struct jc_pose pose;

		memset(states, 0, sizeof(states));
		assert_int_equal(jc_motion_create_demo(*name, &motion, NULL), JC_OK);
		for (int i = 0; i < 200 * 2 * JC_PROFILE_COUNT; i++) {
			int profile = i % JC_PROFILE_COUNT;
			bool is_whole = i / JC_PROFILE_COUNT % 2 == 0;
			struct jc_body_frame frame, before;

			jc_motion_pose(motion,
				jc_motion_info(motion)->duration * (float)i / 2000.0f, &pose);
			jc_pose_to_body_frame(&pose, (enum jc_profile)profile, &frame);
			for (int joint = 0; joint < JC_JOINT_COUNT && !is_whole; joint++) {
				if (!jc_profile_delivers(
					    (enum jc_profile)profile, (enum jc_joint)joint)) {
					frame.joints[joint].state = JC_ABSENT;
				}
			}
			before = frame;
			assert_false(jc_slimevr_arrange(
				&states[i % (2 * JC_PROFILE_COUNT)], JC_PROFILE_META, &frame));
			assert_memory_equal(&frame, &before, sizeof(frame));
		}
		jc_motion_destroy(motion);
	}
}

static void remove_joint(struct jc_body_frame *frame, enum jc_joint joint)
{
	frame->joints[joint] = (struct jc_body_joint){ .state = JC_ABSENT };
}

/* Without the joints that SlimeVR never has, and without feet. */
static void bodies_without_feet_may_look_up_and_down(void **)
{
	static const enum jc_joint missing[] = { JC_JOINT_SPINE_MIDDLE, JC_JOINT_LEFT_SCAPULA,
		JC_JOINT_RIGHT_SCAPULA, JC_JOINT_LEFT_FOOT_SUBTALAR, JC_JOINT_RIGHT_FOOT_SUBTALAR,
		JC_JOINT_LEFT_FOOT_BALL, JC_JOINT_RIGHT_FOOT_BALL, JC_JOINT_LEFT_FOOT_TRANSVERSE,
		JC_JOINT_RIGHT_FOOT_TRANSVERSE, JC_JOINT_LEFT_FOOT_ANKLE,
		JC_JOINT_RIGHT_FOOT_ANKLE };

	for (int i = 0; i < 17 * JC_PROFILE_COUNT; i++) {
		enum jc_profile profile = (enum jc_profile)(i / 17);
		float degrees = 10.0f * (float)(i % 17 - 8);
		struct jc_slimevr slimevr = { .bones = { .is_made = false } };
		struct jc_body_frame frame, before;
		struct jc_pose pose;

		jc_pose_init(&pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			pose.states[b] = JC_TRACKED;
		}
		pose.rotations[JC_BONE_HEAD] =
			person_about((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, degrees);
		jc_pose_to_body_frame(&pose, profile, &frame);
		for (size_t m = 0; m < sizeof(missing) / sizeof(missing[0]); m++) {
			remove_joint(&frame, missing[m]);
		}
		before = frame;
		for (int n = 0; n < 10; n++) {
			assert_false(jc_slimevr_arrange(&slimevr, profile, &frame));
			assert_memory_equal(&frame, &before, sizeof(frame));
		}
	}
}

/* A neck with a tracker of its own: the head turns about the upper end of the neck. */
static void a_head_may_turn_against_its_neck(void **)
{
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };

	for (int i = 0; i <= 160; i++) {
		int degrees = i <= 80 ? i : 80 - i;
		struct person person = person_standing();
		struct jc_body_frame frame = person_bones(&person);
		struct jc_body_joint *head = &frame.joints[JC_JOINT_HEAD];
		struct jc_vec3 back =
			jc_vec3_subtract(head->position, frame.joints[JC_JOINT_NECK].position);
		struct jc_quat turn =
			person_about((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, (float)degrees);

		head->orientation = jc_quat_multiply(turn, head->orientation);
		head->position = jc_vec3_add(
			frame.joints[JC_JOINT_NECK].position, jc_quat_rotate(turn, back));
		assert_true(jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame));
	}
}

static void break_axes(struct jc_body_frame *frame)
{
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		frame->joints[joint].orientation = jc_quat_multiply(
			frame->joints[joint].orientation, person_about(z_axis, 90.0f));
	}
}

static void a_choice_holds_against_single_frames(void **)
{
	struct person person = person_moving(0.4f);
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };

	for (unsigned i = 0; i <= 40; i++) {
		struct jc_body_frame frame = person_bones(&person);

		if (i % JC_SLIMEVR_CONTRARY_MOST != 0) {
			break_axes(&frame);
		}
		assert_true(jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame));
	}
	for (unsigned i = 0; i < 2 * JC_SLIMEVR_CONTRARY_MOST; i++) {
		struct jc_body_frame frame = person_bones(&person);

		break_axes(&frame);
		assert_int_equal(jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame),
			i + 1 < JC_SLIMEVR_CONTRARY_MOST);
	}
}

/* A controller that is taken and put down changes the arm once each. */
static void a_controller_may_come_and_go(void **)
{
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };
	int changes = 0;
	bool before = false;

	for (int i = 0; i < 300; i++) {
		struct person person = person_moving(0.02f * (float)i);

		person.has_controllers = i >= 100 && i < 200;

		struct jc_body_frame frame = person_bones(&person);

		jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame);
		changes += slimevr.reversed[0].is_yes != before;
		before = slimevr.reversed[0].is_yes;
	}
	assert_int_equal(changes, 2);
	assert_false(before);
}

static void equal_frames_give_equal_bodies(void **)
{
	struct jc_slimevr one, other;

	memset(&one, 0, sizeof(one));
	memset(&other, 0, sizeof(other));
	for (int i = 0; i < 100; i++) {
		struct person person = person_moving(0.1f * (float)i);

		person.has_controllers = i % 7 > 2;

		struct jc_body_frame a = person_bones(&person);
		struct jc_body_frame b = a;

		jc_slimevr_arrange(&one, JC_PROFILE_META, &a);
		jc_slimevr_arrange(&other, JC_PROFILE_META, &b);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

/* A replay may begin anywhere. */
static void a_replay_from_the_middle_shows_the_same_bodies(void **)
{
	for (int begin = 0; begin < 60; begin += 20) {
		struct jc_slimevr live, replayed;

		memset(&live, 0, sizeof(live));
		memset(&replayed, 0, sizeof(replayed));
		for (int i = 0; i < 80; i++) {
			struct person person = person_moving(0.1f * (float)i);

			person.has_controllers = true;

			struct jc_body_frame a = person_bones(&person);
			struct jc_body_frame b = a;

			jc_slimevr_arrange(&live, JC_PROFILE_META, &a);
			if (i >= begin) {
				jc_slimevr_arrange(&replayed, JC_PROFILE_META, &b);
				assert_memory_equal(&a, &b, sizeof(a));
			}
		}
	}
}

static void numbers_that_no_body_has_are_no_bones(void **)
{
	struct person person = person_standing();
	struct jc_body_frame frame = person_bones(&person);
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };

	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		frame.joints[joint].position.x = NAN;
		frame.joints[joint].orientation.w = NAN;
	}
	assert_false(jc_slimevr_arrange(&slimevr, JC_PROFILE_META, &frame));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_standing_body_is_exact_in_every_profile),
		cmocka_unit_test(a_t_pose_is_exact),
		cmocka_unit_test(a_moving_body_is_exact),
		cmocka_unit_test(arms_of_controllers_are_exact_with_stale_shoulders),
		cmocka_unit_test(arms_without_trackers_are_left_to_the_emulation),
		cmocka_unit_test(missing_joints_do_not_change_the_others),
		cmocka_unit_test(other_devices_do_not_change_the_bones),
		cmocka_unit_test(an_upper_body_is_recognised_by_its_head),
		cmocka_unit_test(no_other_body_is_changed),
		cmocka_unit_test(bodies_without_feet_may_look_up_and_down),
		cmocka_unit_test(a_head_may_turn_against_its_neck),
		cmocka_unit_test(a_choice_holds_against_single_frames),
		cmocka_unit_test(a_controller_may_come_and_go),
		cmocka_unit_test(equal_frames_give_equal_bodies),
		cmocka_unit_test(a_replay_from_the_middle_shows_the_same_bodies),
		cmocka_unit_test(numbers_that_no_body_has_are_no_bones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
