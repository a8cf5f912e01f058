/* The demo motions look human and loop: no jumps, planted feet, joints that bend in human
 * directions, and each motion does what its name promises. */
#include <math.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "unit_test.h"

#define RADIANS(degrees) ((degrees)*0.01745329252f)
#define STEP             (1.0 / 480.0) /* interval for velocities */
#define SCAN             (1.0 / 120.0)

/* The built-in figure in a pose. */
struct body {
	struct jc_pose pose;
	struct jc_quat rotations[JC_BONE_COUNT]; /* world */
	struct jc_vec3 positions[JC_BONE_COUNT];
};

static struct jc_motion *demo(const char *name)
{
	struct jc_motion *motion = NULL;

	assert_int_equal(jc_motion_create_demo(name, &motion, NULL), JC_OK);
	return motion;
}

static struct body body_at(const struct jc_motion *motion, double t)
{
	struct body body;

	jc_motion_pose(motion, t, &body.pose);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct jc_vec3 rest = jc_bone_rest_position((enum jc_bone)bone);

		body.rotations[bone] = body.pose.rotations[bone];
		if (parent == JC_BONE_NONE) {
			/* Hips at 0.96 m over the floor, toes at 0.015 m. */
			body.positions[bone] = jc_vec3_add(
				rest, jc_vec3_scale(body.pose.hips_translation, 0.945f));
			continue;
		}
		body.positions[bone] = jc_vec3_add(body.positions[parent],
			jc_quat_rotate(body.rotations[parent],
				jc_vec3_subtract(rest, jc_bone_rest_position(parent))));
		body.rotations[bone] =
			jc_quat_multiply(body.rotations[parent], body.rotations[bone]);
	}
	return body;
}

static struct jc_vec3 direction(
	const struct body *body, enum jc_bone bone, float x, float y, float z)
{
	return jc_quat_rotate(body->rotations[bone], (struct jc_vec3){ x, y, z });
}

/* The points of the sole that touch the floor: heel, ball, tip of the toes. */
static void sole(const struct body *body, enum jc_bone foot, struct jc_vec3 out_points[3])
{
	enum jc_bone toes = (enum jc_bone)(foot + 1);

	out_points[0] =
		jc_vec3_add(body->positions[foot], direction(body, foot, 0.0f, -0.08f, -0.045f));
	out_points[1] =
		jc_vec3_add(body->positions[toes], direction(body, toes, 0.0f, -0.015f, 0.0f));
	out_points[2] =
		jc_vec3_add(body->positions[toes], direction(body, toes, 0.0f, -0.015f, 0.07f));
}

static float distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_length(jc_vec3_subtract(a, b));
}

typedef void check(const char *name, const struct jc_motion *motion);

static void for_each_demo(check *function)
{
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		struct jc_motion *motion = demo(*name);

		function(*name, motion);
		jc_motion_destroy(motion);
	}
}

static void check_info(const char *name, const struct jc_motion *motion)
{
	const struct jc_motion_info *info = jc_motion_info(motion);

	assert_int_equal(info->kind, JC_MOTION_POSES);
	assert_string_equal(info->format, "demo");
	assert_string_equal(info->name, name);
	assert_true(info->duration >= 8.0 && info->duration <= 12.0);
	assert_true(info->fps == 60.0);
	assert_int_equal(info->frame_count, (size_t)(info->duration * 60.0 + 1.5));
	assert_float_equal(info->hips_height, 0.945f, 1e-6f);
	assert_int_equal(info->bone_mask, 0x7fffffffffffff & ~(1ull << JC_BONE_JAW));
	assert_true(info->seat_height == (strcmp(name, "sit") == 0 ? 0.45f : 0.0f));
}

static void info_describes_each_motion(void **)
{
	for_each_demo(check_info);
}

static void rejects_unknown_name_listing_known_names(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion = NULL;

	assert_int_equal(jc_motion_create_demo("moonwalk", &motion, &diagnostic), JC_ERROR_INVALID);
	assert_null(motion);
	for (const char *const *name = jc_motion_demo_names(); *name; name++) {
		assert_non_null(strstr(diagnostic.what, *name));
	}
}

