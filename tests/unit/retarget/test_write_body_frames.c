/* Tests that written body frames, read and solved again, give the original motion; the figure
 * follows from the tables of the specifications. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/emulation.h"
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

/* Joints of a hand in the order of the draft: the palm, then its wrist. */
struct hand {
	enum jc_joint palm, metacarpal, proximal;
};

static const struct hand hands[] = {
	{ JC_JOINT_LEFT_HAND_PALM, JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_METACARPAL,
		JC_JOINT_LEFT_HAND_MIDDLE_PHALANX_PROXIMAL },
	{ JC_JOINT_RIGHT_HAND_PALM, JC_JOINT_RIGHT_HAND_MIDDLE_METACARPAL,
		JC_JOINT_RIGHT_HAND_MIDDLE_PHALANX_PROXIMAL },
};

/* Angle in degrees between the draft's -Z of a joint and the way between two others. */
static double degrees_off(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_joint joint, enum jc_joint from, enum jc_joint to)
{
	struct jc_quat draft =
		jc_quat_multiply(jc_quat_multiply(frame->joints[joint].orientation,
					 jc_quat_conjugate(jc_joint_t_pose(profile, joint))),
			jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, joint));
	struct jc_vec3 along = jc_quat_rotate(draft, (struct jc_vec3){ 0.0f, 0.0f, -1.0f });
	struct jc_vec3 way = jc_vec3_normalize(
		jc_vec3_subtract(frame->joints[to].position, frame->joints[from].position));
	double apart = (double)jc_vec3_length(jc_vec3_subtract(along, way));

	return 2.0 * asin(fmin(0.5 * apart, 1.0)) / 0.01745329252;
}

/* The draft, section 2.4: a palm is at the centre of the metacarpal bone of the middle finger,
 * parallel to it; the wrist is parallel to the line to that bone; other metacarpals are along
 * their own bone. */
static void assert_hand_of_the_draft(
	const struct jc_body_frame *frame, enum jc_profile profile, const struct hand *hand)
{
	const struct jc_body_joint *joints = frame->joints;
	enum jc_joint wrist = hand->palm + 1;
	struct jc_vec3 centre = jc_vec3_scale(
		jc_vec3_add(joints[hand->metacarpal].position, joints[hand->proximal].position),
		0.5f);
	float off = jc_vec3_length(jc_vec3_subtract(joints[hand->palm].position, centre));
	double palm = degrees_off(frame, profile, hand->palm, hand->metacarpal, hand->proximal);
	double turned = degrees_off(frame, profile, wrist, wrist, hand->metacarpal);

	if (!(off < 1e-5f) || !(palm < 0.05) || !(turned < 0.05)) {
		fail_msg("'%s' is %.2f mm and %.2f degrees off, its wrist %.2f degrees",
			jc_joint_name(hand->palm), (double)off * 1e3, palm, turned);
	}
	for (int finger = 0; finger < 4; finger++) {
		enum jc_joint base = hand->palm + 6 + 5 * finger;

		assert_true(degrees_off(frame, profile, base, base, base + 1) < 0.05);
	}
	/* A tip has no bone: it is parallel to the last one. Tips follow their distal joints. */
	for (int finger = 0; finger < 5; finger++) {
		enum jc_joint tip = finger ? hand->palm + 5 + 5 * finger : hand->palm + 5;
		struct jc_quat last = jc_quat_multiply(joints[tip - 1].orientation,
			jc_quat_conjugate(jc_joint_t_pose(profile, tip - 1)));
		struct jc_quat turn = jc_quat_multiply(
			joints[tip].orientation, jc_quat_conjugate(jc_joint_t_pose(profile, tip)));

		assert_true(jc_quat_angle(last, turn) < 1e-3f);
	}
}

static void palms_and_wrists_are_where_the_draft_places_them(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;

	assert_int_equal(jc_motion_create_demo("wave", &motion, &diagnostic), JC_OK);
	for (int index = 0; index < FRAMES; index++) {
		struct jc_body_frame frame;
		struct jc_pose pose;

		jc_motion_pose(motion, 0.25 * index, &pose);
		for (int p = 0; p < JC_PROFILE_COUNT; p++) {
			jc_pose_to_body_frame(&pose, (enum jc_profile)p, &frame);
			assert_hand_of_the_draft(&frame, (enum jc_profile)p, &hands[0]);
			assert_hand_of_the_draft(&frame, (enum jc_profile)p, &hands[1]);
		}
	}
	jc_motion_destroy(motion);
}

/* "location invariant when twisting the hand without moving the forearm". */
static void twisting_a_hand_leaves_its_wrist_in_place(void **)
{
	struct jc_body_frame before, after;
	struct jc_pose pose;

	all_tracked(&pose);
	pose.rotations[JC_BONE_LEFT_LOWER_ARM] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, -0.9f);
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &before);
	pose.rotations[JC_BONE_LEFT_HAND] =
		jc_quat_from_axis_angle((struct jc_vec3){ 1.0f, 0.0f, 0.0f }, 1.2f);
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &after);
	for (enum jc_joint joint = JC_JOINT_LEFT_ARM_UPPER; joint <= JC_JOINT_LEFT_ARM_LOWER;
		joint++) {
		assert_memory_equal(
			&before.joints[joint], &after.joints[joint], sizeof(before.joints[joint]));
	}
	assert_memory_equal(&before.joints[JC_JOINT_LEFT_HAND_WRIST].position,
		&after.joints[JC_JOINT_LEFT_HAND_WRIST].position, sizeof(struct jc_vec3));
	assert_float_equal(jc_quat_angle(before.joints[JC_JOINT_LEFT_HAND_WRIST].orientation,
				   after.joints[JC_JOINT_LEFT_HAND_WRIST].orientation),
		1.2f, 1e-3f);
}

