/* A rest in which all bones of a limb lie on one line (LAFAN1's does) leaves
 * open how the limb is rolled about that line. The clip shows it: knees and
 * elbows are hinges, and each bends one way only. */
#include "rest_hinge.h"

#include "bvh_frame.h"
#include "jointcast/transform.h"

#define SAMPLES 256

/* Mean sine of the bend, about nine degrees, and how much of it must be in one
 * plane, before a clip is believed. */
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

/* From a joint to one below it, in the zero pose. */
static struct jc_vec3 direction(const struct jc_bvh *bvh, int from, int to)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (; to >= 0 && to != from; to = bvh->joints[to].parent) {
		sum = jc_vec3_add(sum, bvh->joints[to].offset);
	}
	return jc_vec3_normalize(sum);
}

static bool measure(const void *context, int upper, int lower, int end, struct jc_vec3 *out_axis)
{
	const struct jc_bvh *bvh = context;
	struct jc_vec3 along_upper = direction(bvh, upper, lower);
	struct jc_vec3 along_lower = direction(bvh, lower, end);
	size_t step = bvh->frame_count / SAMPLES + 1;
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
	*out_axis = jc_vec3_normalize(sum);
	return true;
}

struct jc_rest_hinge jc_bvh_rest_hinge(const struct jc_bvh *bvh)
{
	return (struct jc_rest_hinge){ .measure = measure, .context = bvh };
}
