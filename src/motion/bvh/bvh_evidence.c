/* Averages directions and bend axes over the frames of a clip. */
#include "bvh_evidence.h"

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

#define HINGE_SAMPLES 256

/* A clip shows a hinge axis if the mean sine of the bend exceeds the first value (about
 * nine degrees), and this share of it is about one axis. */
#define LEAST_BEND      0.15f
#define LEAST_AGREEMENT 0.8f

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

static bool measure_hinge(
	const void *context, int upper, int lower, int end, struct jc_vec3 *out_axis)
{
	const struct jc_bvh_clip *clip = context;
	const struct jc_bvh *bvh = clip->bvh;
	struct jc_vec3 along_upper = direction(bvh, upper, lower);
	struct jc_vec3 along_lower = direction(bvh, lower, end);
	size_t step = bvh->frame_count / HINGE_SAMPLES + 1;
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	float bend = 0.0f;
	size_t count = 0;
	size_t frame;

	for (frame = 0; frame < bvh->frame_count; frame += step) {
		struct jc_vec3 axis = jc_vec3_cross(along_upper,
			jc_quat_rotate(relative_rotation(bvh, frame, lower, upper), along_lower));

		sum = jc_vec3_add(sum, axis);
		bend += jc_vec3_length(axis);
		count++;
	}
	if (bend < LEAST_BEND * (float)count || jc_vec3_length(sum) < LEAST_AGREEMENT * bend) {
		return false;
	}
	*out_axis = jc_quat_rotate(clip->tree->rotations[upper], jc_vec3_normalize(sum));
	return true;
}

/* Only where the reference pose does not show what is up of the hips. */
static bool measure_hips_up(const void *context, struct jc_vec3 *out_up)
{
	const struct jc_bvh_clip *clip = context;
	const struct jc_bvh *bvh = clip->bvh;
	int hips = clip->bones[JC_BONE_HIPS];
	size_t step = bvh->frame_count / HINGE_SAMPLES + 1;
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	struct jc_transform *worlds = NULL;

	if (!jc_bvh_tree_stands(clip->tree, clip->bones)) {
		worlds = malloc(bvh->joint_count * sizeof(*worlds));
	}
	for (size_t frame = 0; worlds && frame < bvh->frame_count; frame += step) {
		jc_bvh_frame_worlds(bvh, frame, worlds);
		sum = jc_vec3_add(sum, jc_quat_rotate(jc_quat_conjugate(worlds[hips].rotation),
					       jc_bvh_evidence_up(worlds, clip->bones)));
	}
	free(worlds);
	*out_up = jc_quat_rotate(clip->tree->rotations[hips], sum);
	return jc_vec3_length(sum) > 0.0f;
}

struct jc_rest_evidence jc_bvh_evidence(const struct jc_bvh_clip *clip)
{
	return (struct jc_rest_evidence){
		.find_hinge = measure_hinge, .find_up = measure_hips_up, .context = clip
	};
}
