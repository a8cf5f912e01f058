/* Recordings from anywhere: every body that is read is finite and its time runs
 * forward. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/recording.h"
#include "jointcast/transform.h"

#define BODIES 8

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(bool holds)
{
	if (!holds) {
		abort();
	}
}

static void check_frame(const struct jc_motion *motion, double t)
{
	struct jc_body_frame frame;
	struct jc_pose pose;

	if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
		jc_motion_pose(motion, t, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			check(jc_quat_is_finite(pose.rotations[b]));
		}
		check(jc_vec3_is_finite(pose.hips_translation));
	} else {
		jc_motion_body_frame(motion, t, &frame);
		for (int j = 0; j < JC_JOINT_COUNT; j++) {
			check(jc_quat_is_finite(frame.joints[j].orientation));
			check(jc_vec3_is_finite(frame.joints[j].position));
		}
	}
	for (size_t i = 0; i < jc_motion_channel_count(motion); i++) {
		float values[JC_MOTION_CHANNEL_VALUES];

		jc_motion_channel_values(motion, i, t, values);
		check(isfinite(values[0]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_mcap_slice slice = { bytes, length };
	struct jc_mcap_input input = jc_mcap_input_memory(&slice);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording *recording;

	if (jc_recording_open(&input, &recording, &diagnostic) != JC_OK) {
		check(diagnostic.what[0] != '\0');
		return 0;
	}
	for (size_t i = 0; i < jc_recording_body_count(recording) && i < BODIES; i++) {
		struct jc_motion *motion;

		if (jc_recording_read_body(recording, i, &motion, NULL, &diagnostic) != JC_OK) {
			check(diagnostic.what[0] != '\0');
			continue;
		}
		check(jc_motion_info(motion)->duration >= 0.0);
		check(jc_motion_info(motion)->frame_count > 0);
		for (int k = 0; k <= 3; k++) {
			check_frame(motion, jc_motion_info(motion)->duration * k / 3.0);
		}
		jc_motion_destroy(motion);
	}
	jc_recording_close(recording);
	return 0;
}
