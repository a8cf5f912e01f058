/* The two readings of a file with six channels a joint differ by a whole OFFSET a
 * joint: read wrongly, a figure collapses or is twice as large. */
#include "bvh_positions.h"

#include <math.h>

#include "jointcast/lint.h"

/* Frames looked at. */
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

/* Sums over a frame of how far the values are from OFFSET, and from zero. */
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

void jc_bvh_settle_positions(struct jc_bvh *bvh, struct jc_lint *lint)
{
	size_t step = bvh->frame_count / SAMPLES + 1;
	double from_offset = 0.0, from_zero = 0.0;

	for (size_t frame = 0; frame < bvh->frame_count; frame += step) {
		compare_frame(bvh, frame, &from_offset, &from_zero);
	}
	if (from_zero < from_offset) {
		add_offsets(bvh);
		jc_lint_add(lint, JC_NOTE, "positions",
			"position channels of joints are near zero; taken as added to OFFSET");
	}
}
