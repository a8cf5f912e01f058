/* Tests calibration with trackers in random mounts on a known figure: a calibration in one pose
 * is valid in others. */
#include <math.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/calibration.h"
#include "reference.h"
#include "unit_test.h"

#define HEIGHT 1.6f

static const enum jc_joint worn[] = { JC_JOINT_HEAD, JC_JOINT_HIPS, JC_JOINT_CHEST,
	JC_JOINT_LEFT_HAND_WRIST, JC_JOINT_RIGHT_HAND_WRIST, JC_JOINT_LEFT_ARM_LOWER,
	JC_JOINT_RIGHT_ARM_LOWER, JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_RIGHT_LOWER_LEG,
	JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_ANKLE };

#define WORN (sizeof(worn) / sizeof(worn[0]))

/* How each tracker is strapped to its joint, seen from the joint. */
struct straps {
	struct jc_quat rotations[WORN];
	struct jc_vec3 translations[WORN];
};

static struct straps make_straps(void)
{
	struct straps straps;

	random_start(11);
	for (size_t i = 0; i < WORN; i++) {
		bool in_place = worn[i] == JC_JOINT_HEAD || worn[i] == JC_JOINT_LEFT_HAND_WRIST ||
				worn[i] == JC_JOINT_RIGHT_HAND_WRIST;
		float far = in_place ? 0.0f : 0.08f;

		straps.rotations[i] = matrix_to_quat(random_rotation(180));
		straps.translations[i] = (struct jc_vec3){ far * (float)random_unit(),
			far * (float)random_unit(), far * (float)random_unit() };
	}
	return straps;
}

/* The built-in figure at HEIGHT in a pose, 2 m off and turned by 130 degrees. */
static struct jc_body_frame make_truth(const struct jc_pose *pose, enum jc_profile profile)
{
	struct jc_quat turn = matrix_to_quat(matrix_about(0, 1, 0, 130));
	struct jc_body_frame frame;

	jc_pose_to_body_frame(pose, profile, &frame);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		struct jc_body_joint *j = &frame.joints[joint];

		j->position = jc_quat_rotate(turn, jc_vec3_scale(j->position, HEIGHT / 1.75f));
		j->position.x += 1.2f;
		j->position.z -= 1.6f;
		j->orientation = jc_quat_multiply(turn, j->orientation);
	}
	return frame;
}

static struct jc_body_frame strap_on(const struct straps *straps, const struct jc_body_frame *truth)
{
	struct jc_body_frame frame = { .confidence = 1.0f };

	for (size_t i = 0; i < WORN; i++) {
		const struct jc_body_joint *joint = &truth->joints[worn[i]];

		frame.joints[worn[i]] = (struct jc_body_joint){
			.position = jc_vec3_add(joint->position,
				jc_quat_rotate(joint->orientation, straps->translations[i])),
			.orientation = jc_quat_multiply(joint->orientation, straps->rotations[i]),
			.state = JC_TRACKED,
		};
	}
	return frame;
}

/* Arms down by so many degrees. */
static struct jc_pose standing(double degrees)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	memset(pose.states, JC_TRACKED, sizeof(pose.states));
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = matrix_to_quat(matrix_about(0, 0, 1, -degrees));
	pose.rotations[JC_BONE_RIGHT_UPPER_ARM] = matrix_to_quat(matrix_about(0, 0, 1, degrees));
	return pose;
}

static void check_walk(const struct jc_calibration *calibration, const struct straps *straps,
	enum jc_profile profile)
{
	struct jc_motion *walk;

	assert_int_equal(jc_motion_create_demo("walk", &walk, NULL), JC_OK);
	for (int i = 0; i < 20; i++) {
		struct jc_pose pose;

		jc_motion_pose(walk, 0.37 * i, &pose);
		struct jc_body_frame truth = make_truth(&pose, profile);
		struct jc_body_frame frame = strap_on(straps, &truth);

		jc_calibration_apply(calibration, &frame);
		for (size_t k = 0; k < WORN; k++) {
			const struct jc_body_joint *is = &frame.joints[worn[k]];
			const struct jc_body_joint *should = &truth.joints[worn[k]];

			assert_true(jc_quat_angle(is->orientation, should->orientation) < 1e-3f);
			assert_true(jc_vec3_length(jc_vec3_subtract(
					    is->position, should->position)) < 1e-3f);
		}
	}
	jc_motion_destroy(walk);
}

