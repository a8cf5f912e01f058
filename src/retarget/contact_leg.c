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
	float most = 0.995f * leg->longest;
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

/* A knee as a hinge. Where thigh and shin of a figure meet at an angle sideways, that angle stays.
 */
struct knee {
	struct jc_vec3 hinge; /* a positive turn about it bends the knee */
	float aside;          /* thigh * shin: the part along the hinge */
	float across;         /* the most of the rest, where the leg is straight about the hinge */
	float angle;          /* 0: straight; below 0: bent backwards */
};

static void find_knee(const struct jc_posed_leg *posed, struct knee *out_knee)
{
	struct jc_vec3 hinge =
		jc_quat_rotate(posed->turns[JC_LEG_LOWER], (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	float aside = jc_vec3_dot(posed->thigh, hinge) * jc_vec3_dot(posed->shin, hinge);
	float sine = jc_vec3_dot(jc_vec3_cross(posed->thigh, posed->shin), hinge);
	float cosine = jc_vec3_dot(posed->thigh, posed->shin) - aside;

	*out_knee = (struct knee){ hinge, aside, sqrtf(sine * sine + cosine * cosine),
		atan2f(sine, cosine) };
}

/* The angle at which the ankle is so far from the hip. */
static float wanted_angle(const struct jc_contact_leg *leg, const struct knee *knee, float length)
{
	float dot = 0.5f * (length * length - leg->upper * leg->upper - leg->lower * leg->lower);
	float cosine = (dot - knee->aside) / fmaxf(knee->across, TINY);

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
	struct jc_quat hips = jc_quat_multiply(
		posed->turns[JC_LEG_UPPER], jc_quat_conjugate(rotations[bones[JC_LEG_UPPER]]));
	struct jc_quat fold, swing, upper, lower;
	struct jc_vec3 bent;
	struct knee knee;
	float bend;

	find_knee(posed, &knee);
	bend = wanted_angle(leg, &knee, jc_vec3_length(goal));
	fold = jc_quat_from_axis_angle(knee.hinge, choose_side(knee.angle, bend) - knee.angle);
	bent = jc_vec3_add(posed->thigh, jc_quat_rotate(fold, posed->shin));
	swing = jc_quat_between(bent, goal, knee.hinge);
	upper = jc_quat_multiply(swing, posed->turns[JC_LEG_UPPER]);
	lower = jc_quat_multiply(swing, jc_quat_multiply(fold, posed->turns[JC_LEG_LOWER]));

	rotations[bones[JC_LEG_UPPER]] =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(hips), upper));
	rotations[bones[JC_LEG_LOWER]] =
		jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(upper), lower));
	rotations[bones[JC_LEG_FOOT]] = jc_quat_normalize(
		jc_quat_multiply(jc_quat_conjugate(lower), posed->turns[JC_LEG_FOOT]));
}
