/* Limits and segments of a skeleton on its written H-Anim figure. */
#ifndef JC_MOTION_HANIM_BODY_H
#define JC_MOTION_HANIM_BODY_H

#include "hanim_placement.h"
#include "jointcast/lint.h"

/* Nodes are joints of the figure. Names are borrowed from the skeleton. */
struct jc_hanim_body {
	size_t limit_count;
	struct jc_joint_limit *limits; /* owned */
	size_t segment_count;
	struct jc_skeleton_segment *segments; /* owned */
};

/* A segment goes to the joint that carries its node, or to the root. A limit stays where its joint
 * rests relative to its parent as on the skeleton; lint reports the others. */
int jc_hanim_body_init(struct jc_hanim_body *body, const struct jc_hanim_placement *placement,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_hanim_body_finish(struct jc_hanim_body *body);

#endif
