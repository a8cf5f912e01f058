/* A generator of numbers, rotations and motion for tests of chains. */
#include "mover.h"

#include <math.h>

#include "jointcast/transform.h"

#define DEGREES (180.0 / 3.14159265358979323846)

uint32_t next_bits(uint32_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 17;
	*random ^= *random << 5;
	return *random;
}

double next_real(uint32_t *random)
{
	return (int32_t)next_bits(random) / 2147483648.0;
}

bool happens(uint32_t *random, double chance)
{
	return next_real(random) * 0.5 + 0.5 < chance;
}

struct axis next_axis(uint32_t *random)
{
	for (;;) {
		double x = next_real(random), y = next_real(random), z = next_real(random);
		double length = sqrt(x * x + y * y + z * z);

		if (length > 0.01 && length <= 1.0) {
			return (struct axis){ x / length, y / length, z / length };
		}
	}
}

struct jc_quat turned(struct axis axis, double degrees)
{
	double s = sin(degrees / DEGREES / 2.0), c = cos(degrees / DEGREES / 2.0);

	return (struct jc_quat){ (float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s),
		(float)c };
}

void mover_init(struct mover *mover, uint32_t seed)
{
	*mover = (struct mover){ .random = seed };
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		mover->axes[bone] = next_axis(&mover->random);
		mover->rotations[bone] = JC_QUAT_IDENTITY;
	}
}

void mover_step(struct mover *mover)
{
	uint32_t *random = &mover->random;

	if (happens(random, 0.1)) {
		return;
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (happens(random, 0.002)) {
			mover->axes[bone] = next_axis(random);
			mover->degrees[bone] = 180.0 * next_real(random);
		}
		mover->speeds[bone] = 0.9 * mover->speeds[bone] + 0.5 * next_real(random);
		mover->degrees[bone] += mover->speeds[bone];
		mover->rotations[bone] = turned(mover->axes[bone], mover->degrees[bone]);
	}
}
