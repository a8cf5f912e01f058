/* Virtual transforms of a skeleton as Sites of the H-Anim figure made of it. */
#ifndef JC_MOTION_HANIM_SITES_H
#define JC_MOTION_HANIM_SITES_H

#include "jointcast/limits.h"
#include "jointcast/skeleton.h"

#define JC_HANIM_SITE_NAME_BYTES 80

struct jc_hanim_sites {
	size_t count;
	/* By joint of the figure; the offset is from the joint's center, along
	 * the figure's axes. Names borrow from below. */
	struct jc_virtual_transform items[JC_LIMIT_VIRTUAL_TRANSFORMS];
	char names[JC_LIMIT_VIRTUAL_TRANSFORMS][JC_HANIM_SITE_NAME_BYTES];
};

/* places: by node of the skeleton, its joint in the figure or -1; what hangs on a
 * node without one hangs on the next above, and is left out where there is none.
 * corrections: of the figure, from its rest to the T-pose. Viewpoints are left out, for a written
 * figure has its own. In the T-pose each site stands to its joint as the skeleton has it; names end
 * as H-Anim's do. */
int jc_hanim_sites_find(const struct jc_skeleton *skeleton, const int *places,
	const struct jc_quat corrections[JC_BONE_COUNT], struct jc_hanim_sites *out_sites,
	struct jc_diagnostic *diagnostic);

#endif
