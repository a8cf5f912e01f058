/* Body frame -> pose: what trackers deliver, made free of the person's
 * proportions. One solver per body; it holds nothing but its set-up, so equal
 * frames give equal poses. */
#ifndef JOINTCAST_SOLVER_H
#define JOINTCAST_SOLVER_H

#include "humanoid.h"
#include "motion.h"

#define JC_AXES_LINES 6 /* lines across the body: hips, chest, wrists */

/* Tables of one profile, computed once; the fields are private. */
struct jc_axes {
	struct jc_quat inverse[JC_JOINT_COUNT]; /* W^-1: inverse world rotation in the T-pose */
	/* Unit directions in the T-pose of the built-in figure: from a joint to each of the
	 * two joints that its bone may point at, and along the lines across the body. */
	struct jc_vec3 along[JC_JOINT_COUNT][2];
	struct jc_vec3 across[JC_AXES_LINES];
};

struct jc_solver {
	enum jc_profile profile;
	float hips_height;        /* metres; <= 0: measured from each frame's leg length */
	struct jc_vec3 rest_hips; /* where the hips stand in the T-pose */
	struct jc_axes axes;      /* of the profile */
	float forearm_twist;      /* jc_pose_share_twist of every pose; 0: left as it is */
};

/* rest is the source's own T-pose as a body frame: the height of the hips is
 * theirs over its lowest ankle or ball of the foot, over ankles alone 1.0739 times
 * that, without feet by its legs or trunk as below, else over y = 0. NULL where it
 * gives none:
 * then each frame's own height is measured, never by how the person stands:
 * 1.1236 times thigh + shin, without legs 1.5673 times the way from hips to
 * head along the spine, without either 0.945 m (the built-in proportions). */
void jc_solver_init(
	struct jc_solver *solver, enum jc_profile profile, const struct jc_body_frame *rest);

/* D_b = G_j W_j^-1 for the joint that drives each bone, N_b = D_p^-1 D_b with
 * the nearest bone above that the frame has. Absent joints give absent bones.
 * A joint whose orientation the positions refute (jc_axes_turns) is turned as they
 * say and its bone estimated, so that a wrongly declared profile still gives a body.
 * The figure keeps its place and yaw in the source's space, floor at y = 0.
 *
 * Profile webxr-spec: the lower arm follows its own joint; what the wrist has
 * turned about the forearm against it ends in the hand, and the draft's
 * *-hand-wrist-twist joints, which say it once more, are not read. A tracker whose
 * lower arm does not roll wants forearm_twist; which one does cannot be told from
 * a frame, so by itself it is 0. */
void jc_solver_solve(const struct jc_solver *solver, const struct jc_body_frame *frame,
	struct jc_pose *out_pose);

/* A motion of either kind at t seconds as a pose; the solver is only used for
 * body frames. jc_solver_init_motion sets it up for that motion. */
void jc_solver_init_motion(struct jc_solver *solver, const struct jc_motion *motion);
void jc_solver_sample(const struct jc_solver *solver, const struct jc_motion *motion, double t,
	struct jc_pose *out_pose);

#endif
