/* Measures the difference between a decoded body and the original. */
#ifndef JC_CLI_BENCH_ACCURACY_H
#define JC_CLI_BENCH_ACCURACY_H

#include "jointcast/humanoid.h"

/* Degrees of the rotation from a to b. It is computed from the chord between the two unit
 * quaternions, because the arc cosine of a product is inexact for small angles. */
double jc_bench_angle(struct jc_quat a, struct jc_quat b);

/* The largest distance in millimetres between corresponding end effectors of the two bodies: head,
 * wrists, middle knuckles, feet, toes and last finger joints. The body is the built-in figure, 1.75
 * m high; positions are relative to the hips joint. */
double jc_bench_end_effectors(
	const struct jc_quat a[JC_BONE_COUNT], const struct jc_quat b[JC_BONE_COUNT]);

#endif
