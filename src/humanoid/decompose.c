/* Decomposes a matrix into translation, rotation and scale by polar decomposition: the rotation is
 * the nearest one to the matrix (Higham, "Computing the polar decomposition", 1986) and prefers no
 * axis, unlike Gram-Schmidt. */
#include <math.h>

#include "jointcast/transform.h"

struct matrix3 {
	double m[3][3]; /* column, row */
};

static double determinant(const struct matrix3 *a)
{
	return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[2][1] * a->m[1][2]) -
	       a->m[1][0] * (a->m[0][1] * a->m[2][2] - a->m[2][1] * a->m[0][2]) +
	       a->m[2][0] * (a->m[0][1] * a->m[1][2] - a->m[1][1] * a->m[0][2]);
}

static struct matrix3 inverse_transpose(const struct matrix3 *a, double det)
{
	struct matrix3 r;

	for (int c = 0; c < 3; c++) {
		for (int w = 0; w < 3; w++) {
			int c1 = (c + 1) % 3;
			int c2 = (c + 2) % 3;
			int w1 = (w + 1) % 3;
			int w2 = (w + 2) % 3;

			r.m[c][w] =
				(a->m[c1][w1] * a->m[c2][w2] - a->m[c2][w1] * a->m[c1][w2]) / det;
		}
	}
	return r;
}

/* Newton's iteration Q <- (g Q + Q^-T / g) / 2 with Higham's scaling g, which
 * makes very small and very large matrices converge as fast as any. */
static bool nearest_orthogonal(const struct matrix3 *a, struct matrix3 *out)
{
	struct matrix3 q = *a;

	for (int step = 0; step < 32; step++) {
		double det = determinant(&q);
		double change = 0.0;
		double norm = 0.0;
		double inverse_norm = 0.0;
		struct matrix3 it;
		double g;

		if (!isfinite(det) || det == 0.0) {
			return false;
		}
		it = inverse_transpose(&q, det);
		for (int i = 0; i < 9; i++) {
			norm += q.m[i / 3][i % 3] * q.m[i / 3][i % 3];
			inverse_norm += it.m[i / 3][i % 3] * it.m[i / 3][i % 3];
		}
		g = sqrt(sqrt(inverse_norm / norm));
		if (!isfinite(g) || g == 0.0) {
			return false;
		}
		for (int i = 0; i < 9; i++) {
			double next = 0.5 * (g * q.m[i / 3][i % 3] + it.m[i / 3][i % 3] / g);

			change += fabs(next - q.m[i / 3][i % 3]);
			q.m[i / 3][i % 3] = next;
		}
		if (change < 1e-14) {
			break;
		}
	}
	*out = q;
	return true;
}

bool jc_mat4_decompose(struct jc_mat4 a, struct jc_transform *out_transform, float *out_shear)
{
	struct matrix3 linear, q;
	double stretch[3][3];
	double sign;
	double shear = 0.0;
	double size = 0.0;

	if (!jc_mat4_is_finite(a)) {
		return false;
	}
	for (int i = 0; i < 9; i++) {
		linear.m[i / 3][i % 3] = a.m[4 * (i / 3) + i % 3];
	}
	if (!nearest_orthogonal(&linear, &q)) {
		return false;
	}
	/* A mirror becomes a rotation by giving its x column to the scale. */
	sign = determinant(&q) < 0.0 ? -1.0 : 1.0;
	for (int w = 0; w < 3; w++) {
		q.m[0][w] *= sign;
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			stretch[i][j] = q.m[i][0] * linear.m[j][0] + q.m[i][1] * linear.m[j][1] +
					q.m[i][2] * linear.m[j][2];
			if (i == j) {
				size = fmax(size, fabs(stretch[i][j]));
			} else {
				shear = fmax(shear, fabs(stretch[i][j]));
			}
		}
	}
	*out_transform = (struct jc_transform){
		.translation = jc_mat4_translation(a),
		.rotation = jc_quat_from_axes(
			(struct jc_vec3){ (float)q.m[0][0], (float)q.m[0][1], (float)q.m[0][2] },
			(struct jc_vec3){ (float)q.m[1][0], (float)q.m[1][1], (float)q.m[1][2] },
			(struct jc_vec3){ (float)q.m[2][0], (float)q.m[2][1], (float)q.m[2][2] }),
		.scale = { (float)stretch[0][0], (float)stretch[1][1], (float)stretch[2][2] },
	};
	if (out_shear) {
		*out_shear = size > 0.0 ? (float)(shear / size) : 0.0f;
	}
	return true;
}
