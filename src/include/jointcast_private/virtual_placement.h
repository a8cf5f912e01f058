/* The place of one virtual transform in the world (KHR_virtual_transform, "Transform
 * Calculation"), and its offset in other axes. */
#ifndef JC_PRIVATE_VIRTUAL_PLACEMENT_H
#define JC_PRIVATE_VIRTUAL_PLACEMENT_H

#include <stdbool.h>

#include "jointcast/skeleton.h"

/* The transform in model space by the formula of jc_virtual_transforms_evaluate (retarget.h).
 * parent is the world matrix of its node; NULL for a virtual transform without a node. */
struct jc_transform jc_virtual_transform_place(
	const struct jc_virtual_transform *virtual_transform, const struct jc_mat4 *parent);

/* Changes the offset so that the virtual transform keeps its place when model space is turned and
 * the node's world matrix becomes `after` instead of turn * before. Both are NULL for a virtual
 * transform without a node. A matrix that cannot be decomposed leaves the offset as it is. */
void jc_virtual_transform_carry(struct jc_virtual_transform *virtual_transform, struct jc_quat turn,
	const struct jc_mat4 *before, const struct jc_mat4 *after);

/* Whether nothing of its node moves it: it has none, or it respects nothing of it. */
bool jc_virtual_transform_is_root(const struct jc_virtual_transform *virtual_transform);

#endif
