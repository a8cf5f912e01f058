/* Tests that written body frames, read and solved again, give the original motion; the figure
 * follows from the tables of the specifications. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "unit_test.h"

#define FRAMES      24
#define RADIANS_MAX (0.01f * 0.01745329252f)

struct source {
	const struct jc_motion *motion;
	double frame_seconds;
};

static void sample(void *context, size_t index, struct jc_pose *out_pose)
{
	const struct source *source = context;

	jc_motion_pose(source->motion, (double)index * source->frame_seconds, out_pose);
}

static struct jc_written write_demo(
	const char *name, const bool *dropped, struct jc_motion **out_demo, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct source source;
	struct jc_clip clip = { .frame_count = FRAMES, .pose = sample, .context = &source };
	struct jc_written file;

	assert_int_equal(jc_motion_create_demo(name, out_demo, &diagnostic), JC_OK);
	source.motion = *out_demo;
	source.frame_seconds = jc_motion_info(*out_demo)->duration / (FRAMES - 1);
	clip.motion = *out_demo;
	clip.frame_seconds = source.frame_seconds;
	assert_int_equal(jc_write_body_frames(
				 &clip, JC_PROFILE_WEBXR_SPEC, dropped, &file, lint, &diagnostic),
		JC_OK);
	return file;
}

static struct jc_motion *read_back(const struct jc_written *file)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;

	if (jc_motion_read(file->bytes, file->length, 0, NULL, &motion, NULL, &diagnostic)) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	return motion;
}

static bool has_joint(int bone)
{
	return bone != JC_BONE_LEFT_EYE && bone != JC_BONE_RIGHT_EYE && bone != JC_BONE_JAW;
}

static void a_motion_converts_to_body_frames_and_back(void **)
{
	static const bool none[JC_JOINT_COUNT];

	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_motion *demo;
		struct jc_written file = write_demo(*name, none, &demo, NULL);
		struct jc_motion *back = read_back(&file);
		struct jc_solver solver;

		jc_solver_init_motion(&solver, back);
		assert_int_equal(jc_motion_info(back)->frame_count, FRAMES);
		for (int i = 0; i < FRAMES; i++) {
			double t = jc_motion_info(demo)->duration * i / (FRAMES - 1);
			struct jc_pose before, after;

			jc_motion_pose(demo, t, &before);
			jc_solver_sample(&solver, back, t, &after);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				if (has_joint(b)) {
					assert_int_equal(before.states[b], after.states[b]);
					assert_true(jc_quat_angle(before.rotations[b],
							    after.rotations[b]) < RADIANS_MAX);
				}
			}
			assert_true(jc_vec3_length(jc_vec3_subtract(before.hips_translation,
					    after.hips_translation)) < 1e-5f);
		}
		jc_motion_destroy(back);
		jc_motion_destroy(demo);
		free(file.bytes);
	}
}

static void dropped_joints_stay_absent_and_are_named(void **)
{
	bool dropped[JC_JOINT_COUNT] = {
		[JC_JOINT_LEFT_ARM_LOWER] = true, [JC_JOINT_RIGHT_HAND_WRIST] = true
	};
	struct jc_lint lint = { 0 };
	struct jc_motion *demo;
	struct jc_written file = write_demo("walk", dropped, &demo, &lint);
	struct jc_motion *back = read_back(&file);
	struct jc_body_frame frame;

	for (int i = 0; i < FRAMES; i++) {
		jc_motion_body_frame(
			back, jc_motion_info(back)->duration * i / (FRAMES - 1), &frame);
		assert_int_equal(frame.joints[JC_JOINT_LEFT_ARM_LOWER].state, JC_ABSENT);
		assert_int_equal(frame.joints[JC_JOINT_RIGHT_HAND_WRIST].state, JC_ABSENT);
		assert_int_equal(frame.joints[JC_JOINT_LEFT_ARM_UPPER].state, JC_TRACKED);
	}
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "bones-lost");
	assert_non_null(strstr(lint.entries[0].text, "leftLowerArm"));
	assert_non_null(strstr(lint.entries[0].text, "rightHand"));
	jc_motion_destroy(back);
	jc_motion_destroy(demo);
	free(file.bytes);
}

static void all_tracked(struct jc_pose *pose)
{
	jc_pose_init(pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose->states[b] = JC_TRACKED;
	}
}

static void assert_near(struct jc_vec3 a, float x, float y, float z)
{
	struct jc_vec3 b = { x, y, z };

	if (jc_vec3_length(jc_vec3_subtract(a, b)) > 1e-5f) {
		fail_msg("%g %g %g is not %g %g %g", (double)a.x, (double)a.y, (double)a.z,
			(double)x, (double)y, (double)z);
	}
}

/* Left upper arm a quarter turn about +Y: the arm, along +X from (0.175, 1.42,
 * -0.005), then points to -Z, elbow 0.28 and wrist 0.53 away; -Z of the joint
 * is along the arm and its +Y stays up, so its rotation is the identity. */
