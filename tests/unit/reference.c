/* Matrices and a fixed random sequence. */
#include "reference.h"

#include <math.h>
#include <stdint.h>

static uint64_t random_state;

struct matrix matrix_identity(void)
{
	return (struct matrix){ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

struct matrix matrix_multiply(struct matrix a, struct matrix b)
{
	struct matrix product = { 0 };

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			for (int k = 0; k < 3; k++) {
				product.m[i][j] += a.m[i][k] * b.m[k][j];
			}
		}
	}
	return product;
}

struct matrix matrix_transpose(struct matrix a)
{
	struct matrix transposed;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			transposed.m[i][j] = a.m[j][i];
		}
	}
	return transposed;
}

/* Rodrigues' formula. */
struct matrix matrix_about(double x, double y, double z, double degrees)
{
	double length = sqrt(x * x + y * y + z * z);
	double angle = degrees * acos(-1.0) / 180.0;
	double s = sin(angle);
	double c = 1.0 - cos(angle);
	struct matrix k, square;
	struct matrix rotation = matrix_identity();

	x /= length;
	y /= length;
	z /= length;
	k = (struct matrix){ { { 0, -z, y }, { z, 0, -x }, { -y, x, 0 } } };
	square = matrix_multiply(k, k);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			rotation.m[i][j] += s * k.m[i][j] + c * square.m[i][j];
		}
	}
	return rotation;
}

struct matrix matrix_from_quat(struct jc_quat q)
{
	double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;

	return (struct matrix){ {
		{ 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
		{ 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
		{ 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) },
	} };
}

/* Takes the largest of the four components first, so it never divides by
 * something small. */
struct jc_quat matrix_to_quat(struct matrix a)
{
	double q[4] = {
		1 + a.m[0][0] - a.m[1][1] - a.m[2][2],
		1 - a.m[0][0] + a.m[1][1] - a.m[2][2],
		1 - a.m[0][0] - a.m[1][1] + a.m[2][2],
		1 + a.m[0][0] + a.m[1][1] + a.m[2][2],
	};
	double products[4][4] = {
		{ q[0], a.m[0][1] + a.m[1][0], a.m[0][2] + a.m[2][0], a.m[2][1] - a.m[1][2] },
		{ a.m[0][1] + a.m[1][0], q[1], a.m[1][2] + a.m[2][1], a.m[0][2] - a.m[2][0] },
		{ a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1], q[2], a.m[1][0] - a.m[0][1] },
		{ a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1], q[3] },
	};
	int largest = 0;
	double scale;

	for (int i = 1; i < 4; i++) {
		largest = q[i] > q[largest] ? i : largest;
	}
	scale = 0.5 / sqrt(q[largest]);
	return (struct jc_quat){
		(float)(products[largest][0] * scale),
		(float)(products[largest][1] * scale),
		(float)(products[largest][2] * scale),
		(float)(products[largest][3] * scale),
	};
}

struct matrix matrix_from_columns(struct vector x, struct vector y, struct vector z)
{
	struct matrix a;

	for (int i = 0; i < 3; i++) {
		a.m[i][0] = x.v[i];
		a.m[i][1] = y.v[i];
		a.m[i][2] = z.v[i];
	}
	return a;
}

struct vector vector_from(struct jc_vec3 v)
{
	return (struct vector){ { (double)v.x, (double)v.y, (double)v.z } };
}

struct jc_vec3 vector_to(struct vector v)
{
	return (struct jc_vec3){ (float)v.v[0], (float)v.v[1], (float)v.v[2] };
}

struct vector vector_add(struct vector a, struct vector b)
{
	return (struct vector){ { a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2] } };
}

struct vector vector_subtract(struct vector a, struct vector b)
{
	return vector_add(a, vector_scale(b, -1.0));
}

struct vector vector_scale(struct vector a, double factor)
{
	return (struct vector){ { a.v[0] * factor, a.v[1] * factor, a.v[2] * factor } };
}

struct vector vector_cross(struct vector a, struct vector b)
{
	return (struct vector){ { a.v[1] * b.v[2] - a.v[2] * b.v[1],
		a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0] } };
}

struct vector matrix_apply(struct matrix a, struct vector v)
{
	struct vector product = { { 0, 0, 0 } };

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			product.v[i] += a.m[i][j] * v.v[j];
		}
	}
	return product;
}

double matrix_difference(struct matrix a, struct matrix b)
{
	double largest = 0.0;

	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			double difference = fabs(a.m[i][j] - b.m[i][j]);

			/* Not fmax: a NaN has to come out as one. */
			largest = difference <= largest ? largest : difference;
		}
	}
	return largest;
}

double vector_distance(struct vector a, struct vector b)
{
	struct vector d = vector_subtract(a, b);

	return sqrt(d.v[0] * d.v[0] + d.v[1] * d.v[1] + d.v[2] * d.v[2]);
}

double degrees_between(struct jc_quat a, struct jc_quat b)
{
	const double p[4] = { a.x, a.y, a.z, a.w }, q[4] = { b.x, b.y, b.z, b.w };
	double p_length = 0.0, q_length = 0.0, same = 0.0, opposite = 0.0;

	for (int i = 0; i < 4; i++) {
		p_length += p[i] * p[i];
		q_length += q[i] * q[i];
	}
	for (int i = 0; i < 4; i++) {
		double u = p[i] / sqrt(p_length), v = q[i] / sqrt(q_length);

		same += (u - v) * (u - v);
		opposite += (u + v) * (u + v);
	}
	return 4.0 * asin(fmin(1.0, sqrt(fmin(same, opposite)) / 2.0)) * 180.0 / acos(-1.0);
}

void random_start(unsigned seed)
{
	random_state = 0x9e3779b97f4a7c15u + seed;
}

double random_unit(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (double)(random_state >> 11) / (double)(1ull << 52) - 1.0;
}

struct matrix random_rotation(double most_degrees)
{
	double x = random_unit();
	double y = random_unit();

	return matrix_about(x, y, random_unit() + 1e-3, most_degrees * random_unit());
}
