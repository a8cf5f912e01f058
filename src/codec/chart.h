/* The chart of rotations in which the lattice of chains lies. */
#ifndef JC_CODEC_CHART_H
#define JC_CODEC_CHART_H

#include <stdbool.h>

#include "jointcast_private/chain.h"

/* The scale of a lattice. */
struct jc_lattice {
	double unit;  /* of the chart, between whole numbers */
	double bound; /* sin^2(angle / 4) of the largest angle to a place that hits; of the thinnest
			 lattice within that angle 1.25 times the square of the unit */
};

/* A rotation in double precision. */
struct jc_quat64 {
	double x, y, z, w;
};

struct jc_chart_point {
	double v[3]; /* tan(angle / 4) * axis, in lattice units */
};

/* Returns false for an invalid rotation. Of the two points of a rotation, gives the one nearer
 * to `near` within the chart; near may be NULL. */
bool jc_chart_from_rotation(struct jc_quat rotation, const struct jc_lattice *lattice,
	const int32_t near[3], struct jc_chart_point *out_point);

/* The same for a quaternion of any length other than zero. */
void jc_chart_from_quat(const struct jc_quat64 *rotation, const struct jc_lattice *lattice,
	const int32_t near[3], struct jc_chart_point *out_point);

/* Rounds to single precision, with the same bits on every machine. */
struct jc_quat jc_chart_to_rotation(const int32_t place[3], const struct jc_lattice *lattice);

/* The place that is nearest to the point in the chart, and thus within the bound. */
void jc_chart_nearest(const struct jc_chart_point *point, int32_t out_place[3]);

/* The rotations within the bound of a point. */
struct jc_chart_ball {
	struct jc_chart_point point;
	double unit2; /* the square of the lattice unit */
	double bound; /* that of the lattice, times 1 + |point|^2 */
};

struct jc_chart_ball jc_chart_ball(
	const struct jc_chart_point *point, const struct jc_lattice *lattice);

/* Whether a place is within the ball, and its squared chord from the point relative to that of the
 * bound. The chart is a stereographic projection: the squared chord is the squared chart distance
 * over (1 + |a|^2)(1 + |b|^2). */
bool jc_chart_hits(const struct jc_chart_ball *ball, const int32_t place[3], double *out_share);

/* Lattice units within which all places lie that hit the point. */
double jc_chart_reach(const struct jc_chart_ball *ball, const struct jc_lattice *lattice);

#endif
