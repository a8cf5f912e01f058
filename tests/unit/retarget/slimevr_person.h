/* A person whose trackers a SlimeVR server turns into bones, by the server's rule: a bone extends
 * along its own -Y, and its rotation is the tracker's times the rest direction of the bone. */
#ifndef SLIMEVR_PERSON_H
#define SLIMEVR_PERSON_H

#include <stdbool.h>

#include "jointcast/humanoid.h"

/* A person who looks to -Z: rotations of trackers since hanging arms, the same on both sides
 * mirrored. */
struct person {
	struct jc_quat body, head, upper_arm, lower_arm, hand, thigh, shin, foot;
	bool has_controllers, has_arm_trackers;
	bool is_usual;        /* proportions */
	struct jc_quat stale; /* of shoulders and upper arms with controllers */
};

struct person person_standing(void);

/* A person whose left joints all differ from rest; the body turns with the phase. */
struct person person_moving(float phase);

struct jc_quat person_about(struct jc_vec3 axis, float degrees);

/* The rotation of a tracker on the left (side 0) or right. */
struct jc_quat person_mirror(struct jc_quat q, int side);

/* The joints that Monado's driver solarxr delivers. */
struct jc_body_frame person_bones(const struct person *person);

#endif
