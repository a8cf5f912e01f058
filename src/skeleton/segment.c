/* Checks segments and converts them between the coordinates of nodes. */
#include "jointcast_private/segment.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

/* out = a b, or a b^T, of 3 x 3 matrices by rows. */
static void multiply(const float a[9], const float b[9], bool is_transposed, float out[9])
{
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			out[3 * row + column] = 0.0f;
			for (int i = 0; i < 3; i++) {
				out[3 * row + column] +=
					a[3 * row + i] *
					(is_transposed ? b[3 * column + i] : b[3 * i + column]);
			}
		}
	}
}

void jc_skeleton_segment_transform(
	struct jc_skeleton_segment *segment, const struct jc_mat4 *matrix)
{
	float linear[9], product[9], inertia[9];

	for (int i = 0; i < 9; i++) {
		linear[i] = matrix->m[4 * (i % 3) + i / 3]; /* the matrix is by columns */
		inertia[i] = segment->inertia[i];
	}
	segment->center_of_mass = jc_mat4_transform_point(*matrix, segment->center_of_mass);
	multiply(linear, inertia, false, product);
	multiply(product, linear, true, segment->inertia);
}

bool jc_skeleton_segment_is_valid(const struct jc_skeleton_segment *segment)
{
	const struct jc_vec3 c = segment->center_of_mass;
	float most = fmaxf(fmaxf(fabsf(c.x), fabsf(c.y)), fmaxf(fabsf(c.z), segment->mass));

	if (!jc_vec3_is_finite(c) || !(segment->mass >= 0.0f)) {
		return false;
	}
	for (int i = 0; i < 9; i++) {
		if (!isfinite(segment->inertia[i])) {
			return false;
		}
		most = fmaxf(most, fabsf(segment->inertia[i]));
	}
	return most <= JC_LIMIT_COORDINATE;
}
