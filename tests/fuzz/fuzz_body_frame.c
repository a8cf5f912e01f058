/* Any bytes as a capture: what is read is a body within the limits, and what is
 * written of it is read as the same to within the bounds. A body frame then goes
 * through the filter and the solver, as publishers' frames do. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/capture.h"
#include "jointcast/solver.h"
#include "jointcast_private/plausibility.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* assert() is not compiled in release builds, the ones that fuzz. */
static void require(bool condition)
{
	if (!condition) {
		abort();
	}
}

static void require_rotation(struct jc_quat q)
{
	require(fabsf(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0f) < 1e-6f);
}

static void require_place(struct jc_vec3 v)
{
	require(fabsf(v.x) <= JC_LIMIT_JOINT_DISTANCE && fabsf(v.y) <= JC_LIMIT_JOINT_DISTANCE &&
		fabsf(v.z) <= JC_LIMIT_JOINT_DISTANCE);
}

static void require_capture(const struct jc_capture *capture)
{
	require(capture->time_us >= 0 && capture->time_us <= JC_CAPTURE_TIME_MAX);
	require(capture->value_count <= JC_LIMIT_CAPTURE_VALUES);
	for (size_t i = 0; i < capture->value_count; i++) {
		require(fabsf(capture->values[i]) <= 2.0f);
	}
}

static void check_pose(const struct jc_capture *capture, const struct jc_pose *pose)
{
	static struct jc_capture read;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_pose again;
	int length = jc_pose_encode(capture, pose, bytes, sizeof(bytes));

	require_capture(capture);
	require_place(pose->hips_translation);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		require(pose->states[i] <= JC_TRACKED);
		require_rotation(pose->rotations[i]);
	}
	require(length > 0 && jc_pose_decode(bytes, (size_t)length, &read, &again) == length);
	require(read.time_us == capture->time_us && read.value_count == capture->value_count);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		require(again.states[i] == pose->states[i]);
	}
}

static void check_body_frame(const struct jc_capture *capture, const struct jc_body_frame *frame)
{
	static struct jc_capture read;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_body_frame again;
	int length = jc_body_frame_encode(capture, frame, bytes, sizeof(bytes));

	require_capture(capture);
	require(frame->confidence >= 0.0f && frame->confidence <= 1.0f);
	require(length > 0 && jc_body_frame_decode(bytes, (size_t)length, &read, &again) == length);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		const struct jc_body_joint *joint = &frame->joints[i];

		require_rotation(joint->orientation);
		require_place(joint->position);
		/* Positions are whole steps, so decoding restores them exactly. */
		require(joint->state == again.joints[i].state &&
			joint->position.x == again.joints[i].position.x &&
			joint->position.y == again.joints[i].position.y &&
			joint->position.z == again.joints[i].position.z);
	}
}

static void solve(const struct jc_body_frame *frame, const struct jc_body_frame *rest)
{
	struct jc_plausibility plausibility = { 0 };
	struct jc_body_frame whole = *frame;
	struct jc_solver solver;
	struct jc_pose pose;

	jc_solver_init(&solver, JC_PROFILE_META, rest);
	jc_plausibility_filter(&plausibility, &whole);
	jc_solver_solve(&solver, &whole, &pose);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		struct jc_quat q = pose.rotations[i];

		require(isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static struct jc_capture capture;
	static struct jc_body_frame frame;
	static struct jc_pose pose;

	if (jc_pose_decode(bytes, length, &capture, &pose) == (int)length) {
		check_pose(&capture, &pose);
	}
	if (jc_body_frame_decode(bytes, length, &capture, &frame) == (int)length) {
		check_body_frame(&capture, &frame);
		solve(&frame, NULL);
		solve(&frame, &frame);
	}
	return 0;
}