static void check_values(const char *name, const struct jc_motion *motion)
{
	static const double odd[] = { -1.0, -1e300, 1e300, (double)NAN, (double)INFINITY,
		-(double)INFINITY, 1e-320 };
	double duration = jc_motion_info(motion)->duration;
	struct jc_pose pose;

	for (int i = 0; i < 2000; i++) {
		double t = i < 7 ? odd[i] : duration * (double)(i - 7) / 1992.0;

		jc_motion_pose(motion, t, &pose);
		assert_true(jc_vec3_is_finite(pose.hips_translation));
		for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
			struct jc_quat q = pose.rotations[bone];
			float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);

			if (!(fabsf(length - 1.0f) < 1e-5f)) {
				fail_msg("%s, %g s: '%s' has length %g", name, t,
					jc_bone_name((enum jc_bone)bone), (double)length);
			}
			assert_int_equal(
				pose.states[bone], bone == JC_BONE_JAW ? JC_ABSENT : JC_TRACKED);
		}
	}
}

static void rotations_have_unit_length_at_every_time(void **)
{
	for_each_demo(check_values);
}

/* Velocity jump of any joint between two intervals, from `before` to `at` and from `at`
 * to `after`. */
static void check_same_velocity(const char *name, double t, const struct body *before,
	const struct body *at, const struct body *from, const struct body *after, float most)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_vec3 in = jc_vec3_subtract(at->positions[bone], before->positions[bone]);
		struct jc_vec3 out =
			jc_vec3_subtract(after->positions[bone], from->positions[bone]);
		double jump = (double)distance(in, out) / STEP;

		if (!(jump < (double)most)) {
			fail_msg("%s, %g s: '%s' jumps by %g m/s", name, t,
				jc_bone_name((enum jc_bone)bone), jump);
		}
	}
}

static void check_loop(const char *name, const struct jc_motion *motion)
{
	double duration = jc_motion_info(motion)->duration;
	struct body first = body_at(motion, 0.0);
	struct body second = body_at(motion, STEP);
	struct body last = body_at(motion, duration);
	struct body last_but_one = body_at(motion, duration - STEP);
	struct body before = first;
	struct body now = second;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		assert_true(distance(first.positions[bone], last.positions[bone]) < 1e-5f);
		assert_true(jc_quat_angle(first.rotations[bone], last.rotations[bone]) < 1e-4f);
	}
	check_same_velocity(name, duration, &last_but_one, &last, &first, &second, 0.08f);
	/* No jump elsewhere either: at most 200 m/s^2, and that only in a landing foot. */
	for (double t = STEP; t < duration - STEP; t += STEP) {
		struct body after = body_at(motion, t + STEP);

		check_same_velocity(name, t, &before, &now, &now, &after, 200.0f * (float)STEP);
		before = now;
		now = after;
	}
}

static void loops_without_a_jump_in_position_or_velocity(void **)
{
	for_each_demo(check_loop);
}

static void check_floor(const char *name, const struct jc_motion *motion)
{
	double duration = jc_motion_info(motion)->duration;

	for (double t = 0.0; t <= duration; t += SCAN) {
		struct body body = body_at(motion, t);
		struct jc_vec3 points[2][3];
		float lowest = 1.0f;

		sole(&body, JC_BONE_LEFT_FOOT, points[0]);
		sole(&body, JC_BONE_RIGHT_FOOT, points[1]);
		for (int i = 0; i < 6; i++) {
			lowest = fminf(lowest, points[i / 3][i % 3].y);
		}
		/* At least one foot is always down, none is below the floor. */
		if (!(lowest > -1e-3f && lowest < 1e-3f)) {
			fail_msg("%s, %g s: the lowest sole is at %g m", name, t, (double)lowest);
		}
	}
}

static void lowest_foot_is_on_the_floor(void **)
{
	for_each_demo(check_floor);
}

/* Each foot carries for 0.6 of a stride from its heel strike, the left at whole strides,
 * the right half a stride later; there are eight. */
