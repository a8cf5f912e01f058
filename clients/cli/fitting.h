/* One motion on one skeleton at one instant, with everything that the retarget
 * command prints. */
#ifndef JC_CLI_FITTING_H
#define JC_CLI_FITTING_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/motion.h"
#include "jointcast/retarget.h"
#include "jointcast/skeleton.h"
#include "jointcast/solver.h"

struct jc_fitting {
	const struct jc_motion *motion;     /* borrowed */
	const struct jc_skeleton *skeleton; /* borrowed */
	struct jc_solver solver;
	struct jc_retargeter *retargeter; /* owned, as are the arrays */

	double t;
	struct jc_skeleton_pose pose;
	struct jc_transform *locals; /* by node */
	struct jc_mat4 *worlds;      /* by node, model space of the skeleton's file */
	struct jc_transform *virtual_transforms;
};

/* JC_OK or JC_ERROR_MEMORY. It stands at rest until it is posed. */
int jc_fitting_init(struct jc_fitting *fitting, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton);
void jc_fitting_finish(struct jc_fitting *fitting);

/* Poses it at t seconds, which must lie inside the motion. */
void jc_fitting_pose(struct jc_fitting *fitting, double t);

/* R of a mapped bone's node: rotation = rest * R. Of a bone whose rotation its
 * spine shares among several joints, the node's own share. */
struct jc_quat jc_fitting_relative(const struct jc_fitting *fitting, enum jc_bone bone);

/* N of a mapped bone as this skeleton wears it: what bones it lacks would have
 * done is folded in. local = P^-1 N W before a spine is shared out. */
struct jc_quat jc_fitting_normalized(const struct jc_fitting *fitting, enum jc_bone bone);

/* Whether a node is turned away from its rest, by more than arithmetic. */
bool jc_fitting_node_moved(const struct jc_fitting *fitting, size_t node);

/* Rotation part of a world matrix; false where a scale of zero leaves none. */
bool jc_fitting_rotation(const struct jc_mat4 *world, struct jc_quat *out_rotation);

#endif
