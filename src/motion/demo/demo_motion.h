/* The demo motions behind jc_motion_create_demo. */
#ifndef JC_MOTION_DEMO_MOTION_H
#define JC_MOTION_DEMO_MOTION_H

#include "demo_figure.h"

struct jc_demo {
	const char *name;
	double duration;
	float seat_height;
	/* Poses the figure, given in its T-pose, for time t. */
	void (*move)(double t, struct jc_demo_figure *figure);
};

extern const struct jc_demo jc_demo_walk;
extern const struct jc_demo jc_demo_wave;
extern const struct jc_demo jc_demo_sit;
extern const struct jc_demo jc_demo_idle;

#endif