static void trackers_with_any_mount_become_joints(void **)
{
	static const enum jc_profile profiles[] = { JC_PROFILE_WEBXR_SPEC, JC_PROFILE_META };
	struct straps straps = make_straps();

	for (size_t i = 0; i < 2; i++) {
		for (int pose = 0; pose < JC_CALIBRATION_POSE_COUNT; pose++) {
			struct jc_pose stood = standing(pose == JC_CALIBRATION_I ? 90 : 0);
			struct jc_body_frame truth = make_truth(&stood, profiles[i]);
			struct jc_body_frame frame = strap_on(&straps, &truth);
			struct jc_calibration calibration;

			assert_int_equal(
				jc_calibration_compute(&frame, profiles[i],
					(enum jc_calibration_pose)pose, HEIGHT, &calibration, NULL),
				JC_OK);
			check_walk(&calibration, &straps, profiles[i]);
		}
	}
}

static void wrists_keep_their_position_on_longer_arms(void **)
{
	struct straps straps = make_straps();
	struct jc_pose stood = standing(0);
	struct jc_body_frame truth = make_truth(&stood, JC_PROFILE_META);
	struct jc_body_frame frame = strap_on(&straps, &truth);
	struct jc_calibration calibration;
	struct jc_body_joint *left = &frame.joints[JC_JOINT_LEFT_HAND_WRIST];
	struct jc_body_joint *right = &frame.joints[JC_JOINT_RIGHT_HAND_WRIST];
	struct jc_vec3 out = jc_vec3_normalize(jc_vec3_subtract(left->position, right->position));

	left->position = jc_vec3_add(left->position, jc_vec3_scale(out, 0.06f));
	right->position = jc_vec3_subtract(right->position, jc_vec3_scale(out, 0.06f));
	struct jc_vec3 before = left->position;

	assert_int_equal(jc_calibration_compute(&frame, JC_PROFILE_META, JC_CALIBRATION_T, HEIGHT,
				 &calibration, NULL),
		JC_OK);
	jc_calibration_apply(&calibration, &frame);
	assert_true(jc_vec3_length(jc_vec3_subtract(left->position, before)) < 1e-6f);
	assert_true(jc_quat_angle(left->orientation,
			    truth.joints[JC_JOINT_LEFT_HAND_WRIST].orientation) < 1e-3f);
}

static void does_not_change_optically_tracked_hands(void **)
{
	struct straps straps = make_straps();
	struct jc_pose stood = standing(0);
	struct jc_body_frame truth = make_truth(&stood, JC_PROFILE_META);
	struct jc_body_frame frame = strap_on(&straps, &truth);
	struct jc_calibration calibration;
	struct jc_quat before = frame.joints[JC_JOINT_LEFT_HAND_WRIST].orientation;

	frame.joints[JC_JOINT_LEFT_HAND_INDEX_TIP] = truth.joints[JC_JOINT_LEFT_HAND_INDEX_TIP];
	assert_int_equal(jc_calibration_compute(&frame, JC_PROFILE_META, JC_CALIBRATION_T, HEIGHT,
				 &calibration, NULL),
		JC_OK);
	assert_false(calibration.mounts[JC_JOINT_LEFT_HAND_WRIST].is_set);
	assert_false(calibration.mounts[JC_JOINT_LEFT_HAND_INDEX_TIP].is_set);
	assert_true(calibration.mounts[JC_JOINT_RIGHT_HAND_WRIST].is_set);
	/* Put down when it was calibrated, seen now. */
	calibration.mounts[JC_JOINT_LEFT_HAND_WRIST] =
		calibration.mounts[JC_JOINT_RIGHT_HAND_WRIST];
	jc_calibration_apply(&calibration, &frame);
	assert_memory_equal(
		&frame.joints[JC_JOINT_LEFT_HAND_WRIST].orientation, &before, sizeof(before));
}

