/* Virtual transforms of a skeleton as Sites of its H-Anim figure. */
#ifndef JC_MOTION_HANIM_SITES_H
#define JC_MOTION_HANIM_SITES_H

#include "jointcast/limits.h"
#include "jointcast/skeleton.h"

#define JC_HANIM_SITE_NAME_BYTES 80

struct jc_hanim_sites {
	size_t count;
	/* By joint of the figure; the offset is from the joint's center, along the axes
	 * of the figure. names below holds the strings. */
	struct jc_virtual_transform items[JC_LIMIT_VIRTUAL_TRANSFORMS];
	char names[JC_LIMIT_VIRTUAL_TRANSFORMS][JC_HANIM_SITE_NAME_BYTES];
};

/* places: by node of the skeleton, its joint in the figure or -1. A virtual transform on
 * a node without a joint goes to the next joint above, or is left out without one.
 * corrections: from the rest of the figure to the T-pose. Viewpoints are left out,
 * because a written figure has its own. In the T-pose each site has the same position
 * relative to its joint as in the skeleton; names get the suffixes of H-Anim. */
int jc_hanim_sites_find(const struct jc_skeleton *skeleton, const int *places,
	const struct jc_quat corrections[JC_BONE_COUNT], struct jc_hanim_sites *out_sites,
	struct jc_diagnostic *diagnostic);

#endif
