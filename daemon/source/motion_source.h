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
	int64_t start_ns; /* when the motion's time 0 is */
	int64_t epoch_ns; /* CLOCK_MONOTONIC at server time 0 */
	/* The motion was recorded somewhere: it begins where it happens to, and
	 * that is where its spot is. Else its spot is its origin. */
	bool recorded;
	float forearm_twist; /* of struct jc_solver */
	float seat_height;   /* in units of hips height, 0 for none */
};

/* Steals the motion on success. Returns 0 or JC_ERROR_MEMORY. */
int jc_motion_source_create(struct jc_motion *motion,
	const struct jc_motion_source_options *options, struct jc_source **out_source);

/* Where in the motion an instant falls. */
struct jc_motion_cursor {
	double t;      /* seconds into the motion */
	uint64_t turn; /* how often it has begun anew */
	bool live;     /* false past the end of a motion that is not looped */
	int64_t capture_ns;
};

void jc_motion_source_locate(const struct jc_motion_source_options *options, double duration,
	int64_t now_ns, struct jc_motion_cursor *out_cursor);

/* Heading of a body about +Y from the rotation of its hips: where its front
 * points, or for one that lies down, where its left does. */
float jc_motion_source_heading(struct jc_quat hips);

#endif
