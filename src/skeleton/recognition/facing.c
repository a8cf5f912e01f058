/* Finds front and left of a body. A body is nearly symmetric; feet, knees and elbows show
 * the front, which gives left and right. */
#include "facing.h"

#include <math.h>

#include "jointcast/transform.h"

/* A sine for feet; for knees and elbows a share of the limb length. */
#define FEET_SHOW  0.25f
#define BENDS_SHOW 0.02f

static enum jc_name_side side_of(const struct jc_limb *limb, const struct jc_joint_name *names)
{
	for (size_t i = limb->root; i <= limb->end; i++) {
		const struct jc_joint_name *name = &names[limb->chain.joints[i]];

		if (name->side != JC_NAME_MIDDLE) {
			return name->side;
		}
	}
	return JC_NAME_MIDDLE;
}

/* From the second limb of a pair to the first. */
static struct jc_vec3 across(
	const struct jc_branches *branches, const struct jc_limb *const pair[2])
{
	return jc_vec3_subtract(jc_limb_fit_position(branches, pair[0], pair[0]->upper),
		jc_limb_fit_position(branches, pair[1], pair[1]->upper));
}

/* Whether names distinguish a pair, and the direction of the left side. */
static bool find_named_left(const struct jc_branches *branches, const struct jc_joint_name *names,
	const struct jc_limb *const pair[2], struct jc_vec3 *out_left)
{
	enum jc_name_side first = side_of(pair[0], names);
	enum jc_name_side second = side_of(pair[1], names);
	struct jc_vec3 way = across(branches, pair);

	if (first == second || first == JC_NAME_MIDDLE || second == JC_NAME_MIDDLE) {
		return false;
	}
	*out_left = jc_vec3_scale(way, first == JC_NAME_LEFT ? 1.0f : -1.0f);
	return true;
}

/* The part of v towards the front if the first leg is the left one. */
static float forward(struct jc_vec3 v, struct jc_vec3 left, struct jc_vec3 up)
{
	return jc_vec3_dot(v, jc_vec3_normalize(jc_vec3_cross(left, up)));
}

/* Sine of the angle of the feet towards the front. */
static float measure_feet(
	const struct jc_branches *branches, const struct jc_limb_pairs *pairs, struct jc_vec3 left)
{
	float length = 0.0f;
	float sum = 0.0f;

	for (int i = 0; i < 2; i++) {
		const struct jc_limb *leg = pairs->legs[i];
		struct jc_vec3 foot =
			jc_vec3_subtract(jc_limb_fit_position(branches, leg, leg->chain.count - 1),
				jc_limb_fit_position(branches, leg, leg->end));

		sum += forward(foot, left, pairs->up);
		length += jc_vec3_length(foot);
	}
	return length > 0.0f ? sum / length : 0.0f;
}

/* How far the middle joints of a pair are in front, relative to its length. */
static float measure_bends(const struct jc_branches *branches, const struct jc_limb *const pair[2],
	struct jc_vec3 left, struct jc_vec3 up)
{
	float length = 0.0f;
	float sum = 0.0f;

	for (int i = 0; i < 2; i++) {
		const struct jc_limb *limb = pair[i];

		sum += forward(jc_limb_fit_bend(branches, limb), left, up);
		length += jc_vec3_length(
			jc_vec3_subtract(jc_limb_fit_position(branches, limb, limb->end),
				jc_limb_fit_position(branches, limb, limb->upper)));
	}
	return length > 0.0f ? sum / length : 0.0f;
}

/* The axes of files that follow glTF or Blender. */
static float measure_axes(struct jc_vec3 left, struct jc_vec3 up)
{
	struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };

	if (fabsf(up.z) > fabsf(up.y)) {
		front = (struct jc_vec3){ 0.0f, -1.0f, 0.0f };
	}
	return forward(front, left, up);
}

struct jc_vec3 jc_facing_left(const struct jc_branches *branches, const struct jc_joint_name *names,
	const struct jc_limb_pairs *pairs, bool *out_shown)
{
	struct jc_vec3 left;
	float front;

	*out_shown = true;
	if (names && (find_named_left(branches, names, pairs->legs, &left) ||
			     find_named_left(branches, names, pairs->arms, &left))) {
		return left;
	}
	left = across(branches, pairs->legs);
	front = measure_feet(branches, pairs, left);
	if (fabsf(front) < FEET_SHOW) {
		front = measure_bends(branches, pairs->legs, left, pairs->up);
		if (fabsf(front) < BENDS_SHOW) {
			front = -measure_bends(branches, pairs->arms, left, pairs->up);
		}
		if (fabsf(front) < BENDS_SHOW) {
			front = measure_axes(left, pairs->up);
			*out_shown = false;
		}
	}
	return front < 0.0f ? jc_vec3_scale(left, -1.0f) : left;
}
