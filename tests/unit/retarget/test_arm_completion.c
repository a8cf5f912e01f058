/* Arms from the places of head and hands, against forward kinematics and the law of cosines of
 * this file's own. */
#include <math.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast_private/arm_completion.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define FRAME  (SECOND / 60)
#define SIZE   1.1f /* of the person */

static const struct jc_vec3 origin = { 2.0f, 0.3f, -1.0f }; /* of the person's space */

static const enum jc_bone arms[2][JC_ARM_BONES] = {
	{ JC_BONE_LEFT_SHOULDER, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM,
		JC_BONE_LEFT_HAND },
	{ JC_BONE_RIGHT_SHOULDER, JC_BONE_RIGHT_UPPER_ARM, JC_BONE_RIGHT_LOWER_ARM,
		JC_BONE_RIGHT_HAND },
};

static uint32_t random_state = 7;

static float random_between(float low, float high)
{
	random_state = random_state * 1664525u + 1013904223u;
	return low + (high - low) * (float)(random_state >> 8) / 16777216.0f;
}

/* The built-in figure in a pose. */
struct figure {
	struct jc_vec3 positions[JC_BONE_COUNT];
	struct jc_quat turned[JC_BONE_COUNT];
};

static struct figure stand(const struct jc_pose *pose)
{
	struct figure figure;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone above = jc_bone_parent((enum jc_bone)b);
		struct jc_quat own =
			pose->states[b] == JC_ABSENT ? JC_QUAT_IDENTITY : pose->rotations[b];

		if (above == JC_BONE_NONE) {
			figure.turned[b] = own;
			figure.positions[b] = jc_vec3_add(jc_bone_rest_position((enum jc_bone)b),
				jc_vec3_scale(pose->hips_translation, 0.945f));
			continue;
		}
		figure.turned[b] = jc_quat_multiply(figure.turned[above], own);
		figure.positions[b] = jc_vec3_add(figure.positions[above],
			jc_quat_rotate(figure.turned[above],
				jc_vec3_subtract(jc_bone_rest_position((enum jc_bone)b),
					jc_bone_rest_position(above))));
	}
	return figure;
}

static struct jc_quat turn(float x, float y, float z, float radians)
{
	return jc_quat_from_axis_angle(jc_vec3_normalize((struct jc_vec3){ x, y, z }), radians);
}

/* A body with trunk, head and legs that bend and turn, without arms. */
static struct jc_pose make_pose(void)
{
	struct jc_pose pose;

	jc_pose_init(&pose);
	for (int b = 0; b < JC_SECTION_BODY_COUNT; b++) {
		bool arm = b >= JC_BONE_LEFT_SHOULDER && b <= JC_BONE_RIGHT_HAND;

		pose.states[b] = arm ? JC_ABSENT : JC_TRACKED;
		if (!arm && b != JC_BONE_HIPS) {
			pose.rotations[b] = turn(random_between(-1.0f, 1.0f),
				random_between(-1.0f, 1.0f), 0.3f, random_between(0.0f, 0.3f));
		}
	}
	pose.rotations[JC_BONE_HIPS] = turn(0.1f, 1.0f, 0.0f, random_between(-3.0f, 3.0f));
	pose.hips_translation = (struct jc_vec3){ 0.4f, -0.1f, 0.2f };
	return pose;
}

static struct jc_vec3 to_person(struct jc_vec3 of_figure)
{
	return jc_vec3_add(origin, jc_vec3_scale(of_figure, SIZE));
}

/* The places of the person in that pose, without hands. */
static struct jc_reach make_reach(const struct jc_pose *pose)
{
	struct figure figure = stand(pose);

	return (struct jc_reach){
		.anchor = JC_BONE_NECK,
		.place = to_person(figure.positions[JC_BONE_NECK]),
		.has_hips = true,
		.hips = to_person(jc_vec3_lerp(figure.positions[JC_BONE_LEFT_UPPER_LEG],
			figure.positions[JC_BONE_RIGHT_UPPER_LEG], 0.5f)),
	};
}

/* A wrist at a place relative to the joint of its upper arm at rest, in the axes of the chest. */
static void hold(struct jc_reach *reach, const struct jc_pose *pose, int side, struct jc_vec3 way)
{
	struct figure figure = stand(pose);
	struct jc_quat chest = figure.turned[JC_BONE_UPPER_CHEST];

	reach->hands[side] = (struct jc_reach_hand){
		.is_known = true,
		.wrist = to_person(
			jc_vec3_add(figure.positions[arms[side][1]], jc_quat_rotate(chest, way))),
		.turned = jc_quat_multiply(chest, turn(0.2f, 0.4f, 1.0f, 0.5f)),
	};
}

