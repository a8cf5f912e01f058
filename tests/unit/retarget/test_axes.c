/* Tests the check of profiles: joint positions reveal a wrong profile, and the derived rotations
 * are those of the body. */
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/axes.h"
#include "recorded.h"
#include "unit_test.h"

#define DEGREE 0.01745329252f
#define FRAMES 12

static void sample(const struct jc_motion *motion, int frame, struct jc_pose *out_pose)
{
	jc_motion_pose(motion, jc_motion_info(motion)->duration * frame / (FRAMES - 1), out_pose);
}

static bool is_same(enum jc_profile a, enum jc_profile b)
{
	return a == b || (a == JC_PROFILE_PICO && b == JC_PROFILE_HTC) ||
	       (a == JC_PROFILE_HTC && b == JC_PROFILE_PICO);
}

static void check_pair(const struct jc_motion *motion, enum jc_profile delivered,
	enum jc_profile declared, const char *name)
{
	struct jc_axes_check check;
	struct jc_body_frame frame;
	enum jc_profile fitting;
	enum jc_axes_verdict verdict;
	struct jc_pose pose;

	jc_axes_check_init(&check, declared);
	for (int i = 0; i < FRAMES; i++) {
		sample(motion, i, &pose);
		jc_pose_to_body_frame(&pose, delivered, &frame);
		jc_axes_check_add(&check, &frame);
	}
	verdict = jc_axes_check_verdict(&check, &fitting);
	if (verdict != (is_same(delivered, declared) ? JC_AXES_AGREE : JC_AXES_DISAGREE) ||
		!is_same(fitting, delivered)) {
		fail_msg("%s: '%s' declared as '%s' is verdict %d, fitting '%s'", name,
			jc_profile_name(delivered), jc_profile_name(declared), (int)verdict,
			jc_profile_name(fitting));
	}
}

static void check_pairs(const struct jc_motion *motion, const char *name)
{
	for (int delivered = 0; delivered < JC_PROFILE_COUNT; delivered++) {
		for (int declared = 0; declared < JC_PROFILE_COUNT; declared++) {
			check_pair(motion, (enum jc_profile)delivered, (enum jc_profile)declared,
				name);
		}
	}
}

static void detects_every_wrong_profile_in_generated_motion(void **)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_motion *motion;

		assert_int_equal(jc_motion_create_demo(*name, &motion, NULL), JC_OK);
		check_pairs(motion, *name);
		jc_motion_destroy(motion);
	}
}

static void detects_every_wrong_profile_in_recorded_motion(void **)
{
	size_t count = 0;

	for (size_t i = 0; i < recorded_count; i++) {
		struct jc_motion *motion = recorded_read(recorded_names[i]);

		if (motion) {
			check_pairs(motion, recorded_names[i]);
			jc_motion_destroy(motion);
			count++;
		}
	}
	if (count == 0) {
		print_message("no recorded motions here: set JOINTCAST_DATA\n");
		skip();
	}
}

static void hips_alone_are_undecided(void **)
{
	struct jc_body_frame frame = { 0 };
	struct jc_axes_check check;
	enum jc_profile fitting;

	frame.joints[JC_JOINT_HIPS] =
		(struct jc_body_joint){ .orientation = JC_QUAT_IDENTITY, .state = JC_TRACKED };
	jc_axes_check_init(&check, JC_PROFILE_META);
	jc_axes_check_add(&check, &frame);
	assert_int_equal(jc_axes_check_verdict(&check, &fitting), JC_AXES_UNDECIDED);
	assert_int_equal(fitting, JC_PROFILE_META);
}

