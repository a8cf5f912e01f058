/* The 1€ filter (Casiez, Roussel, Vogel: "1€ Filter: A Simple Speed-based Low-pass
 * Filter for Noisy Input in Interactive Systems", CHI 2012, algorithm 1) for poses: removes the
 * jitter of slow movement and adds little delay to fast movement. */
#ifndef JOINTCAST_ONE_EURO_H
#define JOINTCAST_ONE_EURO_H

#include <stdbool.h>
#include <stdint.h>

#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much a filter removes. */
struct jc_one_euro_options {
	float min_cutoff; /* Hz, cutoff at rest; 0: no filtering */
	float beta;       /* additional Hz per radian (or hips height) a second */
};

/* Removes jitter of 1 Hz and faster; a hand at 5 radians a second lags by one frame. */
#define JC_ONE_EURO_DEFAULTS ((struct jc_one_euro_options){ 1.5f, 1.5f })

#define JC_ONE_EURO_SPEED_CUTOFF 1.0f /* Hz: cutoff of the speed estimates */

/* Filter of one body, owned by the caller. Initialise with
 * `struct jc_one_euro filter = { .options = … };`; `has_begun = false` resets it. */
struct jc_one_euro {
	struct jc_one_euro_options options;   /* may change at any time */
	bool has_begun;                       /* there is a last output */
	int64_t time_ns;                      /* of the last output */
	struct jc_pose pose;                  /* last output */
	struct jc_vec3 speeds[JC_BONE_COUNT]; /* radians a second, bone's axes */
	struct jc_vec3 hips_speed;            /* hips heights a second */
};

/* Filters a pose in place: the hips translation, and each bone's rotation in the tangent space of
 * its last output (the tangent vector replaces the paper's x, its length |dx|). Bones that were
 * absent restart; everything restarts after a second without a pose and after a hips jump of
 * JC_LIMIT_HIPS_JUMP. A pose that is not later than the previous one is replaced by the last
 * output. */
void jc_one_euro_filter(struct jc_one_euro *filter, struct jc_pose *pose, int64_t time_ns);

#ifdef __cplusplus
}
#endif

#endif