static float apart(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_length(jc_vec3_subtract(a, b));
}

static uint64_t lacking_of(const struct jc_pose *pose)
{
	uint64_t lacking = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		lacking |= (uint64_t)(pose->states[b] == JC_ABSENT) << b;
	}
	return lacking;
}

/* The arm ends at the wrist with the hand as it is, and the elbow bends as far as the triangle of
 * upper arm, lower arm and their distance says. */
static void expect_arm(const struct jc_pose *pose, const struct jc_reach *reach, int side)
{
	const struct jc_reach_hand *hand = &reach->hands[side];
	struct figure figure = stand(pose);
	struct jc_vec3 wanted = jc_vec3_scale(jc_vec3_subtract(hand->wrist, origin), 1.0f / SIZE);
	float upper = 0.28f, lower = 0.25f; /* lengths of the built-in figure */
	float way = apart(figure.positions[arms[side][1]], wanted);
	float bend = acosf(
		fminf((way * way - upper * upper - lower * lower) / (2.0f * upper * lower), 1.0f));
	struct jc_vec3 first =
		jc_vec3_subtract(figure.positions[arms[side][2]], figure.positions[arms[side][1]]);
	struct jc_vec3 second =
		jc_vec3_subtract(figure.positions[arms[side][3]], figure.positions[arms[side][2]]);

	assert_true(apart(figure.positions[arms[side][3]], wanted) < 1e-3f);
	assert_true(jc_quat_angle(figure.turned[arms[side][3]], hand->turned) < 1e-3f);
	assert_true(fabsf(jc_vec3_angle(first, second) - bend) < 0.02f);
	assert_int_equal(pose->states[arms[side][3]], JC_TRACKED);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pose->states[arms[side][i]], JC_ESTIMATED);
	}
}

static void wrists_reach_the_hands_and_other_bones_stay_exact(void **)
{
	for (int round = 0; round < 200; round++) {
		struct jc_arm_completion completion;
		struct jc_pose pose = make_pose();
		struct jc_reach reach = make_reach(&pose);

		jc_arm_completion_init(&completion);
		for (int side = 0; side < 2; side++) {
			float out = side == 0 ? 1.0f : -1.0f;

			hold(&reach, &pose, side,
				(struct jc_vec3){ out * random_between(-0.1f, 0.25f),
					random_between(-0.3f, 0.3f), random_between(0.15f, 0.3f) });
		}
		struct jc_pose whole = pose;

		assert_true(jc_arm_completion_apply(
			&completion, &reach, lacking_of(&pose), SECOND, &whole));
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			if (pose.states[b] != JC_ABSENT) {
				assert_memory_equal(&whole.rotations[b], &pose.rotations[b],
					sizeof(pose.rotations[b]));
			}
		}
		assert_memory_equal(&whole.hips_translation, &pose.hips_translation,
			sizeof(pose.hips_translation));
		expect_arm(&whole, &reach, 0);
		expect_arm(&whole, &reach, 1);
	}
}

static void raises_the_left_arm_of_a_raised_left_hand(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose pose = make_pose();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = JC_QUAT_IDENTITY;
	}
	struct jc_reach reach = make_reach(&pose);

	hold(&reach, &pose, 0, (struct jc_vec3){ 0.05f, 0.45f, 0.1f });
	jc_arm_completion_init(&completion);
	assert_true(jc_arm_completion_apply(&completion, &reach, lacking_of(&pose), SECOND, &pose));
	struct figure figure = stand(&pose);

	expect_arm(&pose, &reach, 0);
	assert_true(
		figure.positions[JC_BONE_LEFT_HAND].y > figure.positions[JC_BONE_HEAD].y + 0.1f);
	assert_true(figure.positions[JC_BONE_LEFT_HAND].x > 0.1f);
	assert_int_equal(pose.states[JC_BONE_RIGHT_UPPER_ARM], JC_ABSENT);
}

static void elbow_of_a_hand_in_front_is_below_the_line(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose pose = make_pose();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = JC_QUAT_IDENTITY;
	}
	struct jc_reach reach = make_reach(&pose);

	hold(&reach, &pose, 1, (struct jc_vec3){ 0.0f, -0.1f, 0.35f });
	reach.hands[1].turned = turn(0.0f, 1.0f, 0.0f, 1.57f); /* fingers to the front */
	jc_arm_completion_init(&completion);
	assert_true(jc_arm_completion_apply(&completion, &reach, lacking_of(&pose), SECOND, &pose));
	struct figure figure = stand(&pose);
	struct jc_vec3 middle = jc_vec3_lerp(figure.positions[JC_BONE_RIGHT_UPPER_ARM],
		figure.positions[JC_BONE_RIGHT_HAND], 0.5f);

	assert_true(figure.positions[JC_BONE_RIGHT_LOWER_ARM].y < middle.y - 0.05f);
}

