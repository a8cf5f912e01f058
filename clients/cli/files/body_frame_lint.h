/* What inspect finds in the body frames of a tracker. */
#ifndef JC_CLI_BODY_FRAME_LINT_H
#define JC_CLI_BODY_FRAME_LINT_H

#include "jointcast/lint.h"
#include "jointcast/motion.h"

/* Whether the declared profile is borne out, and joints that no body can have; does
 * nothing for motions that are poses. */
void jc_body_frame_lint(const struct jc_motion *motion, struct jc_lint *lint);

#endif
