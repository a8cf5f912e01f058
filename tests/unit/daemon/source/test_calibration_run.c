/* Tests a countdown of 2 s, polled every 100 ms, for a body with strapped-on trackers. */
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "source/calibration_run.h"
#include "unit_test.h"

#define MS    INT64_C(1000000)
#define BEGIN (INT64_C(100) * 1000 * MS)

struct fixture {
	struct jc_tracked_body *body;
	struct jc_body_frame frame;
	struct jc_calibration_run run;
	int told; /* how often seconds were */
	struct jc_diagnostic diagnostic;
};

/* In the T-pose, the tracker of the hips turned by a right angle. */
static struct jc_body_frame make_frame(void)
{
	static const enum jc_joint worn[] = { JC_JOINT_HEAD, JC_JOINT_HIPS,
		JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_RIGHT_HAND_WRIST };
	struct jc_body_frame frame = { .confidence = 1.0f };
	struct jc_body_frame whole;
	struct jc_pose pose;

	jc_pose_init(&pose);
	memset(pose.states, JC_TRACKED, sizeof(pose.states));
	jc_pose_to_body_frame(&pose, JC_PROFILE_META, &whole);
	for (size_t i = 0; i < sizeof(worn) / sizeof(worn[0]); i++) {
		frame.joints[worn[i]] = whole.joints[worn[i]];
	}
	frame.joints[JC_JOINT_HIPS].orientation =
		jc_quat_multiply(frame.joints[JC_JOINT_HIPS].orientation,
			(struct jc_quat){ 0.0f, 0.0f, 0.70710678f, 0.70710678f });
	return frame;
}

static struct fixture make_fixture(void)
{
	struct fixture fixture = { .frame = make_frame() };
	const struct jc_tracked_body_options options = { .profile = JC_PROFILE_META };

	assert_int_equal(jc_tracked_body_create(&options, &fixture.body), JC_OK);
	jc_calibration_run_init(&fixture.run, JC_CALIBRATION_T, 1.75f, 2, BEGIN);
	return fixture;
}

static enum jc_calibration_step step(struct fixture *fixture, int ms, bool delivers)
{
	enum jc_calibration_step step;

	if (delivers) {
		fixture->frame.time_ns = BEGIN + ms * MS - 5 * MS;
		jc_tracked_body_put(fixture->body, &fixture->frame);
	}
	step = jc_calibration_run_step(
		&fixture->run, fixture->body, BEGIN + ms * MS, &fixture->diagnostic);
	fixture->told += step == JC_CALIBRATION_COUNTS;
	return step;
}

static struct jc_quat hips(const struct fixture *fixture, int ms)
{
	struct jc_source_sample sample;

	jc_tracked_body_sample(fixture->body, BEGIN + ms * MS, &sample);
	return sample.pose.rotations[JC_BONE_HIPS];
}

static void person_who_stands_still_is_calibrated_at_the_end(void **)
{
	struct fixture fixture = make_fixture();
	int ms = 0;

	while (step(&fixture, ms, true) <= JC_CALIBRATION_COUNTS) {
		assert_true(ms < 3000);
		/* 2, 1, and 0 while one is to stand still */
		assert_int_equal(fixture.run.left, ms < 1000 ? 2 : ms < 2000 ? 1 : 0);
		ms += 100;
	}
	assert_int_equal(ms, 2600);
	assert_int_equal(fixture.told, 3);
	assert_true(jc_tracked_body_calibration(fixture.body)->has_current);
	hips(&fixture, ms); /* the calibration applies after the next sample */
	step(&fixture, ms + 100, true);
	assert_true(jc_quat_angle(hips(&fixture, ms + 100), JC_QUAT_IDENTITY) < 1e-3f);
	jc_tracked_body_destroy(fixture.body);
}

