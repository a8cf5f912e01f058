/* A motion as a source: played on the clock, looped or once. */
#ifndef JC_MOTION_SOURCE_H
#define JC_MOTION_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/motion.h"
#include "source/source.h"

struct jc_motion_source_options {
	bool loop;
	double speed;     /* > 0 */
	int64_t start_ns; /* CLOCK_MONOTONIC at time 0 of the motion */
	int64_t epoch_ns; /* CLOCK_MONOTONIC at server time 0 */
	/* The motion was recorded, so its spot is where it begins. Otherwise its spot is the
	 * origin. */
	bool recorded;
	float forearm_twist; /* of struct jc_solver */
	float seat_height;   /* in units of hips height; 0: none */
};

/* Steals the motion on success. Returns 0 or JC_ERROR_MEMORY. */
int jc_motion_source_create(struct jc_motion *motion,
	const struct jc_motion_source_options *options, struct jc_source **out_source);

/* The position in a motion at an instant. */
struct jc_motion_cursor {
	double t;      /* seconds into the motion */
	uint64_t turn; /* number of completed repetitions */
	bool live;     /* false past the end of a motion that is not looped */
	int64_t capture_ns;
};

void jc_motion_source_locate(const struct jc_motion_source_options *options, double duration,
	int64_t now_ns, struct jc_motion_cursor *out_cursor);

/* Heading about +Y from the rotation of the hips: the direction of the front, or that of the
 * left side for a lying body. */
float jc_motion_source_heading(struct jc_quat hips);

#endif
