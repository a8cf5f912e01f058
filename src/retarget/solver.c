/* Solves body frames into poses: removes the axes of the frame's profile in the T-pose; the
 * remaining rotation is the bone's. */
#include "jointcast/solver.h"
#include "jointcast_private/axes.h"
#include "jointcast_private/slimevr.h"

#include <math.h>

#include "jointcast/transform.h"

/* Proportions of the built-in figure (proto/joints.json) for what a body frame does not show.
 * They hold for bodies of any size. */
#define HEIGHT_PER_LEG      1.1236f /* hips height relative to thigh and shin */
#define HEIGHT_PER_TRUNK    1.5673f /* hips height relative to the spine from hips to head */
#define SOLE_PER_HEIGHT     0.0159f /* height of the ball of the foot relative to the hips height */
#define HEIGHT_PER_ANKLE    1.0739f /* hips height relative to hips above ankles */
#define HEIGHT_WHEN_UNKNOWN 0.945f  /* metres, without legs and trunk */
#define LENGTH_LEAST        0.02f   /* metres; shorter legs and trunks are not measured */

static bool is_present(const struct jc_body_frame *frame, enum jc_joint joint)
{
	return frame->joints[joint].state != JC_ABSENT;
}

static float distance(const struct jc_body_frame *frame, enum jc_joint a, enum jc_joint b)
{
	return jc_vec3_length(
		jc_vec3_subtract(frame->joints[a].position, frame->joints[b].position));
}

/* Length of a chain of joints; 0 if one is absent. */
static float chain_length(
	const struct jc_body_frame *frame, const enum jc_joint *joints, size_t count)
{
	float length = 0.0f;

	for (size_t i = 0; i < count; i++) {
		if (!is_present(frame, joints[i])) {
			return 0.0f;
		}
		length += i > 0 ? distance(frame, joints[i - 1], joints[i]) : 0.0f;
	}
	return length;
}

static float leg_length(const struct jc_body_frame *frame)
{
	static const enum jc_joint legs[2][3] = {
		{ JC_JOINT_LEFT_UPPER_LEG, JC_JOINT_LEFT_LOWER_LEG, JC_JOINT_LEFT_FOOT_ANKLE },
		{ JC_JOINT_RIGHT_UPPER_LEG, JC_JOINT_RIGHT_LOWER_LEG, JC_JOINT_RIGHT_FOOT_ANKLE },
	};
	float left = chain_length(frame, legs[0], 3);
	float right = chain_length(frame, legs[1], 3);

	return left > 0.0f && right > 0.0f ? 0.5f * (left + right) : left + right;
}

/* Hips height from bone lengths, which do not depend on the posture; 0 if the frame does not
 * show it. */
static float measure_hips_height(const struct jc_body_frame *frame)
{
	static const enum jc_joint trunk[] = { JC_JOINT_HIPS, JC_JOINT_SPINE_LOWER,
		JC_JOINT_SPINE_UPPER, JC_JOINT_CHEST, JC_JOINT_NECK, JC_JOINT_HEAD };
	float leg = leg_length(frame);
	float spine;

	if (leg > LENGTH_LEAST) {
		return leg * HEIGHT_PER_LEG;
	}
	spine = chain_length(frame, trunk, sizeof(trunk) / sizeof(trunk[0]));
	return spine > LENGTH_LEAST ? spine * HEIGHT_PER_TRUNK : 0.0f;
}

/* Height of the hips above the lower of two joints; 0 if both are absent. */
static float height_over(const struct jc_body_frame *rest, enum jc_joint left, enum jc_joint right)
{
	float hips = rest->joints[JC_JOINT_HIPS].position.y;
	float height = 0.0f;

	if (is_present(rest, left)) {
		height = hips - rest->joints[left].position.y;
	}
	if (is_present(rest, right)) {
		height = fmaxf(height, hips - rest->joints[right].position.y);
	}
	return height;
}