/* The joint positions are reproduced within two centimetres for any orientations. */
static void a_wrong_profile_still_gives_a_pose_that_matches_the_positions(void **)
{
	static const enum jc_joint shown[] = {
		JC_JOINT_CHEST,
		JC_JOINT_HEAD,
		JC_JOINT_LEFT_ARM_LOWER,
		JC_JOINT_RIGHT_ARM_LOWER,
		JC_JOINT_LEFT_HAND_WRIST,
		JC_JOINT_RIGHT_HAND_WRIST,
		JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_PROXIMAL,
		JC_JOINT_RIGHT_HAND_INDEX_PHALANX_PROXIMAL,
		JC_JOINT_LEFT_LOWER_LEG,
		JC_JOINT_RIGHT_FOOT_ANKLE,
		JC_JOINT_LEFT_FOOT_BALL,
	};

	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_body_frame frame, truth, after;
		struct jc_motion *motion;
		struct jc_pose pose, solved;
		struct jc_solver solver;

		assert_int_equal(jc_motion_create_demo(*name, &motion, NULL), JC_OK);
		jc_solver_init(&solver, JC_PROFILE_WEBXR_SPEC, NULL);
		for (int i = 0; i < FRAMES; i++) {
			sample(motion, i, &pose);
			jc_pose_to_body_frame(&pose, JC_PROFILE_META, &frame);
			jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &truth);
			jc_solver_solve(&solver, &frame, &solved);
			jc_pose_to_body_frame(&solved, JC_PROFILE_WEBXR_SPEC, &after);
			assert_int_equal(solved.states[JC_BONE_HIPS], JC_ESTIMATED);
			for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
				float off = jc_vec3_length(
					jc_vec3_subtract(truth.joints[shown[k]].position,
						after.joints[shown[k]].position));

				if (!(off < 0.02f)) {
					fail_msg("%s: %s is %g m off", *name,
						jc_joint_name(shown[k]), (double)off);
				}
			}
		}
		jc_motion_destroy(motion);
	}
}

static void t_pose_frame(enum jc_profile profile, struct jc_pose *pose, struct jc_body_frame *frame)
{
	jc_pose_init(pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose->states[b] = JC_TRACKED;
	}
	jc_pose_to_body_frame(pose, profile, frame);
}

/* The trap of calibrating from a first frame: a hand that came rolled by half a turn
 * with all of its fingers. Bones lie along it all the same; the knuckles do not. */
static void detects_and_corrects_a_hand_rolled_by_180_degrees(void **)
{
	struct jc_body_frame frame;
	struct jc_pose pose, solved;
	struct jc_solver solver;

	t_pose_frame(JC_PROFILE_META, &pose, &frame);
	for (int j = JC_JOINT_LEFT_HAND_PALM; j <= JC_JOINT_LEFT_HAND_LITTLE_TIP; j++) {
		frame.joints[j].orientation = jc_quat_multiply(
			frame.joints[j].orientation, (struct jc_quat){ 1.0f, 0.0f, 0.0f, 0.0f });
	}
	jc_solver_init(&solver, JC_PROFILE_META, NULL);
	jc_solver_solve(&solver, &frame, &solved);
	assert_int_equal(solved.states[JC_BONE_LEFT_HAND], JC_ESTIMATED);
	assert_int_equal(solved.states[JC_BONE_LEFT_INDEX_PROXIMAL], JC_ESTIMATED);
	assert_int_equal(solved.states[JC_BONE_LEFT_LOWER_ARM], JC_TRACKED);
	assert_int_equal(solved.states[JC_BONE_RIGHT_HAND], JC_TRACKED);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		assert_true(jc_quat_angle(solved.rotations[b], JC_QUAT_IDENTITY) < 0.1f * DEGREE);
	}
}

/* The left forearm bent by 90 degrees to the front, the upper arm's orientation
 * pointing the other way: its turn is none, and the elbow bends by -90 about +Y. */