static void walking_feet_do_not_slide_during_stance(void **)
{
	static const enum jc_bone feet[2] = { JC_BONE_LEFT_FOOT, JC_BONE_RIGHT_FOOT };
	struct jc_motion *motion = demo("walk");
	double duration = jc_motion_info(motion)->duration;

	for (double t = STEP; t < duration; t += STEP) {
		struct body now = body_at(motion, t);
		struct body before = body_at(motion, t - STEP);

		for (int side = 0; side < 2; side++) {
			double phase = fmod(t / duration * 8.0 + 0.5 * side, 1.0);
			struct jc_vec3 a[3], b[3];
			float slowest = 1.0f;

			if (phase < 0.01 || phase > 0.6) {
				continue;
			}
			sole(&before, feet[side], a);
			sole(&now, feet[side], b);
			for (int i = 0; i < 3; i++) {
				if (b[i].y < 1e-3f) {
					slowest =
						fminf(slowest, distance(a[i], b[i]) / (float)STEP);
				}
			}
			if (!(slowest < 0.01f)) {
				fail_msg(
					"%g s, foot %d slides at %g m/s", t, side, (double)slowest);
			}
		}
	}
	jc_motion_destroy(motion);
}

static void check_standing_feet(const char *name, const struct jc_motion *motion)
{
	struct body first = body_at(motion, 0.0);
	double duration = jc_motion_info(motion)->duration;

	if (strcmp(name, "walk") == 0) {
		return;
	}
	for (double t = 0.0; t < duration; t += SCAN) {
		struct body body = body_at(motion, t);

		for (int bone = JC_BONE_LEFT_FOOT; bone <= JC_BONE_RIGHT_TOES; bone++) {
			if (jc_bone_parent((enum jc_bone)bone) == JC_BONE_HIPS ||
				bone == JC_BONE_RIGHT_LOWER_LEG) {
				continue;
			}
			assert_true(distance(body.positions[bone], first.positions[bone]) < 1e-4f);
		}
	}
}

static void standing_feet_do_not_move(void **)
{
	for_each_demo(check_standing_feet);
}

/* The knee turns about X only, shin backwards; the forearm swings about the vertical of
 * the T-pose only, to the front, before it rolls. */
static void check_hinges(const char *name, const struct jc_motion *motion)
{
	double duration = jc_motion_info(motion)->duration;

	for (double t = 0.0; t <= duration; t += SCAN) {
		struct body body = body_at(motion, t);

		for (int side = 0; side < 2; side++) {
			struct jc_quat knee =
				body.pose.rotations[JC_BONE_LEFT_LOWER_LEG + 4 * side];
			float sign = side == 0 ? 1.0f : -1.0f;
			struct jc_vec3 forearm = jc_quat_rotate(
				body.pose.rotations[JC_BONE_LEFT_LOWER_ARM + 4 * side],
				(struct jc_vec3){ sign, 0.0f, 0.0f });
			float bend = 2.0f * atan2f(knee.x, knee.w);
			float elbow = atan2f(forearm.z, sign * forearm.x);

			if (!(fabsf(knee.y) < 1e-3f && fabsf(knee.z) < 1e-3f &&
				    bend > RADIANS(-0.1f) && bend < RADIANS(120.0f))) {
				fail_msg("%s, %g s: knee %d bends by %g degrees", name, t, side,
					(double)(bend / RADIANS(1.0f)));
			}
			if (!(fabsf(forearm.y) < 1e-3f && elbow > RADIANS(3.0f) &&
				    elbow < RADIANS(145.0f))) {
				fail_msg("%s, %g s: elbow %d bends by %g degrees", name, t, side,
					(double)(elbow / RADIANS(1.0f)));
			}
		}
	}
}

static void knees_and_elbows_bend_only_in_the_human_direction(void **)
{
	for_each_demo(check_hinges);
}

/* Largest rotation of a bone relative to its parent in degrees: the human range of
 * movement with a margin. */
