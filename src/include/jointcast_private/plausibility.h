/* What trackers deliver when they fail: numbers that are none, joints kilometres
 * away, hands that jump. Such joints are held where they were for a moment, then
 * dropped, and counted. The limits are those of limits.h; no clock is read. */
#ifndef JC_PRIVATE_PLAUSIBILITY_H
#define JC_PRIVATE_PLAUSIBILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* What is wrong with a joint; the first of these that is. */
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

/* How a joint was when it last was plausible. */
struct jc_plausible_joint {
	bool is_known;
	bool is_anchored; /* position counts from the hips, else from the origin */
	int64_t time_ns;  /* of that frame */
	struct jc_vec3 position;
	struct jc_quat orientation;
	float length; /* to the joint above, 0 where that was not there */
};

/* One per body, the caller's; `struct jc_plausibility state = { 0 };` begins it. */
struct jc_plausibility {
	struct jc_plausible_joint joints[JC_JOINT_COUNT];
	uint64_t counts[JC_IMPLAUSIBLE_COUNT]; /* joints times frames */
	uint64_t held, dropped;                /* of these */
};

/* Mends a frame in place: orientations are normalised, implausible joints stand
 * estimated as they last were, moving along with the hips, for JC_LIMIT_HOLD_NS, and
 * are absent after that. Speed and bones are measured against what was plausible at
 * most that long ago, so that whoever jumps for good is believed then; hips have
 * neither, for bodies are teleported. A frame that is not later than the one before
 * begins anew. */
void jc_plausibility_filter(struct jc_plausibility *state, struct jc_body_frame *frame);

#endif
