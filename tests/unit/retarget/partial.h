/* Body frames as trackers of few points deliver them, made from whole ones. */
#ifndef TEST_PARTIAL_H
#define TEST_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/humanoid.h"

/* Joints of a tracker. */
struct partial_set {
	const char *name;
	const enum jc_joint *joints;
	size_t count;
};

extern const struct partial_set partial_three; /* head and wrists */
extern const struct partial_set partial_six;   /* hips and ankles too */

/* The built-in figure in a pose, `size` times as large, every joint tracked. */
struct jc_body_frame partial_whole(
	const struct jc_pose *pose, enum jc_profile profile, float size, double seconds);

/* The T-pose, reduced in the same way. */
struct jc_body_frame partial_rest(enum jc_profile profile, float size);

/* Keeps the joints of the set in a frame. */
struct jc_body_frame partial_of(const struct jc_body_frame *whole, const struct partial_set *set);

/* Places of a pose's bones on the built-in figure, metres over its floor. */
void partial_places(const struct jc_pose *pose, struct jc_vec3 out_places[JC_BONE_COUNT]);

float partial_distance(struct jc_vec3 a, struct jc_vec3 b);

#endif
