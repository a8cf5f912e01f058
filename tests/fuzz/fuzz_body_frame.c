/* Fuzzes captures: a decoded capture is within the limits and decodes equally after encoding,
 * within the bounds. Body frames also pass the filter and the solver, as publishers' frames do. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "jointcast/solver.h"
#include "jointcast_private/plausibility.h"
#include "target.h"

static void require_rotation(struct jc_quat q)
{
	assert(fabsf(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0f) < 1e-6f);
}

static void require_place(struct jc_vec3 v)
{
	assert(fabsf(v.x) <= JC_LIMIT_JOINT_DISTANCE && fabsf(v.y) <= JC_LIMIT_JOINT_DISTANCE &&
		fabsf(v.z) <= JC_LIMIT_JOINT_DISTANCE);
}

static void require_capture(const struct jc_capture *capture)
{
	assert(capture->time_us >= 0 && capture->time_us <= JC_CAPTURE_TIME_MAX);
	assert(capture->value_count <= JC_LIMIT_CAPTURE_VALUES);
	for (size_t i = 0; i < capture->value_count; i++) {
		assert(fabsf(capture->values[i]) <= 2.0f);
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
		assert(pose->states[i] <= JC_TRACKED);
		require_rotation(pose->rotations[i]);
	}
	assert(length > 0 && jc_pose_decode(bytes, (size_t)length, &read, &again) == length);
	assert(read.time_us == capture->time_us && read.value_count == capture->value_count);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		assert(again.states[i] == pose->states[i]);
	}
}

static void check_body_frame(const struct jc_capture *capture, const struct jc_body_frame *frame)
{
	static struct jc_capture read;
	uint8_t bytes[JC_CAPTURE_BYTES];
	struct jc_body_frame again;
	int length = jc_body_frame_encode(capture, frame, bytes, sizeof(bytes));

	require_capture(capture);
	assert(frame->confidence >= 0.0f && frame->confidence <= 1.0f);
	assert(length > 0 && jc_body_frame_decode(bytes, (size_t)length, &read, &again) == length);
	for (int i = 0; i < JC_JOINT_COUNT; i++) {
		const struct jc_body_joint *joint = &frame->joints[i];

		require_rotation(joint->orientation);
		require_place(joint->position);
		/* Positions are whole steps, so decoding restores them exactly. */
		assert(joint->state == again.joints[i].state &&
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

		assert(isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w));
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