static void check_ranges(const char *name, const struct jc_motion *motion)
{
	static const struct {
		enum jc_bone bone;
		float most;
	} ranges[] = {
		{ JC_BONE_SPINE, 25.0f },
		{ JC_BONE_CHEST, 25.0f },
		{ JC_BONE_UPPER_CHEST, 25.0f },
		{ JC_BONE_NECK, 45.0f },
		{ JC_BONE_HEAD, 45.0f },
		{ JC_BONE_LEFT_SHOULDER, 20.0f },
		{ JC_BONE_RIGHT_SHOULDER, 20.0f },
		{ JC_BONE_LEFT_HAND, 75.0f },
		{ JC_BONE_RIGHT_HAND, 75.0f },
		{ JC_BONE_LEFT_UPPER_LEG, 115.0f },
		{ JC_BONE_RIGHT_UPPER_LEG, 115.0f },
		{ JC_BONE_LEFT_FOOT, 45.0f },
		{ JC_BONE_RIGHT_FOOT, 45.0f },
		{ JC_BONE_LEFT_TOES, 65.0f },
		{ JC_BONE_RIGHT_TOES, 65.0f },
		{ JC_BONE_LEFT_EYE, 35.0f },
		{ JC_BONE_RIGHT_EYE, 35.0f },
	};
	double duration = jc_motion_info(motion)->duration;

	for (double t = 0.0; t <= duration; t += 1.0 / 60.0) {
		struct body body = body_at(motion, t);

		for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
			float angle = jc_quat_angle(
				body.pose.rotations[ranges[i].bone], JC_QUAT_IDENTITY);

			if (!(angle < RADIANS(ranges[i].most))) {
				fail_msg("%s, %g s: '%s' is turned by %g degrees", name, t,
					jc_bone_name(ranges[i].bone),
					(double)(angle / RADIANS(1.0f)));
			}
		}
	}
}

static void joints_stay_within_human_ranges(void **)
{
	for_each_demo(check_ranges);
}

static void check_sides(const char *name, const struct jc_motion *motion)
{
	double duration = jc_motion_info(motion)->duration;

	for (double t = 0.0; t <= duration; t += 1.0 / 60.0) {
		struct body body = body_at(motion, t);
		struct jc_vec3 left = direction(&body, JC_BONE_HIPS, 1.0f, 0.0f, 0.0f);
		struct jc_vec3 feet = jc_vec3_subtract(
			body.positions[JC_BONE_LEFT_FOOT], body.positions[JC_BONE_RIGHT_FOOT]);
		struct jc_vec3 hands = jc_vec3_subtract(
			body.positions[JC_BONE_LEFT_HAND], body.positions[JC_BONE_RIGHT_HAND]);

		if (!(jc_vec3_dot(feet, left) > 0.03f && jc_vec3_dot(hands, left) > 0.15f)) {
			fail_msg("%s, %g s: left is not on the left", name, t);
		}
	}
}

static void left_limbs_are_on_the_left(void **)
{
	for_each_demo(check_sides);
}

static void walk_follows_its_circle_facing_ahead(void **)
{
	struct jc_motion *motion = demo("walk");
	double duration = jc_motion_info(motion)->duration;
	float way = 0.0f;

	for (double t = STEP; t <= duration; t += STEP) {
		struct body body = body_at(motion, t);
		struct body before = body_at(motion, t - STEP);
		struct jc_vec3 hips = body.positions[JC_BONE_HIPS];
		struct jc_vec3 moved = jc_vec3_subtract(hips, before.positions[JC_BONE_HIPS]);
		struct jc_vec3 ahead, front, face;
		float radius = hypotf(hips.x, hips.z);

		moved.y = 0.0f;
		way += jc_vec3_length(moved);
		ahead = jc_vec3_normalize(moved);
		front = direction(&body, JC_BONE_HIPS, 0.0f, 0.0f, 1.0f);
		face = direction(&body, JC_BONE_HEAD, 0.0f, 0.0f, 1.0f);
		assert_true(fabsf(radius - JC_DEMO_WALK_RADIUS) < 0.1f);
		assert_true(jc_vec3_dot(ahead, front) > cosf(RADIANS(15.0f)));
		assert_true(jc_vec3_dot(ahead, face) > cosf(RADIANS(30.0f)));
		/* The head stays level. */
		assert_true(
			direction(&body, JC_BONE_HEAD, 0.0f, 1.0f, 0.0f).y > cosf(RADIANS(5.0f)));
		assert_true(body.positions[JC_BONE_HEAD].y > 1.48f &&
			    body.positions[JC_BONE_HEAD].y < 1.56f);
	}
	assert_true(fabs((double)way / duration - 1.2) < 0.1);
	jc_motion_destroy(motion);
}

