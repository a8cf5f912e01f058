/* Completes body frames: estimates absent joints from the present ones, because the WebXR draft
 * requires all joints or none and most trackers see only head and hands. Present joints are never
 * changed. The method is analytic: the trunk follows head or hips, two-bone inverse kinematics
 * bends arms and legs towards hands and feet, and feet stay planted until a step is needed. */
#ifndef JOINTCAST_EMULATION_H
#define JOINTCAST_EMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "motion.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JC_EMULATION_LEVELS 256 /* histogram of the head's height over the floor, 1 cm each */
#define JC_EMULATION_TELEPORT                                                                      \
	1.0f /* metres of head movement between frames that count as a jump                        \
	      */

/* Size of the person, as multiples of the built-in skeleton's lengths. */
struct jc_emulation_sizes {
	float bones[JC_BONE_COUNT];         /* from the joint above to this one; 0: unknown */
	float body;                         /* of all other bones */
	float trunk, legs;                  /* largest observed extension; 0: unknown */
	bool is_reported;                   /* known from a T-pose or a height */
	float seconds[JC_EMULATION_LEVELS]; /* time that the head spent at each level */
	float most;                         /* highest level of the head, metres */
	float height;                       /* last height of the head */
};

/* A foot without a tracker. */
struct jc_emulation_foot {
	struct jc_vec3 from, to; /* ankle on the floor before and after the step; y is 0 */
	float from_yaw, to_yaw;  /* heading of the foot before and after, radians about +Y */
	float share;             /* progress of the step, 0 to 1; 1: the foot is planted */
};

/* State of one body; plain data, owned by the caller. Time is time_ns of the frames. */
struct jc_emulation {
	enum jc_profile profile;            /* of the frames */
	struct jc_axes axes;                /* of the profile */
	struct jc_emulation_sizes reported; /* sizes after a restart */
	struct jc_emulation_sizes sizes;    /* as known so far */
	bool has_begun;                     /* a frame with a joint has been completed */
	int64_t time_ns;                    /* of the last frame with a joint */
	struct jc_vec3 place;               /* head position, else that of another joint */
	struct jc_vec3 middle;              /* centre of the stance on the floor */
	struct jc_vec3 velocity;            /* of the centre */
	float heading;                      /* of the trunk, radians about +Y from +Z */
	struct jc_quat
		reaching;    /* rotation of the chest towards the hands, relative to the heading */
	struct jc_vec3 arch; /* direction of the spine's arch, relative to the chest */
	struct jc_vec3 elbows[2];         /* directions of the elbows, relative to the chest */
	struct jc_emulation_foot feet[2]; /* left, right */
};

/* rest is the source's own T-pose as a body frame, complete or partial, or NULL; height is the
 * person's standing height, metres, or 0. Other sizes are learned: lengths from present joints,
 * body size from the greatest height at which the head stays for a while (jumps do not count).
 * Orientations are never calibrated. */
void jc_emulation_init(struct jc_emulation *emulation, enum jc_profile profile,
	const struct jc_body_frame *rest, float height);

/* Resets the state for another tracking space or person. */
void jc_emulation_restart(struct jc_emulation *emulation);

/* Completes a frame in place. A frame without any joint is unchanged. A frame that is not later
 * than the previous one, more than a second later, or whose head jumped by more than
 * JC_EMULATION_TELEPORT resets the feet under the body. The floor is y = 0. Returns whether a
 * joint was estimated. */
bool jc_emulation_complete(struct jc_emulation *emulation, struct jc_body_frame *frame);

/* The complete T-pose of the person as known so far, for jc_solver_init. Joints present in
 * `reported` (may be NULL) are copied. */
void jc_emulation_rest(const struct jc_emulation *emulation, const struct jc_body_frame *reported,
	struct jc_body_frame *out_rest);

/* Completes all frames of a motion of body frames, in order, and its T-pose. Motions of poses are
 * unchanged. Call it before jc_motion_create_mirror. JC_OK, or JC_ERROR_MEMORY and the motion is
 * unchanged. */
int jc_emulation_complete_motion(struct jc_motion *motion, float height);

#ifdef __cplusplus
}
#endif

#endif
