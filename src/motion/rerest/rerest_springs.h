/* Expresses spring bones of VRM 0.x and 1.0 for a new rest. */
#ifndef JC_MOTION_REREST_SPRINGS_H
#define JC_MOTION_REREST_SPRINGS_H

#include "rerest_document.h"

/* Colliders keep their places in the world. Chains of joints are nodes of the file and keep theirs
 * with them. Gravity is a direction of the world: it turns about the vertical with a figure that is
 * turned to face its front. */
void jc_rerest_springs(struct jc_rerest_document *document);

#endif
