/* Where every node goes when a skeleton is set into the reference pose. */
#ifndef JC_MOTION_REREST_PLAN_H
#define JC_MOTION_REREST_PLAN_H

#include <stdbool.h>

#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Matrices are worlds by node: `before` in the T-pose of the skeleton's model
 * space, `after` in the canonical space of the new rest. A point that moved with
 * a node still does: with M a node's world in motion, the new one is
 * F M change, change = before^-1 F^-1 after, F being `turn`. */
struct jc_rerest_plan {
	size_t count;
	enum jc_bone *bones; /* by node: the one at it or JC_BONE_NONE; owned, as are all */
	bool *is_carrier;    /* by node: a bone's, or above one */
	struct jc_mat4 *before, *after, *change;
	struct jc_transform *locals; /* after, relative to the parent's */
	struct jc_quat turn;         /* F: of the old model space to canonical space */
	bool is_turned;              /* F is more than the facing of the format */
};

/* The change of a node's parent; of a root, that of the model space itself. */
struct jc_mat4 jc_rerest_plan_parent_change(
	const struct jc_rerest_plan *plan, const struct jc_skeleton *skeleton, int node);

/* Says in lint which bones were straightened. Fails for want of memory, and for
 * a skeleton whose scale cannot be undone. */
int jc_rerest_plan_init(struct jc_rerest_plan *plan, const struct jc_skeleton *skeleton,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_rerest_plan_finish(struct jc_rerest_plan *plan);

/* Gives a virtual transform the offset with which it stands where it stood. */
void jc_rerest_plan_virtual(
	const struct jc_rerest_plan *plan, struct jc_virtual_transform *virtual);

#endif