static void a_rotated_arm_has_the_computed_position(void **)
{
	const float half = 0.70710678f;
	struct jc_body_frame frame;
	struct jc_vec3 along;
	struct jc_pose pose;

	all_tracked(&pose);
	pose.rotations[JC_BONE_LEFT_UPPER_ARM] = (struct jc_quat){ 0.0f, half, 0.0f, half };
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &frame);
	assert_near(frame.joints[JC_JOINT_LEFT_ARM_LOWER].position, 0.175f, 1.42f, -0.285f);
	assert_near(frame.joints[JC_JOINT_LEFT_HAND_WRIST].position, 0.175f, 1.42f, -0.535f);
	assert_true(jc_quat_angle(frame.joints[JC_JOINT_LEFT_ARM_LOWER].orientation,
			    JC_QUAT_IDENTITY) < 1e-5f);
	along = jc_quat_rotate(frame.joints[JC_JOINT_RIGHT_ARM_LOWER].orientation,
		(struct jc_vec3){ 0.0f, 0.0f, -1.0f });
	assert_near(along, -1.0f, 0.0f, 0.0f);
}

/* The spine a turn of 0, the chest one of 40 degrees about +Y: half way is 20.
 * A hand twisted by 60 degrees about the forearm twists its wrist's joint. */
static void joints_between_bones_share_their_rotation(void **)
{
	const float degree = 0.01745329252f;
	struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };
	struct jc_quat expected;
	struct jc_body_frame frame;
	struct jc_pose pose;

	all_tracked(&pose);
	pose.rotations[JC_BONE_CHEST] = jc_quat_from_axis_angle(up, 40.0f * degree);
	pose.rotations[JC_BONE_LEFT_HAND] = jc_quat_from_axis_angle(left, 60.0f * degree);
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &frame);
	expected = jc_quat_multiply(jc_quat_from_axis_angle(up, 20.0f * degree),
		jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_SPINE_MIDDLE));
	assert_true(
		jc_quat_angle(frame.joints[JC_JOINT_SPINE_MIDDLE].orientation, expected) < 1e-5f);
	expected = jc_quat_multiply(jc_quat_from_axis_angle(up, 40.0f * degree),
		jc_quat_multiply(jc_quat_from_axis_angle(left, 60.0f * degree),
			jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_LEFT_HAND_WRIST_TWIST)));
	assert_true(jc_quat_angle(frame.joints[JC_JOINT_LEFT_HAND_WRIST_TWIST].orientation,
			    expected) < 1e-5f);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		assert_int_equal(frame.joints[j].state,
			jc_joint_bone((enum jc_joint)j) == JC_BONE_NONE ? JC_ESTIMATED
									: JC_TRACKED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_motion_converts_to_body_frames_and_back),
		cmocka_unit_test(dropped_joints_stay_absent_and_are_named),
		cmocka_unit_test(a_rotated_arm_has_the_computed_position),
		cmocka_unit_test(joints_between_bones_share_their_rotation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