static void movement_is_allowed_before_the_end_only(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_body_joint *hand = &fixture.frame.joints[JC_JOINT_LEFT_HAND_WRIST];

	hand->position.y -= 0.5f;
	step(&fixture, 0, true);
	hand->position.y += 0.5f;
	assert_true(step(&fixture, 2000, true) <= JC_CALIBRATION_COUNTS);
	hand->position.y += 0.1f;
	assert_int_equal(step(&fixture, 2300, true), JC_CALIBRATION_REFUSED);
	assert_string_equal(fixture.diagnostic.what, "left-hand-wrist did not stay still");
	assert_false(jc_tracked_body_calibration(fixture.body)->has_current);
	jc_tracked_body_destroy(fixture.body);
}

static void put(struct fixture *fixture, int ms)
{
	fixture->frame.time_ns = BEGIN + ms * MS - 5 * MS;
	jc_tracked_body_put(fixture->body, &fixture->frame);
}

/* A nod of one frame between two steps, after which all is as before. */
static void movement_between_two_steps_is_noticed(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_body_joint *head = &fixture.frame.joints[JC_JOINT_HEAD];

	assert_true(step(&fixture, 2000, true) <= JC_CALIBRATION_COUNTS);
	head->position.x += 0.06f;
	put(&fixture, 2100);
	head->position.x -= 0.06f;
	assert_int_equal(step(&fixture, 2250, true), JC_CALIBRATION_REFUSED);
	assert_string_equal(fixture.diagnostic.what, "head did not stay still");
	/* It does not count for a later calibration. */
	jc_calibration_run_init(&fixture.run, JC_CALIBRATION_T, 1.75f, 0, BEGIN + 2300 * MS);
	assert_true(step(&fixture, 2300, true) <= JC_CALIBRATION_COUNTS);
	assert_int_equal(step(&fixture, 2900, true), JC_CALIBRATION_DONE);
	jc_tracked_body_destroy(fixture.body);
}

static void small_movement_and_a_lost_frame_between_two_steps_are_still(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_body_joint *head = &fixture.frame.joints[JC_JOINT_HEAD];

	assert_true(step(&fixture, 2000, true) <= JC_CALIBRATION_COUNTS);
	head->position.x += 0.04f;
	put(&fixture, 2100);
	head->position.x -= 0.04f;
	head->state = JC_ABSENT;
	put(&fixture, 2200);
	head->state = JC_TRACKED;
	assert_true(step(&fixture, 2250, true) <= JC_CALIBRATION_COUNTS);
	assert_int_equal(step(&fixture, 2600, true), JC_CALIBRATION_DONE);
	jc_tracked_body_destroy(fixture.body);
}

/* Two people may calibrate one body: the second begins while the first waits. */
static void a_second_calibration_does_not_hide_movement_from_the_first(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_body_joint *head = &fixture.frame.joints[JC_JOINT_HEAD];
	struct jc_calibration_run second;

	jc_calibration_run_init(&second, JC_CALIBRATION_T, 1.75f, 0, BEGIN + 2200 * MS);
	assert_true(step(&fixture, 2000, true) <= JC_CALIBRATION_COUNTS);
	head->position.x += 0.06f;
	put(&fixture, 2100);
	head->position.x -= 0.06f;
	put(&fixture, 2190);
	assert_true(jc_calibration_run_step(&second, fixture.body, BEGIN + 2200 * MS,
			    &fixture.diagnostic) <= JC_CALIBRATION_COUNTS);
	assert_int_equal(step(&fixture, 2250, true), JC_CALIBRATION_REFUSED);
	assert_int_equal(jc_calibration_run_step(
				 &second, fixture.body, BEGIN + 2300 * MS, &fixture.diagnostic),
		JC_CALIBRATION_QUIET);
	jc_tracked_body_destroy(fixture.body);
}

