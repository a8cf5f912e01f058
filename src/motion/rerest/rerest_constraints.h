/* Expresses node constraints for a new rest. */
#ifndef JC_MOTION_REREST_CONSTRAINTS_H
#define JC_MOTION_REREST_CONSTRAINTS_H

#include "rerest_document.h"

/* Rewrites VRMC_node_constraint so that every constrained node has the same world transform as in
 * the old rest whenever its source has. Where the axes of the new rest do not allow that, nodes
 * are added above the constrained node, and the plan changes accordingly. Invalid constraints are
 * removed and reported. To be called before the nodes get their transforms. */
int jc_rerest_constraints(struct jc_rerest_document *document);

#endif
