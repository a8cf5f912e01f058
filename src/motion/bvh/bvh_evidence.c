/* Averages directions and bend axes over the frames of a clip. */
#include "bvh_evidence.h"

#include <math.h>
#include <stdlib.h>

#include "bvh_frame.h"
#include "jointcast/transform.h"

/* Unit direction from the hips to the first of these bones that is there; zero if none is. */
static struct jc_vec3 from_hips(
	const struct jc_transform *worlds, const int *bones, const enum jc_bone *to, size_t count)
{
	struct jc_vec3 hips = worlds[bones[JC_BONE_HIPS]].translation;

	for (size_t i = 0; i < count; i++) {
		if (bones[to[i]] >= 0) {
			return jc_vec3_normalize(
				jc_vec3_subtract(worlds[bones[to[i]]].translation, hips));
		}
	}
	return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
}

struct jc_vec3 jc_bvh_evidence_up(const struct jc_transform *worlds, const int *bones)
{
	static const enum jc_bone tops[] = { JC_BONE_HEAD, JC_BONE_NECK, JC_BONE_UPPER_CHEST,
		JC_BONE_CHEST, JC_BONE_SPINE };
	static const enum jc_bone left[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_LOWER_LEG };
	static const enum jc_bone right[] = { JC_BONE_RIGHT_FOOT, JC_BONE_RIGHT_LOWER_LEG };
	struct jc_vec3 trunk = from_hips(worlds, bones, tops, sizeof(tops) / sizeof(tops[0]));
	struct jc_vec3 legs =
		jc_vec3_add(from_hips(worlds, bones, left, 2), from_hips(worlds, bones, right, 2));

	return jc_vec3_scale(jc_vec3_subtract(trunk, jc_vec3_scale(legs, 0.5f)), 0.5f);
}

struct jc_vec3 jc_bvh_evidence_axis(struct jc_vec3 v)
{
	float x = fabsf(v.x);
	float y = fabsf(v.y);
	float z = fabsf(v.z);

	if (y >= x && y >= z) {
		return (struct jc_vec3){ 0.0f, copysignf(1.0f, v.y), 0.0f };
	}
	if (z >= x) {
		return (struct jc_vec3){ 0.0f, 0.0f, copysignf(1.0f, v.z) };
	}
	return (struct jc_vec3){ copysignf(1.0f, v.x), 0.0f, 0.0f };
}

#define SAMPLES 256

/* Rotation of `joint` relative to its ancestor `above` in a frame. */
static struct jc_quat relative_rotation(
	const struct jc_bvh *bvh, size_t frame, int joint, int above)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;

	for (; joint >= 0 && joint != above; joint = bvh->joints[joint].parent) {
		rotation = jc_quat_multiply(
			jc_bvh_frame_local(bvh, frame, (size_t)joint).rotation, rotation);
	}
	return jc_quat_normalize(rotation);
}

/* From a joint to a descendant in the zero pose. */
static struct jc_vec3 direction(const struct jc_bvh *bvh, int from, int to)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (; to >= 0 && to != from; to = bvh->joints[to].parent) {
		sum = jc_vec3_add(sum, bvh->joints[to].offset);
	}
	return jc_vec3_normalize(sum);
}

static bool measure_hinge(const void *context, int upper, int lower, int end,
	struct jc_vec3 *out_axis, float *out_bend)
{
	const struct jc_bvh_clip *clip = context;
	const struct jc_bvh *bvh = clip->bvh;
	struct jc_vec3 along_upper = direction(bvh, upper, lower);
	struct jc_vec3 along_lower = direction(bvh, lower, end);
	size_t step = bvh->frame_count / SAMPLES + 1;
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	float bend = 0.0f;
	size_t count = 0;

