/* Maps rotations to lattice points. */
#include "chart.h"

#include <math.h>
#include <string.h>

/* Beyond this radius (4 pi / 3) the other point of a rotation is used. */
#define CHART_SQUARE 3.0

static double square(const double v[3])
{
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void jc_chart_from_quat(const struct jc_quat64 *rotation, const struct jc_lattice *lattice,
	const int32_t near[3], struct jc_chart_point *out_point)
{
	const double q[3] = { rotation->x, rotation->y, rotation->z };
	double w = rotation->w;
	double length = sqrt(square(q) + w * w);
	double least = INFINITY;

	for (int i = 0; i < 2; i++) {
		double sign = i ? -1.0 : 1.0;
		double divisor = length + sign * w;
		struct jc_chart_point point;
		double distance;

		/* |point|^2 = (1 - w) / (1 + w) */
		if (divisor * CHART_SQUARE < length - sign * w) {
			continue;
		}
		for (int c = 0; c < 3; c++) {
			point.v[c] = sign * q[c] / (divisor * lattice->unit);
		}
		if (near) {
			const double away[3] = { point.v[0] - near[0], point.v[1] - near[1],
				point.v[2] - near[2] };

			distance = square(away);
		} else {
			distance = square(point.v);
		}
		if (distance < least) {
			least = distance;
			*out_point = point;
		}
	}
}

bool jc_chart_from_rotation(struct jc_quat rotation, const struct jc_lattice *lattice,
	const int32_t near[3], struct jc_chart_point *out_point)
{
	const struct jc_quat64 q = { rotation.x, rotation.y, rotation.z, rotation.w };

	/* Written so that NaN fails it. */
	if (!(fabs(sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0) <= 1e-3)) {
		return false;
	}
	jc_chart_from_quat(&q, lattice, near, out_point);
	return true;
}

struct jc_quat jc_chart_to_rotation(const int32_t place[3], const struct jc_lattice *lattice)
{
	double x = place[0] * lattice->unit;
	double y = place[1] * lattice->unit;
	double z = place[2] * lattice->unit;
	double s = x * x + y * y + z * z;
	double d = 1.0 + s;

	return (struct jc_quat){ (float)(2.0 * x / d), (float)(2.0 * y / d), (float)(2.0 * z / d),
		(float)((1.0 - s) / d) };
}

/* The lattice consists of the points with all coordinates even and those with all odd. */
void jc_chart_nearest(const struct jc_chart_point *point, int32_t out_place[3])
{
	double least = INFINITY;

	for (int odd = 0; odd < 2; odd++) {
		int32_t place[3];
		double away[3];

		for (int c = 0; c < 3; c++) {
			place[c] = 2 * (int32_t)lround((point->v[c] - odd) / 2.0) + odd;
			away[c] = point->v[c] - place[c];
		}
		if (square(away) < least) {
			least = square(away);
			memcpy(out_place, place, sizeof(place));
		}
	}
}

struct jc_chart_ball jc_chart_ball(
	const struct jc_chart_point *point, const struct jc_lattice *lattice)
{
	double unit2 = lattice->unit * lattice->unit;

	return (struct jc_chart_ball){ *point, unit2,
		lattice->bound * (1.0 + square(point->v) * unit2) };
}

bool jc_chart_hits(const struct jc_chart_ball *ball, const int32_t place[3], double *out_share)
{
	const double at[3] = { place[0], place[1], place[2] };
	const double *v = ball->point.v;
	const double away[3] = { v[0] - at[0], v[1] - at[1], v[2] - at[2] };
	double chord = square(away) * ball->unit2;
	double most = ball->bound * (1.0 + square(at) * ball->unit2);

	*out_share = chord / most;
	return chord <= most;
}

double jc_chart_reach(const struct jc_chart_ball *ball, const struct jc_lattice *lattice)
{
	/* Grows as the chart does; the last factor is for the place's own |b|^2, which differs a
	 * little from the point's. */
	double unit = lattice->unit;

	return sqrt(lattice->bound) / unit * (1.0 + square(ball->point.v) * unit * unit) *
	       (1.0 + 2.0 * unit * 4.0);
}
