/* Plays one motion on one skeleton: solves, retargets, applies joint limits and computes every
 * node at one instant. */
#ifndef JOINTCAST_FITTING_H
#define JOINTCAST_FITTING_H

#include <stdbool.h>
#include <stddef.h>

#include "contacts.h"
#include "motion.h"
#include "retarget.h"
#include "skeleton.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Treatment of joints beyond the limits of their skeleton. */
enum jc_limits {
	JC_LIMITS_COUNTED, /* count them */
	JC_LIMITS_KEPT,    /* count them and turn them back to the limit, axis by axis */
	JC_LIMITS_OFF,     /* do not check */
};

/* JC_FITTING_DEFAULTS: scales 1, everything else 0. */
struct jc_fitting_options {
	float horizontal, vertical; /* jc_retargeter_scale_hips */
	float forearm_twist;        /* jc_pose_share_twist */
	enum jc_limits limits;      /* what to do with joints past them */
	/* Keep contacts (contacts.h). Each pose then depends on the poses before it. */
	bool contacts;
};

/* Options that change nothing of the motion. */
#define JC_FITTING_DEFAULTS ((struct jc_fitting_options){ .horizontal = 1.0f, .vertical = 1.0f })

/* A motion on a skeleton. Read-only for the caller, between jc_fitting_init and
 * jc_fitting_finish. */
struct jc_fitting {
	const struct jc_motion *motion;     /* borrowed */
	const struct jc_skeleton *skeleton; /* borrowed */
	enum jc_limits limits;              /* of the options */
	struct jc_solver solver;            /* of the motion; used for body frames */
	struct jc_retargeter *retargeter;   /* owned, as are the arrays */
	struct jc_contacts *contacts;       /* owned; NULL: contacts are not kept */

	bool has_pose;                /* after the first jc_fitting_pose */
	double t;                     /* of the pose, seconds */
	struct jc_skeleton_pose pose; /* before the spine is split and limits are applied */
	struct jc_transform *locals;  /* by node */
	struct jc_quat *before;       /* rotations of the pose before, by node */
	struct jc_mat4 *worlds;       /* by node, model space of the skeleton's file */
	struct jc_transform *virtual_transforms; /* in model space, in the order of the skeleton */
	size_t moving_count; /* nodes of the skeleton that the motion moves beside the bones */
	struct jc_moving_node moving[JC_LIMIT_MOVING_NODES]; /* these nodes */
	size_t past_limits;                                  /* joints beyond their limits */
	size_t clamped; /* of these, turned back to the limit */
};

/* JC_OK or JC_ERROR_MEMORY. Before the first jc_fitting_pose the skeleton is at rest. */
int jc_fitting_init(struct jc_fitting *fitting, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton, const struct jc_fitting_options *options);
void jc_fitting_finish(struct jc_fitting *fitting);

/* Poses the skeleton at t seconds, 0 <= t <= duration. Each quaternion gets the sign that is
 * nearer to the previous pose, so that consecutive frames have no sign flips. */
void jc_fitting_pose(struct jc_fitting *fitting, double t);

/* R of a mapped bone's node: rotation = rest * R. For a bone whose rotation is shared among
 * several spine joints: the node's own share. */
struct jc_quat jc_fitting_relative(const struct jc_fitting *fitting, enum jc_bone bone);

/* N of a mapped bone, including the rotations of bones that the skeleton lacks:
 * local = P^-1 N O W before the spine is split and limits are applied. */
struct jc_quat jc_fitting_normalized(const struct jc_fitting *fitting, enum jc_bone bone);

/* Whether a node's rotation differs from rest by more than rounding. */
bool jc_fitting_node_moved(const struct jc_fitting *fitting, size_t node);

/* Rotation of a node in model space, with the sign of the product of the rotations above it;
 * false if a scale of zero makes it undefined. */
bool jc_fitting_world_rotation(
	const struct jc_fitting *fitting, int node, struct jc_quat *out_rotation);

#ifdef __cplusplus
}
#endif

#endif
