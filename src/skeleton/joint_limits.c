/* Counts and clamps rotations outside of joint limits. The standard gives limits about
 * three axes without an order of rotations; the rotation vector needs no order. */
#include <math.h>

#include "jointcast/transform.h"
#include "skeleton_private.h"

/* Axis times angle; the angle is at most half a turn. */
static struct jc_vec3 rotation_vector(struct jc_quat q)
{
	struct jc_vec3 axis = { q.x, q.y, q.z };
	float sine = jc_vec3_length(axis);
	float angle = 2.0f * atan2f(sine, fabsf(q.w));

	if (sine < 1e-9f) {
		return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	return jc_vec3_scale(axis, (q.w < 0.0f ? -angle : angle) / sine);
}

static struct jc_quat rotation_from_vector(struct jc_vec3 v)
{
	float angle = jc_vec3_length(v);

	return angle > 0.0f ? jc_quat_from_axis_angle(jc_vec3_scale(v, 1.0f / angle), angle)
			    : JC_QUAT_IDENTITY;
}

/* Some files exchange the two limits. */
static float clamp(float value, float a, float b)
{
	return fminf(fmaxf(value, fminf(a, b)), fmaxf(a, b));
}

/* Whether the joint exceeds its limits by more than rounding. *out_rotation: the nearest
 * local rotation, axis by axis, within them. */
static bool is_past(const struct jc_skeleton *skeleton, const struct jc_joint_limit *limit,
	struct jc_quat rotation, struct jc_quat *out_rotation)
{
	const float noise = 1e-4f;
	struct jc_quat rest = skeleton->nodes[limit->node].rest.rotation;
	struct jc_quat to_axes = jc_quat_conjugate(limit->orientation);
	struct jc_quat turn = jc_quat_multiply(jc_quat_conjugate(rest), rotation);
	struct jc_vec3 v = rotation_vector(
		jc_quat_multiply(jc_quat_multiply(to_axes, turn), limit->orientation));
	struct jc_vec3 allowed = {
		clamp(v.x, limit->lower.x, limit->upper.x),
		clamp(v.y, limit->lower.y, limit->upper.y),
		clamp(v.z, limit->lower.z, limit->upper.z),
	};

	turn = jc_quat_multiply(
		jc_quat_multiply(limit->orientation, rotation_from_vector(allowed)), to_axes);
	*out_rotation = jc_quat_normalize(jc_quat_multiply(rest, turn));
	return fabsf(v.x - allowed.x) > noise || fabsf(v.y - allowed.y) > noise ||
	       fabsf(v.z - allowed.z) > noise;
}

size_t jc_skeleton_limit_count(const struct jc_skeleton *skeleton)
{
	return skeleton->limit_count;
}

const struct jc_joint_limit *jc_skeleton_limits(const struct jc_skeleton *skeleton)
{
	return skeleton->limits;
}

size_t jc_skeleton_range_count(const struct jc_skeleton *skeleton)
{
	size_t count = 0;

	for (size_t i = 0; i < skeleton->limit_count; i++) {
		count += !skeleton->limits[i].is_unlimited;
	}
	return count;
}

size_t jc_skeleton_count_past_limits(
	const struct jc_skeleton *skeleton, const struct jc_transform *locals)
{
	size_t count = 0;

	for (size_t i = 0; i < skeleton->limit_count; i++) {
		const struct jc_joint_limit *limit = &skeleton->limits[i];
		struct jc_quat ignored;

		count += !limit->is_unlimited &&
			 is_past(skeleton, limit, locals[limit->node].rotation, &ignored);
	}
	return count;
}

size_t jc_skeleton_clamp_to_limits(const struct jc_skeleton *skeleton, struct jc_transform *locals)
{
	size_t count = 0;

	for (size_t i = 0; i < skeleton->limit_count; i++) {
		const struct jc_joint_limit *limit = &skeleton->limits[i];
		struct jc_quat *rotation = &locals[limit->node].rotation;
		struct jc_quat allowed;

		if (!limit->is_unlimited && is_past(skeleton, limit, *rotation, &allowed)) {
			*rotation = allowed;
			count++;
		}
	}
	return count;
}
