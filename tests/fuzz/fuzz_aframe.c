/* Fuzzes A-Frame recordings: frames that are read have finite joints of unit length, and can be
 * completed to a body. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "jointcast/emulation.h"
#include "jointcast/motion.h"
#include "jointcast/solver.h"
#include "jointcast/transform.h"
#include "target.h"

#define FRAMES_MOST 200 /* completed; more take too long */

static void check_frame(const struct jc_motion *motion, double t)
{
	struct jc_body_frame frame;

	jc_motion_body_frame(motion, t, &frame);
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame.joints[j];

		assert(jc_vec3_is_finite(joint->position));
		assert(fabsf(jc_quat_angle(joint->orientation, joint->orientation)) < 1e-3f);
		assert(jc_quat_is_finite(joint->orientation));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_motion *motion;

	if (jc_motion_read(bytes, length, 0, NULL, &motion, &lint, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0] != '\0');
		return 0;
	}
	const struct jc_motion_info *info = jc_motion_info(motion);

	if (info->kind == JC_MOTION_BODY_FRAMES && info->frame_count <= FRAMES_MOST) {
		for (int i = 0; i <= 3; i++) {
			check_frame(motion, info->duration * i / 3.0);
		}
		assert(jc_emulation_complete_motion(motion, 0.0f) == JC_OK);
		check_frame(motion, info->duration / 2.0);
	}
	jc_motion_destroy(motion);
	return 0;
}
