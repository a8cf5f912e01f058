/* Clamps joints of limbs to their limits, axis by axis of the rotation vector (skeleton.h). */
#include "contact_limits.h"

#include <math.h>

#include "jointcast/transform.h"

static void add_limit(struct jc_contact_limit *out_limit, const struct jc_skeleton *skeleton,
	enum jc_bone bone, const struct jc_joint_limit *limit)
{
	struct jc_quat rest = jc_skeleton_nodes(skeleton)[limit->node].rest.rotation;
	struct jc_quat to_axes = jc_quat_conjugate(limit->orientation);
	struct jc_quat before = jc_quat_conjugate(
		jc_quat_multiply(jc_skeleton_parent_t_pose(skeleton, bone), rest));
	struct jc_quat after = jc_quat_multiply(
		jc_skeleton_offset(skeleton, bone), jc_skeleton_t_pose(skeleton, bone));

	*out_limit = (struct jc_contact_limit){
		.is_there = true,
		.before = jc_quat_multiply(to_axes, before),
		.after = jc_quat_multiply(after, limit->orientation),
		.lower = { fminf(limit->lower.x, limit->upper.x),
			fminf(limit->lower.y, limit->upper.y),
			fminf(limit->lower.z, limit->upper.z) },
		.upper = { fmaxf(limit->lower.x, limit->upper.x),
			fmaxf(limit->lower.y, limit->upper.y),
			fmaxf(limit->lower.z, limit->upper.z) },
	};
}

void jc_contact_limits_init(struct jc_contact_limits *limits, const struct jc_skeleton *skeleton,
	const enum jc_bone bones[JC_SIDES][JC_LEG_BONES])
{
	const struct jc_joint_limit *all = jc_skeleton_limits(skeleton);

	*limits = (struct jc_contact_limits){ 0 };
	for (size_t i = 0; i < jc_skeleton_limit_count(skeleton); i++) {
		for (int bone = 0; bone < JC_SIDES * JC_LEG_BONES; bone++) {
			int side = bone / JC_LEG_BONES, at = bone % JC_LEG_BONES;
			enum jc_bone name = bones[side][at];

			if (!all[i].is_unlimited &&
				jc_skeleton_bone_node(skeleton, name) == all[i].node) {
				add_limit(&limits->limbs[side][at], skeleton, name, &all[i]);
				limits->any = true;
			}
		}
	}
}

/* Axis times angle; the angle is at most half a turn. */
static struct jc_vec3 rotation_vector(struct jc_quat q)
{
	struct jc_vec3 axis = { q.x, q.y, q.z };
	float sine = jc_vec3_length(axis);
	float angle = 2.0f * atan2f(sine, fabsf(q.w));

	return jc_vec3_scale(axis, sine < 1e-9f ? 0.0f : (q.w < 0.0f ? -angle : angle) / sine);
}

static struct jc_quat from_vector(struct jc_vec3 v)
{
	float angle = jc_vec3_length(v);

	return angle > 0.0f ? jc_quat_from_axis_angle(jc_vec3_scale(v, 1.0f / angle), angle)
			    : JC_QUAT_IDENTITY;
}

static struct jc_vec3 turn_of(const struct jc_contact_limit *limit, struct jc_quat rotation)
{
	return rotation_vector(
		jc_quat_multiply(limit->before, jc_quat_multiply(rotation, limit->after)));
}

/* Between the limits, or between one and the exact value past it. */
static float within(float value, float lower, float upper, float exact)
{
	return fminf(fmaxf(value, fminf(lower, exact)), fmaxf(upper, exact));
}

bool jc_contact_limits_keep(const struct jc_contact_limits *limits, int side,
	const enum jc_bone bones[JC_LEG_BONES], const struct jc_quat exact[JC_LEG_BONES],
	struct jc_quat rotations[JC_BONE_COUNT])
{
	bool turned = false;

	for (int i = 0; i < JC_LEG_BONES; i++) {
		const struct jc_contact_limit *limit = &limits->limbs[side][i];
		struct jc_quat *rotation = &rotations[bones[i]];
		struct jc_vec3 wanted, was, kept;

		if (!limit->is_there) {
			continue;
		}
		wanted = turn_of(limit, *rotation);
		was = turn_of(limit, exact[i]);
		kept = (struct jc_vec3){ within(wanted.x, limit->lower.x, limit->upper.x, was.x),
			within(wanted.y, limit->lower.y, limit->upper.y, was.y),
			within(wanted.z, limit->lower.z, limit->upper.z, was.z) };
		if (kept.x == wanted.x && kept.y == wanted.y && kept.z == wanted.z) {
			continue;
		}
		*rotation = jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(limit->before),
			jc_quat_multiply(from_vector(kept), jc_quat_conjugate(limit->after))));
		turned = true;
	}
	return turned;
}
