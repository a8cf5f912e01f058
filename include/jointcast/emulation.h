/* Whole bodies from what is there: the WebXR draft wants every joint or none, and
 * head and hands are all that most trackers see. Joints that are absent are
 * estimated from those that are there; those that are there are never touched. The
 * way is analytic: a trunk that hangs from the head or stands on the hips, limbs of
 * two bones bent towards where hands and feet are, feet that stay planted until they
 * have to step. */
#ifndef JOINTCAST_EMULATION_H
#define JOINTCAST_EMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "motion.h"
#include "solver.h"

#define JC_EMULATION_LEVELS   256  /* of the head over the floor, a centimetre each */
#define JC_EMULATION_TELEPORT 1.0f /* metres of the head from frame to frame that are no motion */

/* How large the person is, in lengths of the built-in figure. */
struct jc_emulation_sizes {
	float bones[JC_BONE_COUNT];         /* from the joint above to this one; 0: not seen yet */
	float body;                         /* of all that was not seen */
	float trunk, legs;                  /* as stretched as they were seen; 0: not seen */
	bool is_reported;                   /* by a T-pose or a height */
	float seconds[JC_EMULATION_LEVELS]; /* that the head was at each level */
	float most;                         /* its highest, metres */
	float height;                       /* the last one */
};

/* A foot that nobody tracks. */
struct jc_emulation_foot {
	struct jc_vec3 from, to; /* of the ankle's place on the floor; y is 0 */
	float from_yaw, to_yaw;
	float share; /* of the step from one to the other; 1: it stands */
};

/* One per body, the caller's; plain data. No clock is read: time is time_ns of the
 * frames. */
struct jc_emulation {
	enum jc_profile profile;
	struct jc_axes axes;
	struct jc_emulation_sizes told; /* what a restart begins with */
	struct jc_emulation_sizes sizes;
	bool has_begun;
	int64_t time_ns;          /* of the last frame that had anything */
	struct jc_vec3 place;     /* of the head, else what there was */
	struct jc_vec3 middle;    /* of the stance, on the floor */
	struct jc_vec3 velocity;  /* of it */
	float heading;            /* of the trunk, radians about +Y from +Z */
	struct jc_quat reaching;  /* the chest's turn for hands, against the heading */
	struct jc_vec3 arch;      /* the side to which the spine bends out, against the chest */
	struct jc_vec3 elbows[2]; /* where they point, against the chest */
	struct jc_emulation_foot feet[2];
};

/* rest is the source's own T-pose as a body frame, whole or in part, or NULL;
 * height is that of the person standing, metres, or 0. What neither tells is
 * learned: lengths from joints that are there, size from the head's height, the
 * tallest that it stayed at counting as standing, leaps not. Orientations are never
 * calibrated. */
void jc_emulation_init(struct jc_emulation *emulation, enum jc_profile profile,
	const struct jc_body_frame *rest, float height);

/* Another space or another person: the next frame begins anew. */
void jc_emulation_restart(struct jc_emulation *emulation);

/* Makes a frame whole, in place. A frame without any joint stays as it is. Frames
 * that are not later than the one before, that come over a second after it or whose
 * head has jumped by over JC_EMULATION_TELEPORT begin anew: feet then stand under the
 * body at once. The floor is y = 0. Returns whether anything was estimated. */
bool jc_emulation_complete(struct jc_emulation *emulation, struct jc_body_frame *frame);

/* The person's T-pose as far as it is known by now, whole; what `told` has of it
 * (may be NULL) stays. For a solver, which then need not measure each frame. */
void jc_emulation_rest(const struct jc_emulation *emulation, const struct jc_body_frame *told,
	struct jc_body_frame *out_rest);

/* Every frame of a motion of body frames, in their order, so that a sample depends
 * on its time alone, and its T-pose; motions of poses stay as they are. Not for mirrored ones:
 * mirror after this. 0 or JC_ERROR_MEMORY, which leaves the motion as it was. */
int jc_emulation_complete_motion(struct jc_motion *motion, float height);

#endif
