/* The figure that an H-Anim file is written with: any skeleton in the rest that
 * the standard demands. */
#ifndef JC_MOTION_HANIM_FIGURE_H
#define JC_MOTION_HANIM_FIGURE_H

#include "jointcast/skeleton.h"

/* Every node of *out_figure is a joint, the first is the root, parents come
 * before children. At rest all frames lie along canonical axes and the arms hang
 * down; nodes are named as H-Anim 2.0 calls them, each name once and fit to be a
 * DEF. Bones keep their names and N.
 *
 * An H-Anim figure keeps the joints below its hips, centers and limits; of any,
 * virtual transforms become sites (hanim_sites.h). Of
 * others the bones become joints, the legs below a sacroiliac; arms, which
 * readers take for straight, are laid straight, as are thumbs. A figure that
 * stands far from the ground or the origin is set there. */
int jc_hanim_figure_create(const struct jc_skeleton *skeleton, struct jc_skeleton **out_figure,
	struct jc_diagnostic *diagnostic);

#endif
