/* Motions of H-Anim scenes: whatever is read can be posed, and poses are finite. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(bool holds)
{
	if (!holds) {
		abort();
	}
}

static void check_poses(const struct jc_motion *motion)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_pose pose;

	check(isfinite(info->duration) && isfinite(info->fps) && info->frame_count > 0);
	for (int i = 0; i <= 3; i++) {
		jc_motion_pose(motion, info->duration * i / 3.0, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			check(jc_quat_is_finite(pose.rotations[b]));
		}
		check(jc_vec3_is_finite(pose.hips_translation));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	for (size_t index = 0; index < 3; index++) {
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_lint lint = { 0 };
		struct jc_motion *motion;

		if (jc_motion_read(bytes, length, index, NULL, &motion, &lint, &diagnostic)) {
			check(diagnostic.what[0] != '\0');
			return 0;
		}
		if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
			check_poses(motion);
		}
		jc_motion_destroy(motion);
	}
	return 0;
}
