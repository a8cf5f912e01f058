/* Checks the body frames of a tracker for inspect. */
#ifndef JC_CLI_BODY_FRAME_LINT_H
#define JC_CLI_BODY_FRAME_LINT_H

#include "jointcast/lint.h"
#include "jointcast/motion.h"

/* Adds findings when the joint positions contradict the declared profile, and when joints are
 * implausible. Does nothing for motions of poses. */
void jc_body_frame_lint(const struct jc_motion *motion, struct jc_lint *lint);

#endif
