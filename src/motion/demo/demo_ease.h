/* Smooth functions of time out of which the demo motions are made. Value and
 * velocity are continuous everywhere. */
#ifndef JC_MOTION_DEMO_EASE_H
#define JC_MOTION_DEMO_EASE_H

#include <stddef.h>

/* 0 up to a, 1 from b on, a quintic between: at rest at both ends. */
float jc_demo_ease_step(float a, float b, float x);

/* Rises over a..b, holds 1, falls over c..d. */
float jc_demo_ease_window(float a, float b, float c, float d, float x);

struct jc_demo_ease_key {
	float at, value;
};

/* The periodic monotone cubic (Fritsch and Carlson 1980) through keys that
 * ascend within 0 <= at < period: no overshoot, and equal neighbours give an
 * exact plateau. count is 2 or more. */
float jc_demo_ease_curve(const struct jc_demo_ease_key *keys, size_t count, float period, float x);

#endif
