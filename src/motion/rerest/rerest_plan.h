/* The new transform of every node when a skeleton is set to the reference pose. */
#ifndef JC_MOTION_REREST_PLAN_H
#define JC_MOTION_REREST_PLAN_H

#include <stdbool.h>

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "jointcast/write.h"
#include "rerest_plan.h"

/* Matrices are world transforms by node: `before` in the T-pose of the skeleton's model
 * space, `after` in the new model space and rest. A point that moves with a node
 * continues to do so: if M is the world transform of a node in motion, the new one is F M
 * change, where change = before^-1 F^-1 after and F is `turn`. */
struct jc_rerest_plan {
	size_t count;
	enum jc_bone *bones; /* by node: the bone at it or JC_BONE_NONE; owned, as are all arrays */
	bool *is_carrier;    /* by node: it is a bone or above one */
	struct jc_mat4 *before, *after, *change;
	struct jc_mat4 *above; /* the change of the parent; of a root, that of the model space */
	struct jc_quat rotations[JC_BONE_COUNT]; /* of bones in `after` */
	struct jc_transform *locals;             /* `after` relative to the parent */
	struct jc_quat turn;                     /* F: from the old model space to the new one */
	bool is_turned; /* the figure did not stand as its format demands */
	bool is_vrm0;   /* the new model space is that of VRM 0.x, not the canonical one */
};

/* The new rest of a figure. */
struct jc_rerest_goal {
	enum jc_bone_axes axes;
	/* As VRM 0.x demands: facing -Z, nodes of bones without rotation. `axes` is not used. */
	bool is_vrm0;
};

/* Adds the straightened bones to lint. Fails if memory is short, or if the scale of the
 * skeleton cannot be inverted. */
int jc_rerest_plan_init(struct jc_rerest_plan *plan, const struct jc_skeleton *skeleton,
	struct jc_rerest_goal goal, struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_rerest_plan_finish(struct jc_rerest_plan *plan);

/* Changes the offset of a virtual transform so that it keeps its place in the world. */
void jc_rerest_plan_virtual(
	const struct jc_rerest_plan *plan, struct jc_virtual_transform *virtual);

#endif
