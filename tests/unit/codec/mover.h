/* Motion for tests of chains, the same on every run. */
#ifndef JC_TESTS_CODEC_MOVER_H
#define JC_TESTS_CODEC_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* Marsaglia's xorshift; *random is never 0. */
uint32_t next_bits(uint32_t *random);
double next_real(uint32_t *random); /* from -1 to 1 */
bool happens(uint32_t *random, double chance);

struct axis {
	double x, y, z;
};

struct axis next_axis(uint32_t *random); /* uniform over all directions */
struct jc_quat turned(struct axis axis, double degrees);

/* A body whose bones swing, stand still for a while, and jump now and then. */
struct mover {
	uint32_t random;
	struct axis axes[JC_BONE_COUNT];
	double degrees[JC_BONE_COUNT];
	double speeds[JC_BONE_COUNT];
	struct jc_quat rotations[JC_BONE_COUNT];
};

void mover_init(struct mover *mover, uint32_t seed);
void mover_step(struct mover *mover);

#endif
