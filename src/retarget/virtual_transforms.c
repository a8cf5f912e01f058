/* Evaluates the virtual transforms of a posed skeleton, such as a grip or a seat. */
#include "jointcast/retarget.h"
#include "jointcast_private/virtual_placement.h"

void jc_virtual_transforms_evaluate(const struct jc_skeleton *skeleton,
	const struct jc_mat4 *worlds, struct jc_transform *out_transforms)
{
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);

	for (size_t i = 0; i < count; i++) {
		out_transforms[i] = jc_virtual_transform_place(
			&all[i], all[i].parent >= 0 ? &worlds[all[i].parent] : NULL);
	}
}