static void check_refused(const struct jc_body_frame *frame, enum jc_calibration_pose pose,
	float height, const char *why)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_calibration calibration;

	assert_int_equal(jc_calibration_compute(
				 frame, JC_PROFILE_META, pose, height, &calibration, &diagnostic),
		JC_ERROR_INVALID);
	if (!strstr(diagnostic.what, why))
		fail_msg("'%s' instead of '%s'", diagnostic.what, why);
}

static void reports_a_person_who_is_not_in_the_pose(void **)
{
	struct straps straps = make_straps();
	struct jc_pose stood = standing(0);
	struct jc_body_frame truth = make_truth(&stood, JC_PROFILE_META);
	struct jc_body_frame frame = strap_on(&straps, &truth);
	struct jc_body_frame alone = { .confidence = 1.0f };

	check_refused(&truth, JC_CALIBRATION_T, HEIGHT, "a whole body");
	check_refused(&frame, JC_CALIBRATION_I, HEIGHT, "from where the I-pose has it");
	check_refused(&frame, JC_CALIBRATION_T, 2.2f, "from where the T-pose has it");
	check_refused(&alone, JC_CALIBRATION_T, HEIGHT, "show the front");
	alone.joints[JC_JOINT_HIPS] = frame.joints[JC_JOINT_HIPS];
	check_refused(&alone, JC_CALIBRATION_T, HEIGHT, "show the front");
	frame.joints[JC_JOINT_HIPS].position.x = NAN;
	check_refused(&frame, JC_CALIBRATION_T, HEIGHT, "hips is nan m");
}

static void a_moving_person_is_not_still(void **)
{
	struct straps straps = make_straps();
	struct jc_pose stood = standing(0);
	struct jc_body_frame truth = make_truth(&stood, JC_PROFILE_META);
	struct jc_body_frame before = strap_on(&straps, &truth);
	struct jc_body_frame after = before;
	struct jc_body_joint *wrist = &after.joints[JC_JOINT_RIGHT_HAND_WRIST];
	enum jc_joint moved = JC_JOINT_NONE;

	wrist->position.y += 0.04f;
	assert_true(jc_calibration_is_still(&before, &after, &moved));
	wrist->position.y += 0.02f;
	assert_false(jc_calibration_is_still(&before, &after, &moved));
	assert_int_equal(moved, JC_JOINT_RIGHT_HAND_WRIST);
	after = before;
	after.joints[JC_JOINT_HEAD].orientation =
		jc_quat_multiply(before.joints[JC_JOINT_HEAD].orientation,
			matrix_to_quat(matrix_about(1, 0, 0, 16)));
	assert_false(jc_calibration_is_still(&before, &after, &moved));
	assert_int_equal(moved, JC_JOINT_HEAD);
	after = before;
	after.joints[JC_JOINT_HIPS].state = JC_ABSENT;
	assert_false(jc_calibration_is_still(&before, &after, &moved));
	assert_int_equal(moved, JC_JOINT_HIPS);
}

static void poses_have_names(void **)
{
	assert_int_equal(jc_calibration_pose_find("t"), JC_CALIBRATION_T);
	assert_int_equal(jc_calibration_pose_find("i"), JC_CALIBRATION_I);
	assert_int_equal(jc_calibration_pose_find("T"), -1);
	assert_string_equal(jc_calibration_pose_name(JC_CALIBRATION_I), "i");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trackers_with_any_mount_become_joints),
		cmocka_unit_test(wrists_keep_their_position_on_longer_arms),
		cmocka_unit_test(does_not_change_optically_tracked_hands),
		cmocka_unit_test(reports_a_person_who_is_not_in_the_pose),
		cmocka_unit_test(a_moving_person_is_not_still),
		cmocka_unit_test(poses_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
