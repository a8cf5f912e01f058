#include "motion_private.h"
int jc_motion_read_body_frames(const void *bytes, size_t length, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	(void)bytes, (void)length, (void)out_motion, (void)lint;
	return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL, "body-frame file");
}