static void only_arms_without_any_bone_but_the_shoulder_are_completed(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose pose = make_pose();
	struct jc_reach reach = make_reach(&pose);

	jc_arm_completion_init(&completion);
	hold(&reach, &pose, 0, (struct jc_vec3){ 0.0f, 0.0f, 0.4f });
	hold(&reach, &pose, 1, (struct jc_vec3){ 0.0f, 0.0f, 0.4f });
	for (int i = 1; i < JC_ARM_BONES; i++) {
		pose.states[arms[0][i]] = JC_TRACKED;
		pose.rotations[arms[0][i]] = turn(1.0f, 0.0f, 0.0f, 0.4f);
	}
	struct jc_pose whole = pose;

	assert_true(
		jc_arm_completion_apply(&completion, &reach, lacking_of(&pose), SECOND, &whole));
	assert_int_equal(whole.states[JC_BONE_LEFT_SHOULDER], JC_ABSENT);
	for (int i = 1; i < JC_ARM_BONES; i++) {
		assert_memory_equal(&whole.rotations[arms[0][i]], &pose.rotations[arms[0][i]],
			sizeof(struct jc_quat));
	}
	expect_arm(&whole, &reach, 1);

	reach.hands[1].is_known = false;
	whole = pose;
	assert_false(jc_arm_completion_apply(
		&completion, &reach, lacking_of(&pose), SECOND + FRAME, &whole));
	assert_int_equal(whole.states[JC_BONE_RIGHT_HAND], JC_ABSENT);
}

static void size_follows_from_the_height_without_hips(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose pose = make_pose();

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		pose.rotations[b] = JC_QUAT_IDENTITY;
	}
	pose.hips_translation.y = 0.0f;
	struct jc_reach reach = make_reach(&pose);
	float floor = origin.y;

	hold(&reach, &pose, 0, (struct jc_vec3){ 0.1f, -0.2f, 0.3f });
	reach.has_hips = false;
	reach.anchor = JC_BONE_HEAD;
	reach.place = to_person(stand(&pose).positions[JC_BONE_HEAD]);
	reach.place.y -= floor; /* the floor is at 0 */
	reach.hands[0].wrist.y -= floor;
	jc_arm_completion_init(&completion);
	assert_true(jc_arm_completion_apply(&completion, &reach, lacking_of(&pose), SECOND, &pose));
	reach.hands[0].wrist.y += floor;
	expect_arm(&pose, &reach, 0);
}

/* An origin at the eyes, of a seated person or of a space without a floor, and one far below. */
static void size_is_unknown_without_a_floor(void **)
{
	static const float heights[] = { 0.0f, -0.1f, 0.4f, 5.0f };

	for (int i = 0; i < 8; i++) {
		struct jc_arm_completion completion;
		struct jc_pose pose = make_pose();

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			pose.rotations[b] = JC_QUAT_IDENTITY;
		}
		struct figure before = stand(&pose);
		struct jc_vec3 head = before.positions[JC_BONE_HEAD];
		struct jc_vec3 wrist = jc_vec3_add(before.positions[JC_BONE_LEFT_UPPER_ARM],
			(struct jc_vec3){ 0.05f, -0.1f, 0.35f });
		float size = i < 4 ? 1.0f : SIZE;
		struct jc_reach reach = { .anchor = JC_BONE_HEAD,
			.place = { 0.0f, heights[i % 4], 0.0f } };

		reach.hands[0] = (struct jc_reach_hand){ .is_known = true,
			.wrist = jc_vec3_add(
				reach.place, jc_vec3_scale(jc_vec3_subtract(wrist, head), size)),
			.turned = JC_QUAT_IDENTITY };
		jc_arm_completion_init(&completion);
		completion.size = i < 4 ? 0.0f : SIZE;
		for (int frame = 0; frame < 120; frame++) {
			struct jc_pose whole = pose;

			jc_arm_completion_apply(&completion, &reach, lacking_of(&pose),
				SECOND + frame * FRAME, &whole);
			assert_true(
				apart(stand(&whole).positions[JC_BONE_LEFT_HAND], wrist) < 1e-3f);
		}
	}
}

