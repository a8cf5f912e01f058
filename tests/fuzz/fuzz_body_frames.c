/* Fuzzes body-frame files: a motion that is read can be sampled at any time, checked and solved,
 * with finite results. Input that is not JSON gives raw values: joints that pass the filter are
 * finite and near, and solve to unit rotations. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "jointcast_private/axes.h"
#include "jointcast_private/plausibility.h"
#include "target.h"

static void check_pose(const struct jc_pose *pose)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		struct jc_quat q = pose->rotations[bone];

		assert(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 1e-3f);
		assert(pose->states[bone] <= JC_TRACKED);
	}
	assert(jc_vec3_is_finite(pose->hips_translation));
}

/* Input: profile, then a state and 7 floats for each joint of each frame. */
static void check_raw(const uint8_t *bytes, size_t length)
{
	struct jc_plausibility state = { 0 };
	struct jc_solver solver;

	jc_solver_init(&solver, (enum jc_profile)(bytes[0] % JC_PROFILE_COUNT), NULL);
	for (size_t at = 1; at < length;) {
		struct jc_body_frame frame = { .time_ns = (int64_t)at * 1000000 };
		struct jc_pose pose;

		for (int joint = 0; joint < JC_JOINT_COUNT && length - at >= 29; joint++) {
			float v[7];

			memcpy(v, bytes + at + 1, sizeof(v));
			frame.joints[joint] = (struct jc_body_joint){
				.position = { v[0], v[1], v[2] },
				.orientation = { v[3], v[4], v[5], v[6] },
				.state = bytes[at] % (JC_TRACKED + 1),
			};
			at += 29;
		}
		jc_plausibility_filter(&state, &frame);
		for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
			struct jc_body_joint one = frame.joints[joint];

			assert(one.state == JC_ABSENT ||
				(jc_vec3_length(one.position) <=
						JC_LIMIT_JOINT_DISTANCE + JC_LIMIT_JOINT_REACH &&
					jc_quat_is_finite(one.orientation)));
		}
		jc_solver_solve(&solver, &frame, &pose);
		check_pose(&pose);
		if (length - at < 29) {
			break;
		}
	}
}

static void check_frame(const struct jc_motion *motion, double t)
{
	struct jc_axes_check check;
	struct jc_body_frame frame;
	struct jc_solver solver;
	struct jc_pose pose;

	jc_motion_body_frame(motion, t, &frame);
	jc_axes_check_init(&check, jc_motion_profile(motion));
	jc_axes_check_add(&check, &frame);
	assert(jc_axes_check_verdict(&check, NULL) <= JC_AXES_DISAGREE);
	jc_solver_init_motion(&solver, motion);
	jc_solver_solve(&solver, &frame, &pose);
	check_pose(&pose);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		assert(jc_vec3_is_finite(frame.joints[joint].position));
		assert(jc_quat_is_finite(frame.joints[joint].orientation));
		assert(frame.joints[joint].state <= JC_TRACKED);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_motion *motion = NULL;
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	double duration;

	if (length == 0) {
		return 0;
	}
	if (bytes[0] != '{') {
		check_raw(bytes, length);
		return 0;
	}
	if (jc_motion_read(bytes, length, 0, NULL, &motion, &lint, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0]);
		return 0;
	}
	assert(jc_motion_info(motion)->kind == JC_MOTION_BODY_FRAMES);
	duration = jc_motion_info(motion)->duration;
	check_frame(motion, 0.0);
	check_frame(motion, 0.37 * duration);
	check_frame(motion, duration);
	jc_motion_destroy(motion);
	return 0;
}
