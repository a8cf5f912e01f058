/* Estimates shoulders, elbows and wrists. emulation.c states the origin of the constants. */
#include <math.h>

#include "emulation_body.h"
#include "two_bone.h"

#define SHOULDER_SHARE 0.35f  /* share of a raised arm's swing that the shoulder takes */
#define SHOULDER_MOST  0.7f   /* radians */
#define REACH          0.998f /* maximum share of the arm's length, so that elbows never lock */
#define HALVINGS       12
#define ELBOW_OUT      0.35f    /* direction of the elbow to the side, with 0.85 downwards */
#define ELBOW_OUT_HIGH 0.5f     /* the same with a raised hand */
#define ELBOW_BACK     (-0.45f) /* the same to the back */
#define ELBOW_HAND     2.0f     /* weight of the hand's own direction */
#define ELBOW_SPEED    8.0f  /* maximum radians per second about the line from shoulder to wrist */
#define ELBOW_LAG      0.06f /* seconds */

/* The bones of one arm. */
struct arm {
	enum jc_bone shoulder, upper, lower, hand;
	float side; /* 1 left, -1 right */
};

static struct arm arm_of(int side)
{
	return (struct arm){
		.shoulder = jc_emulated_bone(JC_BONE_LEFT_SHOULDER, side),
		.upper = jc_emulated_bone(JC_BONE_LEFT_UPPER_ARM, side),
		.lower = jc_emulated_bone(JC_BONE_LEFT_LOWER_ARM, side),
		.hand = jc_emulated_bone(JC_BONE_LEFT_HAND, side),
		.side = side == 0 ? 1.0f : -1.0f,
	};
}

static float reach_of(const struct jc_emulated *body, const struct arm *arm)
{
	return jc_vec3_length(body->offsets[arm->lower]) + jc_vec3_length(body->offsets[arm->hand]);
}

static struct jc_vec3 shoulder_place(const struct jc_emulated *body, const struct arm *arm)
{
	return jc_vec3_add(body->positions[JC_BONE_UPPER_CHEST],
		jc_quat_rotate(body->turned[JC_BONE_UPPER_CHEST], body->offsets[arm->shoulder]));
}

static struct jc_quat share_swing(struct jc_quat swing, float share, struct jc_quat chest)
{
	return jc_quat_multiply(jc_quat_slerp(JC_QUAT_IDENTITY, swing, share), chest);
}

/* Distance that the arm lacks to reach the wrist with this rotation of the shoulder. */
static float missing_of(const struct jc_emulated *body, const struct arm *arm,
	struct jc_quat turned, struct jc_vec3 target)
{
	struct jc_vec3 place = jc_vec3_add(
		shoulder_place(body, arm), jc_quat_rotate(turned, body->offsets[arm->upper]));

	return jc_vec3_length(jc_vec3_subtract(target, place)) - REACH * reach_of(body, arm);
}

/* Turns the shoulder by a share of the arm's swing, and farther if the arm alone does not reach
 * the wrist. */
