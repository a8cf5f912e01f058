/* How far a decoded body is from the one that was encoded. */
#ifndef JC_CLI_BENCH_ACCURACY_H
#define JC_CLI_BENCH_ACCURACY_H

#include "jointcast/humanoid.h"

/* Degrees of the turn from a to b, from the chord between the two unit
 * quaternions: exact where the arc cosine of a product rounds to nothing. */
double jc_bench_angle(struct jc_quat a, struct jc_quat b);

/* Millimetres between the two bodies' head, wrists, knuckles of the middle
 * fingers, feet, toes and last finger joints, the most of these; on the built-in
 * figure, 1.75 m high, seen from the hips joint. */
double jc_bench_end_effectors(
	const struct jc_quat a[JC_BONE_COUNT], const struct jc_quat b[JC_BONE_COUNT]);

#endif
