/* Fuzzes motions of H-Anim scenes: motions that are read can be posed, and poses are finite. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "target.h"

static void check_poses(const struct jc_motion *motion)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_pose pose;

	assert(isfinite(info->duration) && isfinite(info->fps) && info->frame_count > 0);
	for (int i = 0; i <= 3; i++) {
		jc_motion_pose(motion, info->duration * i / 3.0, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert(jc_quat_is_finite(pose.rotations[b]));
		}
		assert(jc_vec3_is_finite(pose.hips_translation));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	for (size_t index = 0; index < 3; index++) {
		struct jc_diagnostic diagnostic = { 0 };
		struct jc_lint lint = { 0 };
		struct jc_motion *motion;

		if (jc_motion_read(bytes, length, index, NULL, &motion, &lint, &diagnostic)) {
			assert(diagnostic.what[0] != '\0');
			return 0;
		}
		if (jc_motion_info(motion)->kind == JC_MOTION_POSES) {
			check_poses(motion);
		}
		jc_motion_destroy(motion);
	}
	return 0;
}
