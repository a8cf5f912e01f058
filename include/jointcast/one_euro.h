/* The 1€ filter (Casiez, Roussel, Vogel: "1€ Filter: A Simple Speed-based Low-pass
 * Filter for Noisy Input in Interactive Systems", CHI 2012, algorithm 1) for poses:
 * what stands still stops trembling, what moves fast hardly lags. */
#ifndef JOINTCAST_ONE_EURO_H
#define JOINTCAST_ONE_EURO_H

#include <stdbool.h>
#include <stdint.h>

#include "humanoid.h"

struct jc_one_euro_options {
	float min_cutoff; /* Hz: of what stands still; 0: nothing is filtered */
	float beta;       /* Hz more for each radian, or hips height, a second */
};

/* A trembling of 1 Hz and faster goes; a hand at 5 radians a second lags by a frame. */
#define JC_ONE_EURO_DEFAULTS ((struct jc_one_euro_options){ 1.5f, 1.5f })

#define JC_ONE_EURO_SPEED_CUTOFF 1.0f /* Hz: of the speeds themselves */

/* One per body, the caller's; `struct jc_one_euro filter = { .options = … };` begins
 * it, and so does `has_begun = false`. */
struct jc_one_euro {
	struct jc_one_euro_options options;
	bool has_begun;
	int64_t time_ns;
	struct jc_pose pose;                  /* as it came out */
	struct jc_vec3 speeds[JC_BONE_COUNT]; /* radians a second, bone's axes */
	struct jc_vec3 hips_speed;            /* hips heights a second */
};

/* Filters a pose in place: each bone's rotation on the tangent at the one that came
 * out before (its vector takes the place of the paper's x, its length that of |dx|),
 * and the way of the hips. Bones that were absent begin anew; all does after a
 * second without a pose or a jump of the hips by JC_LIMIT_HIPS_JUMP. A pose that is
 * not later than the one before changes nothing and comes out as that did. */
void jc_one_euro_filter(struct jc_one_euro *filter, struct jc_pose *pose, int64_t time_ns);

#endif
