/* Where a virtual transform stands follows from its parent's parts that it
 * respects (jc_virtual_transforms_evaluate); this solves the same formula for
 * the offset, the figure's turn applied to what was there. */
#include "rerest_virtual.h"

#include "jointcast/transform.h"

static struct jc_vec3 divide(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.x / b.x, a.y / b.y, a.z / b.z };
}

static struct jc_transform respected(
	const struct jc_virtual_transform *virtual, struct jc_transform parent)
{
	struct jc_transform kept = JC_TRANSFORM_IDENTITY;

	if (virtual->respect_rotation) {
		kept.rotation = parent.rotation;
	}
	if (virtual->respect_scale) {
		kept.scale = parent.scale;
	}
	return kept;
}

void jc_rerest_virtual(const struct jc_rerest_plan *plan, struct jc_virtual_transform *virtual)
{
	struct jc_transform before = JC_TRANSFORM_IDENTITY, after = JC_TRANSFORM_IDENTITY;
	struct jc_transform *offset = &virtual->offset;
	struct jc_vec3 place;

	if (virtual->parent >= 0 &&
		(!jc_mat4_decompose(plan->before[virtual->parent], &before, NULL) ||
			!jc_mat4_decompose(plan->after[virtual->parent], &after, NULL))) {
		return;
	}
	before = respected(virtual, before);
	after = respected(virtual, after);
	place = jc_quat_rotate(
		plan->turn, jc_quat_rotate(before.rotation,
				    jc_vec3_multiply(before.scale, offset->translation)));
	offset->translation =
		divide(jc_quat_rotate(jc_quat_conjugate(after.rotation), place), after.scale);
	offset->rotation = jc_quat_normalize(jc_quat_multiply(jc_quat_conjugate(after.rotation),
		jc_quat_multiply(plan->turn, jc_quat_multiply(before.rotation, offset->rotation))));
	offset->scale = divide(jc_vec3_multiply(before.scale, offset->scale), after.scale);
}
