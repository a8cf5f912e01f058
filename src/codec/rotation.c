/* Quantises one rotation. The decoder uses only + - * / and sqrt in double precision, whose results
 * IEEE 754 fixes to the bit, so that C and JavaScript give equal floats. */
#include "rotation.h"

#include <math.h>

#include "jointcast/error.h"

#define SQRT2 1.4142135623730951

/* How a component of zero is stored; from there it is one step less to 1 / sqrt(2),
 * the most that a smaller component can be. */
static int zero(unsigned bits)
{
	return 1 << (bits - 1);
}

int jc_rotation_pack(struct jc_quat rotation, unsigned bits, uint64_t *out_packed)
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
	scale = SQRT2 * (zero(bits) - 1) / (q[largest] < 0.0 ? -length : length);
	packed = (uint64_t)largest << 3 * bits;
	for (unsigned i = 0; i < 4; i++) {
		if (i != largest) {
			packed |= (uint64_t)(lround(q[i] * scale) + zero(bits)) << shift;
			shift += bits;
		}
	}
	*out_packed = packed;
	return JC_OK;
}

static double component(uint64_t packed, unsigned bits, unsigned index)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;

	return ((int)(packed >> index * bits & mask) - zero(bits)) / ((zero(bits) - 1) * SQRT2);
}

int jc_rotation_unpack(uint64_t packed, unsigned bits, struct jc_quat *out_rotation)
{
	double a = component(packed, bits, 0);
	double b = component(packed, bits, 1);
	double c = component(packed, bits, 2);
	double rest = 1.0 - a * a - b * b - c * c;
	float x = (float)a, y = (float)b, z = (float)c, largest;

	if (packed >> (3 * bits + 2) || rest < 0.0) {
		return JC_ERROR_INVALID;
	}
	largest = (float)sqrt(rest);
	switch (packed >> 3 * bits) {
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
