/* Solves body frames into poses: removes the person's proportions from tracker data. One
 * solver per body. It keeps no state between frames, so equal frames give equal poses. */
#ifndef JOINTCAST_SOLVER_H
#define JOINTCAST_SOLVER_H

#include "humanoid.h"
#include "motion.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JC_AXES_LINES 6 /* lines across the body: hips, chest, wrists */

/* Tables of one profile, computed once; the fields are private. */
struct jc_axes {
	struct jc_quat inverse[JC_JOINT_COUNT]; /* W^-1: inverse world rotation in the T-pose */
	/* Unit directions in the T-pose of the built-in figure: from a joint to each of the
	 * two joints that its bone may point at, and along the lines across the body. */
	struct jc_vec3 along[JC_JOINT_COUNT][2];
	struct jc_vec3 across[JC_AXES_LINES];
};

/* A solver for the body frames of one source. */
struct jc_solver {
	enum jc_profile profile;  /* of the frames */
	float hips_height;        /* metres; <= 0: measured from each frame's leg length */
	struct jc_vec3 rest_hips; /* hips position in the T-pose */
	struct jc_axes axes;      /* of the profile */
	float forearm_twist;      /* share for jc_pose_share_twist; 0: off */
};

/* rest is the source's own T-pose as a body frame, or NULL. With rest, the hips height is
 * measured from its lowest ankle or ball of the foot (1.0739 times the height over the ankles
 * if it has no balls), without feet from its legs or trunk as below, else from y = 0.
 * Without rest, each frame's limbs are measured, so that the height does not depend on the
 * posture: 1.1236 times thigh + shin; without legs 1.5673 times the length of the spine from
 * hips to head; without both 0.945 m. The factors are those of the built-in skeleton. */
void jc_solver_init(
	struct jc_solver *solver, enum jc_profile profile, const struct jc_body_frame *rest);

/* With G_j the world rotation of the joint that drives bone b and W_j that rotation in the
 * T-pose: D_b = G_j W_j^-1, N_b = D_p^-1 D_b, where p is the nearest bone above b in the frame.
 * Absent joints give absent bones. If the joint positions contradict an orientation, the
 * rotation is derived from the positions and the bone is marked estimated, so that a wrongly
 * declared profile still gives a usable body. The body keeps its position and yaw in the
 * source's space, with the floor at y = 0.
 *
 * Profile webxr-spec: the lower arm follows its own joint; the wrist's twist relative to it
 * becomes part of the hand. The draft's *-hand-wrist-twist joints repeat that twist and are not
 * read. Trackers whose lower arm does not roll need forearm_twist; a frame does not show which
 * trackers these are, so the default is 0. */
void jc_solver_solve(const struct jc_solver *solver, const struct jc_body_frame *frame,
	struct jc_pose *out_pose);

/* Samples a motion of either kind at t seconds as a pose. The solver is used only for motions
 * of body frames; jc_solver_init_motion prepares it for that motion. */
void jc_solver_init_motion(struct jc_solver *solver, const struct jc_motion *motion);
void jc_solver_sample(const struct jc_solver *solver, const struct jc_motion *motion, double t,
	struct jc_pose *out_pose);

#ifdef __cplusplus
}
#endif

#endif
