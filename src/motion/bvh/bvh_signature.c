/* Recognises BVH files of this project's writer by the lengths of their end sites. Other programs
 * write measured ends, or lengths that do not follow the hips height. */
#include "bvh_signature.h"

#include <math.h>

#include "jointcast/transform.h"
#include "t_pose_figure.h"

/* Fewer end sites could agree by chance. A figure that stands has at least five. */
#define TIPS_LEAST 4

/* Of the hips height: numbers in the file have six decimals, end sites of fingers 2.4 units. */
#define TOLERANCE 1e-4f

static enum jc_bone bone_at(const struct jc_bvh_clip *clip, size_t joint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (clip->bones[b] == (int)joint) {
			return (enum jc_bone)b;
		}
	}
	return JC_BONE_NONE;
}

/* The hips height of a figure of the writer that has this tip; NAN if none has. The tip of
 * a foot or of toes is lowered to the sole. */
static float hips_height_of(enum jc_bone bone, struct jc_vec3 tip)
{
	struct jc_vec3 wanted = jc_t_pose_figure_reach(bone);
	struct jc_vec3 rest;
	float height;

	if ((jc_bone_left_of(bone) == JC_BONE_LEFT_FOOT ||
		    jc_bone_left_of(bone) == JC_BONE_LEFT_TOES) &&
		tip.y <= 0.0f) {
		tip.y = wanted.y;
	}
	height = jc_vec3_dot(tip, wanted) / jc_vec3_dot(wanted, wanted);
	rest = jc_vec3_subtract(tip, jc_vec3_scale(wanted, height));
	return height > 0.0f && jc_vec3_length(rest) <= TOLERANCE * height ? height : NAN;
}

bool jc_bvh_signature_find(const struct jc_bvh_clip *clip, float *out_hips_height)
{
	const struct jc_bvh *bvh = clip->bvh;
	float height = 0.0f;
	size_t count = 0;

	for (size_t i = 0; i < bvh->joint_count; i++) {
		enum jc_bone bone = bone_at(clip, i);
		float other;

		if (!bvh->joints[i].has_end) {
			continue;
		}
		other = bone == JC_BONE_NONE ? NAN : hips_height_of(bone, bvh->joints[i].end);
		height = count++ == 0 ? other : height;
		if (!(fabsf(other - height) <= TOLERANCE * height)) {
			return false;
		}
	}
	if (count < TIPS_LEAST || jc_vec3_length(bvh->joints[0].offset) > 0.0f) {
		return false;
	}
	*out_hips_height = height;
	return true;
}
