/* Where the nodes of a skeleton are in its written H-Anim figure. */
#ifndef JC_MOTION_HANIM_PLACEMENT_H
#define JC_MOTION_HANIM_PLACEMENT_H

#include "jointcast/skeleton.h"

struct jc_hanim_placement {
	const struct jc_skeleton *skeleton; /* borrowed, as are places and corrections */
	const int *places;                  /* by node: its joint in the figure, or -1 */
	const struct jc_quat *corrections;  /* by bone: from the rest of the figure to the T-pose */
	struct jc_vec3 shift;               /* of the figure from the skeleton's canonical space */
	struct jc_mat4 *worlds;             /* owned: by node, in the T-pose, model space */
};

/* Computes worlds; the caller sets the other fields. JC_OK or JC_ERROR_MEMORY. */
int jc_hanim_placement_init(struct jc_hanim_placement *placement);
void jc_hanim_placement_finish(struct jc_hanim_placement *placement);

/* The node with a joint in the figure at a node or nearest above it; -1 for none. */
int jc_hanim_placement_joint(const struct jc_hanim_placement *placement, int node);

/* Converts T-pose model space to the figure at rest: relative to the center of the joint at this
 * node, along the axes of the figure. joint -1: to the coordinates of the humanoid. */
struct jc_mat4 jc_hanim_placement_matrix(const struct jc_hanim_placement *placement, int joint);

#endif
