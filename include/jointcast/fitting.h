/* One motion on one skeleton at one instant: from the pose to every node, with
 * all that an operator may ask for on the way. */
#ifndef JOINTCAST_FITTING_H
#define JOINTCAST_FITTING_H

#include <stdbool.h>
#include <stddef.h>

#include "motion.h"
#include "retarget.h"
#include "skeleton.h"
#include "solver.h"

/* What becomes of joints that stand past the limits of their skeleton. */
enum jc_limits {
	JC_LIMITS_COUNTED, /* they are counted */
	JC_LIMITS_KEPT,    /* and turned back to the limit, axis by axis */
	JC_LIMITS_OFF,     /* nobody looks */
};

/* All zero but the two scales is what a fitting does by itself. */
struct jc_fitting_options {
	float horizontal, vertical; /* jc_retargeter_scale_hips */
	float forearm_twist;        /* jc_pose_share_twist */
	enum jc_limits limits;
};

#define JC_FITTING_DEFAULTS ((struct jc_fitting_options){ .horizontal = 1.0f, .vertical = 1.0f })

struct jc_fitting {
	const struct jc_motion *motion;     /* borrowed */
	const struct jc_skeleton *skeleton; /* borrowed */
	enum jc_limits limits;
	struct jc_solver solver;
	struct jc_retargeter *retargeter; /* owned, as are the arrays */

	double t;
	struct jc_skeleton_pose pose; /* before a spine is shared out and limits are kept */
	struct jc_transform *locals;  /* by node */
	struct jc_quat *before;       /* rotations of the pose before, by node */
	struct jc_mat4 *worlds;       /* by node, model space of the skeleton's file */
	struct jc_transform *virtual_transforms;
	size_t past_limits; /* joints that the motion puts there */
	size_t clamped;     /* of these, turned back */
};

/* JC_OK or JC_ERROR_MEMORY. It stands at rest until it is posed. */
int jc_fitting_init(struct jc_fitting *fitting, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton, const struct jc_fitting_options *options);
void jc_fitting_finish(struct jc_fitting *fitting);

/* Poses it at t seconds, which must lie inside the motion. Of the two signs of a
 * rotation that one is taken which is nearer to the pose before, so that a motion
 * asked for frame by frame has no jump of sign. */
void jc_fitting_pose(struct jc_fitting *fitting, double t);

/* R of a mapped bone's node: rotation = rest * R. Of a bone whose rotation its
 * spine shares among several joints, the node's own share. */
struct jc_quat jc_fitting_relative(const struct jc_fitting *fitting, enum jc_bone bone);

/* N of a mapped bone as this skeleton wears it: what bones it lacks would have
 * done is folded in. local = P^-1 N O W before a spine is shared out and limits
 * are kept. */
struct jc_quat jc_fitting_normalized(const struct jc_fitting *fitting, enum jc_bone bone);

/* Whether a node is turned away from its rest, by more than arithmetic. */
bool jc_fitting_node_moved(const struct jc_fitting *fitting, size_t node);

/* Rotation of a node in model space, with the sign that the rotations above it
 * multiply to; false where a scale of zero leaves none. */
bool jc_fitting_world_rotation(
	const struct jc_fitting *fitting, int node, struct jc_quat *out_rotation);

#endif
