/* Body-frame files as strangers write them: whatever is read can be sampled
 * anywhere and comes out finite. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* assert() is not compiled in the builds that fuzz. */
static void require(bool holds)
{
	if (!holds) {
		abort();
	}
}

static void check_frame(const struct jc_motion *motion, double t)
{
	struct jc_body_frame frame;

	jc_motion_body_frame(motion, t, &frame);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		require(jc_vec3_is_finite(frame.joints[joint].position));
		require(jc_quat_is_finite(frame.joints[joint].orientation));
		require(frame.joints[joint].state <= JC_TRACKED);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_motion *motion = NULL;
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	double duration;

	/* Whatever does not begin so is another reader's, with its own target. */
	if (length == 0 || bytes[0] != '{') {
		return 0;
	}
	if (jc_motion_read(bytes, length, 0, NULL, &motion, &lint, &diagnostic) != JC_OK) {
		require(diagnostic.what[0]);
		return 0;
	}
	require(jc_motion_info(motion)->kind == JC_MOTION_BODY_FRAMES);
	duration = jc_motion_info(motion)->duration;
	check_frame(motion, 0.0);
	check_frame(motion, 0.37 * duration);
	check_frame(motion, duration);
	jc_motion_destroy(motion);
	return 0;
}
