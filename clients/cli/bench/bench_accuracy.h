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

/* The joints that hold what others see: head, hands, feet, toes; and the last joints of fingers. */
#define JC_BENCH_ENDS    7
#define JC_BENCH_TURNED  5 /* the first of them, without the toes */
#define JC_BENCH_FINGERS 10

/* For each of the joints the distance in millimetres, as above. */
struct jc_bench_ends {
	double millimetres[JC_BENCH_ENDS];
	double degrees[JC_BENCH_TURNED]; /* of their rotations in model space */
	double fingers[JC_BENCH_FINGERS];
};
struct jc_bench_ends jc_bench_measure_ends(
	const struct jc_quat a[JC_BONE_COUNT], const struct jc_quat b[JC_BONE_COUNT]);

#endif