/* Height over the lowest foot joint, over the floor without feet; 0 if unknown. */
static float rest_hips_height(const struct jc_body_frame *rest)
{
	float balls = height_over(rest, JC_JOINT_LEFT_FOOT_BALL, JC_JOINT_RIGHT_FOOT_BALL);
	float ankles = height_over(rest, JC_JOINT_LEFT_FOOT_ANKLE, JC_JOINT_RIGHT_FOOT_ANKLE);
	float spine;

	if (balls > LENGTH_LEAST) {
		return fmaxf(balls, ankles);
	}
	if (ankles > LENGTH_LEAST) {
		return ankles * HEIGHT_PER_ANKLE;
	}
	spine = measure_hips_height(rest);
	return spine > 0.0f ? spine
			    : rest->joints[JC_JOINT_HIPS].position.y / (1.0f + SOLE_PER_HEIGHT);
}

void jc_solver_init(
	struct jc_solver *solver, enum jc_profile profile, const struct jc_body_frame *rest)
{
	*solver = (struct jc_solver){ .profile = profile };
	jc_axes_init(&solver->axes, profile);
	if (!rest || !is_present(rest, JC_JOINT_HIPS)) {
		return;
	}
	solver->rest_hips = rest->joints[JC_JOINT_HIPS].position;
	solver->hips_height = rest_hips_height(rest);
	if (solver->hips_height <= LENGTH_LEAST) {
		solver->hips_height = HEIGHT_WHEN_UNKNOWN;
	}
}

static struct jc_vec3 solve_hips(const struct jc_solver *solver, const struct jc_body_frame *frame)
{
	struct jc_vec3 position = frame->joints[JC_JOINT_HIPS].position;
	struct jc_vec3 rest = solver->rest_hips;
	float height = solver->hips_height;

	if (height <= 0.0f) {
		height = measure_hips_height(frame);
		height = height > 0.0f ? height : HEIGHT_WHEN_UNKNOWN;
		rest = (struct jc_vec3){ 0.0f, height * (1.0f + SOLE_PER_HEIGHT), 0.0f };
	}
	return jc_vec3_scale(jc_vec3_subtract(position, rest), 1.0f / height);
}

static void solve(
	const struct jc_solver *solver, const struct jc_body_frame *frame, struct jc_pose *out_pose)
{
	struct jc_axes_turn turns[JC_JOINT_COUNT];
	struct jc_quat turned[JC_BONE_COUNT]; /* D; a missing bone has that of its parent */

	jc_pose_init(out_pose);
	jc_axes_turns(&solver->axes, frame, turns);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		enum jc_bone bone = jc_joint_bone((enum jc_joint)joint);

		if (bone != JC_BONE_NONE && is_present(frame, (enum jc_joint)joint)) {
			turned[bone] = turns[joint].turned;
			out_pose->states[bone] =
				turns[joint].derived ? JC_ESTIMATED : frame->joints[joint].state;
		}
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct jc_quat above = parent == JC_BONE_NONE ? JC_QUAT_IDENTITY : turned[parent];

		if (out_pose->states[bone] == JC_ABSENT) {
			turned[bone] = above;
			continue;
		}
		out_pose->rotations[bone] =
			jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(above), turned[bone]));
	}
	if (out_pose->states[JC_BONE_HIPS] != JC_ABSENT) {
		out_pose->hips_translation = solve_hips(solver, frame);
	}
	if (solver->forearm_twist > 0.0f) {
		jc_pose_share_twist(out_pose, solver->forearm_twist);
	}
}

void jc_solver_solve(
	const struct jc_solver *solver, const struct jc_body_frame *frame, struct jc_pose *out_pose)
{
	struct jc_slimevr slimevr = { .bones = { .is_made = false } };
	struct jc_body_frame arranged;

	if (jc_slimevr_is_possible(frame)) {
		arranged = *frame;
		if (jc_slimevr_arrange(&slimevr, solver->profile, &arranged)) {
			frame = &arranged;
		}
	}
	solve(solver, frame, out_pose);
}

void jc_solver_init_motion(struct jc_solver *solver, const struct jc_motion *motion)
{
	jc_solver_init(solver, jc_motion_profile(motion), jc_motion_rest(motion));
}

void jc_solver_sample(const struct jc_solver *solver, const struct jc_motion *motion, double t,
	struct jc_pose *out_pose)
{
	struct jc_body_frame frame;

	if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
		jc_motion_pose(motion, t, out_pose);
		if (solver->forearm_twist > 0.0f) {
			jc_pose_share_twist(out_pose, solver->forearm_twist);
		}
		return;
	}
	jc_motion_body_frame(motion, t, &frame);
	jc_solver_solve(solver, &frame, out_pose);
}
