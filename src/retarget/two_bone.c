/* Solves the triangle of shoulder, elbow and wrist, or of hip, knee and ankle. */
#include "two_bone.h"

#include <math.h>

#include "jointcast/transform.h"

#define TINY 1.0e-6f

struct jc_vec3 jc_two_bone_across(struct jc_vec3 v, struct jc_vec3 axis)
{
	return jc_vec3_subtract(v, jc_vec3_scale(axis, jc_vec3_dot(v, axis)));
}

static struct jc_vec3 any_across(struct jc_vec3 axis)
{
	struct jc_vec3 side = fabsf(axis.x) < 0.7f ? (struct jc_vec3){ 1.0f, 0.0f, 0.0f }
						   : (struct jc_vec3){ 0.0f, 0.0f, 1.0f };

	return jc_vec3_normalize(jc_two_bone_across(side, axis));
}

struct jc_vec3 jc_two_bone_middle(struct jc_vec3 root, struct jc_vec3 end, float upper, float lower,
	struct jc_vec3 pole, struct jc_vec3 *out_pole)
{
	struct jc_vec3 line = jc_vec3_subtract(end, root);
	float length = jc_vec3_length(line);
	struct jc_vec3 axis = length > TINY ? jc_vec3_scale(line, 1.0f / length)
					    : (struct jc_vec3){ 0.0f, -1.0f, 0.0f };
	struct jc_vec3 across = jc_two_bone_across(pole, axis);
	float along, height;

	across = jc_vec3_length(across) > TINY ? jc_vec3_normalize(across) : any_across(axis);
	*out_pole = across;
	if (length >= upper + lower) {
		return jc_vec3_lerp(root, end, upper / fmaxf(upper + lower, TINY));
	}
	along = length > TINY ? (upper * upper - lower * lower + length * length) / (2.0f * length)
			      : 0.0f;
	along = fminf(fmaxf(along, -upper), upper);
	height = sqrtf(fmaxf(upper * upper - along * along, 0.0f));
	return jc_vec3_add(
		root, jc_vec3_add(jc_vec3_scale(axis, along), jc_vec3_scale(across, height)));
}

static struct jc_quat frame(struct jc_vec3 along, struct jc_vec3 hinge)
{
	struct jc_vec3 y = jc_vec3_normalize(along);
	struct jc_vec3 x = jc_two_bone_across(hinge, y);

	x = jc_vec3_length(x) > TINY ? jc_vec3_normalize(x) : any_across(y);
	return jc_quat_from_axes(x, y, jc_vec3_cross(x, y));
}

struct jc_quat jc_two_bone_turn(struct jc_vec3 rest_along, struct jc_vec3 rest_hinge,
	struct jc_vec3 along, struct jc_vec3 hinge)
{
	return jc_quat_normalize(jc_quat_multiply(
		frame(along, hinge), jc_quat_conjugate(frame(rest_along, rest_hinge))));
}
