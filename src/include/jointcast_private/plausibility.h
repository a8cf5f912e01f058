/* Filters tracker failures: NaN, joints kilometres away, jumping hands. Such joints are counted and
 * held at their last place for a while, then dropped. The limits stand in limits.h. */
#ifndef JC_PRIVATE_PLAUSIBILITY_H
#define JC_PRIVATE_PLAUSIBILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* The first problem of a joint in this order. */
enum jc_implausibility {
	JC_IMPLAUSIBLE_NUMBER,      /* NaN or infinite */
	JC_IMPLAUSIBLE_ORIENTATION, /* no unit quaternion within JC_LIMIT_UNIT_ERROR */
	/* farther than JC_LIMIT_JOINT_DISTANCE from the origin or JC_LIMIT_JOINT_REACH
	 * from the hips */
	JC_IMPLAUSIBLE_DISTANCE,
	/* of the wrist against the hips, over JC_LIMIT_HAND_SPEED: its whole hand */
	JC_IMPLAUSIBLE_SPEED,
	JC_IMPLAUSIBLE_BONE, /* length to the joint above changed by over JC_LIMIT_BONE_JUMP */
	JC_IMPLAUSIBLE_COUNT
};

const char *jc_implausibility_name(enum jc_implausibility kind); /* "speed" */

/* Last plausible state of a joint. */
struct jc_plausible_joint {
	bool is_known;
	bool is_anchored; /* position counts from the hips, else from the origin */
	int64_t time_ns;  /* of that frame */
	struct jc_vec3 position;
	struct jc_quat orientation;
	float length; /* to the joint above, 0 where that was not there */
};

/* State of one body, owned by the caller. Initialise with `struct jc_plausibility state = { 0 };`.
 */
struct jc_plausibility {
	struct jc_plausible_joint joints[JC_JOINT_COUNT];
	uint64_t counts[JC_IMPLAUSIBLE_COUNT]; /* joints times frames */
	uint64_t held, dropped;                /* of these */
};

/* Filters a frame in place: normalises orientations; implausible joints keep their last place
 * relative to the hips, marked estimated, for JC_LIMIT_HOLD_NS, and are absent after that. Speed
 * and bone length are compared with plausible values of at most that age, so that a permanent jump
 * is accepted afterwards. Hips have no such check, because bodies teleport. A frame that is not
 * later than the previous one resets the state. */
void jc_plausibility_filter(struct jc_plausibility *state, struct jc_body_frame *frame);

#endif