static void stretches_an_arm_towards_a_hand_out_of_reach(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose pose = make_pose();
	struct jc_reach reach = make_reach(&pose);

	hold(&reach, &pose, 0, (struct jc_vec3){ 0.0f, 0.0f, 2.0f });
	jc_arm_completion_init(&completion);
	assert_true(jc_arm_completion_apply(&completion, &reach, lacking_of(&pose), SECOND, &pose));
	struct figure figure = stand(&pose);
	struct jc_vec3 wanted =
		jc_vec3_scale(jc_vec3_subtract(reach.hands[0].wrist, origin), 1.0f / SIZE);
	struct jc_vec3 shoulder = figure.positions[JC_BONE_LEFT_UPPER_ARM];

	assert_true(jc_vec3_angle(jc_vec3_subtract(figure.positions[JC_BONE_LEFT_HAND], shoulder),
			    jc_vec3_subtract(wanted, shoulder)) < 0.02f);
	assert_true(apart(shoulder, figure.positions[JC_BONE_LEFT_HAND]) > 0.52f);
}

static void changes_between_sent_and_completed_arms_without_a_jump(void **)
{
	struct jc_arm_completion completion;
	struct jc_pose sent = make_pose();
	struct jc_reach reach = make_reach(&sent);
	const uint64_t silent = UINT64_C(15) << JC_BONE_LEFT_SHOULDER;
	struct jc_quat before;

	assert_int_equal(JC_BONE_LEFT_HAND - JC_BONE_LEFT_SHOULDER, 3);
	hold(&reach, &sent, 0, (struct jc_vec3){ 0.1f, 0.1f, 0.3f });
	for (int i = 0; i < JC_ARM_BONES; i++) {
		sent.states[arms[0][i]] = JC_TRACKED;
	}
	before = sent.rotations[JC_BONE_LEFT_UPPER_ARM];
	jc_arm_completion_init(&completion);
	for (int frame = 0; frame < 180; frame++) {
		bool is_silent = frame >= 60 && frame < 120;
		struct jc_pose pose = sent;

		assert_int_equal(jc_arm_completion_apply(&completion, &reach,
					 is_silent ? silent : 0, SECOND + frame * FRAME, &pose),
			is_silent);
		struct jc_quat now = pose.rotations[JC_BONE_LEFT_UPPER_ARM];

		assert_true(jc_quat_angle(before, now) < 0.3f);
		before = now;
		if (frame < 60 || frame >= 140) {
			assert_memory_equal(
				&now, &sent.rotations[JC_BONE_LEFT_UPPER_ARM], sizeof(now));
		} else if (frame >= 80 && frame < 120) {
			expect_arm(&pose, &reach, 0);
		}
	}
}

/* Places that no person has: far away, in one point, below the floor, and a wrist in its shoulder
 * or on its axis. */
static void impossible_places_give_finite_rotations(void **)
{
	static const struct jc_vec3 places[] = { { 1.0e6f, -1.0e6f, 1.0e6f }, { 0.0f, 0.0f, 0.0f },
		{ 0.0f, -5.0f, 0.0f }, { 1.0e-30f, 0.0f, 0.0f }, { 0.175f, 1.42f, -0.005f },
		{ 0.0f, 1.42f, -0.005f }, { 0.0f, 1.47f, -0.01f } };
	const int count = sizeof(places) / sizeof(places[0]);
	struct jc_arm_completion completion;

	jc_arm_completion_init(&completion);
	for (int i = 0; i < count * count * count; i++) {
		struct jc_pose pose = make_pose();
		struct jc_reach reach = { .anchor = i % 2 ? JC_BONE_NECK : JC_BONE_HEAD,
			.place = places[i % count],
			.has_hips = i % 3 == 0,
			.hips = places[i / count % count] };

		for (int side = 0; side < 2; side++) {
			reach.hands[side] = (struct jc_reach_hand){ .is_known = true,
				.wrist = places[i / count / count],
				.turned = JC_QUAT_IDENTITY };
		}
		jc_arm_completion_apply(
			&completion, &reach, lacking_of(&pose), SECOND + i * FRAME, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			struct jc_quat q = pose.rotations[b];

			assert_true(jc_quat_is_finite(q));
			assert_true(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) <
				    1e-3f);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrists_reach_the_hands_and_other_bones_stay_exact),
		cmocka_unit_test(raises_the_left_arm_of_a_raised_left_hand),
		cmocka_unit_test(elbow_of_a_hand_in_front_is_below_the_line),
		cmocka_unit_test(only_arms_without_any_bone_but_the_shoulder_are_completed),
		cmocka_unit_test(size_follows_from_the_height_without_hips),
		cmocka_unit_test(size_is_unknown_without_a_floor),
		cmocka_unit_test(stretches_an_arm_towards_a_hand_out_of_reach),
		cmocka_unit_test(impossible_places_give_finite_rotations),
		cmocka_unit_test(changes_between_sent_and_completed_arms_without_a_jump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