static void a_tracker_that_appears_at_the_end_is_not_still(void **)
{
	struct fixture fixture = make_fixture();

	step(&fixture, 2000, true);
	fixture.frame.joints[JC_JOINT_CHEST] = fixture.frame.joints[JC_JOINT_HIPS];
	assert_int_equal(step(&fixture, 2100, true), JC_CALIBRATION_REFUSED);
	assert_string_equal(fixture.diagnostic.what, "chest did not stay still");
	jc_tracked_body_destroy(fixture.body);
}

static void rejects_calibration_of_a_silent_source(void **)
{
	struct fixture fixture = make_fixture();

	step(&fixture, 0, true);
	assert_true(step(&fixture, 1900, false) <= JC_CALIBRATION_COUNTS);
	assert_int_equal(step(&fixture, 2000, false), JC_CALIBRATION_REFUSED);
	assert_string_equal(fixture.diagnostic.what, "nothing comes from the trackers");
	jc_tracked_body_destroy(fixture.body);
}

static void calibration_for_other_axes_is_not_applied(void **)
{
	struct fixture fixture = make_fixture();
	int ms = 0;

	while (step(&fixture, ms, true) <= JC_CALIBRATION_COUNTS) {
		ms += 100;
	}
	jc_tracked_body_set_profile(fixture.body, JC_PROFILE_SLIMEVR, NULL);
	struct jc_body_frame other = { .time_ns = BEGIN + (ms + 100) * MS, .confidence = 1.0f };

	other.joints[JC_JOINT_HIPS] = (struct jc_body_joint){ .position = { 0.0f, 1.0f, 0.0f },
		.orientation = jc_joint_t_pose(JC_PROFILE_SLIMEVR, JC_JOINT_HIPS),
		.state = JC_TRACKED };
	jc_tracked_body_put(fixture.body, &other);
	assert_true(jc_quat_angle(hips(&fixture, ms + 100), JC_QUAT_IDENTITY) < 1e-3f);
	jc_tracked_body_destroy(fixture.body);
}

/* Where the built-in figure has the joint, in the T-pose; the person wears the tracker beside it.
 */
static void wear(struct jc_worn_trackers *worn, const char *name, enum jc_joint joint, float off)
{
	struct jc_worn_tracker *tracker = &worn->list[worn->count++];
	struct jc_body_frame whole;
	struct jc_pose pose;

	jc_pose_init(&pose);
	memset(pose.states, JC_TRACKED, sizeof(pose.states));
	jc_pose_to_body_frame(&pose, JC_PROFILE_META, &whole);
	*tracker = (struct jc_worn_tracker){ .joint = JC_JOINT_NONE,
		.position = whole.joints[joint].position,
		.turn = { 0.0f, 0.70710678f, 0.0f, 0.70710678f },
		.state = JC_TRACKED };
	tracker->position.z += off;
	strcpy(tracker->name, name);
}

static enum jc_calibration_step calibrate_worn(
	struct fixture *fixture, const struct jc_worn_trackers *worn)
{
	enum jc_calibration_step result = JC_CALIBRATION_QUIET;

	for (int ms = 0; result <= JC_CALIBRATION_COUNTS; ms += 100) {
		fixture->frame.time_ns = BEGIN + ms * MS - 5 * MS;
		jc_tracked_body_put(fixture->body, &fixture->frame);
		jc_tracked_body_set_worn(fixture->body, worn);
		result = jc_calibration_run_step(
			&fixture->run, fixture->body, BEGIN + ms * MS, &fixture->diagnostic);
	}
	return result;
}

