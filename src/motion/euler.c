/* Computes Euler angles Rz Rx Ry in double precision: near the poles floats lose half
 * their digits.
 *
 * The matrix has -cos x sin y, sin x, cos x cos y in the last row and -sin z cos x, cos z
 * cos x in the second column. */
#include "euler.h"

#include <math.h>

#define DEGREES 57.295779513082320877

/* cos x below this: Z and Y turn about one axis. Float quaternions are not more precise. */
static const double pole = 1.0e-6;

static double nearest_turn(double degrees, double before)
{
	return degrees + 360.0 * round((before - degrees) / 360.0);
}

static struct jc_euler near(struct jc_euler e, struct jc_euler before)
{
	return (struct jc_euler){ nearest_turn(e.z, before.z), nearest_turn(e.x, before.x),
		nearest_turn(e.y, before.y) };
}

static double distance(struct jc_euler a, struct jc_euler b)
{
	return fabs(a.z - b.z) + fabs(a.x - b.x) + fabs(a.y - b.y);
}

struct jc_euler jc_euler_from_quat(struct jc_quat q, struct jc_euler before)
{
	double length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y +
			     (double)q.z * (double)q.z + (double)q.w * (double)q.w);
	double x = (double)q.x / length, y = (double)q.y / length;
	double z = (double)q.z / length, w = (double)q.w / length;
	double m20 = 2.0 * (x * z - y * w), m21 = 2.0 * (y * z + x * w);
	double m22 = 1.0 - 2.0 * (x * x + y * y);
	double cosine = hypot(m20, m22);
	struct jc_euler first = { .x = atan2(m21, cosine) * DEGREES };
	struct jc_euler second;

	if (cosine < pole) {
		double sum = atan2(2.0 * (x * y + z * w), 1.0 - 2.0 * (y * y + z * z)) * DEGREES;

		first.y = before.y;
		first.z = sum - copysign(1.0, m21) * before.y;
		return near(first, before);
	}
	first.y = atan2(-m20, m22) * DEGREES;
	first.z = atan2(2.0 * (z * w - x * y), 1.0 - 2.0 * (x * x + z * z)) * DEGREES;
	second = (struct jc_euler){ first.z + 180.0, 180.0 - first.x, first.y + 180.0 };
	first = near(first, before);
	second = near(second, before);
	return distance(first, before) <= distance(second, before) ? first : second;
}
