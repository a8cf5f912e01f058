/* Two-bone inverse kinematics relative to a posed leg: without a change of the goal it changes
 * nothing, and the knee stays on its side. */
#include "contact_leg.h"

#include <math.h>

#include "jointcast/transform.h"

#define TINY 1.0e-6f

struct jc_vec3 jc_contact_leg_reach(
	const struct jc_contact_leg *leg, const struct jc_posed_leg *posed, struct jc_vec3 goal)
{
	float now = jc_vec3_length(jc_vec3_subtract(posed->ankle, posed->hip));
	float wanted = jc_vec3_length(goal);
	float most = 0.995f * (leg->upper + leg->lower);
	float least = 1.05f * fabsf(leg->upper - leg->lower) + 0.05f * leg->upper;
	float room = most - now, more = wanted - now;

	if (wanted < TINY) {
		return jc_vec3_subtract(posed->ankle, posed->hip);
	}
	if (more > 0.0f) {
		float share = room > TINY ? more / room : 0.0f;

		more = room > TINY ? more / sqrtf(1.0f + share * share) : 0.0f;
	} else if (wanted < least) {
		more = fminf(least - now, 0.0f);
	}
	return jc_vec3_scale(goal, (now + more) / wanted);
}

/* The axis about which the knee bends further, and the present angle of the knee about it: 0 for a
 * straight leg, below 0 for one that is bent to the other side. */
static float knee_angle(const struct jc_posed_leg *posed, struct jc_vec3 *out_axis)
{
	struct jc_vec3 hinge =
		jc_quat_rotate(posed->turns[JC_LEG_LOWER], (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	struct jc_vec3 cross = jc_vec3_cross(posed->thigh, posed->shin);
	float sine = jc_vec3_length(cross), cosine = jc_vec3_dot(posed->thigh, posed->shin);
	float side = jc_vec3_dot(cross, hinge) < 0.0f ? -1.0f : 1.0f;

	if (sine > 1e-3f * fabsf(cosine)) {
		*out_axis = jc_vec3_scale(cross, side / sine);
	} else {
		struct jc_vec3 along = jc_vec3_normalize(posed->shin);

		*out_axis = jc_vec3_normalize(
			jc_vec3_subtract(hinge, jc_vec3_scale(along, jc_vec3_dot(hinge, along))));
	}
	return side * atan2f(sine, cosine);
}

static float wanted_angle(const struct jc_contact_leg *leg, float length)
{
	float cosine = (length * length - leg->upper * leg->upper - leg->lower * leg->lower) /
		       (2.0f * leg->upper * leg->lower);

	return acosf(fminf(fmaxf(cosine, -1.0f), 1.0f));
}

/* The angle of a knee that has to bend by `bend` to one side or the other. A knee that the exact
 * rotations bend backwards, because the figure rests so, comes over to the front as it bends
 * more. */
static float choose_side(float now, float bend)
{
	float back = -now, width = fminf(2.0f * back, 0.2f), t;

	if (now >= 0.0f) {
		return bend;
	}
	t = fminf(fmaxf((bend - back) / fmaxf(width, TINY), 0.0f), 1.0f);
	return bend * (2.0f * t * t * (3.0f - 2.0f * t) - 1.0f);
}

void jc_contact_leg_bend(const struct jc_contact_leg *leg, int side, struct jc_vec3 goal,
	struct jc_posed_leg *posed, struct jc_quat rotations[JC_BONE_COUNT])
{
	const enum jc_bone *bones = jc_leg_bones[side];
	struct jc_vec3 axis;
	float now = knee_angle(posed, &axis);
	float bend = wanted_angle(leg, jc_vec3_length(goal));
	struct jc_quat fold = jc_quat_from_axis_angle(axis, choose_side(now, bend) - now);
	struct jc_vec3 bent = jc_vec3_add(posed->thigh, jc_quat_rotate(fold, posed->shin));
	struct jc_quat swing = jc_quat_between(bent, goal, axis);
	struct jc_quat hips = jc_quat_multiply(
		posed->turns[JC_LEG_UPPER], jc_quat_conjugate(rotations[bones[JC_LEG_UPPER]]));
	struct jc_quat upper = jc_quat_multiply(swing, posed->turns[JC_LEG_UPPER]);
	struct jc_quat lower =
		jc_quat_multiply(swing, jc_quat_multiply(fold, posed->turns[JC_LEG_LOWER]));

	rotations[bones[JC_LEG_UPPER]] =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(hips), upper));
	rotations[bones[JC_LEG_LOWER]] =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(upper), lower));
	rotations[bones[JC_LEG_FOOT]] = jc_quat_normalize(
		jc_quat_multiply(jc_quat_conjugate(lower), posed->turns[JC_LEG_FOOT]));
}
