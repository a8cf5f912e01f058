/* A motion sampled at one rate: the input of the codecs. */
#ifndef JC_CLI_BENCH_CLIP_H
#define JC_CLI_BENCH_CLIP_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/motion.h"

/* The maximum length: twenty minutes at 30 Hz. Longer motions are cut. */
#define JC_BENCH_FRAMES 36000

/* One body on the built-in figure. Its rest is the identity, so relative rotations equal normalised
 * ones. */
struct jc_bench_sample {
	struct jc_quat rotations[JC_BONE_COUNT];
	struct jc_vec3 hips; /* from rest, metres */
};

struct jc_bench_clip {
	const char *name; /* borrowed */
	double hz;
	size_t count;
	struct jc_bench_sample *samples; /* owned */
	bool fingers;                    /* at least half of the finger bones move */
};

/* Whether the motion was captured at that rate or faster; a slower one would have to be
 * interpolated. */
bool jc_bench_clip_has_rate(const struct jc_motion *motion, double hz);

/* JC_OK or JC_ERROR_MEMORY. */
int jc_bench_clip_init(
	struct jc_bench_clip *clip, const char *name, const struct jc_motion *motion, double hz);
void jc_bench_clip_finish(struct jc_bench_clip *clip);

#endif