static void walking_arms_swing_opposite_to_their_legs(void **)
{
	struct jc_motion *motion = demo("walk");
	double stride = jc_motion_info(motion)->duration / 8.0;

	for (int i = 0; i < 8; i++) {
		struct body body = body_at(motion, stride * i); /* left heel strike */
		struct jc_vec3 front = direction(&body, JC_BONE_HIPS, 0.0f, 0.0f, 1.0f);
		struct jc_vec3 feet = jc_vec3_subtract(
			body.positions[JC_BONE_LEFT_FOOT], body.positions[JC_BONE_RIGHT_FOOT]);
		struct jc_vec3 hands = jc_vec3_subtract(
			body.positions[JC_BONE_LEFT_HAND], body.positions[JC_BONE_RIGHT_HAND]);

		assert_true(jc_vec3_dot(feet, front) > 0.4f);
		assert_true(jc_vec3_dot(hands, front) < -0.25f);
	}
	jc_motion_destroy(motion);
}

static void hanging_palms_face_the_thighs(void **)
{
	struct jc_motion *motion = demo("idle");

	for (double t = 0.0; t < 12.0; t += 0.25) {
		struct body body = body_at(motion, t);

		/* In the T-pose the palm is the lower side. */
		assert_true(direction(&body, JC_BONE_LEFT_HAND, 0, -1, 0).x < -0.75f);
		assert_true(direction(&body, JC_BONE_RIGHT_HAND, 0, -1, 0).x > 0.75f);
		assert_true(body.positions[JC_BONE_LEFT_HAND].y < 0.95f);
	}
	jc_motion_destroy(motion);
}

static void waving_palm_faces_the_front_above_the_shoulder(void **)
{
	struct jc_motion *motion = demo("wave");
	float least = 1.0f, most = -1.0f;

	for (double t = 1.8; t < 3.5; t += STEP) {
		struct body body = body_at(motion, t);
		struct jc_vec3 hand = body.positions[JC_BONE_RIGHT_HAND];
		float sideways = hand.x - body.positions[JC_BONE_RIGHT_LOWER_ARM].x;

		assert_true(direction(&body, JC_BONE_RIGHT_HAND, 0, -1, 0).z > 0.8f);
		assert_true(direction(&body, JC_BONE_RIGHT_HAND, -1, 0, 0).y > 0.6f);
		assert_true(hand.y > body.positions[JC_BONE_RIGHT_UPPER_ARM].y + 0.1f);
		least = fminf(least, sideways);
		most = fmaxf(most, sideways);
	}
	assert_true(most - least > 0.1f);
	jc_motion_destroy(motion);
}

/* A finger is up if its last bone has the direction of the hand. */
static int count_fingers(const struct body *body)
{
	int count = 0;

	for (int tip = JC_BONE_LEFT_INDEX_DISTAL; tip <= JC_BONE_LEFT_LITTLE_DISTAL; tip += 3) {
		count += jc_vec3_dot(direction(body, (enum jc_bone)tip, 1, 0, 0),
				 direction(body, JC_BONE_LEFT_HAND, 1, 0, 0)) > 0.9f;
	}
	/* The thumb: its own two joints are straight. */
	count += jc_quat_angle(body->pose.rotations[JC_BONE_LEFT_THUMB_DISTAL], JC_QUAT_IDENTITY) <
		 RADIANS(10.0f);
	return count;
}

