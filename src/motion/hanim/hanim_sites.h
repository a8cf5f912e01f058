/* Virtual transforms of a skeleton as Sites of its H-Anim figure. */
#ifndef JC_MOTION_HANIM_SITES_H
#define JC_MOTION_HANIM_SITES_H

#include "hanim_placement.h"
#include "jointcast/limits.h"
#include "jointcast/lint.h"
#include "jointcast/skeleton.h"

#define JC_HANIM_SITE_NAME_BYTES 80

struct jc_hanim_sites {
	size_t count;
	/* By joint of the figure; the offset is from the joint's center, along the axes
	 * of the figure. Parent -1: a site of the humanoid, the offset is from its origin.
	 * names below holds the strings. */
	struct jc_virtual_transform items[JC_LIMIT_VIRTUAL_TRANSFORMS];
	char names[JC_LIMIT_VIRTUAL_TRANSFORMS][JC_HANIM_SITE_NAME_BYTES];
};

/* In the T-pose each site has the same position relative to its joint as the virtual transform on
 * the skeleton. A virtual transform on a node without a joint goes to the next joint above. One
 * without a node or a joint above, and one that does not respect its node's position, goes to the
 * humanoid, where it stands still. Viewpoints are left out, because a written figure has its own.
 * Names get the suffixes of H-Anim. Lost viewpoints, flags and tags are reported in lint. */
void jc_hanim_sites_find(const struct jc_hanim_placement *placement,
	struct jc_hanim_sites *out_sites, struct jc_lint *lint);

#endif
