/* Estimates hips, knees and ankles. emulation.c states the origin of the constants. */
#include <math.h>

#include "emulation_body.h"
#include "two_bone.h"

#define LIFT       0.09f /* lift of a foot in a long step, metres for size 1 */
#define LIFT_FROM  0.35f /* length of a long step, metres */
#define HEEL_MOST  1.0f  /* maximum angle of a raised heel, radians */
#define REACH      0.999f
#define HALVINGS   14
#define PI         3.14159265f
#define TOES_LEVEL 0.05f /* toes below this height lie on the floor, metres */

struct leg {
	enum jc_bone upper, lower, foot, toes;
};

static struct leg leg_of(int side)
{
	return (struct leg){
		.upper = jc_emulated_bone(JC_BONE_LEFT_UPPER_LEG, side),
		.lower = jc_emulated_bone(JC_BONE_LEFT_LOWER_LEG, side),
		.foot = jc_emulated_bone(JC_BONE_LEFT_FOOT, side),
		.toes = jc_emulated_bone(JC_BONE_LEFT_TOES, side),
	};
}

static float reach_of(const struct jc_emulated *body, const struct leg *leg)
{
	return REACH * (jc_vec3_length(body->offsets[leg->lower]) +
			       jc_vec3_length(body->offsets[leg->foot]));
}

static bool reaches(const struct jc_emulated *body, const struct leg *leg, struct jc_vec3 ankle)
{
	return jc_vec3_length(jc_vec3_subtract(ankle, body->positions[leg->upper])) <=
	       reach_of(body, leg);
}

/* Position of the ankle for a ball on its spot with a raised heel. */
static struct jc_vec3 raise_heel(const struct jc_emulated *body, const struct leg *leg,
	struct jc_vec3 ball, float yaw, float raised, struct jc_quat *out_turned)
{
	*out_turned =
		jc_quat_multiply(jc_emulated_about(jc_up, yaw), jc_emulated_about(jc_left, raised));
	return jc_vec3_subtract(ball, jc_quat_rotate(*out_turned, body->offsets[leg->toes]));
}

/* The heel is raised before the foot leaves the floor. */
static void plant(struct jc_emulated *body, const struct leg *leg, struct jc_vec3 ankle, float yaw,
	float least)
{
	struct jc_quat turned = jc_emulated_about(jc_up, yaw);
	struct jc_vec3 ball = jc_vec3_add(ankle, jc_quat_rotate(turned, body->offsets[leg->toes]));
	float low = least, high = HEEL_MOST;
	struct jc_vec3 root = body->positions[leg->upper];

	ankle = raise_heel(body, leg, ball, yaw, low, &turned);
	if (!reaches(body, leg, ankle)) {
		for (int i = 0; i < HALVINGS; i++) {
			float middle = 0.5f * (low + high);

			if (reaches(body, leg, raise_heel(body, leg, ball, yaw, middle, &turned))) {
				high = middle;
			} else {
				low = middle;
			}
		}
		ankle = raise_heel(body, leg, ball, yaw, high, &turned);
	}
	if (!reaches(body, leg, ankle)) {
		struct jc_vec3 way = jc_vec3_subtract(ankle, root);

		ankle = jc_vec3_add(
			root, jc_vec3_scale(way, reach_of(body, leg) / jc_vec3_length(way)));
	}
	jc_emulated_find(body, leg->foot, ankle, turned);
}

static void place_foot(
	const struct jc_emulation_foot *foot, struct jc_emulated *body, const struct leg *leg)
{
	float height = jc_bone_rest_position(leg->foot).y * body->size;
	float share = foot->share * foot->share * (3.0f - 2.0f * foot->share);
	float length = hypotf(foot->to.x - foot->from.x, foot->to.z - foot->from.z);
	float lift = fminf(length / LIFT_FROM + 0.3f, 1.0f) * sinf(PI * foot->share);
	struct jc_vec3 ankle = jc_vec3_lerp(foot->from, foot->to, share);
	float yaw = foot->from_yaw + share * jc_emulated_wrap(foot->to_yaw - foot->from_yaw);

	ankle.y += height + LIFT * body->size * lift;
	plant(body, leg, ankle, yaw, 0.5f * lift * (1.0f - foot->share));
}