static void left_hand_counts_to_five(void **)
{
	struct jc_motion *motion = demo("wave");

	for (int i = 0; i <= 5; i++) {
		struct body body = body_at(motion, 6.05 + 0.5 * i);

		assert_int_equal(count_fingers(&body), i);
	}
	jc_motion_destroy(motion);
}

/* Distance of a point from the line through two others. */
static float from_line(struct jc_vec3 point, struct jc_vec3 a, struct jc_vec3 b)
{
	struct jc_vec3 line = jc_vec3_normalize(jc_vec3_subtract(b, a));

	return jc_vec3_length(jc_vec3_cross(jc_vec3_subtract(point, a), line));
}

static void sits_on_the_seat_with_hands_on_the_thighs(void **)
{
	struct jc_motion *motion = demo("sit");
	float seat = jc_motion_info(motion)->seat_height;

	for (double t = 3.6; t < 6.2; t += 0.1) {
		struct body body = body_at(motion, t);
		struct jc_vec3 hips = body.positions[JC_BONE_HIPS];
		struct jc_quat knee = body.pose.rotations[JC_BONE_LEFT_LOWER_LEG];

		assert_true(hips.y > seat + 0.08f && hips.y < seat + 0.15f);
		assert_float_equal(hips.z, -JC_DEMO_SEAT_BEHIND, 0.05f);
		assert_float_equal(2.0f * atan2f(knee.x, knee.w), RADIANS(85.0f), RADIANS(12.0f));
		assert_true(from_line(body.positions[JC_BONE_LEFT_MIDDLE_PROXIMAL],
				    body.positions[JC_BONE_LEFT_UPPER_LEG],
				    body.positions[JC_BONE_LEFT_LOWER_LEG]) < 0.12f);
		/* Palms down. */
		assert_true(direction(&body, JC_BONE_LEFT_HAND, 0, -1, 0).y < -0.8f);
		assert_true(direction(&body, JC_BONE_RIGHT_HAND, 0, -1, 0).y < -0.8f);
	}
	assert_true(body_at(motion, 0.0).positions[JC_BONE_HIPS].y > 0.94f);
	assert_true(body_at(motion, 9.5).positions[JC_BONE_HIPS].y > 0.94f);
	jc_motion_destroy(motion);
}

/* The weight is never behind the heels while sitting down and standing up. */
static void trunk_bows_while_sitting_down_and_standing_up(void **)
{
	static const double times[] = { 1.7, 2.0, 7.5, 7.9 };
	struct jc_motion *motion = demo("sit");

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct body body = body_at(motion, times[i]);
		struct jc_vec3 trunk = jc_vec3_subtract(
			body.positions[JC_BONE_NECK], body.positions[JC_BONE_HIPS]);

		assert_true(atan2f(trunk.z, trunk.y) > RADIANS(25.0f));
	}
	jc_motion_destroy(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(info_describes_each_motion),
		cmocka_unit_test(rejects_unknown_name_listing_known_names),
		cmocka_unit_test(rotations_have_unit_length_at_every_time),
		cmocka_unit_test(loops_without_a_jump_in_position_or_velocity),
		cmocka_unit_test(lowest_foot_is_on_the_floor),
		cmocka_unit_test(walking_feet_do_not_slide_during_stance),
		cmocka_unit_test(standing_feet_do_not_move),
		cmocka_unit_test(knees_and_elbows_bend_only_in_the_human_direction),
		cmocka_unit_test(joints_stay_within_human_ranges),
		cmocka_unit_test(left_limbs_are_on_the_left),
		cmocka_unit_test(walk_follows_its_circle_facing_ahead),
		cmocka_unit_test(walking_arms_swing_opposite_to_their_legs),
		cmocka_unit_test(hanging_palms_face_the_thighs),
		cmocka_unit_test(waving_palm_faces_the_front_above_the_shoulder),
		cmocka_unit_test(left_hand_counts_to_five),
		cmocka_unit_test(sits_on_the_seat_with_hands_on_the_thighs),
		cmocka_unit_test(trunk_bows_while_sitting_down_and_standing_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