static void trackers_get_the_joints_on_which_they_are_worn(void **)
{
	static const enum jc_joint joints[] = { JC_JOINT_CHEST, JC_JOINT_LEFT_ARM_LOWER,
		JC_JOINT_RIGHT_LOWER_LEG, JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_ANKLE };
	static const char *const names[] = { "A", "B", "C", "D", "E" };
	struct fixture fixture = make_fixture();
	struct jc_worn_trackers worn = { 0 };

	for (size_t i = 0; i < sizeof(joints) / sizeof(joints[0]); i++) {
		wear(&worn, names[i], joints[i], 0.1f);
	}
	wear(&worn, "on a chair", JC_JOINT_HIPS, 1.5f);
	assert_int_equal(calibrate_worn(&fixture, &worn), JC_CALIBRATION_DONE);

	const struct jc_calibration_record *record = jc_tracked_body_calibration(fixture.body);

	assert_int_equal(record->trackers.count, 5);
	for (size_t i = 0; i < sizeof(joints) / sizeof(joints[0]); i++) {
		int role = jc_tracker_roles_find(&record->trackers, names[i]);
		const struct jc_calibration_mount *mount = &record->current.mounts[joints[i]];

		assert_true(role >= 0);
		assert_int_equal(jc_tracker_role_joint(role), joints[i]);
		assert_true(mount->is_set);
		assert_true(jc_vec3_length(mount->translation) > 0.099f);
		assert_true(jc_vec3_length(mount->translation) < 0.101f);
	}
	jc_tracked_body_destroy(fixture.body);
}

static void a_joint_of_the_frame_is_no_joint_for_a_tracker(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_worn_trackers worn = { 0 };

	wear(&worn, "on the headset", JC_JOINT_HEAD, 0.1f);
	worn.list[0].position.y += 0.15f;
	wear(&worn, "on a wrist", JC_JOINT_LEFT_HAND_WRIST, 0.1f);
	wear(&worn, "on the belt", JC_JOINT_HIPS, 0.1f);
	assert_int_equal(calibrate_worn(&fixture, &worn), JC_CALIBRATION_DONE);
	assert_int_equal(jc_tracked_body_calibration(fixture.body)->trackers.count, 0);
	jc_tracked_body_destroy(fixture.body);
	/* A tracker gives the joint itself. */
	fixture = make_fixture();
	worn.list[2].joint = JC_JOINT_HIPS;
	assert_int_equal(calibrate_worn(&fixture, &worn), JC_CALIBRATION_DONE);
	const struct jc_tracker_roles *roles = &jc_tracked_body_calibration(fixture.body)->trackers;

	assert_int_equal(roles->count, 1);
	assert_int_equal(
		jc_tracker_roles_find(roles, "on the belt"), jc_tracker_role_find("waist"));
	jc_tracked_body_destroy(fixture.body);
}

static void a_worn_tracker_that_moves_is_not_still(void **)
{
	struct fixture fixture = make_fixture();
	struct jc_worn_trackers worn = { 0 };

	wear(&worn, "A", JC_JOINT_LEFT_FOOT_ANKLE, 0.1f);
	step(&fixture, 2000, true);
	jc_tracked_body_set_worn(fixture.body, &worn);
	fixture.run.has_seen = false;
	step(&fixture, 2100, true);
	worn.list[0].position.y += 0.06f;
	jc_tracked_body_set_worn(fixture.body, &worn);
	assert_int_equal(step(&fixture, 2600, true), JC_CALIBRATION_REFUSED);
	assert_string_equal(fixture.diagnostic.what, "left-foot-ankle did not stay still");
	jc_tracked_body_destroy(fixture.body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(person_who_stands_still_is_calibrated_at_the_end),
		cmocka_unit_test(movement_is_allowed_before_the_end_only),
		cmocka_unit_test(movement_between_two_steps_is_noticed),
		cmocka_unit_test(small_movement_and_a_lost_frame_between_two_steps_are_still),
		cmocka_unit_test(a_second_calibration_does_not_hide_movement_from_the_first),
		cmocka_unit_test(a_tracker_that_appears_at_the_end_is_not_still),
		cmocka_unit_test(rejects_calibration_of_a_silent_source),
		cmocka_unit_test(calibration_for_other_axes_is_not_applied),
		cmocka_unit_test(trackers_get_the_joints_on_which_they_are_worn),
		cmocka_unit_test(a_joint_of_the_frame_is_no_joint_for_a_tracker),
		cmocka_unit_test(a_worn_tracker_that_moves_is_not_still),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