/* Joints known below the knee except the foot. */
static void find_given_foot(
	const struct jc_emulation *emulation, struct jc_emulated *body, const struct leg *leg)
{
	if (body->is_given[leg->foot]) {
		return;
	}
	if (body->is_given[leg->toes]) {
		struct jc_quat turned = jc_emulated_about(jc_up, emulation->heading);

		jc_emulated_find(body, leg->foot,
			jc_vec3_subtract(body->positions[leg->toes],
				jc_quat_rotate(turned, body->offsets[leg->toes])),
			turned);
	} else if (body->is_given[leg->lower]) {
		jc_emulated_carry(body, leg->foot);
	} else if (body->is_given[leg->upper]) {
		jc_emulated_carry(body, leg->lower);
		jc_emulated_carry(body, leg->foot);
	}
}

/* Turns the front with the leg by the shortest arc from the hanging position. */
static struct jc_vec3 carry_front(struct jc_quat turned, struct jc_vec3 axis)
{
	struct jc_vec3 down = jc_quat_rotate(turned, (struct jc_vec3){ 0.0f, -1.0f, 0.0f });
	struct jc_quat swing = jc_quat_between(down, axis, jc_quat_rotate(turned, jc_left));

	return jc_quat_rotate(swing, jc_quat_rotate(turned, jc_front));
}

static void bend_leg(struct jc_emulated *body, const struct leg *leg)
{
	struct jc_vec3 root = body->positions[leg->upper];
	struct jc_vec3 ankle = body->positions[leg->foot];
	struct jc_vec3 axis = jc_vec3_normalize(jc_vec3_subtract(ankle, root));
	struct jc_vec3 pole = jc_vec3_add(carry_front(body->turned[JC_BONE_HIPS], axis),
		carry_front(body->turned[leg->foot], axis));
	struct jc_vec3 middle, hinge;

	middle = jc_two_bone_middle(root, ankle, jc_vec3_length(body->offsets[leg->lower]),
		jc_vec3_length(body->offsets[leg->foot]), pole, &pole);
	hinge = jc_vec3_cross(pole, axis);
	if (!body->is_given[leg->upper]) {
		body->turned[leg->upper] = jc_two_bone_turn(
			body->offsets[leg->lower], jc_left, jc_vec3_subtract(middle, root), hinge);
	}
	jc_emulated_find(body, leg->lower, middle,
		jc_two_bone_turn(
			body->offsets[leg->foot], jc_left, jc_vec3_subtract(ankle, middle), hinge));
}

/* Rolls a thigh with a known knee like its shin. */
static void aim_upper(struct jc_emulated *body, const struct leg *leg)
{
	struct jc_vec3 hinge = jc_quat_rotate(body->turned[leg->lower], jc_left);

	body->turned[leg->upper] = jc_two_bone_turn(body->offsets[leg->lower], jc_left,
		jc_vec3_subtract(body->positions[leg->lower], body->positions[leg->upper]), hinge);
}

/* Toes stay on the floor when the heel is raised. */
static void place_toes(struct jc_emulated *body, const struct leg *leg)
{
	float level, share;

	if (body->is_given[leg->toes]) {
		return;
	}
	jc_emulated_carry(body, leg->toes);
	if (jc_quat_rotate(body->turned[leg->foot], jc_front).y > 0.0f) {
		return;
	}
	level = body->positions[leg->toes].y / (TOES_LEVEL * body->size);
	share = jc_emulated_clamp(2.0f - level, 0.0f, 1.0f);
	body->turned[leg->toes] = jc_quat_slerp(body->turned[leg->foot],
		jc_emulated_about(jc_up, jc_emulated_heading(body->turned[leg->foot])), share);
}

void jc_emulate_legs(struct jc_emulation *emulation, struct jc_emulated *body)
{
	bool is_free[2];

	for (int side = 0; side < 2; side++) {
		struct leg leg = leg_of(side);

		if (!body->is_given[leg.upper]) {
			jc_emulated_carry(body, leg.upper);
		}
		find_given_foot(emulation, body, &leg);
		is_free[side] = !body->is_found[leg.foot];
	}
	jc_emulation_step(emulation, body, is_free);
	for (int side = 0; side < 2; side++) {
		struct leg leg = leg_of(side);

		if (is_free[side]) {
			place_foot(&emulation->feet[side], body, &leg);
		}
		if (!body->is_found[leg.lower]) {
			bend_leg(body, &leg);
		} else if (!body->is_given[leg.upper]) {
			aim_upper(body, &leg);
		}
		place_toes(body, &leg);
	}
}
