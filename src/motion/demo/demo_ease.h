/* Smooth functions of time for the demo motions. Value and velocity are continuous
 * everywhere. */
#ifndef JC_MOTION_DEMO_EASE_H
#define JC_MOTION_DEMO_EASE_H

#include <stddef.h>

/* 0 where x is at most a, 1 where x is at least b; between a and b a quintic with zero slope
 * at both ends. */
float jc_demo_ease_step(float a, float b, float x);

/* Rises from 0 to 1 while x goes from a to b, stays 1 up to c, falls to 0 between c and d. */
float jc_demo_ease_window(float a, float b, float c, float d, float x);

struct jc_demo_ease_key {
	float at, value;
};

/* The periodic monotone cubic (Fritsch and Carlson 1980) through keys in ascending order,
 * 0 <= at < period. It does not overshoot, and equal neighbours give an exact plateau.
 * count is at least 2. */
float jc_demo_ease_curve(const struct jc_demo_ease_key *keys, size_t count, float period, float x);

#endif