static struct jc_quat turn_shoulder(
	const struct jc_emulated *body, const struct arm *arm, struct jc_vec3 target)
{
	struct jc_quat chest = body->turned[JC_BONE_UPPER_CHEST];
	struct jc_vec3 rest = jc_quat_rotate(chest, body->offsets[arm->upper]);
	struct jc_vec3 way = jc_vec3_subtract(target, shoulder_place(body, arm));
	struct jc_quat swing = jc_quat_between(rest, way, jc_quat_rotate(chest, jc_up));
	float angle = fmaxf(jc_vec3_angle(rest, way), 1.0e-3f);
	float raised = jc_vec3_dot(jc_vec3_normalize(way), jc_quat_rotate(chest, jc_up));
	float low = fminf(SHOULDER_SHARE * fmaxf(raised, 0.0f), SHOULDER_MOST / angle);
	float high = fminf(1.0f, SHOULDER_MOST / angle);

	if (missing_of(body, arm, share_swing(swing, low, chest), target) <= 0.0f) {
		return share_swing(swing, low, chest);
	}
	for (int i = 0; i < HALVINGS; i++) {
		float middle = 0.5f * (low + high);

		if (missing_of(body, arm, share_swing(swing, middle, chest), target) > 0.0f) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return share_swing(swing, high, chest);
}

struct jc_vec3 jc_emulated_pull(const struct jc_emulated *body, int side)
{
	struct arm arm = arm_of(side);
	struct jc_vec3 way, place;
	struct jc_quat turned;
	float length, missing;

	if (!body->is_given[arm.hand] || body->is_given[arm.lower] || body->is_given[arm.upper]) {
		return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	turned = turn_shoulder(body, &arm, body->positions[arm.hand]);
	place = jc_vec3_add(
		shoulder_place(body, &arm), jc_quat_rotate(turned, body->offsets[arm.upper]));
	way = jc_vec3_subtract(body->positions[arm.hand], place);
	length = jc_vec3_length(way);
	missing = length - REACH * reach_of(body, &arm);
	return missing > 0.0f ? jc_vec3_scale(way, missing / length)
			      : (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
}

struct jc_vec3 jc_emulated_shoulder(const struct jc_emulated *body, int side)
{
	struct arm arm = arm_of(side);

	return jc_vec3_add(shoulder_place(body, &arm),
		jc_quat_rotate(body->turned[JC_BONE_UPPER_CHEST], body->offsets[arm.upper]));
}

/* Guesses the direction of an elbow relative to the chest from the wrist position, which is that of
 * a left wrist in arm lengths from the shoulder. High hands move elbows to the side. */
static struct jc_vec3 guess_elbow(struct jc_vec3 wrist)
{
	float high = jc_emulated_clamp(wrist.y + 0.5f, 0.0f, 1.0f);

	return (struct jc_vec3){ ELBOW_OUT + ELBOW_OUT_HIGH * high, -0.85f, ELBOW_BACK };
}

/* A hand continues the direction of its forearm, so the elbow is behind a tracked hand. */
static struct jc_vec3 look_behind_hand(const struct jc_emulated *body, const struct arm *arm)
{
	struct jc_vec3 back = jc_quat_rotate(body->turned[arm->hand],
		jc_vec3_scale(body->offsets[arm->hand], ELBOW_HAND / reach_of(body, arm)));

	return body->is_given[arm->hand] ? jc_vec3_scale(back, -1.0f)
					 : (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
}

static struct jc_vec3 find_pole(
	const struct jc_emulated *body, const struct arm *arm, struct jc_vec3 wrist)
{
	struct jc_quat chest = body->turned[JC_BONE_UPPER_CHEST];
	struct jc_vec3 local =
		jc_vec3_scale(jc_quat_rotate(jc_quat_conjugate(chest),
				      jc_vec3_subtract(wrist, body->positions[arm->upper])),
			1.0f / fmaxf(reach_of(body, arm), 1.0e-3f));
	struct jc_vec3 pole;

	local.x *= arm->side;
	pole = guess_elbow(local);
	pole.x *= arm->side;
	pole = jc_vec3_add(jc_quat_rotate(chest, pole), look_behind_hand(body, arm));
	return pole;
}

/* Elbows follow the guess by rotation about the line from shoulder to wrist, with limited speed. If
 * that line is parallel to the guess, the guess is not used. */
static struct jc_vec3 follow_pole(const struct jc_emulation *emulation,
	const struct jc_emulated *body, const struct arm *arm, struct jc_vec3 pole,
	struct jc_vec3 axis)
{
	struct jc_vec3 before = emulation->elbows[arm->side > 0.0f ? 0 : 1];
	struct jc_vec3 now;
	float angle, most = ELBOW_SPEED * body->seconds;

	if (!emulation->has_begun) {
		return pole;
	}
	before = jc_quat_rotate(body->turned[JC_BONE_UPPER_CHEST], before);
	before = jc_vec3_normalize(jc_two_bone_across(before, axis));
	pole = jc_vec3_lerp(before, pole, jc_emulated_follow(body, ELBOW_LAG));
	now = jc_vec3_normalize(jc_two_bone_across(pole, axis));
	angle = jc_vec3_angle(before, now);
	if (angle > most) {
		float sense = jc_vec3_dot(jc_vec3_cross(before, now), axis) < 0.0f ? -1.0f : 1.0f;

		now = jc_quat_rotate(jc_emulated_about(axis, sense * most), before);
	}
	return now;
}

static void bend_arm(struct jc_emulation *emulation, struct jc_emulated *body,
	const struct arm *arm, struct jc_vec3 wrist)
{
	struct jc_vec3 rest_hinge = { 0.0f, -arm->side, 0.0f };
	struct jc_vec3 root = body->positions[arm->upper];
	struct jc_vec3 axis = jc_vec3_normalize(jc_vec3_subtract(wrist, root));
	struct jc_vec3 pole = find_pole(body, arm, wrist);
	struct jc_vec3 middle, hinge;

	pole = follow_pole(emulation, body, arm, pole, axis);
	middle = jc_two_bone_middle(root, wrist, jc_vec3_length(body->offsets[arm->lower]),
		jc_vec3_length(body->offsets[arm->hand]), pole, &pole);
	emulation->elbows[arm->side > 0.0f ? 0 : 1] =
		jc_quat_rotate(jc_quat_conjugate(body->turned[JC_BONE_UPPER_CHEST]), pole);
	hinge = jc_vec3_cross(pole, axis);
	if (!body->is_given[arm->upper]) {
		body->turned[arm->upper] = jc_two_bone_turn(body->offsets[arm->lower], rest_hinge,
			jc_vec3_subtract(middle, root), hinge);
	}
	jc_emulated_find(body, arm->lower, middle,
		jc_two_bone_turn(body->offsets[arm->hand], rest_hinge,
			jc_vec3_subtract(wrist, middle), hinge));
}

/* Rolls an upper arm with a known elbow so that the forearm bends about the elbow's hinge axis. */
static void aim_upper(struct jc_emulated *body, const struct arm *arm)
{
	struct jc_vec3 rest_hinge = { 0.0f, -arm->side, 0.0f };
	struct jc_vec3 hinge = jc_quat_rotate(body->turned[arm->lower], rest_hinge);

	body->turned[arm->upper] = jc_two_bone_turn(body->offsets[arm->lower], rest_hinge,
		jc_vec3_subtract(body->positions[arm->lower], body->positions[arm->upper]), hinge);
}

/* A hand without a tracker hangs beside the hips. */
static struct jc_vec3 hang_wrist(
	const struct jc_emulation *emulation, const struct jc_emulated *body, const struct arm *arm)
{
	struct jc_vec3 way = { 0.12f * arm->side, -0.97f, 0.12f };

	return jc_vec3_add(body->positions[arm->upper],
		jc_vec3_scale(jc_quat_rotate(jc_emulated_about(jc_up, emulation->heading), way),
			0.97f * reach_of(body, arm)));
}

static void emulate_arm(struct jc_emulation *emulation, struct jc_emulated *body, int side)
{
	struct arm arm = arm_of(side);
	struct jc_vec3 target;

	if (body->is_given[arm.lower] && !body->is_given[arm.hand]) {
		jc_emulated_carry(body, arm.hand);
	}
	if (body->is_given[arm.upper]) {
		target = body->positions[arm.upper];
	} else if (body->is_given[arm.lower]) {
		target = body->positions[arm.lower];
	} else {
		target = body->positions[arm.hand];
	}
	if (!body->is_given[arm.shoulder]) {
		bool any = body->is_given[arm.upper] || body->is_found[arm.lower] ||
			   body->is_found[arm.hand];

		jc_emulated_find(body, arm.shoulder, shoulder_place(body, &arm),
			any ? turn_shoulder(body, &arm, target)
			    : body->turned[JC_BONE_UPPER_CHEST]);
	}
	if (!body->is_given[arm.upper]) {
		jc_emulated_carry(body, arm.upper);
	}
	if (body->is_given[arm.lower]) {
		if (!body->is_given[arm.upper]) {
			aim_upper(body, &arm);
		}
		return;
	}
	if (body->is_given[arm.upper] && !body->is_given[arm.hand]) {
		jc_emulated_carry(body, arm.lower);
		jc_emulated_carry(body, arm.hand);
		return;
	}
	target = body->is_found[arm.hand] ? body->positions[arm.hand]
					  : hang_wrist(emulation, body, &arm);
	bend_arm(emulation, body, &arm, target);
	jc_emulated_find(body, arm.hand, target, body->turned[arm.lower]);
}

void jc_emulate_arms(struct jc_emulation *emulation, struct jc_emulated *body)
{
	emulate_arm(emulation, body, 0);
	emulate_arm(emulation, body, 1);
}
