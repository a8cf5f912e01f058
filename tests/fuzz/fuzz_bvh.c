/* Fuzzes BVH files: motions that are read can be posed, and poses are finite. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"
#include "jointcast_private/bvh.h"
#include "target.h"

static void read_syntax(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_bvh *bvh;

	if (jc_bvh_read((const char *)bytes, length, &bvh, &lint, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return;
	}
	assert(bvh->frame_count > 0 && bvh->frame_seconds > 0.0);
	for (size_t i = 0; i < bvh->frame_count * bvh->value_count; i++) {
		assert(isfinite(bvh->values[i]));
	}
	for (size_t i = 0; i < bvh->joint_count; i++) {
		assert(bvh->joints[i].parent < (int)i);
	}
	jc_bvh_destroy(bvh);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;
	struct jc_pose pose;

	read_syntax(bytes, length);
	if (jc_motion_read(bytes, length, 0, NULL, &motion, &lint, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return 0;
	}
	if (jc_motion_info(motion)->kind != JC_MOTION_POSES) {
		jc_motion_destroy(motion);
		return 0;
	}
	for (int i = 0; i <= 3; i++) {
		jc_motion_pose(motion, jc_motion_info(motion)->duration * i / 3.0, &pose);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			assert(jc_quat_is_finite(pose.rotations[b]));
		}
		assert(jc_vec3_is_finite(pose.hips_translation));
	}
	jc_motion_destroy(motion);
	return 0;
}