/* In the T-pose -Z of trunk, shins and feet is vertical or horizontal. Their bones are not; the
 * differences follow from the positions of the built-in figure. */
static void axes_of_trunk_legs_and_feet_are_those_of_the_t_pose(void **)
{
	static const struct {
		enum jc_joint joint, next;
		double aside, along; /* of the way to the next joint */
	} cases[] = {
		{ JC_JOINT_HIPS, JC_JOINT_SPINE_LOWER, 0.01, 0.09 },
		{ JC_JOINT_SPINE_LOWER, JC_JOINT_SPINE_UPPER, 0.005, 0.12 },
		{ JC_JOINT_NECK, JC_JOINT_HEAD, 0.02, 0.09 },
		{ JC_JOINT_LEFT_ARM_UPPER, JC_JOINT_LEFT_ARM_LOWER, 0.0, 0.28 },
		{ JC_JOINT_LEFT_ARM_LOWER, JC_JOINT_LEFT_HAND_WRIST, 0.0, 0.25 },
		{ JC_JOINT_LEFT_UPPER_LEG, JC_JOINT_LEFT_LOWER_LEG, 0.0, 0.42 },
		{ JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_ANKLE, 0.03, 0.42 },
		{ JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_LEFT_FOOT_BALL, 0.065, 0.135 },
	};
	struct jc_body_frame frame;
	struct jc_pose pose;

	all_tracked(&pose);
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &frame);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double off = degrees_off(&frame, JC_PROFILE_WEBXR_SPEC, cases[i].joint,
			cases[i].joint, cases[i].next);

		assert_true(
			fabs(off - atan2(cases[i].aside, cases[i].along) / 0.01745329252) < 0.05);
	}
}

/* A hand whose metacarpal bone is not on the line from the wrist to the finger, as trackers of
 * hands deliver it without a palm: the wrist stays, the palm follows the bone. */
static void a_missing_palm_follows_the_tracked_metacarpal(void **)
{
	struct jc_body_frame frame;
	struct jc_pose pose;

	all_tracked(&pose);
	jc_pose_to_body_frame(&pose, JC_PROFILE_META, &frame);
	for (int h = 0; h < 2; h++) {
		struct jc_body_joint *palm = &frame.joints[hands[h].palm];
		struct jc_vec3 *base = &frame.joints[hands[h].metacarpal].position;
		struct jc_vec3 end = frame.joints[hands[h].proximal].position;

		palm->state = JC_ABSENT;
		base->y += 0.009f;
		base->z += 0.004f;
		jc_body_frame_fill_between(JC_PROFILE_META, &frame);
		assert_int_equal(palm->state, JC_ESTIMATED);
		assert_near(palm->position, 0.5f * (base->x + end.x), 0.5f * (base->y + end.y),
			0.5f * (base->z + end.z));
		assert_true(degrees_off(&frame, JC_PROFILE_META, hands[h].palm, hands[h].metacarpal,
				    hands[h].proximal) < 0.05);
	}
}

/* A tracker that delivers palms, as a browser places them, and no wrists. */
static void a_palm_at_the_centre_of_the_metacarpal_gives_its_wrist(void **)
{
	struct jc_emulation emulation;
	struct jc_body_frame rest;
	struct jc_pose pose;

	all_tracked(&pose);
	jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &rest);
	pose.rotations[JC_BONE_LEFT_HAND] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 0.6f, 0.8f }, 0.5f);
	pose.rotations[JC_BONE_RIGHT_HAND] =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.8f, 0.0f, 0.6f }, -0.7f);
	jc_emulation_init(&emulation, JC_PROFILE_WEBXR_SPEC, &rest, 0.0f);
	for (int h = 0; h < 2; h++) {
		enum jc_joint wrist = hands[h].palm + 1;
		struct jc_body_frame frame;
		struct jc_vec3 position;
		struct jc_quat orientation;

		jc_pose_to_body_frame(&pose, JC_PROFILE_WEBXR_SPEC, &frame);
		frame.time_ns = 1;
		position = frame.joints[wrist].position;
		orientation = frame.joints[wrist].orientation;
		frame.joints[wrist].state = JC_ABSENT;
		assert_true(jc_emulation_complete(&emulation, &frame));
		assert_near(frame.joints[wrist].position, position.x, position.y, position.z);
		assert_true(jc_quat_angle(frame.joints[wrist].orientation, orientation) < 1e-3f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_motion_converts_to_body_frames_and_back),
		cmocka_unit_test(dropped_joints_stay_absent_and_are_named),
		cmocka_unit_test(a_rotated_arm_has_the_computed_position),
		cmocka_unit_test(joints_between_bones_share_their_rotation),
		cmocka_unit_test(palms_and_wrists_are_where_the_draft_places_them),
		cmocka_unit_test(twisting_a_hand_leaves_its_wrist_in_place),
		cmocka_unit_test(axes_of_trunk_legs_and_feet_are_those_of_the_t_pose),
		cmocka_unit_test(a_missing_palm_follows_the_tracked_metacarpal),
		cmocka_unit_test(a_palm_at_the_centre_of_the_metacarpal_gives_its_wrist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
