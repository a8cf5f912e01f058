/* Converts BVH channels to transforms. Runs for each joint and frame when a motion is
 * sampled. */
#include "bvh_frame.h"

#include <math.h>

#include "jointcast/lint.h"
#include "jointcast/transform.h"

#define HALF_RADIANS 0.00872664626f

/* q turned about its own axis 0, 1 or 2. */
static struct jc_quat turn(struct jc_quat q, int axis, float degrees)
{
	float half, s, c;

	if (fabsf(degrees) > 720.0f) {
		degrees = fmodf(degrees, 720.0f); /* exact; the sine of a large angle is not */
	}
	half = degrees * HALF_RADIANS;
	sincosf(half, &s, &c);
	switch (axis) {
	case 0:
		return (struct jc_quat){ q.x * c + q.w * s, q.y * c + q.z * s, q.z * c - q.y * s,
			q.w * c - q.x * s };
	case 1:
		return (struct jc_quat){ q.x * c - q.z * s, q.y * c + q.w * s, q.z * c + q.x * s,
			q.w * c - q.y * s };
	default:
		return (struct jc_quat){ q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s,
			q.w * c - q.z * s };
	}
}

struct jc_transform jc_bvh_frame_local(const struct jc_bvh *bvh, size_t frame, size_t joint)
{
	const struct jc_bvh_joint *j = &bvh->joints[joint];
	const float *values = bvh->values + frame * bvh->value_count + j->first_value;
	struct jc_transform local = JC_TRANSFORM_IDENTITY;
	int i;

	local.translation = j->offset;
	for (i = 0; i < j->channel_count; i++) {
		switch (j->channels[i]) {
		case JC_BVH_X_POSITION:
			local.translation.x = values[i];
			break;
		case JC_BVH_Y_POSITION:
			local.translation.y = values[i];
			break;
		case JC_BVH_Z_POSITION:
			local.translation.z = values[i];
			break;
		default:
			local.rotation =
				turn(local.rotation, j->channels[i] - JC_BVH_X_ROTATION, values[i]);
			break;
		}
	}
	return local;
}

void jc_bvh_frame_worlds(const struct jc_bvh *bvh, size_t frame, struct jc_transform *out_worlds)
{
	size_t i;

	for (i = 0; i < bvh->joint_count; i++) {
		struct jc_transform local = jc_bvh_frame_local(bvh, frame, i);
		int parent = bvh->joints[i].parent;

		if (parent >= 0) {
			const struct jc_transform *above = &out_worlds[parent];

			local.translation = jc_vec3_add(above->translation,
				jc_quat_rotate(above->rotation, local.translation));
			local.rotation = jc_quat_normalize(
				jc_quat_multiply(above->rotation, local.rotation));
		}
		out_worlds[i] = local;
	}
}

void jc_bvh_frame_zero_positions(const struct jc_bvh *bvh, struct jc_vec3 *out_positions)
{
	size_t i;

	for (i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];

		out_positions[i] = joint->parent < 0 ? joint->offset
						     : jc_vec3_add(out_positions[joint->parent],
							       joint->offset);
	}
}

/* Frames that are compared. */
#define SAMPLES 64

static float offset_of(const struct jc_bvh_joint *joint, int channel)
{
	const float components[] = { joint->offset.x, joint->offset.y, joint->offset.z };

	return components[channel];
}

/* Whether channel c of a joint moves it in its parent. */
static bool moves(const struct jc_bvh_joint *joint, int c)
{
	return joint->parent >= 0 && joint->channels[c] <= JC_BVH_Z_POSITION;
}

/* Adds up how far the values of a frame are from OFFSET, and from zero. */
static void compare_frame(
	const struct jc_bvh *bvh, size_t frame, double *from_offset, double *from_zero)
{
	const float *values = bvh->values + frame * bvh->value_count;

	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];

		for (int c = 0; c < joint->channel_count; c++) {
			if (moves(joint, c)) {
				float value = values[joint->first_value + (size_t)c];

				*from_offset += fabsf(value - offset_of(joint, joint->channels[c]));
				*from_zero += fabsf(value);
			}
		}
	}
}

static void add_offsets(struct jc_bvh *bvh)
{
	for (size_t frame = 0; frame < bvh->frame_count; frame++) {
		float *values = bvh->values + frame * bvh->value_count;

		for (size_t i = 0; i < bvh->joint_count; i++) {
			const struct jc_bvh_joint *joint = &bvh->joints[i];

			for (int c = 0; c < joint->channel_count; c++) {
				if (moves(joint, c)) {
					values[joint->first_value + (size_t)c] +=
						offset_of(joint, joint->channels[c]);
				}
			}
		}
	}
}

/* Sets OFFSET of joints whose OFFSET is zero to the mean of their position channels. */
static size_t fill_offsets(struct jc_bvh *bvh, size_t step)
{
	size_t filled = 0;

	for (size_t i = 0; i < bvh->joint_count; i++) {
		struct jc_bvh_joint *joint = &bvh->joints[i];
		struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
		size_t count = 0;

		if (joint->parent < 0 || jc_vec3_length(joint->offset) > 0.0f) {
			continue;
		}
		for (size_t frame = 0; frame < bvh->frame_count; frame += step, count++) {
			sum = jc_vec3_add(sum, jc_bvh_frame_local(bvh, frame, i).translation);
		}
		joint->offset = jc_vec3_scale(sum, 1.0f / (float)count);
		filled += jc_vec3_length(joint->offset) > 0.0f;
	}
	return filled;
}

void jc_bvh_frame_resolve_positions(struct jc_bvh *bvh, struct jc_lint *lint)
{
	size_t step = bvh->frame_count / SAMPLES + 1;
	double from_offset = 0.0, from_zero = 0.0;

	for (size_t frame = 0; frame < bvh->frame_count; frame += step) {
		compare_frame(bvh, frame, &from_offset, &from_zero);
	}
	if (from_zero < from_offset) {
		add_offsets(bvh);
		jc_lint_add(lint, JC_NOTE, "positions",
			"position channels of joints are near zero; taken as relative to OFFSET");
	}
	size_t filled = fill_offsets(bvh, step);

	if (filled > 0) {
		jc_lint_add(lint, JC_NOTE, "positions",
			"OFFSET of %zu joints is zero; taken from their position channels", filled);
	}
}