static void derives_a_wrong_orientation_from_its_neighbours(void **)
{
	const float half = 0.70710678f;
	struct jc_quat bent = { 0.0f, -half, 0.0f, half };
	struct jc_body_frame frame;
	struct jc_pose pose, solved;
	struct jc_solver solver;

	t_pose_frame(JC_PROFILE_PICO, &pose, &frame);
	pose.rotations[JC_BONE_LEFT_LOWER_ARM] = bent;
	jc_pose_to_body_frame(&pose, JC_PROFILE_PICO, &frame);
	frame.joints[JC_JOINT_LEFT_ARM_UPPER].orientation =
		jc_quat_multiply((struct jc_quat){ 0.0f, 0.0f, 1.0f, 0.0f },
			jc_joint_t_pose(JC_PROFILE_PICO, JC_JOINT_LEFT_ARM_UPPER));
	jc_solver_init(&solver, JC_PROFILE_PICO, NULL);
	jc_solver_solve(&solver, &frame, &solved);
	assert_int_equal(solved.states[JC_BONE_LEFT_UPPER_ARM], JC_ESTIMATED);
	assert_int_equal(solved.states[JC_BONE_LEFT_LOWER_ARM], JC_TRACKED);
	assert_true(jc_quat_angle(solved.rotations[JC_BONE_LEFT_UPPER_ARM], JC_QUAT_IDENTITY) <
		    0.1f * DEGREE);
	assert_true(jc_quat_angle(solved.rotations[JC_BONE_LEFT_LOWER_ARM], bent) < 0.1f * DEGREE);
}

/* The elbow of an arm rolled by 90 degrees points its forearm down; the knee of a
 * thigh raised to the front and turned out by 40 lets its shin hang. Neither roll is
 * the shortest way there: only the hinges show them. */
static void hinge_joints_determine_the_roll_of_limbs(void **)
{
	static const struct jc_vec3 x = { 1, 0, 0 }, y = { 0, 1, 0 };
	struct jc_quat rolled = jc_quat_from_axis_angle(x, 90.0f * DEGREE);
	struct jc_quat raised = jc_quat_multiply(jc_quat_from_axis_angle(y, 40.0f * DEGREE),
		jc_quat_from_axis_angle(x, -90.0f * DEGREE));
	struct jc_body_frame frame;
	struct jc_pose pose, solved;
	struct jc_solver solver;

	t_pose_frame(JC_PROFILE_HTC, &pose, &frame);
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = rolled;
	pose.rotations[JC_BONE_LEFT_LOWER_ARM] = jc_quat_from_axis_angle(y, -90.0f * DEGREE);
	pose.rotations[JC_BONE_LEFT_UPPER_LEG] = raised;
	pose.rotations[JC_BONE_LEFT_LOWER_LEG] = jc_quat_from_axis_angle(x, 90.0f * DEGREE);
	jc_pose_to_body_frame(&pose, JC_PROFILE_HTC, &frame);
	/* Both bones turned to point the other way. */
	frame.joints[JC_JOINT_LEFT_ARM_UPPER].orientation =
		jc_quat_multiply(frame.joints[JC_JOINT_LEFT_ARM_UPPER].orientation,
			(struct jc_quat){ 0.0f, 0.0f, 1.0f, 0.0f });
	frame.joints[JC_JOINT_LEFT_UPPER_LEG].orientation =
		jc_quat_multiply(frame.joints[JC_JOINT_LEFT_UPPER_LEG].orientation,
			(struct jc_quat){ 1.0f, 0.0f, 0.0f, 0.0f });
	jc_solver_init(&solver, JC_PROFILE_HTC, NULL);
	jc_solver_solve(&solver, &frame, &solved);
	assert_int_equal(solved.states[JC_BONE_LEFT_UPPER_ARM], JC_ESTIMATED);
	assert_int_equal(solved.states[JC_BONE_LEFT_UPPER_LEG], JC_ESTIMATED);
	assert_true(
		jc_quat_angle(solved.rotations[JC_BONE_LEFT_UPPER_ARM], rolled) < 0.1f * DEGREE);
	/* The figure's shin is not quite straight below its thigh. */
	assert_true(
		jc_quat_angle(solved.rotations[JC_BONE_LEFT_UPPER_LEG], raised) < 5.0f * DEGREE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(detects_every_wrong_profile_in_generated_motion),
		cmocka_unit_test(detects_every_wrong_profile_in_recorded_motion),
		cmocka_unit_test(hips_alone_are_undecided),
		cmocka_unit_test(a_wrong_profile_still_gives_a_pose_that_matches_the_positions),
		cmocka_unit_test(detects_and_corrects_a_hand_rolled_by_180_degrees),
		cmocka_unit_test(derives_a_wrong_orientation_from_its_neighbours),
		cmocka_unit_test(hinge_joints_determine_the_roll_of_limbs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
