/* The decoder uses + - * / and sqrt in double precision alone: IEEE 754 fixes
 * their every bit, so that C and JavaScript decode to the same floats. */
#include "rotation.h"

#include <math.h>

#include "jointcast/error.h"

#define STEPS 16383 /* from zero to 1 / sqrt(2), the most a smaller component can be */
#define ZERO  16384 /* how a component of zero is stored */
#define SQRT2 1.4142135623730951

int jc_rotation_pack(struct jc_quat rotation, uint64_t *out_packed)
{
	const double q[4] = { rotation.x, rotation.y, rotation.z, rotation.w };
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	unsigned largest = 0;
	unsigned shift = 0;
	double scale;
	uint64_t packed;

	/* Written so that NaN fails it. */
	if (!(fabs(length - 1.0) <= 1e-3)) {
		return JC_ERROR_INVALID;
	}
	for (unsigned i = 1; i < 4; i++) {
		if (fabs(q[i]) > fabs(q[largest])) {
			largest = i;
		}
	}
	scale = SQRT2 * STEPS / (q[largest] < 0.0 ? -length : length);
	packed = (uint64_t)largest << 45;
	for (unsigned i = 0; i < 4; i++) {
		if (i != largest) {
			packed |= (uint64_t)(lround(q[i] * scale) + ZERO) << shift;
			shift += 15;
		}
	}
	*out_packed = packed;
	return JC_OK;
}

static double component(uint64_t packed, unsigned shift)
{
	return ((int)(packed >> shift & 0x7fff) - ZERO) / (STEPS * SQRT2);
}

int jc_rotation_unpack(uint64_t packed, struct jc_quat *out_rotation)
{
	double a = component(packed, 0);
	double b = component(packed, 15);
	double c = component(packed, 30);
	double rest = 1.0 - a * a - b * b - c * c;
	float x = (float)a, y = (float)b, z = (float)c, largest;

	if (packed >> 47 || rest < 0.0) {
		return JC_ERROR_INVALID;
	}
	largest = (float)sqrt(rest);
	switch (packed >> 45) {
	case 0:
		*out_rotation = (struct jc_quat){ largest, x, y, z };
		break;
	case 1:
		*out_rotation = (struct jc_quat){ x, largest, y, z };
		break;
	case 2:
		*out_rotation = (struct jc_quat){ x, y, largest, z };
		break;
	default:
		*out_rotation = (struct jc_quat){ x, y, z, largest };
		break;
	}
	return JC_OK;
}