	for (size_t frame = 0; frame < bvh->frame_count; frame += step, count++) {
		struct jc_vec3 axis = jc_vec3_cross(along_upper,
			jc_quat_rotate(relative_rotation(bvh, frame, lower, upper), along_lower));

		sum = jc_vec3_add(sum, axis);
		bend += jc_vec3_length(axis);
	}
	*out_axis = jc_quat_rotate(
		clip->tree->rotations[upper], jc_vec3_scale(sum, 1.0f / (float)count));
	*out_bend = bend / (float)count;
	return true;
}

static bool measure_mean(const void *context, int above, int joint, struct jc_quat *out_mean)
{
	const struct jc_bvh_clip *clip = context;
	const struct jc_quat *rotations = clip->tree->rotations;
	size_t step = clip->bvh->frame_count / SAMPLES + 1;
	struct jc_quat sum = { 0.0f, 0.0f, 0.0f, 0.0f };
	size_t count = 0;

	for (size_t frame = 0; frame < clip->bvh->frame_count; frame += step, count++) {
		struct jc_quat q = relative_rotation(clip->bvh, frame, joint, above);
		/* q and -q are the same rotation. */
		float sign =
			sum.x * q.x + sum.y * q.y + sum.z * q.z + sum.w * q.w < 0.0f ? -1.0f : 1.0f;

		sum.x += sign * q.x;
		sum.y += sign * q.y;
		sum.z += sign * q.z;
		sum.w += sign * q.w;
	}
	sum = jc_quat_multiply(
		jc_quat_multiply(rotations[above], sum), jc_quat_conjugate(rotations[joint]));
	*out_mean = (struct jc_quat){ sum.x / (float)count, sum.y / (float)count,
		sum.z / (float)count, sum.w / (float)count };
	return true;
}

/* From right to left by upper legs and upper arms. */
static struct jc_vec3 left_of(const struct jc_transform *worlds, const int *bones)
{
	static const enum jc_bone sides[] = { JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_UPPER_ARM };
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		int left = bones[sides[i]];
		int right = bones[jc_bone_mirror(sides[i])];

		if (left >= 0 && right >= 0) {
			sum = jc_vec3_add(sum, jc_vec3_subtract(worlds[left].translation,
						       worlds[right].translation));
		}
	}
	return sum;
}

/* Only where the reference pose does not show the axes of the hips. */
static bool measure_hips(const void *context, struct jc_vec3 *out_up, struct jc_vec3 *out_left)
{
	const struct jc_bvh_clip *clip = context;
	const struct jc_bvh *bvh = clip->bvh;
	int hips = clip->bones[JC_BONE_HIPS];
	size_t step = bvh->frame_count / SAMPLES + 1;
	struct jc_vec3 up = { 0.0f, 0.0f, 0.0f }, left = up;
	struct jc_transform *worlds = NULL;

	if (!jc_bvh_tree_stands(clip->tree, clip->bones)) {
		worlds = malloc(bvh->joint_count * sizeof(*worlds));
	}
	for (size_t frame = 0; worlds && frame < bvh->frame_count; frame += step) {
		jc_bvh_frame_worlds(bvh, frame, worlds);
		struct jc_quat back = jc_quat_conjugate(worlds[hips].rotation);

		up = jc_vec3_add(up, jc_quat_rotate(back, jc_bvh_evidence_up(worlds, clip->bones)));
		left = jc_vec3_add(left, jc_quat_rotate(back, left_of(worlds, clip->bones)));
	}
	free(worlds);
	*out_up = jc_quat_rotate(clip->tree->rotations[hips], up);
	*out_left = jc_quat_rotate(clip->tree->rotations[hips], left);
	return jc_vec3_length(up) > 0.0f;
}

struct jc_rest_evidence jc_bvh_evidence(const struct jc_bvh_clip *clip)
{
	return (struct jc_rest_evidence){
		.find_hinge = measure_hinge,
		.find_hips = measure_hips,
		.find_mean = measure_mean,
		.shows_thumbs = !jc_bvh_tree_stands(clip->tree, clip->bones),
		.context = clip,
	};
}
